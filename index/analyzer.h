// Text analysis: the one way from text to terms, for documents and queries alike.
//
// A text is cut into words. A word gives one or more terms at one position or several:
//   - its normal form (NFKC_Casefold), weight 1;
//   - its stem (Snowball), a little weaker;
//   - without accents on Latin, Greek and Cyrillic letters, weaker;
//   - for identifiers (snake_case, camelCase, a.b/c, kebab-case) the whole and its parts;
//   - Han and Kana: each pair of neighbours, and the last character of a run, so that any substring
//     is found (a single character by the pairs that begin with it);
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
  kQuery,     // only the forms that are worth looking up: no single characters beside pairs
};

// Invalid UTF-8 counts as U+FFFD, which separates words. Text over 4 GiB is cut.
std::vector<Token> analyze(std::string_view text, Purpose purpose);

// Where a token stands: as in Token.
struct TokenPlace {
  std::uint32_t position = 0;
  std::uint32_t group = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Takes tokens as they are found. The views live for the call only.
class TokenSink {
 public:
  virtual ~TokenSink() = default;
  // A word, or a part of one, in normal form. What derived_forms() says of it stands at the same
  // place: it is left to the sink, which may know it already.
  virtual void on_word(std::string_view normal, Form form, const TokenPlace& place) = 0;
  // A term that nothing follows from.
  virtual void on_term(std::string_view term, Form form, const TokenPlace& place) = 0;
};
void analyze(std::string_view text, Purpose purpose, TokenSink& sink);

// The weaker forms of a word in normal form, empty where they are the word itself. Where the word
// is a part of another one, they are parts, too.
struct DerivedForms {
  std::string stem{};
  std::string folded{};
};
DerivedForms derived_forms(std::string_view normal);
inline Form derived_form_of(Form word, Form derived) {
  return word == Form::kExact ? derived : word;
}

// A word that is to be found by its beginning: normal form without cutting it into parts.
std::string normalize_prefix(std::string_view word);

}  // namespace memfs::index
