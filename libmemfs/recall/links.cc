#include <memfs/links.h>

#include <algorithm>
#include <set>

#include "libmemfs/store/link_lookup.h"

namespace memfs {
namespace {

bool share(const std::vector<std::string>& words, const std::set<std::string>& wanted) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return wanted.contains(word); });
}

// Where the links of some memories may lead, and the memory itself.
LinkReport report_of(const Store& store, const StoreSnapshot& snapshot, const Memory& memory) {
  const LinkingMemory self{memory, scan_links(memory.body)};
  std::set<std::string> words;
  for (const Link& link : self.links)
    for (std::string& word : words_of_link(link, self.address_of(link)))
      words.insert(std::move(word));
  const auto own = words_of_memory(memory);
  const std::set<std::string> own_words(own.begin(), own.end());
  auto linking = memories_linking_by(snapshot, own_words);
  for (LinkingMemory& from : linking) {
    std::erase_if(from.links, [&](const Link& link) {
      return !share(words_of_link(link, from.address_of(link)), own_words);
    });
    for (const Link& link : from.links)
      for (std::string& word : words_of_link(link, from.address_of(link)))
        words.insert(std::move(word));
  }
  const auto known = memories_known_by(snapshot, words);
  const LinkTable table(known, folders_of(store.layout()),
                        [&](const std::string& path) { return StoreInside::exists(store, path); });

  LinkReport report;
  report.memory = memory;
  report.memory.body.clear();
  report.problems = snapshot.problems;
  for (ResolvedLink& link : resolve_links(self, table)) report.out.push_back(std::move(link.shown));
  for (LinkingMemory& from : linking) {
    auto links = resolve_links(from, table);
    from.memory.body.clear();
    for (ResolvedLink& link : links)
      if (link.target.state == LinkState::kMemory && known[link.target.memory].path == memory.path)
        report.back.push_back({from.memory, std::move(link.shown)});
  }
  return report;
}

}  // namespace

Result<LinkReport> links_of(const Store& store, std::string_view reference) {
  const StoreSnapshot snapshot = StoreInside::snapshot(store, {});
  MEMFS_ASSIGN(const Found found, StoreInside::read(store, snapshot, reference));
  return report_of(store, snapshot, found.memory);
}

Result<LinkedMemory> read_with_backlinks(const Store& store, std::string_view reference) {
  const StoreSnapshot snapshot = StoreInside::snapshot(store, {});
  LinkedMemory linked;
  MEMFS_ASSIGN(linked.found, StoreInside::read(store, snapshot, reference));
  Memory without_links = linked.found.memory;
  without_links.body.clear();
  linked.back = report_of(store, snapshot, without_links).back;
  return linked;
}

}  // namespace memfs
