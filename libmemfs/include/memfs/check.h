// Looks at a whole folder: everything that is wrong or odd, each with a stable code, its place and
// its cure; and mends what can be mended without losing anything. docs/problems.md explains every
// code.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/store.h>

#include <string>
#include <vector>

namespace memfs {

struct CheckRequest {
  bool fix = false;
  // Keeps in the state directory what was seen, so that the next check can tell what vanished.
  bool remember = true;
};

// One thing that was mended.
struct Mended {
  std::string what;  // "quoted the value of `title`"
  std::string path;  // absolute, odd characters of names escaped for showing
  std::string ref{};
};

struct CheckReport {
  std::vector<Problem> problems;  // the gravest first, then by path and line
  std::size_t memories = 0;       // that were looked at
  std::vector<Mended> mended;
};

// Never fails for the sake of single files or scopes: what could not be looked at or mended is
// among the problems. With `fix` it first finishes interrupted operations, keeps and removes
// left-over temporary files, quotes values that were certainly meant as text, gives ids to copies
// and to memories that lost theirs, and renews INDEX.md; a second run finds none of that to do.
Result<CheckReport> check_store(Store& store, const CheckRequest& request = {});

// A JSON Schema (draft 7) of the front matter, for the YAML support of editors.
std::string front_matter_schema();

}  // namespace memfs
