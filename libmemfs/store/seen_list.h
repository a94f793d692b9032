// What `mem check` saw last in a scope, so that it can say what has vanished since: a git reset, a
// sync client or a slip of the hand takes files without a word. In the state directory, as
// scopes/<scope key>/seen:
//
//   file := "mem-seen 1\n" head? line*
//   head := "head\t" commit "\t" branch "\n"        where git's HEAD was, of a shared folder
//   line := revision "\t" etag "\t" id "\t" path in the scope "\n"
//
// with tab, newline, carriage return and backslash escaped as \t \n \r \\. Lost or damaged, it only
// means that the next loss goes unnoticed. It holds no text; a purge takes its line out.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <string>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct SeenMemory {
  std::string rel{};  // path in the scope
  std::string id{};
  std::string etag{};
  std::uint64_t revision = 0;
};

struct SeenList {
  std::vector<SeenMemory> memories{};
  std::string commit{}, branch{};  // "": not in git, or no branch
};

SeenList load_seen(Directory& state, const std::string& scope_key);
// Writes only what differs from what stands there.
Result<void> save_seen(Directory& state, const std::string& scope_key, const SeenList& seen);
// What may name the memory: its id, or its path where it has none.
Result<void> erase_seen(Directory& state, const std::string& scope_key, const Memory& memory);

}  // namespace memfs
