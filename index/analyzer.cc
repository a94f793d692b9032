#include "index/analyzer.h"

#include <algorithm>
#include <array>

#include "index/character.h"
#include "index/normalizer.h"
#include "index/stemmer.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

constexpr std::size_t kMaxWhole = 96;  // bytes: longer identifiers are found by their parts
constexpr std::size_t kMaxTerm = 128;  // bytes: longer words are cut
constexpr int kMaxMarks = 64;          // marks on one base letter that are looked at
constexpr std::size_t kShortWord = 3;  // letters of "C++" and its like, without the signs
constexpr std::size_t kMaxText = 0xFFFFFFF0;

// A code point of the source with its place.
struct Char {
  char32_t value = 0;
  CharClass kind = CharClass::kOther;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What a byte is to the short way through plain words.
enum class Plain : std::uint8_t { kNone, kLower, kUpper, kDigit, kJoiner, kSign, kWide };
constexpr std::array<Plain, 256> kPlain = [] {
  std::array<Plain, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    if (c >= 'a' && c <= 'z') table.at(c) = Plain::kLower;
    if (c >= 'A' && c <= 'Z') table.at(c) = Plain::kUpper;
    if (c >= '0' && c <= '9') table.at(c) = Plain::kDigit;
    if (c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '\'')
      table.at(c) = Plain::kJoiner;
    if (c == '+' || c == '#') table.at(c) = Plain::kSign;
    if (c >= 0x80) table.at(c) = Plain::kWide;
  }
  return table;
}();

Plain plain(char c) { return kPlain.at(static_cast<unsigned char>(c)); }

class Analyzer {
 public:
  Analyzer(std::string_view text, Purpose purpose, TokenSink& sink)
      : text_(text.substr(0, kMaxText)), purpose_(purpose), sink_(sink) {}

  void run() {
    while (pos_ < text_.size()) {
      const Plain first = plain(text_[pos_]);
      if (first != Plain::kWide) {
        if (first != Plain::kLower && first != Plain::kUpper && first != Plain::kDigit) {
          ++pos_;
          continue;
        }
        if (read_plain_word(first)) continue;
      }
      const Char c = peek(pos_);
      if (c.kind == CharClass::kWord) {
        read_identifier(leading_dot(c.begin) ? c.begin - 1 : c.begin);
      } else if (c.kind == CharClass::kEmoji) {
        pos_ = c.end;
        emit(normal_form(text_.substr(c.begin, c.end - c.begin)), Form::kExact, c.begin, c.end);
        next_word();
      } else if (c.kind == CharClass::kOther || c.kind == CharClass::kInvisible ||
                 c.kind == CharClass::kExtend) {
        pos_ = c.end;
      } else {
        read_run(c.kind);
      }
    }
  }

 private:
  Char peek(std::size_t pos) const {
    Char c;
    c.begin = c.end = pos;
    c.value = decode_utf8(text_, c.end);
    c.kind = c.value == kReplacement ? CharClass::kOther : class_of(c.value);
    return c;
  }

