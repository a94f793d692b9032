// The query language.
//
//   query   := clause*
//   clause  := ["-"|"+"] ( '"' words '"' | name ":" value | word ["*"] )
//
// Words are alternatives: any may match, documents with all of them rank higher. "-" excludes,
// "+" demands. The last word of a phrase may be a prefix ("lock fi*"). AND and OR, written alone
// in capitals, are read as the blank between two words. Everything else is data: punctuation
// separates words and an unbalanced quote is a character.
#pragma once

#include <memfs/result.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "index/analyzer.h"
#include "index/memory_index.h"

namespace memfs::index {

struct Clause {
  enum class Kind : std::uint8_t { kWord, kPhrase, kPrefix };
  enum class Mode : std::uint8_t { kShould, kMust, kMustNot };
  Kind kind = Kind::kWord;
  Mode mode = Mode::kShould;
  std::string text{};           // as written
  std::vector<Token> tokens{};  // kWord: forms of one written word; kPhrase: all of its words
  std::string prefix{};         // kPrefix, and kPhrase that ends in one
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

  TermFilter terms() const;
};

// `is_filter(name, value)` decides whether `name:value` is a filter or text.
// kUsage if nothing is asked for: no word, no filter, or exclusions only.
Result<Query> parse_query(std::string_view text,
                          const std::function<bool(std::string_view, std::string_view)>& is_filter);

}  // namespace memfs::index
