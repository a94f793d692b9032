// A file of somebody else's settings: read, checked, and written so that its old bytes are kept.
#pragma once

#include <memfs/result.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libmemfs/base/file_system.h"
#include "libmemfs/setup/entry_text.h"

namespace memfs::setup {

struct ConfigFile {
  std::string path{};  // as it was asked for
  std::string real{};  // where its links lead
  bool exists = false;
  std::string text{};
  FileStat stat{};
};

// A file that is not there has an empty text. kRefused for a link that leads nowhere and for what
// is no regular file.
Result<ConfigFile> read_config_file(FileSystem& fs, const std::string& path);
// Whether write_config_file() can be expected to succeed. kRefused for what the person does not
// own, or made read-only: a swap would pass over both; kIo for a folder in which nothing can be
// made.
Result<void> check_writable(FileSystem& fs, const ConfigFile& file);

// Of several that set up at once one writes at a time, files and receipts. kBusy after ten seconds.
Result<std::unique_ptr<HeldLock>> lock_setup(FileSystem& fs, const std::string& state);

// What setup made in a file, kept in the state directory so that it can be taken out exactly.
struct Receipt {
  bool made_file = false;
  std::size_t made_folders = 0;                     // the inner ones of its path
  std::map<std::string, EntryFootprint> entries{};  // by entry_key()
};
std::string entry_key(const Entry& entry);
// An empty one if there is none, or it cannot be read.
Receipt read_receipt(FileSystem& fs, const std::string& state, const std::string& real);
// One without entries is removed.
Result<void> write_receipt(FileSystem& fs, const std::string& state, const std::string& real,
                           const Receipt& receipt);

// Keeps the old bytes and gives their place ("" if there were none), then swaps in the new ones.
// kConflict, and nothing is changed, if the file is no longer what was read. `mode`: of a new file.
Result<std::string> write_config_file(FileSystem& fs, const std::string& state,
                                      const ConfigFile& file, std::string_view text,
                                      std::uint32_t mode, Receipt& receipt);
// The same, and the file goes, with the folders that were made for it if they are empty.
Result<std::string> remove_config_file(FileSystem& fs, const std::string& state,
                                       const ConfigFile& file, const Receipt& receipt);

}  // namespace memfs::setup
