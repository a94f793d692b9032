#include "query_maker.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace bench {

namespace {

constexpr std::size_t kShortest = 3;
constexpr std::size_t kLongest = 24;
constexpr std::size_t kPhrases = 5000;

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Lower case; empty if it is no plain ASCII word of a useful length.
void plain_word(std::string_view run, std::string* word) {
  word->clear();
  if (run.size() < kShortest || run.size() > kLongest) return;
  for (const char c : run) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    if (lower < 'a' || lower > 'z') return word->clear();
    word->push_back(lower);
  }
}

}  // namespace

void QueryMaker::add(std::string_view title, std::string_view body) {
  ++files_;
  add_text(title);
  add_text(body);
}

void QueryMaker::add_text(std::string_view text) {
  std::string word;
  std::string before;
  std::size_t end_before = std::string::npos;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_byte(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word_byte(text[at])) ++at;
    plain_word(text.substr(begin, at - begin), &word);
    if (!word.empty()) {
      add_word(word);
      const bool neighbours = !before.empty() && begin == end_before + 1 && text[end_before] == ' ';
      if (neighbours) sample_phrase(before, word);
    }
    std::swap(before, word);
    end_before = at;
  }
}

void QueryMaker::add_word(const std::string& word) {
  Word& entry = words_[word];
  if (entry.last_file == files_) return;
  entry.last_file = files_;
  ++entry.files;
}

// Reservoir sampling: every pair of the texts has the same chance.
void QueryMaker::sample_phrase(const std::string& first, const std::string& second) {
  ++pairs_;
  if (phrases_.size() < kPhrases)
    phrases_.push_back('"' + first + ' ' + second + '"');
  else if (const std::uint64_t at = random_.next() % pairs_; at < kPhrases)
    phrases_[at] = '"' + first + ' ' + second + '"';
}

std::vector<std::string> QueryMaker::words_between(double least, double most) const {
  std::vector<std::string> found;
  for (const auto& [word, entry] : words_)
    if (entry.files >= least && entry.files <= most) found.push_back(word);
  std::sort(found.begin(), found.end());
  return found;
}

void QueryMaker::sort_words() {
  const double files = files_;
  rare_ = words_between(1, 3);
  one_percent_ = words_between(0.007 * files, 0.013 * files);
  some_ = words_between(0.03 * files, 0.2 * files);
  common_ = words_between(0.4 * files, files);
  any_ = words_between(2, files);
  // A phrase that the sample has twice occurs often.
  std::sort(phrases_.begin(), phrases_.end());
  for (std::size_t i = 1; i < phrases_.size(); ++i)
    if (phrases_[i] == phrases_[i - 1]) frequent_phrases_.push_back(phrases_[i]);
}

std::string QueryMaker::one_of(const std::vector<std::string>& words) {
  return words.empty() ? std::string() : words[random_.below(words.size())];
}

std::string QueryMaker::query(std::string_view kind) {
  if (kind == "rare") return one_of(rare_);
  if (kind == "one_percent") return one_of(one_percent_);
  if (kind == "common") return one_of(common_);
  if (kind == "three_terms")
    return one_of(common_) + ' ' + one_of(one_percent_) + ' ' + one_of(some_);
  if (kind == "phrase")
    return one_of(random_.below(2) == 0 && !frequent_phrases_.empty() ? frequent_phrases_
                                                                      : phrases_);
  if (kind == "prefix") return one_of(any_).substr(0, kShortest) + '*';
  switch (random_.below(8)) {
    case 0:
      return query("rare");
    case 1:
      return query("one_percent");
    case 2:
      return query("three_terms");
    case 3:
      return query("phrase");
    case 4:
      return query("prefix");
    case 5:
      return one_of(any_) + ' ' + one_of(some_);
    case 6:
      return one_of(any_) + ' ' + one_of(one_percent_) + ' ' + one_of(some_) + ' ' + one_of(any_);
    default:
      return one_of(phrases_) + ' ' + one_of(one_percent_);
  }
}

bool QueryMaker::write(const std::string& path) {
  constexpr std::array kKinds = {"rare",        "one_percent", "common",
                                 "three_terms", "phrase",      "prefix"};
  constexpr int kOfEach = 20;
  constexpr int kMixed = 1000;
  sort_words();
  std::ofstream out(path, std::ios::binary);
  for (const char* kind : kKinds) {
    std::set<std::string> made;
    for (int i = 0; i < kOfEach; ++i) made.insert(query(kind));
    for (const std::string& line : made)
      if (!line.empty() && line[0] != ' ') out << kind << '\t' << line << '\n';
  }
  for (int i = 0; i < kMixed; ++i)
    if (const std::string line = query("mixed"); !line.empty()) out << "mixed\t" << line << '\n';
  return out.flush().good();
}

}  // namespace bench
