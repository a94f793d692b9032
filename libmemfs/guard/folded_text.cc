#include "libmemfs/guard/folded_text.h"

#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/characters.h"

namespace memfs {
namespace {

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_blank(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || c == '_';
  return is_white_space(c) && hidden_class(c) == HiddenClass::kNone;
}

// Emphasis and code marks, which models read over.
bool is_emphasis(char32_t c) { return c == '*' || c == '`'; }

bool is_line_mark(char32_t c) {
  return c == '>' || c == '#' || c == '-' || c == '*' || c == '+' || c == '/' || c == ';';
}

// Does the run of look-alikes at `pos` end at a Latin letter?
bool leads_to_latin(std::string_view text, std::size_t pos, std::size_t end) {
  for (int steps = 0; steps < 16 && pos < end; ++steps) {
    const char32_t c = decode_utf8(text, pos);
    if (is_ascii_letter(c)) return true;
    if (latin_lookalike(c) == 0 && hidden_class(c) == HiddenClass::kNone) return false;
  }
  return false;
}

}  // namespace

FoldedText::FoldedText(std::string_view text, std::size_t begin, std::size_t end) {
  folded_.reserve(end - begin);
  origins_.reserve(end - begin);
  bool line_start = begin == 0 || text[begin - 1] == '\n';
  bool latin = false;  // the last letter is or was made Latin
  for (std::size_t pos = begin; pos < end;) {
    const std::size_t start = pos;
    char32_t c = decode_utf8(text.substr(0, end), pos);
    if (is_blank(c)) {
      add_blank(start, pos);
      line_start = line_start || c == '\n';
      if (c == '\n' && folded_.size() > 1 && text[start > 0 ? start - 1 : 0] == '\n')
        folded_.back() = '\n';
      latin = false;
      continue;
    }
    if (line_start && is_line_mark(c)) continue;
    line_start = false;
    if (is_emphasis(c) || (c >= 0x80 && hidden_class(c) != HiddenClass::kNone)) continue;
    if (const char twin = latin_lookalike(c);
        twin != 0 && (latin || leads_to_latin(text, pos, end)))
      c = static_cast<char32_t>(twin);
    latin = is_ascii_letter(c);
    add(c, start, pos);
  }
  join_single_letters();
}

void FoldedText::add(char32_t c, std::size_t begin, std::size_t end) {
  if (c < 0x80)
    folded_ += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  else if (c == 0x2018 || c == 0x2019)
    folded_ += '\'';
  else
    append_folded(folded_, c);
  origins_.resize(folded_.size(), ByteRange{begin, end});
}

void FoldedText::add_blank(std::size_t begin, std::size_t end) {
  if (folded_.empty()) return;
  if (folded_.back() == ' ' || folded_.back() == '\n') {
    origins_.back().end = end;
    return;
  }
  folded_ += ' ';
  origins_.push_back({begin, end});
}

void FoldedText::keep(std::string& text, std::vector<ByteRange>& origins, std::size_t at) const {
  text += folded_[at];
  origins.push_back(origins_[at]);
}

// "i g n o r e" and "a.l.l": four and more single letters with a blank between them, or three with
// the same other sign.
// Where words stay apart by a wider gap only, the gap is lost, so patterns take blanks as optional.
void FoldedText::join_single_letters() {
  const auto is_single = [&](std::size_t at) {
    return is_lower(folded_[at]) && (at == 0 || !is_lower(folded_[at - 1])) &&
           (at + 1 == folded_.size() || !is_lower(folded_[at + 1]));
  };
  std::string text;
  std::vector<ByteRange> origins;
  for (std::size_t at = 0; at < folded_.size();) {
    std::size_t last = at;
    if (is_single(at) && at + 1 < folded_.size()) {
      const char between = folded_[at + 1];
      if (std::string_view(" .-/|,").find(between) != std::string_view::npos)
        while (last + 2 < folded_.size() && folded_[last + 1] == between && is_single(last + 2))
          last += 2;
    }
    if (last - at < (last > at && folded_[at + 1] == ' ' ? 6U : 4U)) {
      keep(text, origins, at++);
      continue;
    }
    for (; at <= last; at += 2) keep(text, origins, at);
  }
  folded_ = std::move(text);
  origins_ = std::move(origins);
}

ByteRange FoldedText::original(ByteRange folded) const {
  return {origins_[folded.begin].begin, origins_[folded.end - 1].end};
}

}  // namespace memfs
