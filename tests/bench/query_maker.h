// Queries of the kinds the targets name, made from the word statistics of a set of texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "random.h"

namespace bench {

class QueryMaker {
 public:
  // Counts the ASCII words of one memory: runs of letters that touch no digit and no other script.
  void add(std::string_view title, std::string_view body);

  // Writes `kind<TAB>query` lines in mem's syntax: words, "a phrase", pre*. Deterministic. False if
  // the file cannot be written.
  bool write(const std::string& path);

 private:
  struct Word {
    std::uint32_t files = 0;
    std::uint32_t last_file = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  void add_text(std::string_view text);
  void add_word(const std::string& word);
  void sample_phrase(const std::string& first, const std::string& second);
  std::vector<std::string> words_between(double least, double most) const;
  std::string one_of(const std::vector<std::string>& words);
  std::string query(std::string_view kind);
  void sort_words();

  std::unordered_map<std::string, Word, Hash, std::equal_to<>> words_;
  std::uint32_t files_ = 0;
  std::vector<std::string> phrases_, frequent_phrases_;
  std::uint64_t pairs_ = 0;
  Random random_{20};
  std::vector<std::string> rare_, one_percent_, some_, common_, any_;
};

}  // namespace bench
