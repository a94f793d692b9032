// The words of a text as they are compared to find out whether two texts say nearly the same.
//
// They are the index's words (index/analyzer.h): normal forms, stems where a language has them.
// Scripts without blanks give characters (Han, Kana) or dictionary words (Thai). Articles and their
// like are left out. Words are marked that make two texts different however alike they are:
// numbers, identifiers, negations and opposites.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

struct StatementWord {
  std::string text{};      // stem or normal form: what is compared
  std::string normal{};    // normal form: what a slip of the pen is looked for in
  bool character = false;  // of a script without blanks
  bool soft = false;       // may be missing in one text: "always", "our", "please"
  bool marked = false;     // must stand in both texts, equally often
  bool relation = false;   // says which way round the others are meant: "from", "to"
  bool operator==(const StatementWord& other) const { return text == other.text; }
};

struct StatementWords {
  std::vector<StatementWord> words{};
  // Texts of the marked words and other marks (signs before numbers, negations inside words of
  // scripts without blanks), sorted.
  std::vector<std::string> marks{};
};

// Invalid UTF-8 separates words.
StatementWords statement_words(std::string_view text);

// How much a sequence of words says, in words: two characters count one.
double weight_of(const std::vector<StatementWord>& words);

}  // namespace memfs
