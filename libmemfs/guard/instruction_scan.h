// Instructions aimed at a model: windows round the words of the rules, and round characters that
// could disguise such a word, are folded and tried with the rules.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "libmemfs/guard/folded_text.h"
#include "libmemfs/guard/keyword_set.h"
#include "libmemfs/guard/match.h"

namespace memfs {

// Adds the words of the rules with the values `first` + number of the rule, and the ways in which
// the most telling words are spelt letter by letter.
void add_instruction_words(KeywordSet& words, std::uint16_t first);

class InstructionScan {
 public:
  explicit InstructionScan(std::string_view text) : text_(text) {}
  // A word with the value `value` (less `first`) stands at [begin, end). REQUIRES that words come
  // in the order of their ends; disguises likewise.
  void word_at(std::uint16_t value, std::size_t begin, std::size_t end);
  void disguise_at(std::size_t begin, std::size_t end);
  // At most `limit` matches, in order and without overlap.
  std::vector<Match> take(std::size_t limit);

 private:
  struct Window {
    std::size_t begin;
    std::size_t end;
    std::uint32_t rules;  // a bit for each
  };
  void add(std::vector<Window>& windows, std::size_t begin, std::size_t end, std::uint32_t rules);
  std::vector<Window> merged() const;
  void search_reading(const Window& window, Reading reading, std::vector<Match>& matches) const;
  void search(Window window, std::vector<Match>& matches) const;

  std::string_view text_;
  std::vector<Window> by_word_;
  std::vector<Window> by_disguise_;
};

}  // namespace memfs
