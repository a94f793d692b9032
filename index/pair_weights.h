// What the pairs of Han and Kana characters in a query are worth.
//
// Pairs overlap, and most of a question's are grammar: 硕塞是谁的儿子 gives 硕塞 塞是 是谁 谁的
// 的儿 儿子, of which two say what is meant, while "是谁" is rare in texts that answer and so looks
// telling. A dictionary cuts the query (the query only: texts are kept as pairs) to tell them
// apart.
#pragma once

#include <span>
#include <string_view>

#include "index/query.h"

namespace memfs::index {

// `clauses` are the words that `text` gave. Those of Han, Kana, Khmer or Burmese characters become
// `dense`, and weigh the product of
//   - in a run of m pairs that overlap: m^-0.3, so that a long name is no ten words;
//   - two Hiragana, or one alone: 0.4, as they are endings and particles more often than words;
//   - two Han: 0.2 if both belong to words of grammar (什么, 的, 何), 0.4 if one does;
//   - two Han that the dictionary takes for two words of one character: 1.5, which is how it cuts
//     a name that it does not know (硕|塞).
// Han and the Hiragana behind it weigh 0.3 and belong to no run.
// A word of Hangul stays one clause: it counts the sum of its m pairs, each m^-0.3, the last half
// of that for the particle or ending in it.
void weigh_pairs(std::string_view text, std::span<Clause> clauses);

}  // namespace memfs::index
