#include "libmemfs/setup/block_edit.h"

namespace memfs::setup {
namespace {

// The beginning of the line end before `pos`; `pos` if a line does not begin there.
std::size_t before_newline(std::string_view text, std::size_t pos) {
  if (pos == 0 || text[pos - 1] != '\n') return pos;
  return pos > 1 && text[pos - 2] == '\r' ? pos - 2 : pos - 1;
}

}  // namespace

std::string newline_of(std::string_view text) {
  const std::size_t line = text.find('\n');
  return line != text.npos && line > 0 && text[line - 1] == '\r' ? "\r\n" : "\n";
}

BlockInsertion append_block(std::string_view text, std::string_view block) {
  const std::string newline = newline_of(text);
  BlockInsertion made;
  made.text = text;
  const bool nothing = text.empty() || text == "\xEF\xBB\xBF";
  made.footprint.newline = !nothing && !text.ends_with('\n');
  if (made.footprint.newline) made.text += newline;
  const std::size_t line = before_newline(made.text, made.text.size());
  made.footprint.blank = !nothing && line > 0 && made.text[line - 1] != '\n';
  if (made.footprint.blank) made.text += newline;
  made.text += block;
  return made;
}

std::string remove_block(std::string_view text, std::size_t begin, std::size_t end,
                         const BlockFootprint& footprint) {
  if (footprint.blank) {
    const std::size_t line = before_newline(text, begin);
    if (before_newline(text, line) < line) begin = line;  // the line before is empty
  }
  // What was written behind the block since then needs the end of the line.
  if (footprint.newline && end == text.size()) begin = before_newline(text, begin);
  return std::string(text.substr(0, begin)) + std::string(text.substr(end));
}

}  // namespace memfs::setup
