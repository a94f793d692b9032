// What tests of a store over time need: a clock that moves, ids that never repeat, and a view of
// every file there is.
#pragma once

#include <memfs/store.h>

#include <map>
#include <string>

#include "libmemfs/base/clock.h"
#include "tests/support/memory_fs.h"

namespace memfs::testing {

class MovingClock final : public Clock {
 public:
  explicit MovingClock(Instant at) : at_(at) {}
  Instant now() const override { return at_; }
  void advance(std::chrono::milliseconds by) { at_ += by; }

 private:
  Instant at_;
};

// Repeatable, but no two requests get the same id.
class CountingIds final : public IdSource {
 public:
  std::string ulid(Instant now, std::string_view seed, int attempt) override {
    return ids_.ulid(now, std::string(seed) + " " + std::to_string(++count_), attempt);
  }

 private:
  RepeatableIds ids_{};
  int count_ = 0;
};

// The files below a folder and their bytes, without locks.
inline std::map<std::string, std::string> files_below(MemoryFs& fs, const std::string& path) {
  std::map<std::string, std::string> files;
  const auto dir = fs.open(path);
  if (!dir) return files;
  const auto entries = (*dir)->list("");
  for (const DirEntry& entry : *entries) {
    const std::string whole = join_path(path, entry.name);
    if (entry.kind == FileKind::kDirectory) {
      files.merge(files_below(fs, whole));
    } else if (!entry.name.ends_with(".lock")) {
      files[whole] = fs.bytes_of(whole);
    }
  }
  return files;
}

// The bytes without what a store writes on its own account: identity, revision and dates, and a
// block that holds nothing else. What is left is what a person said.
inline std::string without_owned(const std::string& bytes) {
  if (!bytes.starts_with("---\n")) return bytes;
  const std::size_t end = bytes.find("\n---\n");
  if (end == std::string::npos) return bytes;
  std::string block;
  for (std::size_t at = 4; at <= end;) {
    const std::size_t next = bytes.find('\n', at) + 1;
    const std::string line = bytes.substr(at, next - at);
    bool owned = false;
    for (const char* key :
         {"id:", "mem_id:", "created_at:", "updated_at:", "last_verified_at:", "revision:"})
      owned = owned || line.starts_with(key);
    if (!owned) block += line;
    at = next;
  }
  const std::string body = bytes.substr(end + 5);
  return block.empty() ? body : "---\n" + block + "---\n" + body;
}

}  // namespace memfs::testing
