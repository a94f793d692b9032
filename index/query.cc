#include "index/query.h"

#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

using FilterTest = std::function<bool(std::string_view, std::string_view)>;
constexpr auto npos = std::string_view::npos;

class Parser {
 public:
  Parser(std::string_view text, const FilterTest& is_filter) : text_(text), is_filter_(is_filter) {}

  Result<Query> run() {
    while (skip_blanks()) read_clause();
    const bool asks = std::any_of(query_.clauses.begin(), query_.clauses.end(),
                                  [](const Clause& c) { return c.mode != Clause::Mode::kMustNot; });
    if (asks || (query_.clauses.empty() && !query_.filters.empty())) return std::move(query_);
    return make_error(ErrorCode::kUsage, query_.clauses.empty()
                                             ? "the query has no word to look for"
                                             : "the query only excludes")
        .with_hint("give at least one word; `mem list` shows everything");
  }

 private:
  bool skip_blanks() {
    while (pos_ < text_.size()) {
      std::size_t next = pos_;
      if (!is_white_space(decode_utf8(text_, next))) return true;
      pos_ = next;
    }
    return false;
  }

  std::size_t end_of_word(std::size_t pos) const {
    while (pos < text_.size()) {
      std::size_t next = pos;
      if (is_white_space(decode_utf8(text_, next))) break;
      pos = next;
    }
    return pos;
  }

  void read_clause() {
    Clause clause;
    const char sign = text_[pos_];
    // A sign followed by a blank is a dash or a plus in the text, not an operator.
    if ((sign == '-' || sign == '+') && end_of_word(pos_) > pos_ + 1) {
      clause.mode = sign == '-' ? Clause::Mode::kMustNot : Clause::Mode::kMust;
      ++pos_;
    }
    if (text_[pos_] == '"' && read_phrase(clause)) return;
    const std::size_t end = end_of_word(pos_);
    const auto word = text_.substr(pos_, end - pos_);
    pos_ = end;
    if (word == "AND" || word == "OR") return;
    if (read_filter(word, clause.mode)) return;
    if (word.size() > 1 && word.ends_with('*') && read_prefix(word, clause)) return;
    add_words(word, clause);
  }

  bool read_phrase(Clause clause) {
    const auto close = text_.find('"', pos_ + 1);
    if (close == npos) {
      query_.notes.emplace_back("the quote is not closed and was taken literally");
      ++pos_;
      return pos_ >= text_.size() || is_white_space_at(pos_);
    }
    auto inside = text_.substr(pos_ + 1, close - pos_ - 1);
    pos_ = close + 1;
    clause.text = inside;
    clause.kind = Clause::Kind::kPhrase;
    if (inside.size() > 1 && inside.ends_with('*')) {
      inside.remove_suffix(1);
      const auto blank = inside.rfind(' ');
      const auto last = blank == npos ? inside : inside.substr(blank + 1);
      clause.prefix = normalize_prefix(last);
      inside = blank == npos ? std::string_view() : inside.substr(0, blank);
    }
    clause.tokens = analyze(inside, Purpose::kDocument);
    if (!clause.tokens.empty() || !clause.prefix.empty())
      query_.clauses.push_back(std::move(clause));
    return true;
  }

  bool is_white_space_at(std::size_t pos) const { return is_white_space(decode_utf8(text_, pos)); }

  bool read_filter(std::string_view word, Clause::Mode mode) {
    const auto colon = word.find(':');
    if (colon == npos || colon == 0 || colon + 1 == word.size()) return false;
    auto value = word.substr(colon + 1);
    if (!is_filter_(word.substr(0, colon), value)) return false;
    query_.filters.push_back(
        {std::string(word.substr(0, colon)), std::string(value), mode == Clause::Mode::kMustNot});
    return true;
  }

  bool read_prefix(std::string_view word, Clause clause) {
    const auto stem = word.substr(0, word.size() - 1);
    const auto tokens = analyze(stem, Purpose::kQuery);
    // Only a single plain word can be a prefix: "a-b*" is text.
    if (tokens.empty() || tokens.front().begin != 0 || tokens.front().end != stem.size())
      return false;
    clause.kind = Clause::Kind::kPrefix;
    clause.text = word;
    clause.prefix = normalize_prefix(stem);
    query_.clauses.push_back(std::move(clause));
    return true;
  }

  void add_words(std::string_view text, const Clause& pattern) {
    for (Token& token : analyze(text, Purpose::kQuery)) {
      const bool continues = !query_.clauses.empty() && query_.clauses.back().text == text &&
                             query_.clauses.back().kind == Clause::Kind::kWord &&
                             query_.clauses.back().tokens.front().group == token.group &&
                             same_source_;
      if (!continues) {
        Clause clause = pattern;
        clause.text = text;
        query_.clauses.push_back(std::move(clause));
      }
      same_source_ = true;
      query_.clauses.back().tokens.push_back(std::move(token));
    }
    same_source_ = false;
  }

  std::string_view text_;
  const FilterTest& is_filter_;
  std::size_t pos_ = 0;
  bool same_source_ = false;
  Query query_;
};

}  // namespace

TermFilter Query::terms() const {
  TermFilter filter;
  for (const Clause& clause : clauses) {
    for (const Token& token : clause.tokens) filter.terms.insert(token.term);
    if (!clause.prefix.empty()) filter.prefixes.insert(clause.prefix);
  }
  return filter;
}

Result<Query> parse_query(std::string_view text, const FilterTest& is_filter) {
  return Parser(text, is_filter).run();
}

}  // namespace memfs::index
