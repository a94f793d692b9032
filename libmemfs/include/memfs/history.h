// What was written: the revisions of a memory, and the writes of a folder. See docs/lifecycle.md.
#pragma once

#include <memfs/memory.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

enum class Operation : std::uint8_t {
  kAdd,
  kUpdate,
  kEdit,     // the whole file, in an editor
  kVerify,   // confirmed to hold
  kAdopt,    // a hand-written file got an id
  kRestore,  // an older revision became the newest
  kForget,
  kRecover,  // brought back from the archive
  kMove,     // to another scope or name
  kPurge,    // erased for good; the entry names nothing
  kRelink,   // its links follow a memory that moved
  kFix,      // mended by a check: a value quoted, an id given
  kByHand,   // written by an editor, git or another machine, and met by a later write
};
std::string_view name_of(Operation operation);
std::optional<Operation> operation_named(std::string_view name);

// One write.
struct WriteEntry {
  Operation operation = Operation::kUpdate;
  std::chrono::sys_time<std::chrono::milliseconds> at{};
  Scope scope = Scope::kPrivate;
  std::string name{};          // in its scope, at that time
  std::string id{};            // empty: it had none
  std::uint64_t revision = 0;  // that it led to
  std::string before{};        // etags; empty: there was no file, or there was none afterwards
  std::string after{};
  std::string by{};          // who or what wrote; empty: not known
  std::string origin{};      // kMove: the reference it had before
  std::string batch{};       // the same for all writes of one operation on several files
  std::string takes_back{};  // of an undo: names the write that it took back
  bool undone = false;       // taken back by a later undo
  std::string ref() const { return std::string(name_of(scope)) + "/" + name; }
};

// Which writes to show; empty parts fit all.
struct LogFilter {
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> since{};
  std::string by{};
  std::vector<Scope> scopes{};
};

// One state of a memory's file: kept on this machine, in a commit, or both.
struct Revision {
  std::uint64_t number = 0;
  std::string etag{};      // of its bytes; "4-ab12cd34" (the first 8 digits) names it uniquely
  std::uint64_t size = 0;  // bytes
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> at{};
  std::string by{};
  std::optional<Operation> operation{};  // what wrote it, kByHand if none of ours did
  bool current = false;                  // it is what the file holds now
  // "4", or "4-ab12cd34" if several states have that number (two branches, a hand edit).
  std::string label{};
  // Of a shared memory, where git has the state: the commit that brought it (7 digits or more name
  // the state, too), its author and subject, and git's name of the bytes.
  std::string commit{}, author{}, subject{}, blob{};
};

// How a memory that is gone went, where git knows.
struct Deletion {
  std::string commit{}, author{};  // empty: the file is gone from the work tree only
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> at{};
};

struct History {
  Memory memory;                    // as it is now, or as it was archived; without its body
  std::vector<Revision> revisions;  // newest first
};

struct RevisionDiff {
  Memory memory;
  Revision from, to;
  std::string text;  // unified, empty if the bytes are equal
};

struct RevisionText {
  Revision revision;
  Memory memory;      // as it reads
  std::string bytes;  // exactly
};

}  // namespace memfs
