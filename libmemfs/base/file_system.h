// FileSystem and Directory: the only doors to the disk.
//
// A Directory is a handle to one root (a scope directory, the state directory). Every operation
// takes a path relative to that root and cannot leave it: no "..", no absolute path, no symbolic
// link on the way. Operations are primitive, one system call each where the system has one, so
// that a fault can be injected between any two of them; what is built from them (atomic replace,
// lock with a wait, journal) lives in files of its own and works on every implementation.
//
// Implementations: PosixFileSystem here; MemoryFs, FaultFs and RecordingFs in tests/support. One
// contract suite (tests/base/file_system_contract_test.cc) runs on PosixFileSystem and MemoryFs.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/folder_watch.h"

namespace memfs {

enum class FileKind : std::uint8_t { kRegular, kDirectory, kSymlink, kOther };

struct FileStat {
  FileKind kind = FileKind::kRegular;
  std::uint64_t size = 0;     // bytes
  std::int64_t mtime_ns = 0;  // nanoseconds since 1970-01-01 UTC
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  std::uint32_t mode = 0;  // permission bits only
  std::uint32_t owner = 0;
  std::uint32_t links = 1;
};

struct DirEntry {
  std::string name;  // raw bytes, not necessarily UTF-8
  FileKind kind = FileKind::kRegular;
};

struct FileContent {
  std::string bytes;
  FileStat stat;
};

// Bytes that stay where they are as long as the object lives: a mapped file or a string.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::string_view view() const = 0;
  // Tells that a piece is going to be read soon, so that a disk can begin. Does not wait.
  virtual void will_need(std::string_view /*piece*/) const {}
};
std::shared_ptr<const Bytes> bytes_of(std::string text);

// A file being written. Destroying it without close() closes it and drops the error.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  // Writes some of `bytes` and returns how many; short writes are normal.
  virtual Result<std::size_t> write(std::string_view bytes) = 0;
  virtual Result<void> set_mode(std::uint32_t mode) = 0;
  // Makes the content durable. After a failure the content is unknown: never retried.
  virtual Result<void> sync() = 0;
  virtual Result<void> close() = 0;
};

// Holding it holds the lock; the kernel releases it when the process dies.
class HeldLock {
 public:
  virtual ~HeldLock() = default;
};

class Directory {
 public:
  virtual ~Directory() = default;

  // Absolute path of the root, for messages only.
  virtual const std::string& path() const = 0;

  // Of the entry itself, links not followed. kNotFound if there is none.
  virtual Result<FileStat> stat(const std::string& rel) = 0;
  // Entries of a directory ("" is the root) without "." and "..", in no order.
  virtual Result<std::vector<DirEntry>> list(const std::string& rel) = 0;
  // The whole of a regular file. kRefused for a link, FIFO, socket or device (never blocks on
  // one), kInvalid if it is larger than `max_bytes`.
  virtual Result<FileContent> read(const std::string& rel, std::uint64_t max_bytes) = 0;
  // The same without a copy where the system can map files and it pays; for files that are never
  // changed in place. Somebody who cuts a mapped file short ends the process.
  virtual Result<std::shared_ptr<const Bytes>> map(const std::string& rel, std::uint64_t max_bytes);
  // The stats of some entries of the folder `rel` ("" is the root), links not followed: one for
  // each entry, nullopt for those that are gone. Cheaper than single calls. An error of the folder,
  // or of an entry for any other reason: what cannot be looked at must not look gone.
  virtual Result<std::vector<std::optional<FileStat>>> stat_entries(
      const std::string& rel, std::span<const DirEntry> entries);
  virtual Result<std::string> read_link(const std::string& rel) = 0;

  // Makes a new file; kConflict if the name exists in any form. `mode` is subject to the umask.
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& rel,
                                                       std::uint32_t mode) = 0;
  // Adds bytes at the end of a regular file, which is made if it is missing, `mode` being subject
  // to the umask. One write: of several processes none gets in between another's bytes. kRefused
  // for a link, FIFO, socket or device. If the disk fills up, kIo, and a part may stand there.
  virtual Result<void> append(const std::string& rel, std::string_view bytes,
                              std::uint32_t mode) = 0;
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  // kConflict if `to` exists; kUnsupported where the file system cannot promise it.
  virtual Result<void> rename_exclusive(const std::string& from, const std::string& to) = 0;
  // Swaps two existing names atomically; kUnsupported where the file system cannot.
  virtual Result<void> exchange(const std::string& a, const std::string& b) = 0;
  virtual Result<void> remove(const std::string& rel) = 0;
  // kConflict if it exists. The parent must exist.
  virtual Result<void> make_directory(const std::string& rel, std::uint32_t mode) = 0;
  virtual Result<void> remove_directory(const std::string& rel) = 0;
  // Makes the directory's entries durable ("" is the root).
  virtual Result<void> sync_directory(const std::string& rel) = 0;
  // Makes all that was written below the root durable, files and entries, in one step: cheaper than
  // single syncs from a hundred files on. It may take along what else is waiting for that disk.
  virtual Result<void> sync_all() = 0;

  // Whether this process may make and remove files in the root, without trying; an error says why
  // not.
  virtual Result<void> check_writable() { return {}; }

  // Takes an exclusive lock on the file `rel` (made if missing) without waiting: nullptr if
  // another holder has it, or if the name was given to another inode meanwhile.
  virtual Result<std::unique_ptr<HeldLock>> try_lock(const std::string& rel,
                                                     std::uint32_t mode) = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // `path` absolute. kNotFound if missing, kRefused if not a directory.
  virtual Result<std::shared_ptr<Directory>> open(const std::string& path) = 0;
  // Makes `path` and its missing parents, those with `mode`; no error if it exists.
  virtual Result<void> make_directories(const std::string& path, std::uint32_t mode) = 0;
  // Absolute path without links. kNotFound if it does not exist.
  virtual Result<std::string> real_path(const std::string& path) = 0;
  // Of an absolute path, links followed.
  virtual Result<FileStat> stat(const std::string& path) = 0;
  // Whether `path` is on a file system that vanishes with the machine (tmpfs, overlay).
  virtual bool is_volatile(const std::string& path) = 0;
  // kUnsupported where changes are not told.
  virtual Result<std::unique_ptr<FolderWatch>> watch_folders();
};

// Whether `rel` may be handed to a Directory: relative, no empty, "." or ".." component, no NUL.
bool is_safe_relative(std::string_view rel);
// "a/b/c" → "a/b"; "c" → "".
std::string parent_of(std::string_view rel);
// "a/b/c" → "c".
std::string leaf_of(std::string_view rel);
// Joins with exactly one slash; an empty side is left out.
std::string join_path(std::string_view a, std::string_view b);

}  // namespace memfs
