#include "libmemfs/lifecycle/statement_words.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "index/analyzer.h"
#include "index/character.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

// Words that say nothing by themselves.
constexpr std::string_view kEmptyWords[] = {
    "a",    "an",   "the",   "is",    "are",   "was", "were", "has", "have", "had",
    "been", "be",   "der",   "die",   "das",   "den", "dem",  "des", "ein",  "eine",
    "ist",  "sind", "einen", "einem", "einer", "le",  "la",   "les", "el",   "los",
    "las",  "это",  "的",    "了",    "の",    "は",  "が",   "を"};

// Words that a text may have more than another one without saying something else.
constexpr std::string_view kSoftWords[] = {
    "always", "please", "must",   "should", "shall", "we",   "our",    "us",    "my",     "your",
    "you",    "it",     "this",   "that",   "which", "also", "just",   "each",  "every",  "do",
    "does",   "and",    "here",   "immer",  "bitte", "muss", "müssen", "soll",  "sollen", "sollte",
    "wir",    "unser",  "unsere", "auch",   "und",   "hier", "всегда", "нужно", "надо",   "должны",
    "мы",     "наш",    "наша",   "наши",   "также", "и",    "دائما",  "يجب",   "نحن",    "请",
    "应",     "该",     "须",     "必",     "都",    "我",   "们",     "總",    "总",     "并",
    "要",     "須",     "ず",     "も",     "ต้อง",   "ควร",  "เสมอ",   "เรา"};

// Negations, opposites and small numbers, as they are written.
constexpr std::string_view kMarkedWords[] = {
    "not",    "no",        "never",    "none",     "without",  "nor",      "nothing",   "nobody",
    "enable", "enabled",   "enables",  "disable",  "disabled", "disables", "allow",     "allowed",
    "forbid", "forbidden", "deny",     "denied",   "before",   "after",    "true",      "false",
    "yes",    "off",       "increase", "decrease", "accept",   "reject",   "first",     "last",
    "nicht",  "nie",       "niemals",  "ohne",     "vor",      "nach",     "erlaubt",   "verboten",
    "не",     "нет",       "ни",       "никогда",  "без",      "нельзя",   "запрещено", "разрешено",
    "до",     "после",     "لا",       "لم",       "لن",       "ليس",      "ليست",      "غير",
    "بدون",   "دون",       "ممنوع",    "قبل",      "بعد",      "jamais",   "pas",       "sans",
    "nunca",  "sin",       "one",      "two",      "three",    "four",     "five",      "six",
    "seven",  "eight",     "nine",     "ten",      "second",   "third",    "zwei",      "drei",
    "vier",   "fünf",      "sechs",    "sieben",   "acht",     "neun",     "zehn",      "два",
    "три",    "четыре",    "пять",     "шесть",    "семь",     "восемь",   "девять",    "десять"};

// Words that say which way round others are meant.
constexpr std::string_view kRelations[] = {"to",  "from",  "into", "over", "on",  "than", "by",
                                           "via", "with",  "of",   "von",  "zu",  "auf",  "über",
                                           "als", "durch", "mit",  "с",    "из",  "от",   "на",
                                           "в",   "к",     "من",   "إلى",  "على", "في"};

struct Role {
  bool empty = false, soft = false, marked = false, relation = false;
};

Role role_of(std::string_view normal) {
  static const auto roles = [] {
    std::unordered_map<std::string_view, Role> table;
    for (const std::string_view word : kEmptyWords) table[word].empty = true;
    for (const std::string_view word : kSoftWords) table[word].soft = true;
    for (const std::string_view word : kMarkedWords) table[word].marked = true;
    for (const std::string_view word : kRelations) table[word].relation = true;
    return table;
  }();
  const auto found = roles.find(normal);
  return found == roles.end() ? Role{} : found->second;
}

// In scripts without blanks: negations and opposites wherever they stand, and numerals.
constexpr std::array<std::string_view, 34> kMarkedParts = {
    "不", "没", "沒", "無",   "无",     "非",   "勿", "未", "禁",  "别", "前", "后",
    "後", "一", "二", "三",   "四",     "五",   "六", "七", "八",  "九", "十", "百",
    "千", "万", "两", "ない", "ません", "なし", "ず", "ไม่", "ห้าม", "อย่า"};

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool has_digit(std::string_view word) {
  for (std::size_t at = 0; at < word.size();)
    if (index::is_digit(decode_utf8(word, at))) return true;
  return false;
}

index::CharClass first_class(std::string_view term) {
  std::size_t end = 0;
  return index::class_of(decode_utf8(term, end));
}

using Tokens = std::vector<index::Token>;

// The tokens of a text without what follows from them.
class Collector final : public index::TokenSink {
 public:
  void on_word(std::string_view normal, index::Form form, const index::TokenPlace& place) override {
    on_term(normal, form, place);
  }
  void on_term(std::string_view term, index::Form form, const index::TokenPlace& place) override {
    // Pairs of letters stand beside the words of their script.
    if (!term.empty() && form != index::Form::kPair)
      tokens_.push_back(
          {std::string(term), form, place.position, place.group, place.begin, place.end});
  }
  const Tokens& tokens() const { return tokens_; }

 private:
  Tokens tokens_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  StatementWords run() {
    Collector collector;
    index::analyze(text_, index::Purpose::kDocument, collector);
    const Tokens& tokens = collector.tokens();
    for (std::size_t begin = 0; begin < tokens.size();) {
      std::size_t end = begin + 1;
      while (end < tokens.size() && tokens[end].group == tokens[begin].group) ++end;
      take_written(tokens, begin, end);
      begin = end;
    }
    mark_parts();
    mark_signs();
    std::sort(out_.marks.begin(), out_.marks.end());
    return std::move(out_);
  }

