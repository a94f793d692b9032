// Folders that hold a markdown file for each memory: what the readers of such systems share.
#pragma once

#include <memfs/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/exchange/import_reader.h"
#include "libmemfs/exchange/source_files.h"

namespace memfs {

// The markdown files of a place; everything else is told in the notes.
struct TopicFolder {
  std::shared_ptr<Directory> root{};
  std::vector<TreeFile> files{};  // sorted; pages such as MEMORY.md are among them
  ImportSource source{};          // bad and notes so far

  // Folders that begin with a dot are entered only if `wanted_folder` takes them.
  static Result<TopicFolder> open(const ImportPlace& place, std::string_view format,
                                  NameFilter wanted_folder = nullptr);
  bool has(std::string_view rel) const;
  std::string path_of(const std::string& rel) const;
  // kInvalid, with path and line: empty, too large, no UTF-8, NUL bytes or control characters.
  Result<std::string> read(const std::string& rel) const;
  // The bytes as they are.
  Result<std::string> read_raw(const std::string& rel) const;
  // What was made of a file: an item, or why there is none.
  void add(const std::string& rel, Result<Incoming> item);
  void refuse(const std::string& rel, Error error);
};

// As TopicFolder::read() holds the bytes of a file against it.
Result<void> check_topic_bytes(const std::string& path, std::string_view bytes);
// What keeps our reader from editing such a file: a broken block, anchors, a list for a text.
Result<void> check_topic(const std::string& path, std::string_view bytes);

// The item of a file: source ("mermaid:a/b.md"), and name from its path, or from `rel` where that
// is another. A name that a memory cannot have is mended, with a warning.
Incoming topic_item(std::string_view format, const TopicFolder& folder, const TreeFile& file,
                    std::string bytes, const std::string& rel = {});

// That values were put into quotes, if any were.
void warn_of_quotes(Incoming& item, const std::vector<std::string>& keys);

// What MEMORY.md holds that no file does, as items; what it points to is left out, and told where
// that is a loss.
void add_index_entries(TopicFolder& folder, std::string_view format, const std::string& rel,
                       std::string_view page);

}  // namespace memfs
