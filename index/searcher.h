// Ranking: BM25F over the fields of an index.
//
// For a term t in document d, with w and b of each field f (FieldSpec), tf the occurrences weighted
// by their form, and N documents of which n hold t:
//   tf'   = Σ_f  w_f · tf_f / (1 − b_f + b_f · length_f / average_f)
//   score = ln(1 + (N − n + 0.5) / (n + 0.5)) · tf' / (k1 + tf')          k1 = 1.2
// (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004.)
// A word that has several forms counts its best one. A document's score is the sum over the query's
// words times a factor for the share of them that it has, from 1 − 1/words (none) to 1 (all): of
// two words both matter, of a question's ten none alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "index/index_reader.h"
#include "index/query.h"

namespace memfs::index {

// Why a document has its score.
struct Factor {
  std::string term;  // as looked up
  double idf = 0;
  double frequency = 0;  // tf'
  double score = 0;
  std::vector<std::string> fields;  // where it occurs
};

struct Match {
  std::uint32_t document = 0;
  double score = 0;
  double coverage = 1;  // share of the query's words
  std::vector<Factor> factors;
};

// All documents that match, best first; equal scores by document number. `accepts` is asked
// before a document is scored. Statistics are over all documents of the index.
std::vector<Match> search(const IndexReader& index, const Query& query,
                          const std::function<bool(std::uint32_t)>& accepts);

}  // namespace memfs::index
