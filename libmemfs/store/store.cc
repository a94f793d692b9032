#include <memfs/store.h>

#include <algorithm>
#include <thread>

#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/memory_document.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

Result<Layout> layout_at(const std::string& directory) {
  PosixFileSystem fs;
  Environment environment;
  environment.root = directory;
  environment.working_directory = "/";
  if (!directory.starts_with('/'))
    return make_error(ErrorCode::kUsage, "the folder's path must be absolute").at(directory);
  return discover_layout(fs, environment);
}

Result<Store> Store::open(Layout layout) { return open(std::move(layout), Services{}); }

Result<Store> Store::open(Layout layout, Services services) {
  if (!services.fs) services.fs = std::make_shared<PosixFileSystem>();
  if (!services.clock) services.clock = std::make_shared<SystemClock>();
  if (!services.file_clock) services.file_clock = std::make_shared<SystemClock>();
  if (!services.ids) services.ids = std::make_shared<RandomIds>();
  if (services.threads == 0) services.threads = std::max(1U, std::thread::hardware_concurrency());
  auto impl = std::make_unique<Impl>();
  impl->layout = std::move(layout);
  impl->services = std::move(services);
  return Store(std::move(impl));
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const Layout& Store::layout() const { return impl_->layout; }
void Store::set_writer(std::string writer) { impl_->services.writer = std::move(writer); }

Problem scope_problem(const Error& error) {
  Problem problem;
  problem.code = "unreadable";
  problem.severity = Severity::kError;
  problem.path = escape_for_terminal(error.path);
  problem.message = error.message;
  problem.hint = error.hint;
  return problem;
}

Result<std::shared_ptr<Directory>> Store::Impl::scope_dir(Scope scope) const {
  const ScopeFolder& folder = layout.folder(scope);
  if (folder.path.empty()) return make_error(ErrorCode::kNotFound, folder.why);
  return fs().open(folder.path);
}

Result<std::shared_ptr<Directory>> Store::Impl::open_state() const {
  MEMFS_TRY(fs().make_directories(layout.state, 0700));
  return fs().open(layout.state);
}

std::vector<OpenScope> Store::Impl::open_scopes(const std::vector<Scope>& scopes,
                                                std::vector<Problem>& problems) const {
  std::vector<OpenScope> open;
  for (const Scope scope : kScopes) {
    const bool wanted =
        scopes.empty() || std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
    if (!wanted) continue;
    auto dir = scope_dir(scope);
    if (dir) {
      open.push_back({scope, std::move(*dir)});
    } else if (dir.error().code != ErrorCode::kNotFound) {  // else there is nothing yet
      problems.push_back(scope_problem(dir.error()));
    }
  }
  return open;
}

Result<Listing> Store::Impl::list(const std::vector<Scope>& scopes) const {
  Listing listing;
  for (const auto& [scope, dir] : open_scopes(scopes, listing.problems)) {
    auto loaded = catalogue(scope, *dir);
    if (!loaded) {
      listing.problems.push_back(scope_problem(loaded.error()));
      continue;
    }
    for (Problem& problem : loaded->problems) listing.problems.push_back(std::move(problem));
    for (Memory& memory : loaded->memories) {
      listing.problems.insert(listing.problems.end(), memory.problems.begin(),
                              memory.problems.end());
      listing.memories.push_back(std::move(memory));
    }
  }
  return listing;
}

Result<Listing> Store::list(const std::vector<Scope>& scopes) const { return impl_->list(scopes); }

Result<Found> Store::read(std::string_view reference) const {
  MEMFS_ASSIGN(Found found, impl_->find(reference, false));
  MEMFS_ASSIGN(const auto dir, impl_->scope_dir(found.memory.scope));
  MEMFS_ASSIGN(found.memory, load_memory(*dir, found.memory));
  return found;
}

Result<Memory> Store::load(const Memory& listed) const {
  MEMFS_ASSIGN(const auto dir, impl_->scope_dir(listed.scope));
  return load_memory(*dir, listed);
}

void Store::keep_warm() {
  if (!impl_->watch) impl_->watch = std::make_unique<StoreWatch>(impl_->fs());
}

int Store::changes_descriptor() const { return impl_->watch ? impl_->watch->descriptor() : -1; }

MemoryChanges Store::take_changes() {
  MemoryChanges changes;
  if (!impl_->watch) return changes;
  for (const Scope scope : kScopes) {
    if (layout().folder(scope).path.empty()) continue;
    impl_->scope_index_alone(scope).begin_to_watch();
    impl_->watch->of(scope).tell(scope, changes);
  }
  return changes;
}

ScopeIndex& Store::Impl::scope_index_alone(Scope scope) const {
  auto& index = indexes.at(static_cast<std::size_t>(scope));
  const std::string& folder = layout.folder(scope).path;
  // A private folder gets its place with the first write.
  if (!index || index->folder() != folder)
    index = std::make_unique<ScopeIndex>(fs(), *services.file_clock, layout.cache, scope, folder,
                                         services.threads);
  index->set_watch(watch ? &watch->of(scope) : nullptr);
  return *index;
}

ScopeIndex& Store::Impl::scope_index(Scope scope) const {
  ScopeIndex& index = scope_index_alone(scope);
  if (scope == Scope::kShared) {
    commit_times = CommitTimes::load(fs(), layout, commit_times);
    index.set_commit_times(commit_times);
  }
  return index;
}

StoreSnapshot Store::Impl::snapshot(const std::vector<Scope>& scopes,
                                    const std::set<Scope>& fresh) const {
  StoreSnapshot out{index::Snapshot(search_fields())};
  auto open = open_scopes(scopes, out.problems);
  out.complete = out.problems.empty();
  for (auto& [scope, dir] : open) {
    ScopeIndex& index = scope_index(scope);
    if (auto refreshed = fresh.contains(scope) ? Result<void>() : index.refresh(*dir); !refreshed) {
      out.problems.push_back(scope_problem(refreshed.error()));
      out.complete = false;
      continue;
    }
    out.documents.add(index.segments(), static_cast<std::uint8_t>(out.scopes.size()));
    out.scopes.push_back(&index);
    out.folders.push_back(std::move(dir));
    out.problems.insert(out.problems.end(), index.problems().begin(), index.problems().end());
    if (!index.report().note.empty()) out.notes.push_back(index.report().note);
  }
  return out;
}

StoreSnapshot StoreInside::snapshot(const Store& store, const std::vector<Scope>& scopes) {
  return store.impl_->snapshot(scopes);
}

RecallCounts StoreInside::recalls(const Store& store, Scope scope) {
  const auto key = store.impl_->key_of(scope);
  const auto state_dir = store.impl_->fs().open(store.layout().state);
  return key && state_dir ? load_recalls(**state_dir, *key) : RecallCounts();
}

void StoreInside::count_history(const Store& store, const std::set<std::string>& histories,
                                std::uint64_t& files, std::uint64_t& bytes) {
  const auto state_dir = store.impl_->fs().open(store.layout().state);
  if (!state_dir) return;
  for (const std::string& history : histories) {
    const auto kept = State(*state_dir).kept_in(history);
    if (!kept) continue;
    files += kept->size();
    for (const KeptBytes& copy : *kept) bytes += copy.size;
  }
}

std::size_t StoreInside::logged(const Store& store) { return store.impl_->logged().size(); }

Result<Found> StoreInside::read(const Store& store, const StoreSnapshot& snapshot,
                                std::string_view reference) {
  MEMFS_ASSIGN(Found found, store.impl_->find_in(snapshot, reference, false));
  MEMFS_ASSIGN(const auto dir, store.impl_->scope_dir(found.memory.scope));
  MEMFS_ASSIGN(found.memory, load_memory(*dir, found.memory));
  return found;
}

bool StoreInside::exists(const Store& store, const std::string& path) {
  return store.impl_->fs().stat(path).has_value();
}

void StoreInside::discard(const StoreSnapshot& snapshot) {
  for (ScopeIndex* scope : snapshot.scopes) scope->discard();
}

Result<Found> Store::Impl::find(std::string_view reference, bool for_write) const {
  MEMFS_ASSIGN(const Reference parsed, parse_reference(reference));
  std::vector<Scope> scopes;
  if (parsed.scope) scopes.push_back(*parsed.scope);
  return find_in(snapshot(scopes), reference, for_write);
}

Result<Found> Store::Impl::find_indexed(const StoreSnapshot& here, std::string_view reference,
                                        bool for_write) const {
  MEMFS_ASSIGN(const Reference parsed, parse_reference(reference));
  std::vector<Memory> candidates;
  Problem ignored;
  for (const index::DocumentId id : candidates_of(here.documents, reference)) {
    auto memory = here.memory(id, &ignored);
    if (memory && (!parsed.scope || memory->scope == *parsed.scope))
      candidates.push_back(std::move(*memory));
  }
  sort_memories(candidates);
  return resolve(candidates, reference, for_write, now());
}

Result<Found> Store::Impl::find_in(const StoreSnapshot& here, std::string_view reference,
                                   bool for_write) const {
  MEMFS_ASSIGN(const Reference parsed, parse_reference(reference));
  auto found = find_indexed(here, reference, for_write);
  if (!here.documents.damaged() && (found || found.error().code != ErrorCode::kNotFound))
    return found;
  // Nothing has that name: among all of them there may be similar ones.
  std::vector<Scope> scopes;
  if (parsed.scope) scopes.push_back(*parsed.scope);
  MEMFS_ASSIGN(const Listing listing, list(scopes));
  return resolve(listing.memories, reference, for_write, now());
}

Result<std::string> Store::reference_of_path(const std::string& path) const {
  MEMFS_ASSIGN(const std::string real, impl_->fs().real_path(path));
  for (const Scope scope : kScopes) {
    const auto folder = impl_->fs().real_path(impl_->layout.folder(scope).path);
    if (!folder || !real.starts_with(*folder + "/")) continue;
    return std::string(name_of(scope)) + "/" + memory_name(real.substr(folder->size() + 1));
  }
  return make_error(ErrorCode::kNotFound, "the file lies in no scope")
      .at(path)
      .with_hint("`mem where` shows the folders of the scopes");
}

Result<std::string> Store::read_bytes(const Memory& memory) const {
  MEMFS_ASSIGN(const auto dir, impl_->scope_dir(memory.scope));
  MEMFS_ASSIGN(FileContent content, dir->read(memory.rel, kMaxFile));
  return std::move(content.bytes);
}

std::string title_from_text(std::string_view text) {
  constexpr std::size_t kWords = 8;
  constexpr std::size_t kGraphemes = 60;
  text = trim(text);
  auto line = trim(text.substr(0, text.find('\n')));
  // A heading or a list item without its mark.
  const auto mark = line.substr(0, line.find(' '));
  if (mark.size() < line.size() && mark.find_first_not_of("#-*>") == std::string_view::npos)
    line = trim(line.substr(mark.size()));
  std::size_t end = 0;
  for (std::size_t words = 0; words < kWords && end < line.size(); ++words) {
    const auto begin = line.find_first_not_of(" \t", end);
    if (begin == std::string_view::npos) break;
    end = std::min(line.find_first_of(" \t", begin), line.size());
  }
  const auto title = trim(take_graphemes(line.substr(0, end), kGraphemes));
  return std::string(title) + (title.size() < line.size() ? "…" : "");
}

}  // namespace memfs
