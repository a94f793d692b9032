#include "index/query.h"

#include <algorithm>
#include <optional>

#include "index/character.h"
#include "index/pair_weights.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

using FilterTest = std::function<bool(std::string_view, std::string_view)>;
constexpr auto npos = std::string_view::npos;

constexpr std::size_t kMaxQuery = 8192;  // bytes
constexpr std::size_t kMaxForms = 64;    // of one written word with many parts
constexpr int kMaxDepth = 16;            // of parentheses; deeper ones are data

class Parser {
 public:
  struct Limits {
    std::size_t clauses = 256;       // what is pasted beyond them is not looked at
    std::size_t prefixes = 32;       // each looks at many words
    std::size_t parentheses = 1000;  // that open; the rest is data
  };

  Parser(std::string_view text, const FilterTest& is_filter, Query& query, Limits& limits,
         int depth)
      : text_(text), is_filter_(is_filter), query_(query), limits_(limits), depth_(depth) {}

  std::vector<Clause> run() {
    while (skip_blanks() && limits_.clauses > 0) read_item();
    return std::move(clauses_);
  }

 private:
  using Operand = std::vector<Clause>;  // the clauses that one operand gives; a filter gives none

  // One operand, or several that operators join.
  void read_item() {
    std::vector<std::vector<Operand>> any(1);  // alternatives of operands that belong together
    const std::size_t filters = query_.filters.size();
    any.back().push_back(read_operand());
    bool joined = false;
    while (limits_.clauses > 0) {
      const auto op = read_operator();
      if (!op) break;
      const std::size_t word = pos_;
      Operand next = read_operand();
      if (query_.filters.size() > filters && *op == Clause::Kind::kBest)
        note("filters hold for the whole query: OR does not join them");
      if (text_.substr(word, pos_ - word) == "NOT")
        note("NOT is a word: write -word to exclude one");
      if (next.empty()) continue;
      if (*op == Clause::Kind::kBest) any.emplace_back();
      any.back().push_back(std::move(next));
      joined = true;
    }
    if (!joined) {
      for (Clause& clause : any.front().front()) clauses_.push_back(std::move(clause));
      return;
    }
    Clause best = group(Clause::Kind::kBest);
    for (auto& operands : any) {
      Clause all = group(Clause::Kind::kAll);
      for (Operand& operand : operands) add_operand(all, std::move(operand));
      if (!all.clauses.empty()) best.clauses.push_back(simplified(std::move(all)));
    }
    if (best.clauses.empty()) return;
    Clause item = simplified(std::move(best));
    if (item.kind == Clause::Kind::kAll && item.mode == Clause::Mode::kShould)
      item.mode = Clause::Mode::kMust;
    clauses_.push_back(std::move(item));
  }

  void note(std::string text) {
    if (std::find(query_.notes.begin(), query_.notes.end(), text) == query_.notes.end())
      query_.notes.push_back(std::move(text));
  }

  static Clause group(Clause::Kind kind) {
    Clause clause;
    clause.kind = kind;
    return clause;
  }

  // What is excluded is excluded from the whole query, wherever it is written.
  void add_operand(Clause& all, Operand operand) {
    // "东京都 AND 塔" means the whole word and not one of its pairs.
    const bool one_word = std::all_of(operand.begin(), operand.end(), [&](const Clause& c) {
      return !c.tokens.empty() && c.text == operand.front().text && c.kind != Clause::Kind::kPhrase;
    });
    if (operand.size() > 1 && one_word) demand_phrase(operand);
    Clause some = group(Clause::Kind::kSome);
    for (Clause& clause : operand) {
      if (clause.mode == Clause::Mode::kMustNot) {
        clauses_.push_back(std::move(clause));
      } else {
        some.clauses.push_back(std::move(clause));
      }
    }
    // Of a group in which something is demanded that is what matters.
    const auto demanded = [](const Clause& c) { return c.mode == Clause::Mode::kMust; };
    if (std::any_of(some.clauses.begin(), some.clauses.end(), demanded)) {
      std::erase_if(some.clauses, [&](const Clause& c) { return !demanded(c); });
      some.kind = Clause::Kind::kAll;
    }
    if (!some.clauses.empty()) all.clauses.push_back(simplified(std::move(some)));
  }

  static Clause simplified(Clause clause) {
    if (clause.clauses.size() != 1) return clause;
    Clause only = std::move(clause.clauses.front());
    return only;
  }

