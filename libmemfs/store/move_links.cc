// The links that a move makes lead elsewhere: found by words, compared before and after, and
// written anew in the files of the move.
#include <algorithm>
#include <set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/move_run.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

constexpr std::size_t kRoomToBump = 32;  // bytes that another revision number may need

}  // namespace

std::optional<std::string> Store::Impl::MoveRun::closed_to(const Memory& memory) const {
  const auto found = rooms_.find(memory.scope);
  if (found == rooms_.end() || found->second.closed) return "its scope cannot be written";
  const bool unreadable = std::any_of(memory.problems.begin(), memory.problems.end(),
                                      [](const Problem& p) { return p.blocks_writes; });
  if (unreadable) return "its file needs attention first: `mem check`";
  return std::nullopt;
}

std::optional<std::string> Store::Impl::MoveRun::earlier_body(const Memory& memory) const {
  const auto wanted = earlier_.find(memory.etag);
  if (wanted == earlier_.end()) return std::nullopt;
  const auto state_dir = impl_.open_state();
  if (!state_dir) return std::nullopt;
  State state(*state_dir);
  const auto kept = state.kept(memory);
  if (!kept) return std::nullopt;
  for (const KeptBytes& copy : *kept) {
    if (copy.hash != wanted->second.before) continue;
    const auto content = state.dir().read(copy.file, kMaxFile);
    Problem empty;
    if (!content) continue;
    auto earlier = read_memory({memory.scope, memory.rel, memory.path}, content->bytes, &empty);
    if (earlier) return std::move(earlier->body);
  }
  return std::nullopt;
}

// What followed the move that is taken back: its links may share no word with it any more.
void Store::Impl::MoveRun::add_relinked(std::vector<LinkingMemory>& linking) const {
  if (earlier_.empty()) return;
  std::set<std::string> there;
  for (const LinkingMemory& from : linking) there.insert(from.memory.path);
  for (const auto& [scope, room] : rooms_) {
    for (const Memory& listed : room.locked.catalogue.memories) {
      if (!earlier_.contains(listed.etag) || there.contains(listed.path)) continue;
      auto memory = load_memory(*room.locked.dir, listed);
      if (!memory) continue;
      LinkingMemory from{std::move(*memory), {}};
      from.links = scan_links(from.memory.body);
      linking.push_back(std::move(from));
    }
  }
}

// Links that share a word with a moved memory, by its old or its new name, may lead elsewhere now;
// in the moved memories all of them.
std::vector<LinkingMemory> Store::Impl::MoveRun::linking_memories(
    const StoreSnapshot& snapshot, std::set<std::string>& words) const {
  for (const auto& [path, edit] : edits_) {
    for (std::string& word : words_of_memory(edit.memory)) words.insert(std::move(word));
    words.insert(fold_name(leaf_of(edit.to->name)));
  }
  std::vector<LinkingMemory> linking = memories_linking_by(snapshot, words);
  std::erase_if(linking,
                [&](const LinkingMemory& from) { return edits_.contains(from.memory.path); });
  for (const auto& [path, edit] : edits_)
    linking.push_back({edit.memory, scan_links(edit.memory.body)});
  add_relinked(linking);
  return linking;
}

// All memories that one of the links may lead to, before or after.
std::vector<Memory> Store::Impl::MoveRun::linked_memories(const StoreSnapshot& snapshot,
                                                          const std::vector<LinkingMemory>& linking,
                                                          std::set<std::string> words) const {
  for (const LinkingMemory& from : linking)
    for (const Link& link : from.links)
      for (std::string& word : words_of_link(link, from.address_of(link)))
        words.insert(std::move(word));
  // A link may get the name of any of these, which others may have, too.
  for (const Memory& memory : memories_known_by(snapshot, words)) {
    const auto place = places_.find(memory.path);
    const std::string leaf =
        fold_name(leaf_of(place == places_.end() ? memory.name : place->second.name));
    words.insert({leaf, leaf + ".md"});
  }
  return memories_known_by(snapshot, words);
}

Result<void> Store::Impl::MoveRun::follow_links() {
  const StoreSnapshot snapshot = impl_.snapshot({});
  std::set<std::string> words;
  const std::vector<LinkingMemory> linking = linking_memories(snapshot, words);
  const std::vector<Memory> before = linked_memories(snapshot, linking, std::move(words));
  std::vector<Memory> after = before;
  for (Memory& memory : after) {
    const auto place = places_.find(memory.path);
    if (place == places_.end()) continue;
    memory.scope = place->second.scope;
    memory.name = place->second.name;
  }
  sort_memories(after);
  const ScopeFolders folders = folders_of(impl_.layout);
  const LinkTable table_before(before, folders);
  const LinkTable table_after(after, folders);
  const LinkRewriter rewriter(
      table_before, table_after, places_, folders,
      [&](const std::string& path) { return impl_.fs().stat(path).has_value(); });
  std::size_t hidden = 0;
  for (const LinkingMemory& from : linking) MEMFS_TRY(follow_links_in(rewriter, from, hidden));
  if (hidden > 0)
    result_.warnings.push_back(
        std::to_string(hidden) +
        (hidden == 1 ? " link of a shared memory leads" : " links of shared memories lead") +
        " to what only you have now: `mem check` names " + (hidden == 1 ? "it" : "them"));
  return {};
}

Result<void> Store::Impl::MoveRun::follow_links_in(const LinkRewriter& rewriter,
                                                   const LinkingMemory& from, std::size_t& hidden) {
  const Memory& memory = from.memory;
  RewrittenLinks next = rewriter.rewrite(from);
  hidden += next.hidden;
  for (const UnchangedLink& link : next.left)
    result_.left.push_back({memory.ref(), memory.path, link.line, link.text, link.why});
  auto earlier = earlier_body(memory);
  const bool comes_back = earlier && rewriter.reads_same(memory, next.body, *earlier);
  if (comes_back) next.body = std::move(*earlier);
  if (next.body == memory.body) return {};
  auto why = closed_to(memory);
  if (!why && memory.body_offset + kRoomToBump + next.body.size() > kMaxFile &&
      next.body.size() > memory.body.size())
    why = "its file would be larger than a memory may be";
  if (why) {
    for (const LinkEdit& edit : next.edits)
      result_.left.push_back({memory.ref(), memory.path, edit.line, edit.before, *why});
    return {};
  }
  auto found = edits_.find(memory.path);
  if (found == edits_.end()) {
    Edit edit;
    MEMFS_ASSIGN(edit.old_bytes, impl_.reread(room(memory.scope).locked, memory));
    edit.memory = memory;
    found = edits_.emplace(memory.path, std::move(edit)).first;
  }
  Edit& edit = found->second;
  const std::string bytes = edit.old_bytes.substr(0, memory.body_offset) + next.body;
  MEMFS_ASSIGN(edit.new_bytes, compose_bump(bytes, memory));
  if (comes_back && !edit.to) edit.takes_back = write_key(earlier_.at(memory.etag));
  for (LinkEdit& link : next.edits)
    result_.links.push_back(
        {memory.ref(), memory.path, link.line, std::move(link.before), std::move(link.after)});
  return {};
}

}  // namespace memfs
