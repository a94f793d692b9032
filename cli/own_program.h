// How other programs are told to call this one.
#pragma once

#include <string>

namespace memfs::cli {

// `mem`, if that is this very program wherever it is started from; else its path.
std::string own_program();
// Its path: the one under which PATH finds it, so that an upgrade changes nothing, or its own.
std::string own_program_path();

}  // namespace memfs::cli
