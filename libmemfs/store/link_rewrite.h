// The links of a text after memories have moved: each that led to a memory leads there again, and
// only the bytes of its address change.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "libmemfs/store/link_lookup.h"

namespace memfs {

// Where a memory goes.
struct NewPlace {
  Scope scope = Scope::kPrivate;
  std::string name{};
  std::string file{};  // path in the scope
};
// By the absolute path of the memory before.
using NewPlaces = std::map<std::string, NewPlace>;

struct LinkEdit {
  Span span{};                    // in the old body
  std::string before{}, after{};  // addresses
  int line = 0;                   // of the file
};

struct UnchangedLink {
  std::string text{};
  int line = 0;
  std::string why{};
};

struct RewrittenLinks {
  std::string body{};
  std::vector<LinkEdit> edits{};      // in the order of the text
  std::vector<UnchangedLink> left{};  // do not lead where they led
  std::size_t hidden = 0;             // links of a shared memory to what left the shared scope
};

class LinkRewriter {
 public:
  // `before` and `after` hold the same memories, with the paths that they had; the names and scopes
  // of `after` are the new ones. `exists` tells whether there is a file with that absolute path.
  LinkRewriter(const LinkTable& before, const LinkTable& after, const NewPlaces& places,
               const ScopeFolders& folders, std::function<bool(const std::string&)> exists);

  // What could not be written so that all of them hold is left as it is, and told.
  RewrittenLinks rewrite(const LinkingMemory& from) const;
  // Whether two texts of the memory differ in addresses alone, which lead to the same memories.
  bool reads_same(const Memory& memory, const std::string& a, const std::string& b) const;

 private:
  struct Source {
    LinkSource before{}, after{};
    std::string folder_before{}, folder_after{};  // absolute, of the file
  };
  Source source_of(const Memory& memory) const;
  bool leads_to(const Source& from, const Link& link, const std::string& address,
                const Memory& memory) const;
  std::string new_address(const Source& from, const Link& link, std::string_view address,
                          const LinkTarget& was) const;
  std::vector<std::string> spellings(std::string_view address, const LinkTarget& was) const;
  std::vector<std::string> paths(const Link& link, std::string_view address, const LinkTarget& was,
                                 const Source& from) const;
  std::string moved_file_address(const Source& from, const Link& link, std::string_view address,
                                 bool& lost) const;
  bool is_hidden(const Source& from, const Memory& memory) const;
  NewPlace place_of(const Memory& memory) const;
  bool holds(const LinkingMemory& from, const std::vector<ResolvedLink>& were,
             const RewrittenLinks& out) const;

  const LinkTable& before_;
  const LinkTable& after_;
  const NewPlaces& places_;
  const ScopeFolders& folders_;
  std::function<bool(const std::string&)> exists_;
};

}  // namespace memfs