  // "AND" or "OR" between two operands; one that is followed by nothing joins nothing.
  std::optional<Clause::Kind> read_operator() {
    const std::size_t before = pos_;
    if (!skip_blanks()) return std::nullopt;
    const std::size_t end = end_of_word(pos_);
    const auto word = text_.substr(pos_, end - pos_);
    if (word == "AND" || word == "OR") {
      pos_ = end;
      if (skip_blanks()) return word == "AND" ? Clause::Kind::kAll : Clause::Kind::kBest;
    }
    pos_ = before;
    return std::nullopt;
  }

  Operand read_operand() {
    Operand operand;
    Clause pattern;
    const char sign = text_[pos_];
    // A sign followed by a blank is a dash or a plus in the text, not an operator.
    if ((sign == '-' || sign == '+') && end_of_word(pos_) > pos_ + 1) {
      pattern.mode = sign == '-' ? Clause::Mode::kMustNot : Clause::Mode::kMust;
      ++pos_;
    }
    if (text_[pos_] == '(' && read_group(pattern, operand)) return operand;
    if (limits_.clauses > 0) --limits_.clauses;
    if (text_[pos_] == '"' && read_phrase(pattern, operand)) return operand;
    const std::size_t end = end_of_word(pos_);
    const auto word = text_.substr(pos_, end - pos_);
    pos_ = end;
    if (word == "AND" || word == "OR") return operand;
    if (read_filter(word, pattern.mode)) return operand;
    if (word.size() > 1 && word.ends_with('*') && read_prefix(word, pattern, operand))
      return operand;
    add_words(word, pattern, operand);
    return operand;
  }

  // Parentheses that nothing joins or signs mean nothing: what is in them is read as if they were
  // not there.
  bool read_group(const Clause& pattern, Operand& operand) {
    const std::size_t close = closing_parenthesis();
    if (close == npos || depth_ >= kMaxDepth) return false;
    Parser inner(text_.substr(pos_ + 1, close - pos_ - 1), is_filter_, query_, limits_, depth_ + 1);
    pos_ = close + 1;
    const std::size_t filters = query_.filters.size();
    operand = inner.run();
    for (std::size_t i = filters; i < query_.filters.size(); ++i)
      if (pattern.mode == Clause::Mode::kMustNot)
        query_.filters[i].negated = !query_.filters[i].negated;
    if (operand.size() == 1 && operand.front().mode != Clause::Mode::kMustNot &&
        pattern.mode != Clause::Mode::kShould) {
      operand.front().mode = pattern.mode;
    } else if (pattern.mode != Clause::Mode::kShould) {
      Clause some = group(Clause::Kind::kSome);
      some.mode = pattern.mode;
      some.clauses = std::move(operand);
      std::erase_if(some.clauses, [](const Clause& c) { return c.mode == Clause::Mode::kMustNot; });
      operand.clear();
      if (!some.clauses.empty()) operand.push_back(std::move(some));
    }
    return true;
  }

  // The parenthesis that closes the one at pos_, if a word ends behind it.
  std::size_t closing_parenthesis() {
    if (limits_.parentheses == 0) return npos;
    --limits_.parentheses;
    int open = 0;
    for (std::size_t at = pos_; at < text_.size(); ++at) {
      if (text_[at] == '(') ++open;
      if (text_[at] == ')' && --open == 0)
        return at + 1 == text_.size() || is_white_space_at(at + 1) ? at : npos;
    }
    return npos;
  }

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

  bool read_phrase(Clause clause, Operand& operand) {
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
      // Where a word behind the others would stand.
      clause.prefix_position = analyze(std::string(inside) + " x", Purpose::kQuery).back().position;
    }
    clause.tokens = analyze(inside, Purpose::kQuery);
    if (clause.tokens.size() > kMaxForms) clause.tokens.resize(kMaxForms);
    if (clause.tokens.empty() && !clause.prefix.empty()) clause.kind = Clause::Kind::kPrefix;
    if (!clause.tokens.empty() || !clause.prefix.empty()) operand.push_back(std::move(clause));
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

  bool read_prefix(std::string_view word, Clause clause, Operand& operand) {
    if (limits_.prefixes == 0) return false;
    --limits_.prefixes;
    const auto stem = word.substr(0, word.size() - 1);
    const auto tokens = analyze(stem, Purpose::kQuery);
    // Only a single plain word can be a prefix: "a-b*" is text.
    if (tokens.empty() || tokens.front().begin != 0 || tokens.front().end != stem.size())
      return false;
    clause.kind = Clause::Kind::kPrefix;
    clause.text = word;
    clause.prefix = normalize_prefix(stem);
    operand.push_back(std::move(clause));
    return true;
  }

