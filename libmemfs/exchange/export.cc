// The way out: which memories, their writer, the target.
#include <algorithm>
#include <map>
#include <set>

#include "libmemfs/base/hash.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/export_target.h"
#include "libmemfs/exchange/formats.h"
#include "libmemfs/store/import_ledger.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

bool is_lossless(ExportFormat format) { return format == ExportFormat::kJsonLines; }

std::vector<Scope> scopes_of(const ExportWish& wish) {
  if (!wish.scopes.empty()) return wish.scopes;
  // What is written into a file of the team must not tell what is a person's own.
  if (wish.format == ExportFormat::kBlock) return {Scope::kShared};
  return {};
}

class Selection {
 public:
  Selection(const Store& store, ExportFormat format, Instant now)
      : store_(store), format_(format), now_(now) {}

  Result<std::vector<ExportedMemory>> take(const std::vector<Scope>& scopes) {
    std::vector<ExportedMemory> taken;
    MEMFS_ASSIGN(const Listing listing, store_.list(scopes));
    for (const Memory& memory : listing.memories)
      if (auto one = take_one(memory)) taken.push_back(std::move(*one));
    return taken;
  }

  void tell(std::vector<std::string>& notes) const {
    if (expired_ > 0)
      notes.push_back(count_of(expired_, "memory is", "memories are") +
                      " past the end, and left out");
    if (held_back_ > 0)
      notes.push_back(count_of(held_back_, "memory is", "memories are") +
                      " left out, since the guard holds back what they say (mem check)");
    for (const std::string& path : unreadable_) notes.push_back("could not be read: " + path);
  }

 private:
  std::optional<ExportedMemory> take_one(const Memory& listed) {
    if (!is_lossless(format_) && is_expired(listed, now_)) {
      ++expired_;
      return std::nullopt;
    }
    Result<Admission> admission =
        is_lossless(format_) ? unguarded(listed) : store_.admit(listed, true);
    if (admission && !admission->held_back.empty()) {
      ++held_back_;
      return std::nullopt;
    }
    auto bytes = store_.read_bytes(listed);
    // Both of the same moment, or neither.
    if (!admission || !bytes || content_hash(*bytes) != admission->memory.etag) {
      unreadable_.push_back(listed.path);
      return std::nullopt;
    }
    return ExportedMemory{std::move(admission->memory), std::move(*bytes)};
  }

  Result<Admission> unguarded(const Memory& listed) const {
    Admission admission;
    MEMFS_ASSIGN(admission.memory, store_.load(listed));
    return admission;
  }

  const Store& store_;
  ExportFormat format_;
  Instant now_;
  std::size_t expired_ = 0, held_back_ = 0;
  std::vector<std::string> unreadable_{};
};

// The items that the memories were when they were imported last, by their hashes.
std::set<std::string> imported_as(const StoreInside::Impl& impl,
                                  const std::vector<ExportedMemory>& memories) {
  std::set<std::string> hashes;
  const auto state = impl.open_state();
  if (!state) return hashes;
  std::map<Scope, ImportLedger> ledgers;
  for (const Scope scope : kScopes)
    if (const auto key = impl.key_of(scope))
      ledgers.emplace(scope, ImportLedger::load(*state, *key));
  for (const ExportedMemory& one : memories) {
    const auto ledger = ledgers.find(one.memory.scope);
    if (ledger == ledgers.end()) continue;
    const auto* item = ledger->second.of_memory(ImportLedger::key_of(one.memory));
    if (item != nullptr) hashes.insert(item->hash);
  }
  return hashes;
}

}  // namespace

Result<ExportReport> export_memories(const Store& store, const ExportWish& wish) {
  const StoreInside::Impl& impl = StoreInside::of(store);
  ExportReport report;
  ExportInput input;
  input.now = impl.now();
  Selection selection(store, wish.format, input.now);
  MEMFS_ASSIGN(input.memories, selection.take(scopes_of(wish)));
  std::optional<ExportTarget> target;
  if (!wish.path.empty()) {
    MEMFS_ASSIGN(target, ExportTarget::open(impl.fs(), impl.layout, wish));
    input.target = target->path();
    MEMFS_ASSIGN(input.present, target->present());
  }
  MEMFS_ASSIGN(ExportOutput output, writer_of(wish.format)(input));
  report.memories = output.memories;
  report.notes = std::move(output.notes);
  selection.tell(report.notes);
  if (target) {
    MEMFS_TRY(target->write(output, imported_as(impl, input.memories), report));
    return report;
  }
  if (output.files.size() != 1 || !output.files.front().rel.empty()) {
    return make_error(ErrorCode::kUsage,
                      std::string(name_of(wish.format)) + " is a folder of several files")
        .with_hint("name the folder: mem export " + std::string(name_of(wish.format)) + " FOLDER");
  }
  report.text = std::move(output.files.front().bytes);
  return report;
}

}  // namespace memfs
