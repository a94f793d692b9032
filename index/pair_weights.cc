#include "index/pair_weights.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "index/character.h"
#include "index/normalizer.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

constexpr double kRunDamping = 0.3;
constexpr double kHiragana = 0.4;
constexpr double kGrammar = 0.2;
constexpr double kHalfGrammar = 0.4;
constexpr double kUnknownName = 1.5;
constexpr double kEnding = 0.5;
constexpr double kMixed = 0.3;

// Words that ask, refer, or join other words: the closed classes of Chinese in both scripts, and
// what Japanese writes in Han of them.
bool is_grammar(std::string_view word) {
  static const std::set<std::string_view> words = {
      // who, what, which, where, when, how, how much
      "什么", "什麼", "甚么", "甚麼", "怎么", "怎麼", "怎样", "怎樣", "怎么样", "怎麼樣", "怎",
      "如何", "为什么", "為什麼", "为何", "為何", "何", "哪", "哪里", "哪裡", "哪裏", "哪儿",
      "哪兒", "哪些", "哪个", "哪個", "哪位", "哪年", "哪种", "哪種", "哪一", "谁", "誰", "几",
      "幾", "几个", "幾個", "多少", "多大", "多长", "多長", "多久", "多远", "多遠", "多高", "是否",
      "何人", "何年",
      // particles
      "的", "地", "得", "了", "着", "著", "过", "過", "吗", "嗎", "么", "麼", "呢", "吧", "啊",
      "呀",
      // copula, auxiliaries, to be called
      "是", "有", "被", "把", "会", "會", "能", "可", "可以", "将", "將", "叫", "叫做", "称", "稱",
      "称为", "稱為", "被称为", "被稱為", "指",
      // prepositions, places, times
      "在", "由", "于", "於", "从", "從", "向", "对", "對", "以", "为", "為", "中", "上", "下",
      "里", "裡", "后", "後", "前", "时", "時", "时候", "時候",
      // conjunctions, adverbs
      "和", "与", "與", "及", "或", "而", "但", "也", "都", "就", "则", "則", "并", "並", "且",
      "等",
      // pronouns, measure words
      "这", "這", "那", "其", "之", "所", "此", "该", "該", "它", "他", "她", "它们", "它們",
      "他们", "他們", "她们", "她們", "这个", "這個", "那个", "那個", "个", "個", "一个", "一個",
      "种", "種", "些", "位"};
  return words.contains(word);
}

// A dictionary word of the query, by bytes.
struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool grammar = false;
  bool single = false;  // one character
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  std::size_t begin = 0;
  for (const std::size_t end : dictionary_words(text)) {
    const auto word = text.substr(begin, end - begin);
    std::size_t first = 0;
    decode_utf8(word, first);
    words.push_back({begin, end, is_grammar(normal_form(word)), first == word.size()});
    begin = end;
  }
  return words;
}

struct Characters {
  CharClass first = CharClass::kOther;
  CharClass last = CharClass::kOther;
  int count = 0;
};

Characters characters_of(std::string_view term) {
  Characters characters;
  std::size_t pos = 0;
  characters.first = characters.last = class_of(decode_utf8(term, pos));
  characters.count = 1;
  while (pos < term.size()) {
    const CharClass kind = class_of(decode_utf8(term, pos));
    if (kind == CharClass::kExtend) continue;
    characters.last = kind;
    ++characters.count;
  }
  return characters;
}

bool is_dense(CharClass kind) {
  return kind == CharClass::kHan || kind == CharClass::kHiragana || kind == CharClass::kKatakana ||
         kind == CharClass::kSyllabic;
}

// Han and the Hiragana behind it.
bool is_mixed(const Characters& characters) {
  return characters.first == CharClass::kHan && characters.last == CharClass::kHiragana;
}

bool is_of_run(const Clause& clause) {
  return clause.dense && !is_mixed(characters_of(clause.tokens.front().term));
}

double han_weight(const Token& pair, const std::vector<Word>& words) {
  const auto holding = [&](std::size_t byte) {
    return std::find_if(words.begin(), words.end(),
                        [&](const Word& w) { return w.begin <= byte && byte < w.end; });
  };
  const auto first = holding(pair.begin);
  const auto last = holding(pair.end - 1);
  if (first == words.end() || last == words.end()) return 1;
  if (first->grammar && last->grammar) return kGrammar;
  if (first->grammar || last->grammar) return kHalfGrammar;
  return first != last && first->single && last->single ? kUnknownName : 1;
}

// The pairs of a Korean word share one clause. Its last one is particle or ending by half.
void weigh_hangul(Clause& clause) {
  const auto pairs = std::count_if(clause.tokens.begin(), clause.tokens.end(), [](const Token& t) {
    return t.form == Form::kExact && characters_of(t.term).count == 2;
  });
  clause.dense = true;
  if (pairs < 2) return;
  clause.share = std::pow(static_cast<double>(pairs), -kRunDamping);
  clause.last_share = clause.share * kEnding;
}

}  // namespace

void weigh_pairs(std::string_view text, std::span<Clause> clauses) {
  std::vector<Word> words;
  for (Clause& clause : clauses) {
    const Token& token = clause.tokens.front();
    const Characters characters = characters_of(token.term);
    if (characters.first == CharClass::kHangul) weigh_hangul(clause);
    if (!is_dense(characters.first)) continue;
    clause.dense = true;
    if (is_mixed(characters)) {
      clause.weight *= kMixed;
      continue;
    }
    if (characters.first == CharClass::kHiragana && characters.last == CharClass::kHiragana)
      clause.weight *= kHiragana;
    if (characters.first != CharClass::kHan || characters.count == 1) continue;
    if (words.empty()) words = words_of(text);
    clause.weight *= han_weight(token, words);
  }
  for (std::size_t begin = 0; begin < clauses.size();) {
    std::size_t end = begin + 1;
    while (end < clauses.size() && is_of_run(clauses[begin]) && is_of_run(clauses[end]) &&
           clauses[end].tokens.front().begin < clauses[end - 1].tokens.front().end)
      ++end;
    for (std::size_t i = begin; i < end; ++i)
      clauses[i].weight *= std::pow(static_cast<double>(end - begin), -kRunDamping);
    begin = end;
  }
}

}  // namespace memfs::index
