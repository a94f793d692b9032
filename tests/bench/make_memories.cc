// Synthetic memories of about 1.2 KB, the same for the same arguments, and queries for them.
//
//   make_memories DIR COUNT [SEED]     DIR/group-000/memory-000000.md …, and DIR.queries beside it
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markdown_text.h"
#include "query_maker.h"
#include "random.h"

namespace {

using bench::Random;

constexpr std::size_t kVocabulary = 30000;
constexpr std::size_t kInAFolder = 500;
constexpr std::size_t kBody = 650;

std::string syllables(Random& random, std::size_t count) {
  constexpr std::string_view kFirst = "bcdfghjklmnprstvwz";
  constexpr std::string_view kSecond = "aeiou";
  constexpr std::string_view kThird = "nrslt";
  std::string word;
  for (std::size_t i = 0; i < count; ++i) {
    word += kFirst[random.below(kFirst.size())];
    word += kSecond[random.below(kSecond.size())];
    if (random.below(3) == 0) word += kThird[random.below(kThird.size())];
  }
  return word;
}

// Words whose frequency falls with their rank as in real text: the nth is used 1/n as often.
class Vocabulary {
 public:
  explicit Vocabulary(Random& random) {
    std::set<std::string> seen;
    while (words_.size() < kVocabulary) {
      // Frequent words are short.
      const std::size_t length = words_.size() < 60 ? 2 : 2 + random.below(3);
      if (std::string word = syllables(random, length); word.size() > 2 && seen.insert(word).second)
        words_.push_back(std::move(word));
    }
    double total = 0;
    for (std::size_t i = 1; i <= kVocabulary; ++i) total += 1.0 / static_cast<double>(i);
    double sum = 0;
    for (std::size_t i = 0; i < kVocabulary; ++i) {
      sum += 1.0 / static_cast<double>(i + 1) / total;
      while (static_cast<double>(by_chance_.size()) < sum * kSteps)
        by_chance_.push_back(static_cast<std::uint16_t>(i));
    }
  }

  const std::string& word(Random& random) const {
    return words_[by_chance_[random.below(by_chance_.size())]];
  }

 private:
  static constexpr double kSteps = 1 << 21;
  std::vector<std::string> words_;
  std::vector<std::uint16_t> by_chance_;
};

std::string capital(std::string word) {
  word[0] = static_cast<char>(word[0] - ('a' - 'A'));
  return word;
}

std::string identifier_in_code(Random& random, const Vocabulary& words) {
  switch (random.below(4)) {
    case 0:
      return '`' + words.word(random) + '_' + words.word(random) + '`';
    case 1:
      return '`' + words.word(random) + capital(words.word(random)) + "()`";
    case 2:
      return "`src/" + words.word(random) + '/' + words.word(random) + ".cc`";
    default:
      return 'v' + std::to_string(random.below(9)) + '.' + std::to_string(random.below(30)) + '.' +
             std::to_string(random.below(9));
  }
}

// Words that only one to three memories of the set have.
std::string rare_word(Random& random, std::size_t number, std::size_t count) {
  const std::size_t which = random.below(2) == 0 ? number : count + random.below(count);
  Random own(which);
  return syllables(own, 6);
}

std::string sentence(Random& random, const Vocabulary& words) {
  const std::size_t length = 6 + random.below(14);
  std::string text = capital(words.word(random));
  for (std::size_t i = 1; i < length; ++i) {
    text += random.below(15) == 0 ? ", " : " ";
    text += random.below(30) == 0 ? identifier_in_code(random, words) : words.word(random);
  }
  return text + ".";
}

std::string phrase(Random& random, const Vocabulary& words, std::size_t length) {
  std::string text = capital(words.word(random));
  for (std::size_t i = 1; i < length; ++i) text += ' ' + words.word(random);
  return text;
}

std::string body(Random& random, const Vocabulary& words, std::size_t number, std::size_t count) {
  std::string text;
  while (text.size() < kBody) {
    text += "## " + phrase(random, words, 2 + random.below(3)) + "\n\n";
    for (std::size_t i = 1 + random.below(2); i > 0; --i) {
      for (std::size_t j = 2 + random.below(3); j > 0; --j) text += sentence(random, words) + ' ';
      text.back() = '\n';
      text += '\n';
    }
    if (random.below(3) == 0)
      for (std::size_t i = 3; i > 0; --i) text += "- " + phrase(random, words, 4) + '\n';
    text += "Seen with " + rare_word(random, number, count) + ".\n\n";
  }
  text.pop_back();
  return text;
}

std::string identity(Random& random) {
  constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string text = "01k";
  while (text.size() < 26) text += kDigits[random.below(32)];
  return "mem-" + text;
}

std::string instant(Random& random, int year) {
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02zu-%02zuT%02zu:%02zu:%02zuZ", year,
                1 + random.below(12), 1 + random.below(28), random.below(24), random.below(60),
                random.below(60));
  return text;
}

std::string one_of(Random& random, const std::vector<std::string>& values) {
  return values[random.below(values.size())];
}

std::string front_matter(Random& random, const Vocabulary& words, std::size_t number) {
  std::string text = "---\ntitle: " + phrase(random, words, 3 + random.below(3));
  text += "\ndescription: " + phrase(random, words, 8);
  text += "\ntype: " + one_of(random, {"user", "feedback", "project", "reference"});
  text += "\nsubject_key: " + words.word(random) + ".topic-" + std::to_string(number);
  text += "\ntags: [" + words.word(random) + ", " + one_of(random, {"build", "git", "team"}) + "]";
  text += "\nid: " + identity(random);
  text += "\ncreated_at: " + instant(random, 2025) + "\nupdated_at: " + instant(random, 2026);
  return text + "\nrevision: " + std::to_string(1 + random.below(9)) + "\n---\n";
}

std::string numbered(const char* pattern, std::size_t number) {
  char text[32];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

bool write_all(const std::string& root, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const Vocabulary words(random);
  bench::QueryMaker queries;
  std::string folder;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kInAFolder == 0) {
      folder = root + numbered("/group-%03zu", i / kInAFolder);
      std::filesystem::create_directories(folder);
    }
    const std::string text = front_matter(random, words, i) + body(random, words, i, count);
    std::ofstream out(folder + numbered("/memory-%06zu.md", i), std::ios::binary);
    if (!(out << text).flush()) return false;
    const bench::Parts parts = bench::split(text);
    queries.add(parts.title, parts.body);
  }
  return queries.write(root + ".queries");
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 2 ? std::atol(argv[2]) : 0;
  if (argc > 4 || count < 1) {
    std::fputs("usage: make_memories DIR COUNT [SEED]\n", stderr);
    return 2;
  }
  const std::uint64_t seed = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (write_all(argv[1], static_cast<std::size_t>(count), seed)) return 0;
  std::perror(argv[1]);
  return 1;
}
