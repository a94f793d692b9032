// Text analysis: the one way from text to terms, for documents and queries alike.
//
// A text is cut into words. A word gives one or more terms at one position or several:
//   - its normal form (NFKC_Casefold), weight 1;
//   - its stem (Snowball), a little weaker;
//   - without accents on Latin, Greek and Cyrillic letters, weaker;
//   - for identifiers (snake_case, camelCase, a.b/c, kebab-case) the whole and its parts;
//   - Han and Kana: each character and each pair of neighbours, so that any substring is found;
//   - Hangul: the word and its pairs; Khmer and Burmese: pairs;
//   - Thai and Lao: dictionary words (ICU), and pairs as a weak fall-back.
// Rules and reasons: docs/search.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs::index {

// How surely a term stands for what was written. Stronger forms rank higher.
enum class Form : std::uint8_t { kExact, kFolded, kStem, kPart, kPair };
double weight_of(Form form);

struct Token {
  std::string term;
  Form form = Form::kExact;
  std::uint32_t position = 0;  // counts words and parts of words
  std::uint32_t group = 0;     // tokens of one written word share it
  std::uint32_t begin = 0;     // bytes of the source text that it stands for
  std::uint32_t end = 0;
};

enum class Purpose : std::uint8_t {
  kDocument,  // every form
  kQuery,     // only the forms that are worth looking up: no single Han characters beside pairs
};

// Invalid UTF-8 counts as U+FFFD, which separates words. Text over 4 GiB is cut.
std::vector<Token> analyze(std::string_view text, Purpose purpose);

// A word that is to be found by its beginning: normal form without cutting it into parts.
std::string normalize_prefix(std::string_view word);

}  // namespace memfs::index
