// The query language.
//
//   query   := item*
//   item    := operand (("AND" | "OR") operand)*           AND binds tighter
//   operand := ["-"|"+"] ( "(" query ")" | '"' words '"' | name ":" value | word ["*"] )
//
// Items are alternatives: any may match, documents with all of them rank higher. "-" excludes,
// "+" demands; what AND joins must all be there, of what OR joins the best one counts. The last
// word of a phrase may be a prefix ("lock fi*"). Operators are written in capitals, alone, between
// two operands; parentheses stand alone, too, not inside words. Everything else is data:
// punctuation separates words and an unbalanced quote is a character.
#pragma once

#include <memfs/result.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"

namespace memfs::index {

struct Clause {
  enum class Kind : std::uint8_t {
    kWord,
    kPhrase,
    kPrefix,
    kSome,  // groups of clauses: any of them, more are better
    kAll,   // all of them
    kBest,  // any of them, the best one counts
  };
  enum class Mode : std::uint8_t { kShould, kMust, kMustNot };
  Kind kind = Kind::kWord;
  Mode mode = Mode::kShould;
  std::string text{};                 // as written
  std::vector<Token> tokens{};        // kWord: forms of one written word; kPhrase: all of its words
  std::string prefix{};               // kPrefix, and kPhrase that ends in one
  std::uint32_t prefix_position = 0;  // kPhrase: where in it
  double weight = 1;                  // what it is worth beside other words
  bool dense = false;                 // of pairs of characters: many stand where one word would
  double share = 0;                   // what a part of the word counts; 0: one over their number
  double last_share = 0;              // the last part
  std::vector<Clause> clauses{};      // of a group
};

struct Filter {
  std::string name;
  std::string value;
  bool negated = false;
};

struct Query {
  std::vector<Clause> clauses;
  std::vector<Filter> filters;
  std::vector<std::string> notes;  // what was taken literally
};

// The terms that a query looks for, to find them in a text.
class WantedTerms {
 public:
  explicit WantedTerms(const Query& query);
  bool accepts(std::string_view term) const;
  // Whether a weaker form of the word may be wanted. ASCII words keep their first letter.
  bool may_begin_like(std::string_view word) const;

 private:
  void take(const Clause& clause);
  std::set<char> first_;  // bytes of terms
  std::set<std::string, std::less<>> terms_;
  std::set<std::string, std::less<>> prefixes_;
  std::set<std::size_t> prefix_sizes_;
};

// `is_filter(name, value)` decides whether `name:value` is a filter or text.
// kUsage if nothing is asked for: no word, no filter, or exclusions only.
Result<Query> parse_query(std::string_view text,
                          const std::function<bool(std::string_view, std::string_view)>& is_filter);

}  // namespace memfs::index
