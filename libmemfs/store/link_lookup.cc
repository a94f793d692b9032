#include "libmemfs/store/link_lookup.h"

#include <algorithm>

#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/memory_document.h"

namespace memfs {
namespace {

std::vector<Memory> found_by(const StoreSnapshot& snapshot, const std::set<std::string>& lookups) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> ids;
  for (const std::string& lookup : lookups)
    for (const index::DocumentId id : snapshot.documents.find_lookup(lookup))
      ids.emplace(id.segment, id.document);
  std::vector<Memory> memories;
  Problem ignored;
  for (const auto& [segment, document] : ids)
    if (auto memory = snapshot.memory({segment, document}, &ignored))
      memories.push_back(std::move(*memory));
  sort_memories(memories);
  return memories;
}

// Lines and columns of places in a body that are asked for in order.
class TextPlaces {
 public:
  explicit TextPlaces(const Memory& memory) : body_(memory.body), line_(memory.body_line) {}

  void go_to(std::size_t place) {
    for (auto newline = body_.find('\n', at_); newline < place; newline = body_.find('\n', at_)) {
      ++line_;
      at_ = line_begin_ = newline + 1;
    }
    at_ = place;
  }
  int line() const { return line_; }
  int column() const { return static_cast<int>(at_ - line_begin_) + 1; }

 private:
  std::string_view body_;
  int line_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
};

}  // namespace

ScopeFolders folders_of(const Layout& layout) {
  ScopeFolders folders;
  for (const Scope scope : kScopes)
    folders.at(static_cast<std::size_t>(scope)) = layout.folder(scope).path;
  return folders;
}

std::vector<LinkingMemory> memories_linking_by(const StoreSnapshot& snapshot,
                                               const std::set<std::string>& words) {
  std::set<std::string> lookups;
  for (const std::string& word : words) lookups.insert(link_lookup(word));
  std::vector<LinkingMemory> linking;
  for (Memory& listed : found_by(snapshot, lookups)) {
    const auto folder =
        std::find_if(snapshot.scopes.begin(), snapshot.scopes.end(),
                     [&](const ScopeIndex* scope) { return scope->scope() == listed.scope; });
    const auto number = static_cast<std::size_t>(folder - snapshot.scopes.begin());
    auto memory = load_memory(*snapshot.folders[number], listed);
    if (!memory) continue;
    LinkingMemory from{std::move(*memory), {}};
    from.links = scan_links(from.memory.body);
    linking.push_back(std::move(from));
  }
  return linking;
}

std::vector<Memory> memories_known_by(const StoreSnapshot& snapshot,
                                      const std::set<std::string>& words) {
  std::set<std::string> lookups;
  for (const std::string& word : words) {
    lookups.insert({name_lookup(word), leaf_lookup(word), alias_lookup(word), title_lookup(word),
                    id_tail_lookup(word)});
  }
  return found_by(snapshot, lookups);
}

std::vector<ResolvedLink> resolve_links(const LinkingMemory& from, const LinkTable& table) {
  std::vector<ResolvedLink> resolved;
  TextPlaces places(from.memory);
  const LinkSource source{from.memory.scope, from.memory.name};
  for (const Link& link : from.links) {
    ResolvedLink next;
    next.target = table.resolve(source, link, from.address_of(link));
    TextLink& shown = next.shown;
    shown.text = from.memory.body.substr(link.whole.begin, link.whole.end - link.whole.begin);
    shown.address = from.address_of(link);
    places.go_to(link.whole.begin);
    shown.line = places.line();
    shown.column = places.column();
    shown.embed = link.form == Link::Form::kEmbed || link.form == Link::Form::kImage;
    shown.state = next.target.state;
    shown.ambiguous = next.target.ambiguous;
    if (shown.state == LinkState::kMemory) shown.ref = table.memories()[next.target.memory].ref();
    resolved.push_back(std::move(next));
  }
  return resolved;
}

}  // namespace memfs
