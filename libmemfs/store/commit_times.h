// When git's last commit touched each shared memory, for its freshness. Asked of the user's git
// once for each commit that HEAD comes to, and kept in the cache folder:
//
//   header  := "mem-commits 2 " commit " " hash of the shallow commits (16) " "
//              ("whole" | "part") "\n"
//   entries := (hash of the path (8) seconds since 1970 (8))*, ascending
//   seal    := hash of all before it (8)
//
// "part": git was stopped because it took too long; what it said until then is true.
//
// A rename that leaves the bytes alone touches nothing. The first commits of a shallow clone seem
// to touch every file: what they hold is not known. Replaced and grafted commits count as they are.
#pragma once

#include <memfs/layout.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

class CommitTimes {
 public:
  // Of the layout's shared folder; nullptr outside git. Never fails: what git does not say is not
  // known. `before`: what was loaded last, given back if HEAD has not moved.
  static std::shared_ptr<const CommitTimes> load(FileSystem& fs, const Layout& layout,
                                                 std::shared_ptr<const CommitTimes> before);

  // Of a path in the shared folder; nullopt if it is in no commit, or git does not know.
  std::optional<Instant> of(std::string_view rel) const;

 private:
  // Seconds by hash of the path.
  using Table = std::map<std::uint64_t, std::int64_t>;

  bool answers(const std::string& head, const std::string& shallow) const {
    return commit_ == head && shallow_ == shallow;
  }
  static std::shared_ptr<const CommitTimes> read(std::shared_ptr<const Bytes> bytes);
  Table table() const;

  std::string commit_{};
  std::string shallow_{};
  bool whole_ = true;
  std::shared_ptr<const Bytes> bytes_{};
  std::string_view entries_{};
};

}  // namespace memfs
