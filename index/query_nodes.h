// A query at work: walks over the documents of one segment.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/query_plan.h"
#include "index/searcher.h"

namespace memfs::index {

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
