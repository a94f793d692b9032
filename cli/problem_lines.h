// Problems as a person reads them.
#pragma once

#include <memfs/memory.h>

#include <vector>

namespace memfs::cli {

class Context;

// The place, the message, the code and the cure.
void print_problem(Context& context, const Problem& problem);
std::size_t count_of(const std::vector<Problem>& problems, Severity severity);

}  // namespace memfs::cli
