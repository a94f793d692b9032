// Where an export goes: a file or a folder of another system, which never loses anything by it.
#pragma once

#include <memfs/exchange.h>

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "libmemfs/base/file_system.h"
#include "libmemfs/exchange/export_writer.h"

namespace memfs {

// `exports/<hash of the path>` in the state directory holds the hash of a target as it was written
// last; `exports/kept/<hash>-<name>` the bytes that were replaced.
class ExportTarget {
 public:
  // `path`: absolute. kUsage if it lies in a folder of memories, kNotFound if its folder is
  // missing.
  static Result<ExportTarget> open(FileSystem& fs, const Layout& layout, const ExportWish& wish);

  // Bytes of the one file, nullopt if there is none; kRefused for what is no regular file.
  Result<std::optional<std::string>> present() const {
    return leaf_.empty() ? Result<std::optional<std::string>>(std::nullopt) : read(leaf_);
  }
  std::string path() const { return join_path(dir_->path(), leaf_); }

  // Looks at each file before it writes the first one. `imported`: hashes of the items that the
  // exported memories were when they were imported last.
  Result<void> write(const ExportOutput& output, const std::set<std::string>& imported,
                     ExportReport& report);

 private:
  Result<std::optional<std::string>> read(const std::string& rel) const;
  Result<void> check(const ExportFile& file, const std::string& rel,
                     const std::optional<std::string>& present, const ExportOutput& output) const;
  bool is_as_written(const std::string& rel, std::string_view bytes) const;
  Result<bool> holds_all(const std::string& rel, const ExportFile& file) const;
  Result<bool> holds_all_of_index(const ExportOutput& output) const;
  Result<void> keep(const std::string& rel, const std::string& bytes, ExportReport& report);
  Result<void> put(const std::string& rel, const ExportFile& file,
                   const std::optional<std::string>& present);
  std::string note_of(const std::string& rel) const;

  FileSystem* fs_ = nullptr;
  const ExportWish* wish_ = nullptr;
  std::shared_ptr<Directory> dir_{};  // the folder, or the file's folder
  std::string leaf_{};                // "" for a folder
  std::shared_ptr<Directory> state_{};
  std::set<std::string> imported_{};  // see write()
};

}  // namespace memfs