  TokenPlace place(std::size_t begin, std::size_t end) const {
    return {position_, group_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  void emit(std::string_view term, Form form, std::size_t begin, std::size_t end) {
    if (term.size() > kMaxTerm) term = cut_at_char_boundary(term, kMaxTerm);
    if (!term.empty()) sink_.on_term(term, form, place(begin, end));
  }

  // Words of ASCII letters in one case (but for a capital at the beginning) or of digits, which
  // no sign joins to a neighbour: most words of most texts, and the same token as the long way.
  bool read_plain_word(Plain first) {
    if (pos_ > 0 && (text_[pos_ - 1] == '.' || text_[pos_ - 1] == '_')) return false;
    std::size_t end = pos_ + 1;
    const Plain rest =
        first == Plain::kUpper && end < text_.size() && plain(text_[end]) == Plain::kLower
            ? Plain::kLower
            : first;
    while (end < text_.size() && plain(text_[end]) == rest) ++end;
    const std::size_t size = end - pos_;
    if (size > kMaxWhole) return false;
    if (end < text_.size()) {
      const Plain behind = plain(text_[end]);
      if (behind == Plain::kSign && size <= kShortWord) return false;
      if (behind == Plain::kJoiner && end + 1 < text_.size() &&
          plain(text_[end + 1]) != Plain::kNone)
        return false;
      if (behind != Plain::kNone && behind != Plain::kSign && behind != Plain::kJoiner)
        return false;
    }
    std::array<char, kMaxWhole> lower;
    for (std::size_t i = 0; i < size; ++i) {
      const char c = text_[pos_ + i];
      lower[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    sink_.on_word({lower.data(), size}, Form::kExact, place(pos_, end));
    pos_ = end;
    next_word();
    return true;
  }

  void next_word() {
    ++position_;
    ++group_;
  }

  // A word's normal form and, weaker, its stem and the form without accents. A compatibility
  // character may stand for several words (U+FDFA): they all stand for its bytes.
  void emit_word(std::string_view word, Form form, std::size_t begin, std::size_t end) {
    std::string normal = normal_form(word);
    if (normal.find(' ') != std::string::npos) {
      for (const Token& token : analyze(normal, purpose_)) {
        emit(token.term, form, begin, end);
        ++position_;
      }
      return;
    }
    const auto term = cut_at_char_boundary(normal, kMaxTerm);
    if (!term.empty()) sink_.on_word(term, form, place(begin, end));
  }

  // ".NET": a dot that starts a word belongs to it.
  bool leading_dot(std::size_t begin) const {
    if (begin == 0 || text_[begin - 1] != '.') return false;
    if (begin >= 2 && text_[begin - 2] != ' ' && text_[begin - 2] != '\n' &&
        text_[begin - 2] != '(' && text_[begin - 2] != '`' && text_[begin - 2] != '"')
      return false;
    return (text_[begin] >= 'A' && text_[begin] <= 'Z') ||
           (text_[begin] >= 'a' && text_[begin] <= 'z');
  }

  // "__init__", "_private": found with their underscores, too. In markdown they may be emphasis, so
  // the word itself counts as much.
  std::size_t leading_underscores(std::size_t begin) const {
    std::size_t count = 0;
    while (count < begin && count < 4 && text_[begin - count - 1] == '_') ++count;
    return count;
  }

  // End of the plain word (letters, digits, marks, invisible characters) that starts at `pos`.
  std::size_t end_of_word(std::size_t pos) const {
    int marks = 0;
    std::size_t end = pos;
    while (end < text_.size()) {
      const Char c = peek(end);
      const bool extends = c.kind == CharClass::kExtend || c.kind == CharClass::kInvisible;
      if (c.kind != CharClass::kWord && !extends) break;
      marks = c.kind == CharClass::kExtend ? marks + 1 : 0;
      if (marks > kMaxMarks) break;
      end = c.end;
    }
    return end;
  }

  struct Piece {
    std::size_t begin;
    std::size_t end;
  };

  // Letters joined by signs inside them: "foo_bar", "a.b/c", "std::vector", "don’t", "pre-edit".
  void read_identifier(std::size_t begin) {
    const bool dotted = text_[begin] == '.';
    std::vector<Piece> pieces;
    std::size_t at = dotted ? begin + 1 : begin;
    char32_t joiner = 0;
    bool mixed = dotted;
    while (true) {
      const std::size_t end = end_of_word(at);
      pieces.push_back({at, end});
      at = end;
      std::size_t joined = end;
      const char32_t sign = read_joiner(joined);
      if (sign == 0) break;
      mixed = mixed || (joiner != 0 && sign != joiner);
      joiner = sign;
      at = joined;
    }
    std::size_t end = pieces.back().end;
    const std::size_t signs = end_of_trailing_signs(pieces.back().begin, end);
    const bool signed_word = signs != end && pieces.size() == 1;
    if (signed_word) end = signs;
    pos_ = end;
    if (const std::size_t before = dotted ? 0 : leading_underscores(begin); before > 0) {
      std::size_t after = end;
      while (after < text_.size() && after < end + 4 && text_[after] == '_') ++after;
      const std::size_t from = begin - before;
      if (after - from <= kMaxWhole)
        emit(normal_form(text_.substr(from, after - from)), Form::kExact, from, after);
    }
    emit_identifier(begin, end, pieces, joiner, mixed, signed_word || dotted);
  }

  // "C++", "C#", "F#": signs that end a short word and change what it means.
  std::size_t end_of_trailing_signs(std::size_t begin, std::size_t end) const {
    if (end - begin > kShortWord) return end;
    const auto rest = text_.substr(end);
    const std::size_t length = rest.starts_with("++") ? 2 : rest.starts_with("#") ? 1 : 0;
    if (length == 0) return end;
    if (end + length < text_.size()) {
      const Char next = peek(end + length);
      if (next.kind != CharClass::kOther || next.value == '#' || next.value == '+') return end;
    }
    return end + length;
  }

  // The sign at `pos` if a word goes on behind it; moves `pos` there.
  char32_t read_joiner(std::size_t& pos) const {
    if (pos >= text_.size()) return 0;
    Char sign = peek(pos);
    const char32_t plain = plain_sign(sign.value);
    if (plain > 0x7F ||
        std::string_view("_-./:'").find(static_cast<char>(plain)) == std::string_view::npos)
      return 0;
    std::size_t behind = sign.end;
    // Any number of underscores, and the two colons of a qualified name.
    while (plain == '_' && behind < text_.size() && text_[behind] == '_') ++behind;
    if (plain == ':' && behind < text_.size() && text_[behind] == ':') ++behind;
    if (behind >= text_.size() || peek(behind).kind != CharClass::kWord) return 0;
    pos = behind;
    return plain;
  }

  void emit_identifier(std::size_t begin, std::size_t end, const std::vector<Piece>& pieces,
                       char32_t joiner, bool mixed, bool whole_has_signs) {
    std::vector<Piece> parts;
    for (const Piece& piece : pieces) split_case(piece, parts);
    const auto whole = text_.substr(begin, end - begin);
    const bool single = parts.size() == 1 && !whole_has_signs;
    if (whole.size() <= kMaxWhole) emit_word(whole, Form::kExact, begin, end);
    const bool joinable = !mixed && (joiner == '-' || joiner == '\'') && pieces.size() <= 3;
    if (joinable) {
      // "e-mail" is also "email", "don't" also "dont".
      std::string joined;
      for (const Piece& piece : pieces)
        joined += text_.substr(piece.begin, piece.end - piece.begin);
      emit_word(joined, Form::kPart, begin, end);
    }
    const bool language_name = whole_has_signs && text_[begin] != '.';
    if (single || (language_name && parts.size() == 1)) {
      if (whole.size() > kMaxWhole) emit_word(whole, Form::kExact, begin, end);
      next_word();
      return;
    }
    for (const Piece& part : parts) {
      // A lone letter behind an apostrophe ("don't", "l'été") carries nothing.
      const bool lone = joiner == '\'' && part.end - part.begin == 1;
      if (!lone)
        emit_word(text_.substr(part.begin, part.end - part.begin), Form::kPart, part.begin,
                  part.end);
      ++position_;
    }
    ++group_;
  }

  // camelCase, HTTPServer2: a part starts where case or digits change.
  void split_case(const Piece& piece, std::vector<Piece>& parts) const {
    std::size_t begin = piece.begin;
    Char before = peek(begin);
    for (std::size_t at = before.end; at < piece.end;) {
      const Char c = peek(at);
      at = c.end;
      if (c.kind == CharClass::kExtend || c.kind == CharClass::kInvisible) continue;
      const bool hump = is_upper(c.value) && !is_upper(before.value);
      const bool acronym_ends =
          is_upper(c.value) && is_upper(before.value) && c.end < piece.end && starts_lower(c.end);
      const bool digits = is_digit(c.value) != is_digit(before.value);
      if (hump || acronym_ends || digits) {
        parts.push_back({begin, c.begin});
        begin = c.begin;
      }
      before = c;
    }
    parts.push_back({begin, piece.end});
  }

  bool starts_lower(std::size_t pos) const {
    const Char c = peek(pos);
    return c.kind == CharClass::kWord && !is_upper(c.value) && !is_digit(c.value);
  }

  // The prolonged sound mark is a character of its run, so that サーバ is found in サーバー.
  static bool lengthens(const Char& c, CharClass kind) {
    return (c.value == 0x30FC || c.value == 0xFF70) &&
           (kind == CharClass::kHiragana || kind == CharClass::kKatakana);
  }

  // A run of one script that is not cut by blanks.
  void read_run(CharClass kind) {
    std::vector<Char> chars;
    while (pos_ < text_.size()) {
      const Char c = peek(pos_);
      const bool extends = c.kind == CharClass::kExtend || c.kind == CharClass::kInvisible;
      if (c.kind != kind && !extends) break;
      pos_ = c.end;
      if (extends && !chars.empty() && is_pair_script(kind) && !lengthens(c, kind)) {
        chars.back().end = c.end;
      } else {
        chars.push_back(c);
      }
    }
    if (kind == CharClass::kDictionary) {
      emit_dictionary(chars.front().begin, chars.back().end);
    } else {
      emit_pairs(chars, kind == CharClass::kHangul);
    }
  }

  // REQUIRES: `last` is `first` or stands right behind it.
  std::string form_of(const Char& first, const Char& last) const {
    const auto source = text_.substr(first.begin, last.end - first.begin);
    const bool stable = is_stable(first) && is_stable(last);
    return stable ? std::string(source) : normal_form(source);
  }

  static bool is_stable(const Char& c) {
    return is_normal_as_it_is(c.value) && c.end - c.begin == 3;
  }

  void emit_pairs(const std::vector<Char>& chars, bool with_word) {
    if (with_word && chars.size() > 2)
      emit(normal_form(text_.substr(chars.front().begin, chars.back().end - chars.front().begin)),
           Form::kExact, chars.front().begin, chars.back().end);
    for (std::size_t i = 0; i < chars.size(); ++i) {
      const bool last = i + 1 == chars.size();
      if (last && (purpose_ == Purpose::kDocument || chars.size() == 1))
        emit(form_of(chars[i], chars[i]), chars.size() == 1 ? Form::kExact : Form::kPart,
             chars[i].begin, chars[i].end);
      if (i + 1 < chars.size())
        emit(form_of(chars[i], chars[i + 1]), Form::kExact, chars[i].begin, chars[i + 1].end);
      ++position_;
      // Each pair of a query is a word of its own: none of them has to match.
      if (!with_word) ++group_;
    }
    emit_mixed_pair(chars.back());
    ++group_;
  }

  // Han and the Hiragana behind it ("多い", and "呼ば" of 呼ばれる): tells words apart that share
  // their Han. It stands where the Han character does.
  void emit_mixed_pair(const Char& last) {
    if (last.kind != CharClass::kHan || pos_ >= text_.size()) return;
    const Char next = peek(pos_);
    if (next.kind != CharClass::kHiragana) return;
    --position_;
    emit(form_of(last, next), Form::kPart, last.begin, next.end);
    ++position_;
  }

  void emit_dictionary(std::size_t begin, std::size_t end) {
    // Segment the normal form, so that SARA AM takes the same path however it was typed. Where
    // normalising changes nothing, which is nearly always, places are exact.
    const auto source = text_.substr(begin, end - begin);
    const std::string run = normal_form(source);
    const bool same = run == source;
    std::size_t from = 0;
    for (const std::size_t to : dictionary_words(run)) {
      const auto word = std::string_view(run).substr(from, to - from);
      const std::size_t word_begin = same ? begin + from : begin;
      const std::size_t word_end = same ? begin + to : end;
      emit(word, Form::kExact, word_begin, word_end);
      emit_letter_pairs(word, word_begin, word_end);
      next_word();
      from = to;
    }
  }

  // Pairs of neighbouring characters of a Thai or Lao word, for words the dictionary cuts
  // differently in another sentence.
  void emit_letter_pairs(std::string_view word, std::size_t begin, std::size_t end) {
    std::size_t first = 0;
    std::size_t second = 0;
    if (word.empty()) return;
    decode_utf8(word, second);
    while (second < word.size()) {
      std::size_t third = second;
      decode_utf8(word, third);
      emit(word.substr(first, third - first), Form::kPair, begin, end);
      first = second;
      second = third;
    }
  }

  std::string_view text_;
  Purpose purpose_;
  TokenSink& sink_;
  std::size_t pos_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t group_ = 0;
};

class TokenCollector final : public TokenSink {
 public:
  void on_word(std::string_view normal, Form form, const TokenPlace& place) override {
    on_term(normal, form, place);
    const DerivedForms forms = derived_forms(normal);
    on_term(forms.stem, derived_form_of(form, Form::kStem), place);
    on_term(forms.folded, derived_form_of(form, Form::kFolded), place);
  }
  void on_term(std::string_view term, Form form, const TokenPlace& place) override {
    if (!term.empty())
      tokens_.push_back(
          {std::string(term), form, place.position, place.group, place.begin, place.end});
  }
  std::vector<Token> take() { return std::move(tokens_); }

 private:
  std::vector<Token> tokens_;
};

}  // namespace

double weight_of(Form form) {
  switch (form) {
    case Form::kExact:
      return 1.0;
    case Form::kFolded:
      return 0.6;
    case Form::kStem:
      return 0.9;
    case Form::kPart:
      return 0.6;
    case Form::kPair:
      return 0.15;
  }
  return 0;
}

void analyze(std::string_view text, Purpose purpose, TokenSink& sink) {
  Analyzer(text, purpose, sink).run();
}

std::vector<Token> analyze(std::string_view text, Purpose purpose) {
  TokenCollector collector;
  analyze(text, purpose, collector);
  return collector.take();
}

DerivedForms derived_forms(std::string_view normal) {
  DerivedForms forms;
  forms.folded = without_accents(normal);
  forms.stem = stem_of(forms.folded);
  if (forms.stem == normal) forms.stem.clear();
  if (forms.folded == normal) forms.folded.clear();
  return forms;
}

std::string normalize_prefix(std::string_view word) { return normal_form(word); }

}  // namespace memfs::index
