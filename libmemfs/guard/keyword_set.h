// Finds many words in one pass (Aho and Corasick 1975): the filter before the regexes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace memfs {

class KeywordSet {
 public:
  // Adds a word, lower case where it has ASCII letters; a blank in it stands for one or more
  // blanks, tabs and ends of lines. Its value is reported with each place; the same word may have
  // several values. Before build().
  void add(std::string_view word, std::uint16_t value);
  void build();

  // Calls `found(value, begin, end)` for each place of each word, by `end`; `begin` is nearer to it
  // than the word if there are more blanks than one. The case of ASCII letters makes no difference.
  // Stops when `found` gives false.
  template <typename Found>
  void scan(std::string_view text, Found found) const {
    std::uint32_t state = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      state = next_[state + class_of_[static_cast<unsigned char>(text[at])]];
      if (state < first_accepting_) continue;
      for (const Output& out : outputs_[(state - first_accepting_) / classes_])
        if (!found(out.value, at + 1 - out.length, at + 1)) return;
    }
  }

 private:
  struct Output {
    std::uint16_t value;
    std::uint16_t length;
  };
  struct Node {
    std::vector<std::uint32_t> children;  // by class; 0: none
    std::vector<Output> outputs;
    std::uint32_t fail = 0;
    bool after_blank = false;
  };

  std::uint32_t child(std::uint32_t node, unsigned char byte);
  void link_failures();
  void renumber();

  std::array<std::uint8_t, 256> class_of_{};  // class 0: bytes of no word
  std::uint32_t classes_ = 1;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  // States are multiplied by classes_; those with outputs come last.
  std::vector<std::uint32_t> next_;
  std::vector<std::vector<Output>> outputs_;
  std::uint32_t first_accepting_ = 0;
};

}  // namespace memfs
