// Finds many words in one pass (Aho and Corasick 1975): the filter before the regexes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

class KeywordSet {
 public:
  // Adds a word, lower case where it has ASCII letters; a blank in it stands for one or more
  // blanks, tabs and ends of lines. Its value is reported with each place; the same word may have
  // several values. Before build(). At most 32 KiB of words.
  void add(std::string_view word, std::uint16_t value);
  void build();

  // Calls `found(value, begin, end)` for each place of each word, by `end`; `begin` is nearer to it
  // than the word if there are more blanks than one. The case of ASCII letters makes no difference.
  // Stops when `found` gives false.
  template <typename Found>
  void scan(std::string_view text, Found found) const {
    std::uint32_t state = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::uint16_t next =
          next_[state * classes_ + class_of_[static_cast<unsigned char>(text[at])]];
      state = next & kState;
      if (next < kAccepting) continue;
      for (std::uint32_t node = state; node != 0; node = shorter_[node])
        for (std::uint32_t out = first_output_[node]; out != 0; out = outputs_[out].next)
          if (!found(outputs_[out].value, at + 1 - outputs_[out].length, at + 1)) return;
    }
  }

 private:
  static constexpr std::uint16_t kAccepting = 0x8000;  // flag of a transition to a word's end
  static constexpr std::uint16_t kState = 0x7FFF;

  struct Word {
    std::string text;
    std::uint16_t value;
  };
  struct Output {
    std::uint16_t value;
    std::uint16_t length;
    std::uint32_t next;  // of the same node; 0: none
  };

  // The words as a tree; its node 0 is the start.
  struct Node {
    std::uint16_t first_child = 0;
    std::uint16_t sibling = 0;
    std::uint8_t slot = 0;  // class of the byte that leads here
    bool after_blank = false;
    std::uint16_t fail = 0;
  };

  void number_classes();
  std::uint16_t child_of(std::uint16_t parent, char c);
  void add_output(std::uint16_t node, const Word& word);
  void link(std::uint16_t node, std::vector<std::uint16_t>& queue);

  std::vector<Word> words_;
  std::array<std::uint8_t, 256> class_of_{};  // class 0: bytes of no word
  std::uint32_t classes_ = 1;
  std::vector<Node> nodes_;  // empty once it is built
  // By node.
  std::vector<std::uint16_t> next_;          // and class: the next node, with its flag
  std::vector<std::uint16_t> shorter_;       // the longest other word's end that ends here, or 0
  std::vector<std::uint32_t> first_output_;  // 0: none
  std::vector<Output> outputs_{1};
};

}  // namespace memfs
