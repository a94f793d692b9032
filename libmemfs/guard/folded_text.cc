#include "libmemfs/guard/folded_text.h"

#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/characters.h"

namespace memfs {
namespace {

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_folded_letter(char c) { return c >= 'a' && c <= 'z'; }

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

// End of `<!-- … -->` or of a tag that begins at `pos`, or `pos`.
std::size_t end_of_tag(std::string_view text, std::size_t pos) {
  constexpr std::size_t kMaxComment = 200;
  constexpr std::size_t kMaxTag = 80;
  if (text.substr(pos).starts_with("<!--")) {
    const auto close = text.substr(pos, kMaxComment).find("-->");
    return close == std::string_view::npos ? pos : pos + close + 3;
  }
  const std::string_view rest = text.substr(pos + 1, kMaxTag);
  if (rest.empty() || (rest[0] != '/' && !is_ascii_letter(static_cast<unsigned char>(rest[0]))))
    return pos;
  const auto close = rest.find_first_of("<>\n");
  return close != std::string_view::npos && rest[close] == '>' ? pos + close + 2 : pos;
}

// End of the target of a link whose text ends at `pos`, or of the bracket.
std::size_t end_of_link(std::string_view text, std::size_t pos) {
  constexpr std::size_t kMaxTarget = 160;
  const char open = pos + 1 < text.size() ? text[pos + 1] : '\0';
  if (open != '(' && open != '[') return pos + 1;
  const auto close = text.substr(pos + 1, kMaxTarget).find_first_of(open == '(' ? ")\n" : "]\n");
  if (close == std::string_view::npos || text[pos + 1 + close] == '\n') return pos + 1;
  return pos + close + 2;
}

}  // namespace

FoldedText::FoldedText(std::string_view text, std::size_t begin, std::size_t end, Reading reading)
    : begin_(begin) {
  const bool through = reading == Reading::kThroughMarkup;
  folded_.reserve(end - begin);
  origins_.reserve(end - begin);
  bool line_start = begin == 0 || text[begin - 1] == '\n';
  bool latin = false;  // the last letter is or was made Latin
  for (std::size_t pos = begin; pos < end;) {
    const std::size_t start = pos;
    if (through && (pos = skip_markup(text.substr(0, end), pos)) != start) continue;
    char32_t c = decode_utf8(text.substr(0, end), pos);
    if (is_blank(c)) {
      add_blank(start, pos);
      line_start = line_start || c == '\n';
      if (!through && c == '\n' && folded_.size() > 1 && text[start > 0 ? start - 1 : 0] == '\n')
        folded_.back() = '\n';
      latin = false;
      continue;
    }
    if (line_start && is_line_mark(c)) continue;
    line_start = false;
    if (through && c >= 0x80 && hidden_class(c) != HiddenClass::kNone) add_blank(start, pos);
    if (is_emphasis(c) || (c >= 0x80 && hidden_class(c) != HiddenClass::kNone)) continue;
    if (const char twin = latin_lookalike(c);
        twin != 0 && (latin || leads_to_latin(text, pos, end)))
      c = static_cast<char32_t>(twin);
    latin = is_ascii_letter(c);
    add(c, start, pos);
  }
  join_single_letters();
}

// Behind the markup that begins at `pos`. A tag and a bar keep words apart, a bracket does not.
std::size_t FoldedText::skip_markup(std::string_view text, std::size_t pos) {
  std::size_t end = pos;
  if (text[pos] == '[') return pos + 1;
  if (text[pos] == ']') return end_of_link(text, pos);
  if (text[pos] == '|') end = pos + 1;
  if (text[pos] == '<') end = end_of_tag(text, pos);
  if (end != pos) add_blank(pos, end);
  return end;
}

void FoldedText::add(char32_t c, std::size_t begin, std::size_t end) {
  if (c < 0x80)
    folded_ += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  else if (c == 0x2018 || c == 0x2019)
    folded_ += '\'';
  else
    append_folded(folded_, c);
  note_origin(begin, end);
}

void FoldedText::add_blank(std::size_t begin, std::size_t end) {
  if (folded_.empty()) return;
  if (folded_.back() == ' ' || folded_.back() == '\n') {
    origins_.back().length = static_cast<std::uint32_t>(end - begin_ - origins_.back().begin);
    return;
  }
  folded_ += ' ';
  note_origin(begin, end);
}

// Of the bytes added last.
void FoldedText::note_origin(std::size_t begin, std::size_t end) {
  const Origin origin{static_cast<std::uint32_t>(begin - begin_),
                      static_cast<std::uint32_t>(end - begin)};
  while (origins_.size() < folded_.size()) origins_.push_back(origin);
}

bool FoldedText::is_single(std::size_t at) const {
  return at < folded_.size() && is_folded_letter(folded_[at]) &&
         (at == 0 || !is_folded_letter(folded_[at - 1])) &&
         (at + 1 == folded_.size() || !is_folded_letter(folded_[at + 1]));
}

// "i g n o r e" and "a.l.l": four and more single letters with a blank between them, or three with
// the same other sign. The last letter of the run that begins at `at`, or `at`.
std::size_t FoldedText::end_of_spelt(std::size_t at) const {
  if (!is_single(at) || !is_single(at + 2)) return at;
  const char between = folded_[at + 1];
  if (std::string_view(" .-/|,").find(between) == std::string_view::npos) return at;
  std::size_t last = at + 2;
  while (is_single(last + 2) && folded_[last + 1] == between) last += 2;
  return last - at < (between == ' ' ? 6U : 4U) ? at : last;
}

// Where words stay apart by a wider gap only, the gap is lost, so patterns take blanks as optional.
void FoldedText::join_single_letters() {
  std::size_t kept = 0;
  const auto keep = [&](std::size_t at) {
    folded_[kept] = folded_[at];
    origins_[kept++] = origins_[at];
  };
  for (std::size_t at = 0; at < folded_.size();) {
    const std::size_t last = end_of_spelt(at);
    if (last == at) {
      keep(at++);
      continue;
    }
    const char between = folded_[at + 1];
    for (; at <= last; at += 2) keep(at);
    --at;
    // "e| |a": the blank between two words spelt so.
    if (folded_.compare(at, 3, {between, ' ', between}) == 0) {
      keep(at + 1);
      at += 3;
    }
  }
  folded_.resize(kept);
  origins_.resize(kept);
}

ByteRange FoldedText::original(ByteRange folded) const {
  const Origin& first = origins_[folded.begin];
  const Origin& last = origins_[folded.end - 1];
  return {begin_ + first.begin, begin_ + last.begin + last.length};
}

}  // namespace memfs
