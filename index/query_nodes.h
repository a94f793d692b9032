// A query at work: what it needs of the snapshot (plan), and walks over one segment (nodes).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/query.h"
#include "index/searcher.h"
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

// Walks over the documents of one segment that match a clause, dead ones included.
class Node {
 public:
  virtual ~Node() = default;
  std::uint32_t document() const { return document_; }
  // To the first matching document that is not before `target`.
  virtual void advance(std::uint32_t target) = 0;
  // REQUIRES document() != kEnd for these.
  virtual double score() = 0;
  virtual bool whole() { return true; }  // not just some parts of the word
  virtual void explain(std::vector<Factor>& out) = 0;
  // Documents that would score less may be passed over from now on.
  virtual void expect(double /*least*/) {}
  // No score is larger; near `target`: none up to the document `until`.
  double bound() const { return bound_; }
  virtual double bound_near(std::uint32_t /*target*/, std::uint32_t& until) {
    until = kEnd;
    return bound_;
  }

 protected:
  std::uint32_t document_ = kEnd;
  double bound_ = 0;
};

// nullptr if nothing of the segment can match.
std::unique_ptr<Node> make_node(const Snapshot& snapshot, std::size_t segment,
                                const ClausePlan& plan);

}  // namespace memfs::index
