// Who wrote what: one line for each write, in the state directory's file `log`.
//
//   line := "1" operation scope scope_key id revision before after at by name origin takes_back
//   place batch
//
// joined by tabs, with tab, newline, carriage return and backslash escaped as \t \n \r \\. `at` is
// in milliseconds since 1970. Each entry is appended by one write, between two newlines, without a
// sync: a line that a crash cut short is no line, and what it would have said is still in the file
// and its history. At 8 MiB the file becomes `log.1` and a new one begins. The lock `.log.lock` is
// held while a line is added or lines are taken out, since folders with locks of their own share
// the file.
//
// It holds no text of any memory; what names the memory, `purge` removes.
#pragma once

#include <memfs/history.h>
#include <memfs/layout.h>

#include <functional>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

// By which an undo names the write that it takes back.
std::string write_key(const WriteEntry& entry);

// Names the project or folder from which something is written.
std::string place_key(const Layout& layout);

struct LoggedWrite {
  WriteEntry entry{};
  std::string scope_key{};
  std::string place{};  // the project or folder from which it was written, as a hash
};

class WriteLog {
 public:
  explicit WriteLog(std::shared_ptr<Directory> state) : dir_(std::move(state)) {}

  Result<void> add(const LoggedWrite& write) { return add(std::vector<LoggedWrite>{write}); }
  Result<void> add(const std::vector<LoggedWrite>& writes);
  // All that can be read, oldest first.
  std::vector<LoggedWrite> read() const;
  // Those that were added at or after an instant, newest first; only as much is read as it takes.
  std::vector<LoggedWrite> since(Instant at) const;
  // Takes out what `gone` says.
  Result<void> erase(const std::function<bool(const LoggedWrite&)>& gone);

 private:
  std::shared_ptr<Directory> dir_;
};

}  // namespace memfs
