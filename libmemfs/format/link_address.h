// What stands between the brackets of a link: names, paths, and how one is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// The address of a wiki link as the names that it may mean, the longest first: "Sprint #4#Part 1"
// is a name, or "Sprint #4" and a heading, or "Sprint" and one. Views into `address`, without
// blanks at the ends; at most 8. None for "#heading", which is in the same text.
std::vector<std::string_view> names_in(std::string_view address);

// An address of a markdown link without its "?query" and "#fragment"; those are `rest`.
struct SplitAddress {
  std::string_view path{};
  std::string_view rest{};
};
SplitAddress split_address(std::string_view address);

// Whether ".md" or ".MD" stands behind a name, and the name before it.
bool has_md(std::string_view path);
std::string_view without_md(std::string_view path);

// "https:", "mailto:", …: it is no path.
bool has_scheme(std::string_view address);
// The path that a markdown address means: %XX, backslash escapes and the character entities of
// ASCII signs decoded.
std::string decode_path(std::string_view path);
// The path as an address that needs no angle brackets: what ends or escapes one is encoded.
std::string encode_path(std::string_view path);

// "a/./b/../c" → "a/c"; nullopt if it leads out of its root.
std::optional<std::string> normal_path(std::string_view path);
// From the folder `from` ("" is the root) to the path `to`, both normal: "../c/d.md".
std::string relative_path(std::string_view from, std::string_view to);

// Whether a wiki link can hold the name: no bar, bracket, line break or blank at the ends, and a
// name that is no heading.
bool fits_wiki_link(std::string_view name);

// Whether a memory may get this name by a move: each component is_portable_name(), and
// fits_wiki_link() without "#" and "^".
bool is_linkable_name(std::string_view name);

// A file that a wiki link may mean although it is no memory: "photo.png", "README".
bool is_other_file(std::string_view name);

}  // namespace memfs
