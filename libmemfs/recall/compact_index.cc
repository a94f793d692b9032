#include "libmemfs/recall/compact_index.h"

#include <memfs/freshness.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/recall/context_format.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/index_page.h"

namespace memfs {
namespace {

constexpr std::size_t kLineGraphemes = 160;
constexpr std::size_t kLineBytes = 640;  // a character may carry any number of marks

bool has_telling_name(const Memory& memory) {
  return memory.scope == Scope::kShared && !instruction_in(words_of_name(memory.name)).empty();
}

// The later of two moments decides which memory is newer; the file's time, which a checkout sets,
// only between equals.
std::pair<Instant, Instant> recency(const Memory& memory, Instant now) {
  const Instant never{};
  const auto clock = age_of(memory, now).clock;
  return {clock.value_or(never), is_future(memory.modified, now) ? never : memory.modified};
}

// The lines that fit, the newest memories first.
class Chooser {
 public:
  Chooser(const CompactIndexRequest& request, std::vector<Memory> memories)
      : request_(request), memories_(std::move(memories)) {}

  CompactIndex run(Instant now) {
    std::vector<std::pair<std::size_t, IndexEntry>> chosen;
    const std::string all_left = last_line(memories_.size());
    if (!fits(all_left)) return {{}, all_left, memories_.size(), {}};
    used_ = size_of(all_left);
    for (const std::size_t i : newest_first(memories_, now)) {
      IndexEntry entry = index_entry(memories_[i]);
      const std::string line = compact_line(entry);
      if (chosen.size() >= request_.lines.value_or(memories_.size()) || !fits(line)) break;
      used_ += size_of(line);
      chosen.emplace_back(i, std::move(entry));
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    CompactIndex index;
    for (auto& [number, entry] : chosen) {
      index.text += compact_line(entry);
      index.entries.push_back(std::move(entry));
    }
    index.left_out = memories_.size() - index.entries.size();
    index.text += last_line(index.left_out);
    return index;
  }

 private:
  static std::string last_line(std::size_t more) {
    return more == 0 ? "" : std::to_string(more) + " more: use `mem search`\n";
  }
  std::uint64_t size_of(const std::string& text) const {
    return request_.budget ? size_in(request_.budget->unit, text) : 0;
  }
  bool fits(const std::string& text) const {
    return !request_.budget || used_ + size_of(text) <= request_.budget->amount;
  }

  const CompactIndexRequest& request_;
  std::vector<Memory> memories_;
  std::uint64_t used_ = 0;
};

}  // namespace

std::string shown_reference(const Memory& memory) {
  if (!has_telling_name(memory)) return escape_for_terminal(memory.ref());
  if (is_own_id(memory.id)) return memory.id;
  return "a file in " + std::string(name_of(memory.scope)) + " that `mem check` names";
}

IndexEntry index_entry(const Memory& memory) {
  IndexEntry entry;
  entry.ref = shown_reference(memory);
  if (const std::string rule = telling_rule(memory); !rule.empty()) {
    entry.text = "title or description held back by the guard: " + rule;
    return entry;
  }
  const std::string& said = memory.description.empty() ? memory.title : memory.description;
  entry.text = to_valid_utf8(inline_text(cut_graphemes(said, kLineBytes), kLineGraphemes, true));
  return entry;
}

std::string compact_line(const IndexEntry& entry) {
  // It has been cut already.
  return "- " + in_markdown(entry.ref) + ": " + inline_text(entry.text, entry.text.size()) + "\n";
}

std::vector<std::size_t> newest_first(const std::vector<Memory>& memories, Instant now) {
  std::vector<std::pair<Instant, Instant>> times;
  times.reserve(memories.size());
  for (const Memory& memory : memories) times.push_back(recency(memory, now));
  std::vector<std::size_t> order(memories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] > times[b]; });
  return order;
}

void hide_instructions(std::vector<Problem>& problems, const Layout& layout) {
  const std::string folder = escape_for_terminal(layout.folder(Scope::kShared).path);
  for (Problem& problem : problems) {
    if (folder.empty() || !problem.path.starts_with(folder + "/")) continue;
    const std::string name = words_of_name(problem.path.substr(folder.size() + 1));
    const std::string rule = instruction_in(problem.message + "\n" + problem.hint + "\n" + name);
    if (rule.empty()) continue;
    problem.path = folder;
    problem.line = problem.column = 0;
    problem.message = "a problem of a file whose name or text is held back by the guard: " + rule;
    problem.hint = "`mem check` shows it";
    problem.ref.clear();
  }
}

Result<CompactIndex> compact_index(const Store& store, const CompactIndexRequest& request,
                                   Instant now) {
  MEMFS_ASSIGN(Listing listing, store.list(request.scopes));
  std::erase_if(listing.memories, [&](const Memory& memory) { return is_expired(memory, now); });
  CompactIndex index = Chooser(request, std::move(listing.memories)).run(now);
  index.problems = std::move(listing.problems);
  hide_instructions(index.problems, store.layout());
  return index;
}

}  // namespace memfs
