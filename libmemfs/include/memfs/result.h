// Result<T> and Error: how every fallible call of libmemfs answers.
//
// No exception crosses a libmemfs header. A function that can fail returns Result<T>; ignoring
// it is a compiler warning. The code says what kind of failure it was, the message what happened,
// path/line/column where, and the hint what the user can do next.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace memfs {

enum class ErrorCode : std::uint8_t {
  kUsage,        // the request itself makes no sense (unknown field, empty query)
  kNotFound,     // there is no such memory, file or directory
  kConflict,     // somebody else's change or claim stands in the way; see Error::details
  kRefused,      // a rule of the store forbids it (path outside the scope, not a regular file)
  kInvalid,      // the file or value breaks the memory format
  kCorrupt,      // our own bookkeeping (journal, history) is damaged
  kIo,           // the operating system failed; see Error::os_error
  kBusy,         // a lock stayed held for the whole wait
  kUnsupported,  // the file system cannot do it; callers fall back
};

// The stable word for a code, as `--json` prints it: "not-found", "conflict", …
const char* name_of(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kIo;
  std::string message{};  // one sentence, no trailing period, never empty
  std::string path{};     // the file concerned, empty if there is none
  int line = 0;           // 1-based line of the file, 0 if unknown
  int column = 0;         // 1-based byte column, 0 if unknown
  std::string hint{};     // what to do next, may be empty
  int os_error = 0;       // errno of a kIo failure, else 0
  // Machine-readable particulars: "revision", "etag", "holder_id", "candidate" (repeated), …
  std::vector<std::pair<std::string, std::string>> details{};
  // Lists of particulars, such as the "entries" of a full scope or the "findings" of the guard.
  struct Row {
    std::string list{};
    std::vector<std::pair<std::string, std::string>> cells{};
  };
  std::vector<Row> rows{};

  Error&& with_hint(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
  }
  Error&& at(std::string file, int at_line = 0, int at_column = 0) && {
    path = std::move(file);
    line = at_line;
    column = at_column;
    return std::move(*this);
  }
  Error&& with(std::string key, std::string value) && {
    details.emplace_back(std::move(key), std::move(value));
    return std::move(*this);
  }
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error) : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}  // NOLINT
};

inline Error make_error(ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return error;
}

}  // namespace memfs

// Returns the error of `expr` from the enclosing function, if it has one.
#define MEMFS_TRY(expr)                                                              \
  do {                                                                               \
    if (auto memfs_try_ = (expr); !memfs_try_) return std::move(memfs_try_).error(); \
  } while (false)

#define MEMFS_CONCAT_(a, b) a##b
#define MEMFS_CONCAT(a, b) MEMFS_CONCAT_(a, b)
#define MEMFS_ASSIGN_(tmp, target, expr)   \
  auto tmp = (expr);                       \
  if (!tmp) return std::move(tmp).error(); \
  target = std::move(*tmp)
// `MEMFS_ASSIGN(auto x, f());` binds the value of `expr` or returns its error.
#define MEMFS_ASSIGN(target, expr) MEMFS_ASSIGN_(MEMFS_CONCAT(memfs_r_, __LINE__), target, expr)
