// Tells which entries of folders have changed, so that a process that runs for long need not look.
//
//   auto watch = fs.watch_folders();
//   watch->add("/memories");           // before the folder is listed
//   …                                   // list it and read its files
//   for (const FolderEvent& event : watch->take().events) …
//
// What is done through this machine's system calls is told as soon as the call that did it has
// returned: take() has all that was finished when it was called. Not told of are writes through a
// mapping of a file, writes through another hard link of it that lies elsewhere, and what happens
// below a folder on which another file system is mounted later.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <string>
#include <vector>

namespace memfs {

// A folder as it was when its watch began. The number stands for this very folder, however it is
// called later; adding it a second time gives the same number.
struct WatchedFolder {
  int number = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct FolderEvent {
  enum class Kind : std::uint8_t {
    kChanged,   // content, mode, times
    kAppeared,  // made, or moved there
    kVanished,
  };
  int folder = 0;          // WatchedFolder::number
  std::string entry{};     // its name there; empty: the folder itself
  bool is_folder = false;  // the entry
  Kind kind = Kind::kChanged;
};

struct FolderEvents {
  std::vector<FolderEvent> events{};  // in the order of time
  bool lost = false;                  // some were: anything may have changed
};

// Threads: one at a time; add() from several.
class FolderWatch {
 public:
  virtual ~FolderWatch() = default;
  // Readable when take() has something, for poll(2).
  virtual int descriptor() const = 0;
  // Watches the entries of the folder at the absolute `path`, not those of folders in it. A link at
  // the end of the path is not followed, unless `follow`. kNotFound and kRefused as for a listing;
  // kUnsupported where changes cannot be told: no watches are left, or other machines write to that
  // file system, too.
  virtual Result<WatchedFolder> add(const std::string& path, bool follow) = 0;
  virtual void remove(int number) = 0;
  // All that happened before the call and was not taken yet. Does not wait.
  virtual FolderEvents take() = 0;
};

}  // namespace memfs
