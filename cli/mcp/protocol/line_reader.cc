#include "cli/mcp/protocol/line_reader.h"

#include <utility>

#include "libmemfs/base/utf8.h"

namespace memfs::mcp {

void LineReader::feed(std::string_view bytes) {
  compact();
  buffer_ += bytes;
}

void LineReader::finish() {
  if (!std::exchange(finished_, true) && size() > 0 && buffer_.back() != '\n') buffer_ += '\n';
}

// What has been read is thrown away before more comes, and a buffer that one long line has made
// large is given back.
void LineReader::compact() {
  if (begin_ == 0) return;
  buffer_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  constexpr std::size_t kKeep = std::size_t{1} << 20;
  if (buffer_.capacity() > kKeep && buffer_.size() < kKeep / 2) buffer_.shrink_to_fit();
}

std::optional<LineReader::Line> LineReader::next() {
  while (true) {
    const auto end = buffer_.find('\n', scanned_);
    if (end == std::string::npos) return overlong();
    const std::string_view whole(buffer_.data() + begin_, end - begin_);
    begin_ = scanned_ = end + 1;
    if (auto line = finished_line(whole)) return line;
  }
}

std::optional<LineReader::Line> LineReader::finished_line(std::string_view text) {
  const bool first = std::exchange(first_, false);
  if (std::exchange(skipping_, false)) return std::nullopt;
  if (text.size() > max_bytes_) return Line{{}, true};
  if (first) text = without_byte_order_mark(text);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (trim(text).empty()) return std::nullopt;
  return Line{std::string(text), false};
}

// Without waiting for an end that may never come.
std::optional<LineReader::Line> LineReader::overlong() {
  scanned_ = buffer_.size();
  if (!skipping_ && size() <= max_bytes_) return std::nullopt;
  begin_ = buffer_.size();
  if (std::exchange(skipping_, true)) return std::nullopt;
  return Line{{}, true};
}

}  // namespace memfs::mcp
