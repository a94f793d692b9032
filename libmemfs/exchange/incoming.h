// One memory on its way in from another system: what a reader gives, and the intake takes.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs {

// One memory on its way in.
struct Incoming {
  // The whole file as it shall be, but for what the intake adds where it is missing: `source`
  // (private and global scope), `id`, `created_at`, `revision`.
  std::string bytes{};
  // Where set, gives `bytes` when they are needed, maybe from another thread: a large tree is not
  // held in memory at once. An error refuses the item.
  std::function<Result<std::string>()> read{};
  std::optional<Scope> scope{};  // that the source states

  // Its path in the scope without ".md": "deploy/rollback". Empty: made from the title.
  std::string name{};
  // What the item is in its source, for `source` in the file: "car:3", "claude-code:rules.md".
  // The same in every import of that source. Empty: none.
  std::string source{};
  // `source` is a mere position, which says nothing once the source was reordered: the item is that
  // memory only if it has its title or says nearly the same.
  bool positional = false;
  // The source has nothing of the item but this text: a memory whose entry_text() it is, is the
  // item, and loses nothing that the source cannot say.
  std::string entry{};
  // All that the source can say of it, as keys, beside its text: an update changes these alone, so
  // that a memory keeps what it has from elsewhere. Empty: the item is a whole file, and an update
  // is that file.
  std::vector<std::string> says{};
  // The bytes stay as they are to the last one: nothing is added to them.
  bool verbatim = false;
  std::optional<Instant> created{};  // for `created_at`, if bytes have none of any spelling

  // For the report.
  std::string title{};
  std::string path{};  // absolute: the file of the source
  int line = 0;        // where the item begins in it, 1-based; 0: the whole file
  std::vector<std::string> warnings{};
};

}  // namespace memfs
