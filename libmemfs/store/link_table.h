// Which memory a link means. docs/links.md gives the rules to users.
//
// A link is resolved from where it stands: its own scope comes first, then the others from the
// nearest on. An id or a name, whole or its last parts, in any case and normal form, comes before
// the name that a title would get, and those before aliases and titles.
#pragma once

#include <memfs/links.h>
#include <memfs/memory.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libmemfs/format/link_scan.h"

namespace memfs {

// Absolute paths of the scopes' folders, "" for those that are not there.
using ScopeFolders = std::array<std::string, 3>;

// Where a link stands.
struct LinkSource {
  Scope scope = Scope::kPrivate;
  std::string_view name{};  // of its memory
};

struct LinkTarget {
  LinkState state = LinkState::kBroken;
  std::size_t memory = 0;     // kMemory: its place in the table's memories
  LinkBy by = LinkBy::kName;  // kMemory
  bool ambiguous = false;     // others fit as well, and the order of the rules decided
  std::size_t name_size = 0;  // of a wiki link's address: bytes of the name before "#heading"
  bool across = false;        // a path that leads to another scope's folder
};

class LinkTable {
 public:
  // Whether there is a file with that absolute path.
  using FileTest = std::function<bool(const std::string& path)>;

  // REQUIRES: `memories`, sorted by scope and name, outlive the table. With `exists` a path to a
  // file that is no memory leads elsewhere, else it is broken.
  LinkTable(const std::vector<Memory>& memories, const ScopeFolders& folders, FileTest exists = {});

  // `address` is that of the link as typed.
  LinkTarget resolve(const LinkSource& from, const Link& link, std::string_view address) const;

  const std::vector<Memory>& memories() const { return memories_; }

 private:
  using Places = std::vector<std::uint32_t>;
  struct End {                 // of a name
    std::uint32_t memory = 0;  // the first of those with the fewest folders
    std::size_t parts = 0;     // its folders
    std::size_t fits = 0;      // how many have this end
  };
  void note_ends(const std::string& name, std::uint32_t i);
  LinkTarget wiki(const LinkSource& from, std::string_view address) const;
  LinkTarget path(const LinkSource& from, std::string_view address) const;
  LinkTarget in_folders(const LinkSource& from, const std::string& absolute) const;
  bool by_name(const LinkSource& from, std::string_view name, LinkTarget& target) const;
  bool by_spelling(const LinkSource& from, const std::string& name, LinkTarget& target) const;
  bool in_scope(const LinkSource& from, Scope scope, const std::string& name,
                LinkTarget& target) const;
  bool whole_name(Scope scope, const std::string& name, LinkTarget& target) const;
  bool nearest(const LinkSource& from, const std::unordered_map<std::string, Places>& map,
               const std::string& word, LinkBy by, LinkTarget& target) const;

  const std::vector<Memory>& memories_;
  ScopeFolders folders_;
  FileTest exists_;
  std::unordered_map<std::string, Places> whole_{}, ids_{}, aliases_{}, titles_{};
  std::array<std::unordered_map<std::string, End>, 3> ends_{};  // of names, in each scope
};

// The words by which a memory can be meant. A link leads to no memory with which it shares no word.
std::vector<std::string> words_of_memory(const Memory& memory);
std::vector<std::string> words_of_link(const Link& link, std::string_view address);

}  // namespace memfs
