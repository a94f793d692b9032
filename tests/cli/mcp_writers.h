// Several servers that write into one folder at the same time.
#pragma once

#include <string>

namespace memfs::testing {

// Each of `servers` processes makes `writes` writes in the private scope below `root`: of ten nine
// that make a memory of its own, and one that changes the memory which all of them change, at the
// revision that it has read. "" if every write is there exactly once; else what is wrong.
std::string write_at_once(const std::string& program, const std::string& root, int servers,
                          int writes);

}  // namespace memfs::testing