 private:
  // One written word, or one pair of characters: its longest exact form stands for it.
  void take_written(const Tokens& tokens, std::size_t begin, std::size_t end) {
    const index::Token* whole = &tokens[begin];
    for (std::size_t i = begin; i < end; ++i) {
      const bool exact = tokens[i].form == index::Form::kExact;
      const bool longer = tokens[i].end - tokens[i].begin > whole->end - whole->begin;
      if (exact && (whole->form != index::Form::kExact || longer)) whole = &tokens[i];
    }
    const auto kind = first_class(whole->term);
    if (index::is_pair_script(kind) && kind != index::CharClass::kHangul) {
      take_character(*whole);
    } else {
      take_word(*whole);
    }
  }

  // Pairs overlap: each gives its first character, the last one comes alone. A pair that is a part
  // (Han with the Kana behind it) repeats what others give.
  void take_character(const index::Token& token) {
    std::size_t end = 0;
    decode_utf8(token.term, end);
    if (token.form == index::Form::kPart && end < token.term.size()) return;
    StatementWord word;
    word.text = word.normal = token.term.substr(0, end);
    word.character = true;
    const Role role = role_of(word.text);
    word.soft = role.soft;
    if (!role.empty) out_.words.push_back(std::move(word));
  }

  void take_word(const index::Token& token) {
    const std::string& term = token.term;
    const bool digits = has_digit(term);
    const auto sign = term.find_first_of("_./:+#");
    if (digits || sign != std::string::npos || is_letter_as_name(token)) {
      add_marked(term);
      return;
    }
    std::size_t begin = 0;
    while (begin <= term.size()) {
      const auto end = std::min(term.find('-', begin), term.size());
      add_with_apostrophe(std::string_view(term).substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // "Service A": a capital inside a sentence is no article.
  bool is_letter_as_name(const index::Token& token) const {
    if (token.end - token.begin != 1 || token.begin < 2) return false;
    const char before = text_[token.begin - 2];
    return text_[token.begin] >= 'A' && text_[token.begin] <= 'Z' &&
           text_[token.begin - 1] == ' ' && before != '.' && before != '-' && before != '*' &&
           before != '#';
  }

  // "don't" is "do not", "server's" is "server".
  void add_with_apostrophe(std::string_view word) {
    const auto apostrophe = word.rfind('\'');
    if (word == "cannot" || word == "can't") {
      add("can");
      add("not");
    } else if (word == "won't") {
      add("will");
      add("not");
    } else if (word.ends_with("n't")) {
      add(word.substr(0, word.size() - 3));
      add("not");
    } else {
      add(word.ends_with("'s") ? word.substr(0, apostrophe) : word);
    }
  }

  void add(std::string_view normal) {
    const Role role = role_of(normal);
    if (normal.empty() || role.empty) return;
    StatementWord word;
    word.normal = normal;
    word.soft = role.soft;
    word.relation = role.relation;
    word.text = normal.starts_with("kein") ? "kein" : compared_form(normal);
    word.marked = role.marked || word.text == "kein";
    if (word.marked) out_.marks.push_back(word.text);
    out_.words.push_back(std::move(word));
  }

  // Texts repeat their words, and stemming is the dearest part.
  const std::string& compared_form(std::string_view normal) {
    std::string& form = forms_[std::string(normal)];
    if (!form.empty()) return form;
    index::DerivedForms forms = index::derived_forms(normal);
    form = !forms.stem.empty()     ? std::move(forms.stem)
           : !forms.folded.empty() ? std::move(forms.folded)
                                   : std::string(normal);
    return form;
  }

  void add_marked(const std::string& term) {
    StatementWord word;
    word.text = word.normal = term;
    word.marked = true;
    out_.marks.push_back(term);
    out_.words.push_back(std::move(word));
  }

  void mark_parts() {
    if (std::all_of(text_.begin(), text_.end(), [](char c) { return (c & 0x80) == 0; })) return;
    for (const std::string_view part : kMarkedParts) {
      std::size_t count = count_of(text_, part);
      if (part == "ず") count -= count_of(text_, "必ず");
      out_.marks.insert(out_.marks.end(), count, std::string(part));
    }
  }

  // "!=", "≠", and what stands before a number: "-5", "< 5". At the beginning of a line it is
  // markdown.
  void mark_signs() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if ((c == '!' && text_.substr(at).starts_with("!=")) ||
          (c == '\xE2' && text_.substr(at).starts_with("≠")))
        out_.marks.emplace_back("!=");
      if (c != '-' && c != '<' && c != '>') continue;
      std::size_t behind = at + 1;
      while (c != '-' && behind < text_.size() && (text_[behind] == ' ' || text_[behind] == '='))
        ++behind;
      if (behind >= text_.size() || !is_ascii_digit(text_[behind])) continue;
      if (at > 0 && is_blank(text_[at - 1]) && text_[at - 1] != '\n') out_.marks.emplace_back(1, c);
    }
  }

  std::string_view text_;
  std::unordered_map<std::string, std::string> forms_;
  StatementWords out_;
};

}  // namespace

StatementWords statement_words(std::string_view text) { return Reader(text).run(); }

double weight_of(const std::vector<StatementWord>& words) {
  double weight = 0;
  for (const StatementWord& word : words) weight += word.character ? 0.5 : 1;
  return weight;
}

}  // namespace memfs
