// What a query needs of a snapshot: lists of postings in each segment, and statistics over all.
#pragma once

#include <string>
#include <vector>

#include "index/query.h"
#include "index/snapshot.h"

namespace memfs::index {

// k1. A pair of characters that comes again says less than a word that does: the pairs of a topic
// fill every text about it.
constexpr double kSaturation = 1.2;
constexpr double kDenseSaturation = 0.6;

struct TermPlan {
  std::string term{};
  double weight = 1;  // of its clause, form and share in the word
  double saturation = kSaturation;
  double idf = 0;                 // over all segments
  std::vector<TermList> lists{};  // one for each segment
};

// All words that begin so, as one: its occurrences are theirs.
struct PrefixPlan {
  double weight = 1;
  double saturation = kSaturation;
  double idf = 0;
  // By segment and document: tf' (0: none of the words), and the fields.
  std::vector<std::vector<float>> frequencies{};
  std::vector<std::vector<std::uint8_t>> masks{};
};

struct ClausePlan {
  const Clause* clause = nullptr;
  std::vector<TermPlan> whole{};  // alternatives that stand for the whole word
  std::vector<TermPlan> parts{};  // of the word: together they are one more alternative
  bool all_parts = false;         // they say nothing unless all are there
  PrefixPlan prefix{};
  struct Step {
    std::uint32_t offset = 0;
    std::vector<TermPlan> terms{};
    std::string prefix{};  // any word that begins so may stand there, too
  };
  std::vector<Step> steps{};  // of a phrase
  double idf = 0;             // of a phrase
  std::vector<ClausePlan> clauses{};
};

ClausePlan make_plan(const Snapshot& snapshot, const Clause& clause);

// How much it says that a document has what the clause asks for: its idf, times its weight. Of the
// forms of a word the commonest says how rare it is; what no document has says as much as what one
// of them has.
double information_of(const Snapshot& snapshot, const ClausePlan& plan);

double saturation_of(const Clause& clause);
// One occurrence counts the same however fast those that follow saturate.
double saturated(double frequency, double saturation);

}  // namespace memfs::index
