// Credentials: the places where a word of a rule stands are tried with the rule.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "libmemfs/guard/keyword_set.h"
#include "libmemfs/guard/match.h"
#include "libmemfs/guard/secret_rules.h"

namespace memfs {

// Adds the words of the rules; a word's value is the number of its rule.
void add_secret_words(KeywordSet& words);

class SecretScan {
 public:
  // take() gives at most `limit` matches.
  SecretScan(std::string_view text, std::size_t limit);
  // A word of rule number `index` stands at `begin`. REQUIRES that words come from left to right.
  void word_at(std::uint16_t index, std::size_t begin);
  // Nothing that follows can be among the first `limit` matches.
  bool full() const { return matches_.size() - in_columns_ >= limit_ * kRulesInOnePlace; }
  std::vector<Match> take();

 private:
  void add_column(std::uint16_t index, std::size_t begin);
  bool is_tried(const SecretRule& rule, std::size_t index, std::size_t begin) const;

  // More rules than this never fit the same bytes.
  static constexpr std::size_t kRulesInOnePlace = 8;

  std::string_view text_;
  std::size_t limit_;
  std::vector<std::size_t> done_;  // by rule: the end of its last match
  // By rule: the last value that was looked at, and how often from words inside it. Without a
  // limit a text of nothing but "password=" would look at each value from each word in it.
  struct Tried {
    std::size_t end = 0;
    int count = 0;
  };
  std::vector<Tried> tried_;
  std::vector<Match> matches_;
  std::size_t in_columns_ = 0;  // of matches_: found ahead, below the head of a table
};

// All of it for one text: the first `limit` matches.
std::vector<Match> find_secrets(std::string_view text, std::size_t limit);

}  // namespace memfs
