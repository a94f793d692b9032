// Ranking: BM25F over the fields of a snapshot, the best documents first.
//
// For a term t in document d, with w and b of each field f (FieldSpec), tf the occurrences weighted
// by their form, and N documents of which n hold t:
//   tf'   = Σ_f  w_f · tf_f / (1 − b_f + b_f · length_f / average_f)
//   score = ln(1 + (N − n + 0.5) / (n + 0.5)) · tf' / (k1 + tf')          k1 = 1.2
// (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004.)
// Pairs of characters have k1 = 0.6 and a factor 1.6 / 2.2, by which one occurrence counts the
// same. A clause's weight (index/pair_weights.h) multiplies its score. A word that has several
// forms counts its best one. A phrase counts as a word whose idf is the sum of its words'. A
// document's score is the sum over the query's words times a factor for the share of them that it
// has, from 1 − 1/words (none) to 1 (all): of two words both matter, of a question's ten none
// alone; and times a factor of at most 1 that the caller gives.
//
// Documents that cannot be among the best are passed over: bounds per word (MaxScore: Turtle,
// Flood 1995) and per block of postings (Ding, Suel 2011) say which.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "index/query.h"
#include "index/snapshot.h"

namespace memfs::index {

// Why a document has its score.
struct Factor {
  std::string term{};  // as looked up
  double idf = 0;
  double frequency = 0;  // tf'
  double score = 0;
  std::vector<std::string> fields{};  // where it occurs
};

// One word (phrase, group …) of the query.
struct WordFound {
  std::string text{};      // as written
  double information = 0;  // information_of() it
  double found = 0;        // 1: the document has it, 0.5: parts of it, 0: not
};

struct Match {
  DocumentId id{};
  double score = 0;
  double coverage = 1;  // share of the query's words
  std::vector<Factor> factors{};
  std::vector<WordFound> words{};  // each word asked for, in the order of the query
};

struct SearchOptions {
  std::size_t limit = 10;
  // Asked before a document is taken in; all are by default.
  std::function<bool(DocumentId)> accepts{};
  // In (0, 1]; 1 by default.
  std::function<double(DocumentId)> factor{};
  bool explain = false;  // fill in Match::factors and words
};

// The best documents; equal scores in the order of Snapshot::precedes(). With `total`, also how
// many match, whatever their score.
std::vector<Match> search(const Snapshot& snapshot, const Query& query,
                          const SearchOptions& options, std::size_t* total = nullptr);

}  // namespace memfs::index
