// The page MEMORY.md beside a folder of memories: lines that point to files, and what somebody
// wrote there that no file holds.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// - [Title](file.md) — hook
struct PagePointer {
  int line = 0;         // of the page, 1-based
  std::string shown{};  // "Title"
  std::string file{};   // "file.md", as a path in the folder of the page
  std::string hook{};   // "hook"
};

// A bullet or paragraph that says something itself.
struct PageNote {
  int line = 0;
  std::string text{};      // without bullet and indentation; no newline at its end
  std::string headings{};  // under which it stands: "Build, Commands"
  // If it begins as a pointer to a file that is not there.
  PagePointer missing{};
};

struct MemoryPage {
  std::vector<PageNote> entries{};
  std::vector<PagePointer> pointers{};  // to files that are there
};

// The line that a page ends with if not all files found room: "… and 12 more in this folder, not
// listed here". It is no entry.
std::string line_of_rest(std::size_t count);

// Headings, rules, comments and front matter are no entries; nor are lines that only point to
// files that `has_file` knows. In linear time.
MemoryPage read_index_page(std::string_view page,
                           const std::function<bool(const std::string& file)>& has_file);

// The entry in a few words: its first line without markup, at most 80 characters.
std::string title_of_entry(const PageNote& entry);

}  // namespace memfs
