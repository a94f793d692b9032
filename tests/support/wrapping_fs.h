// File systems around another one: FaultFs breaks operations, RecordingFs writes them down.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs::testing {

// One operation as it is about to happen.
struct Operation {
  std::string verb;  // "read", "list", "stat", "create", "write", "sync", "close", "rename", …
  std::string path;  // absolute
  bool changes = false;
};

// Calls `before` for each operation; an error it returns takes the operation's place.
class WrappingFs : public FileSystem {
 public:
  using Hook = std::function<Result<void>(const Operation&)>;
  WrappingFs(FileSystem& inner, Hook before) : inner_(inner), before_(std::move(before)) {}

  Result<std::shared_ptr<Directory>> open(const std::string& path) override;
  Result<void> make_directories(const std::string& path, std::uint32_t mode) override;
  Result<std::string> real_path(const std::string& path) override { return inner_.real_path(path); }
  Result<FileStat> stat(const std::string& path) override { return inner_.stat(path); }
  bool is_volatile(const std::string& path) override { return inner_.is_volatile(path); }
  Result<std::unique_ptr<FolderWatch>> watch_folders() override { return inner_.watch_folders(); }

 private:
  FileSystem& inner_;
  Hook before_;
};

// Fails one operation that changes something, or every one from there on (a crash).
class FaultFs {
 public:
  enum class Mode : std::uint8_t { kFailOnce, kCrash };
  explicit FaultFs(FileSystem& inner)
      : wrapped_(inner, [this](const Operation& op) { return before(op); }) {}

  FileSystem& fs() { return wrapped_; }
  // The `n`-th changing operation from now on (1-based) fails; 0 turns faults off.
  void arm(int n, Mode mode) {
    target_ = n;
    mode_ = mode;
    count_ = 0;
  }
  int operations() const { return count_; }

 private:
  Result<void> before(const Operation& op);

  WrappingFs wrapped_;
  int target_ = 0;
  int count_ = 0;
  Mode mode_ = Mode::kFailOnce;
};

class RecordingFs {
 public:
  explicit RecordingFs(FileSystem& inner)
      : wrapped_(inner, [this](const Operation& op) -> Result<void> {
          operations_.push_back(op);
          return {};
        }) {}
  FileSystem& fs() { return wrapped_; }
  const std::vector<Operation>& operations() const { return operations_; }
  void forget() { operations_.clear(); }
  int count(const std::string& verb) const;
  int changes() const;  // but for the search index, which may be made at any time

 private:
  WrappingFs wrapped_;
  std::vector<Operation> operations_;
};

}  // namespace memfs::testing
