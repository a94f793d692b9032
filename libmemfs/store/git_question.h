// Asks the user's git something about a repository, without any risk to it or to the reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/process.h"

namespace memfs {

// A question takes no lock, runs no program that the repository names, fetches nothing (a partial
// clone would, through a program of its choosing), looks at no other repository than that of
// `folder` (as in a hook), and keeps the reader waiting for two seconds at most: then the answer is
// `stopped`. Standard output only. `input` is what git reads on its standard input.
Result<ProcessOutput> ask_git(const std::string& folder, const std::vector<std::string>& words,
                              std::string input = {});

// The words of an output of `-z`.
std::vector<std::string> split_nul(std::string_view text);

}  // namespace memfs
