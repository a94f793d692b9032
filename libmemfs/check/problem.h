// Problems made here: their severity is the table's, and a code that is not in the table does not
// compile.
#pragma once

#include <memfs/memory.h>

#include <string>
#include <string_view>
#include <utility>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/problem_table.h"

namespace memfs {

struct ProblemCode {
  // NOLINTNEXTLINE(google-explicit-constructor): literals stand for codes.
  consteval ProblemCode(const char* code) : text(code) {
    if (find_problem_kind(code) == nullptr) throw "this code is not in the table of problems";
  }
  std::string_view text;
};

inline Problem problem_at(ProblemCode code, std::string_view path, std::string message,
                          std::string hint = {}) {
  Problem problem;
  problem.code = code.text;
  problem.severity = find_problem_kind(code.text)->severity;
  problem.path = escape_for_terminal(path);
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  return problem;
}

inline Problem problem_of(const Memory& memory, ProblemCode code, std::string message,
                          std::string hint = {}) {
  Problem problem = problem_at(code, memory.path, std::move(message), std::move(hint));
  problem.ref = memory.ref();
  return problem;
}

}  // namespace memfs
