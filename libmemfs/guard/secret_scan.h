// Credentials: the places where a word of a rule stands are tried with the rule.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "libmemfs/guard/keyword_set.h"
#include "libmemfs/guard/match.h"

namespace memfs {

// Adds the words of the rules; a word's value is the number of its rule.
void add_secret_words(KeywordSet& words);

class SecretScan {
 public:
  // take() gives at most `limit` matches.
  SecretScan(std::string_view text, std::size_t limit);
  // A word of rule `rule` stands at `begin`. REQUIRES that words come from left to right.
  void word_at(std::uint16_t rule, std::size_t begin);
  // Nothing that follows can be among the first `limit` matches.
  bool full() const { return matches_.size() >= limit_ * kRulesInOnePlace; }
  std::vector<Match> take();

 private:
  // More rules than this never fit the same bytes.
  static constexpr std::size_t kRulesInOnePlace = 8;

  std::string_view text_;
  std::size_t limit_;
  std::vector<std::size_t> done_;  // by rule: what lies before needs no second look
  // By rule: the last value that was refused, and how often words in it were tried. Without a
  // limit a text of nothing but "password=" would take a look at each value from each word in it.
  struct Refused {
    std::size_t end = 0;
    int tries = 0;
  };
  std::vector<Refused> refused_;
  std::vector<Match> matches_;
};

// All of it for one text: the first `limit` matches.
std::vector<Match> find_secrets(std::string_view text, std::size_t limit);

}  // namespace memfs
