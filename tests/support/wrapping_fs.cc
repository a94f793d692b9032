#include "tests/support/wrapping_fs.h"

#include <algorithm>
#include <cerrno>

namespace memfs::testing {
namespace {

class WrappingFile final : public WritableFile {
 public:
  WrappingFile(std::unique_ptr<WritableFile> inner, WrappingFs::Hook before, std::string path)
      : inner_(std::move(inner)), before_(std::move(before)), path_(std::move(path)) {}
  Result<std::size_t> write(std::string_view bytes) override {
    if (auto ok = before_({"write", path_, true}); !ok) {
      // A write that dies may have written a part.
      (void)inner_->write(bytes.substr(0, bytes.size() / 2));
      return std::move(ok).error();
    }
    return inner_->write(bytes);
  }
  Result<void> set_mode(std::uint32_t mode) override {
    MEMFS_TRY(before_({"chmod", path_, true}));
    return inner_->set_mode(mode);
  }
  Result<void> sync() override {
    MEMFS_TRY(before_({"sync", path_, true}));
    return inner_->sync();
  }
  Result<void> close() override {
    MEMFS_TRY(before_({"close", path_, true}));
    return inner_->close();
  }

 private:
  std::unique_ptr<WritableFile> inner_;
  WrappingFs::Hook before_;
  std::string path_;
};

class WrappingDirectory final : public Directory {
 public:
  WrappingDirectory(std::shared_ptr<Directory> inner, WrappingFs::Hook before)
      : inner_(std::move(inner)), before_(std::move(before)) {}

  const std::string& path() const override { return inner_->path(); }
  Result<FileStat> stat(const std::string& rel) override {
    MEMFS_TRY(look("stat", rel));
    return inner_->stat(rel);
  }
  Result<std::vector<DirEntry>> list(const std::string& rel) override {
    MEMFS_TRY(look("list", rel));
    return inner_->list(rel);
  }
  Result<FileContent> read(const std::string& rel, std::uint64_t max_bytes) override {
    MEMFS_TRY(look("read", rel));
    return inner_->read(rel, max_bytes);
  }
  Result<std::string> read_link(const std::string& rel) override {
    MEMFS_TRY(look("readlink", rel));
    return inner_->read_link(rel);
  }
  Result<std::unique_ptr<WritableFile>> create(const std::string& rel,
                                               std::uint32_t mode) override {
    MEMFS_TRY(change("create", rel));
    MEMFS_ASSIGN(auto file, inner_->create(rel, mode));
    return std::unique_ptr<WritableFile>(
        std::make_unique<WrappingFile>(std::move(file), before_, join_path(path(), rel)));
  }
  Result<void> append(const std::string& rel, std::string_view bytes, std::uint32_t mode) override {
    if (auto ok = change("append", rel); !ok) {
      (void)inner_->append(rel, bytes.substr(0, bytes.size() / 2), mode);
      return std::move(ok).error();
    }
    return inner_->append(rel, bytes, mode);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    MEMFS_TRY(change("rename", to));
    return inner_->rename(from, to);
  }
  Result<void> rename_exclusive(const std::string& from, const std::string& to) override {
    MEMFS_TRY(change("rename-exclusive", to));
    return inner_->rename_exclusive(from, to);
  }
  Result<void> exchange(const std::string& a, const std::string& b) override {
    MEMFS_TRY(change("exchange", b));
    return inner_->exchange(a, b);
  }
  Result<void> remove(const std::string& rel) override {
    MEMFS_TRY(change("remove", rel));
    return inner_->remove(rel);
  }
  Result<void> make_directory(const std::string& rel, std::uint32_t mode) override {
    MEMFS_TRY(change("mkdir", rel));
    return inner_->make_directory(rel, mode);
  }
  Result<void> remove_directory(const std::string& rel) override {
    MEMFS_TRY(change("rmdir", rel));
    return inner_->remove_directory(rel);
  }
  Result<void> sync_directory(const std::string& rel) override {
    MEMFS_TRY(change("sync-directory", rel));
    return inner_->sync_directory(rel);
  }
  Result<void> sync_all() override {
    MEMFS_TRY(change("sync-all", ""));
    return inner_->sync_all();
  }
  Result<void> check_writable() override {
    MEMFS_TRY(look("access", ""));
    return inner_->check_writable();
  }
  Result<std::unique_ptr<HeldLock>> try_lock(const std::string& rel, std::uint32_t mode) override {
    MEMFS_TRY(change("lock", rel));
    return inner_->try_lock(rel, mode);
  }

 private:
  Result<void> look(const char* verb, const std::string& rel) {
    return before_({verb, join_path(path(), rel), false});
  }
  Result<void> change(const char* verb, const std::string& rel) {
    return before_({verb, join_path(path(), rel), true});
  }

  std::shared_ptr<Directory> inner_;
  WrappingFs::Hook before_;
};

}  // namespace

Result<std::shared_ptr<Directory>> WrappingFs::open(const std::string& path) {
  MEMFS_ASSIGN(auto dir, inner_.open(path));
  return std::shared_ptr<Directory>(std::make_shared<WrappingDirectory>(std::move(dir), before_));
}

Result<void> WrappingFs::make_directories(const std::string& path, std::uint32_t mode) {
  if (!inner_.stat(path)) MEMFS_TRY(before_({"mkdirs", path, true}));
  return inner_.make_directories(path, mode);
}

Result<void> FaultFs::before(const Operation& op) {
  const bool crashed = mode_ == Mode::kCrash && target_ > 0 && count_ >= target_;
  if (op.changes) ++count_;
  const bool hit = op.changes && count_ == target_;
  if (!hit && !crashed) return {};
  Error error = make_error(ErrorCode::kIo, "injected fault").at(op.path);
  error.os_error = EIO;
  return error;
}

namespace {

bool in_cache(const Operation& op) { return op.path.find("/cache") != std::string::npos; }

}  // namespace

int RecordingFs::count(const std::string& verb) const {
  return static_cast<int>(
      std::count_if(operations_.begin(), operations_.end(),
                    [&](const Operation& op) { return op.verb == verb && !in_cache(op); }));
}

int RecordingFs::changes() const {
  return static_cast<int>(
      std::count_if(operations_.begin(), operations_.end(),
                    [](const Operation& op) { return op.changes && !in_cache(op); }));
}

}  // namespace memfs::testing