  void add_words(std::string_view text, const Clause& pattern, Operand& operand) {
    for (Token& token : analyze(text, Purpose::kQuery)) {
      const bool continues = !operand.empty() && operand.back().tokens.front().group == token.group;
      if (!continues) {
        // Pairs of a long text without blanks.
        if (!operand.empty() && limits_.clauses == 0) break;
        if (!operand.empty()) --limits_.clauses;
        operand.push_back(pattern);
        operand.back().text = text;
      }
      if (operand.back().tokens.size() < kMaxForms)
        operand.back().tokens.push_back(std::move(token));
    }
    if (operand.size() > 1 && pattern.mode != Clause::Mode::kShould && demand_phrase(operand))
      return;
    weigh_pairs(text, operand);
    for (Clause& clause : operand) {
      // A single character of a script that is indexed in pairs is the beginning of pairs. One
      // Hiragana between other words is a particle, and texts are full of those.
      const std::string& term = clause.tokens.front().term;
      if (clause.tokens.size() != 1 || !is_single_of_pairs(term)) continue;
      if (operand.size() > 1 && class_of(first_of(term)) == CharClass::kHiragana) continue;
      clause.kind = Clause::Kind::kPrefix;
      clause.prefix = clause.tokens.front().term;
    }
  }

  // Makes of the pairs of one word the phrase that they are: "-东京都" means the whole word.
  static bool demand_phrase(Operand& operand) {
    Clause phrase = operand.front();
    if (!is_pair_script(class_of(first_of(phrase.tokens.front().term)))) return false;
    phrase.kind = Clause::Kind::kPhrase;
    phrase.prefix.clear();
    phrase.weight = 1;
    phrase.tokens = analyze(phrase.text, Purpose::kQuery);
    if (phrase.tokens.size() > kMaxForms) phrase.tokens.resize(kMaxForms);
    operand.assign(1, phrase);
    return true;
  }

  static char32_t first_of(std::string_view term) {
    std::size_t end = 0;
    return decode_utf8(term, end);
  }

  static bool is_single_of_pairs(std::string_view term) {
    std::size_t end = 0;
    const char32_t c = decode_utf8(term, end);
    return end == term.size() && is_pair_script(class_of(c));
  }

  std::string_view text_;
  const FilterTest& is_filter_;
  Query& query_;
  Limits& limits_;
  int depth_;
  std::size_t pos_ = 0;
  std::vector<Clause> clauses_;
};

}  // namespace

WantedTerms::WantedTerms(const Query& query) {
  for (const Clause& clause : query.clauses) take(clause);
}

void WantedTerms::take(const Clause& clause) {
  if (clause.mode == Clause::Mode::kMustNot) return;
  for (const Clause& inner : clause.clauses) take(inner);
  // Thai letter pairs find, but they do not show anything.
  for (const Token& token : clause.tokens) {
    if (token.form == Form::kPair) continue;
    terms_.insert(token.term);
    first_.insert(token.term.front());
  }
  if (clause.prefix.empty()) return;
  first_.insert(clause.prefix.front());
  prefixes_.insert(clause.prefix);
  prefix_sizes_.insert(clause.prefix.size());
}

bool WantedTerms::may_begin_like(std::string_view word) const {
  const bool ascii = static_cast<unsigned char>(word.front()) < 0x80;
  return !ascii || first_.contains(word.front());
}

bool WantedTerms::accepts(std::string_view term) const {
  if (terms_.contains(term)) return true;
  return std::any_of(prefix_sizes_.begin(), prefix_sizes_.end(), [&](std::size_t size) {
    return size <= term.size() && prefixes_.contains(term.substr(0, size));
  });
}

Result<Query> parse_query(std::string_view text, const FilterTest& is_filter) {
  Query query;
  Parser::Limits limits;
  if (text.size() > kMaxQuery) {
    text = cut_at_char_boundary(text, kMaxQuery);
    query.notes.emplace_back("the query is long: only its first " + std::to_string(kMaxQuery) +
                             " bytes are looked at");
  }
  query.clauses = Parser(text, is_filter, query, limits, 0).run();
  const bool asks = std::any_of(query.clauses.begin(), query.clauses.end(),
                                [](const Clause& c) { return c.mode != Clause::Mode::kMustNot; });
  if (asks || (query.clauses.empty() && !query.filters.empty())) return query;
  return make_error(ErrorCode::kUsage, query.clauses.empty() ? "the query has no word to look for"
                                                             : "the query only excludes")
      .with_hint("give at least one word; `mem list` shows everything");
}

}  // namespace memfs::index
