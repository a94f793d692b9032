// Finding what links and memories have to do with each other by the look-up words of the index,
// without reading what has nothing to do with it.
#pragma once

#include <memfs/links.h>

#include <set>
#include <string>
#include <vector>

#include "libmemfs/store/link_table.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

// A memory with its body, and its links in it.
struct LinkingMemory {
  Memory memory{};
  std::vector<Link> links{};
  std::string_view address_of(const Link& link) const {
    return std::string_view(memory.body)
        .substr(link.address.begin, link.address.end - link.address.begin);
  }
};

ScopeFolders folders_of(const Layout& layout);

// Those with a link that shares one of the words, sorted by scope and name, with their bodies. What
// cannot be read is left out.
std::vector<LinkingMemory> memories_linking_by(const StoreSnapshot& snapshot,
                                               const std::set<std::string>& words);
// Those that a link with one of the words may lead to, sorted, without bodies.
std::vector<Memory> memories_known_by(const StoreSnapshot& snapshot,
                                      const std::set<std::string>& words);

struct ResolvedLink {
  LinkTarget target{};
  TextLink shown{};
};

// The links of a memory in the order of its text.
std::vector<ResolvedLink> resolve_links(const LinkingMemory& from, const LinkTable& table);

}  // namespace memfs
