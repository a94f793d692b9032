// Bytes in, whole lines out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace memfs::mcp {

constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// Cuts what comes in pieces into lines, without their LF or CRLF and without a byte order mark at
// the very beginning. A line that is too long comes out once, as
// `too_long`, as soon as it exceeds the limit; it is not kept, and the rest of it is skipped.
class LineReader {
 public:
  explicit LineReader(std::size_t max_bytes = kMaxLineBytes) : max_bytes_(max_bytes) {}

  struct Line {
    std::string text{};  // empty if too_long
    bool too_long = false;
  };

  void feed(std::string_view bytes);
  // No more will come: a last line without LF counts.
  void finish();
  // The next whole line that is not blank.
  std::optional<Line> next();
  // Bytes that wait in here.
  std::size_t size() const { return buffer_.size() - begin_; }

 private:
  std::optional<Line> finished_line(std::string_view text);
  std::optional<Line> overlong();
  void compact();

  std::size_t max_bytes_;
  std::string buffer_{};
  std::size_t begin_ = 0;    // of the line that is being read
  std::size_t scanned_ = 0;  // no LF between begin_ and here
  bool first_ = true;
  bool skipping_ = false;  // inside a line that has been too long
  bool finished_ = false;
};

}  // namespace memfs::mcp
