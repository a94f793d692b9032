// Reading the files that people import from: nothing outside of the named place, no links out of
// it, no devices, bounded sizes.
#pragma once

#include <memfs/result.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/exchange/import_reader.h"

namespace memfs {

constexpr std::uint64_t kMaxSourceFile = 256U << 20U;  // bytes of one file that holds many items

// A place that is one file, with its folder, so that reading goes through a Directory.
struct SourceFile {
  std::shared_ptr<Directory> folder;
  std::string leaf;
  std::string bytes;
};
// kUsage if the place is a folder; kInvalid if it is larger than kMaxSourceFile or holds nothing
// but NUL bytes (what a crash leaves). An empty file is read: formats differ in what it means.
Result<SourceFile> read_source_file(const ImportPlace& place, std::string_view format);
// The same of a file in a folder that may be missing: "" and `there` false.
Result<std::string> read_optional(Directory& dir, const std::string& rel, bool& there);

struct TreeFile {
  std::string rel;
  FileStat stat;
};
struct Tree {
  std::shared_ptr<Directory> root;
  std::vector<TreeFile> files{};     // sorted by rel, bytewise
  std::vector<BadItem> bad{};        // folders that could not be listed, names that are no UTF-8
  std::vector<std::string> notes{};  // links that were passed over, with their number
};
// All regular files below the place whose names `wanted` takes; folders that begin with a dot are
// entered only if `wanted_folder` takes them (given as rel). kUsage if the place is a file.
using NameFilter = bool (*)(std::string_view rel);
Result<Tree> walk_source(const ImportPlace& place, std::string_view format, NameFilter wanted,
                         NameFilter wanted_folder = nullptr);

}  // namespace memfs
