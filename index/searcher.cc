#include "index/searcher.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include "index/query_nodes.h"

namespace memfs::index {
namespace {

// Bounds are sums in another order than scores: a little room for rounding.
constexpr double kRoundingRoom = 1 + 1e-9;

// The clauses of a query, planned over the whole snapshot.
struct Plan {
  std::vector<ClausePlan> wanted;  // in the order of the query
  std::vector<bool> demanded;      // of wanted
  std::vector<ClausePlan> excluded;

  Plan(const Snapshot& snapshot, const Query& query) {
    std::set<std::tuple<Clause::Mode, Clause::Kind, std::string, double>> seen;
    for (const Clause& clause : query.clauses) {
      // What is asked twice is asked once; groups are rare and stay as they are.
      const std::string key = clause.kind == Clause::Kind::kPrefix ? clause.prefix
                              : clause.kind == Clause::Kind::kWord ? clause.tokens.front().term
                                                                   : clause.text;
      if (clause.clauses.empty() &&
          !seen.emplace(clause.mode, clause.kind, key, clause.weight).second)
        continue;
      if (clause.mode == Clause::Mode::kMustNot) {
        excluded.push_back(make_plan(snapshot, clause));
      } else {
        wanted.push_back(make_plan(snapshot, clause));
        demanded.push_back(clause.mode == Clause::Mode::kMust);
      }
    }
  }

  // For having `found` of the words.
  double factor(double found) const {
    const auto words = static_cast<double>(wanted.size());
    const double least = 1 - 1 / words;
    return least + (1 - least) * found / words;
  }
};

// One segment's nodes.
class SegmentSearch {
 public:
  SegmentSearch(const Snapshot& snapshot, std::uint32_t segment, const Plan& plan)
      : snapshot_(snapshot), segment_(segment), plan_(plan) {
    for (std::size_t i = 0; i < plan.wanted.size(); ++i) {
      nodes_.push_back(make_node(snapshot, segment, plan.wanted[i]));
      if (plan.demanded[i]) {
        possible_ = possible_ && nodes_.back() != nullptr;
        demanded_.push_back(nodes_.back().get());
      }
      if (nodes_.back()) order_.push_back(nodes_.back().get());
    }
    for (const ClausePlan& clause : plan.excluded)
      if (auto node = make_node(snapshot, segment, clause)) excluded_.push_back(std::move(node));
    std::sort(order_.begin(), order_.end(),
              [](const Node* a, const Node* b) { return a->bound() < b->bound(); });
    double sum = 0;
    for (const Node* node : order_) sums_.push_back(sum += node->bound() * kRoundingRoom);
    possible_ = possible_ && !order_.empty();
  }

  bool possible() const { return possible_; }

  // Visits documents that may score `threshold` or more, in ascending order.
  template <typename Visit>
  void run(const double& threshold, const Visit& visit) {
    if (!demanded_.empty()) return run_demanded(visit);
    std::size_t first = 0;  // nodes before it cannot reach the threshold together
    double expected = 0;
    while (true) {
      while (first < order_.size() && limit(sums_[first], first + 1) < threshold) ++first;
      // What the others cannot add, a node must have itself; the factor is at most 1.
      if (threshold != expected) {
        expected = threshold;
        for (Node* node : order_) node->expect(threshold - (sums_.back() - node->bound()));
      }
      std::uint32_t document = kEnd;
      for (std::size_t i = first; i < order_.size(); ++i)
        document = std::min(document, order_[i]->document());
      if (document == kEnd) return;
      const std::uint32_t next = behind_hopeless(document, first, threshold);
      if (next == document) {
        if (promising(document, first, threshold)) visit(document);
        advance_from(first, document, document + 1);
      } else {
        advance_from(first, document, next);
      }
    }
  }

  // Moves all nodes to the document and adds up, in the order of the query.
  double score(std::uint32_t document, double& coverage) {
    double sum = 0;
    double found = 0;
    for (auto& node : nodes_) {
      if (!node) continue;
      if (node->document() < document) node->advance(document);
      if (node->document() != document) continue;
      sum += node->score();
      found += node->whole() ? 1.0 : 0.5;
    }
    coverage = found / static_cast<double>(nodes_.size());
    return sum * plan_.factor(found);
  }

  // Whether a document that a node stands at counts: alive, not excluded, all demands met.
  bool counts(std::uint32_t document) {
    if (snapshot_.segments()[segment_].dead.contains(document)) return false;
    for (auto& node : excluded_) {
      if (node->document() < document) node->advance(document);
      if (node->document() == document && node->whole()) return false;
    }
    return std::all_of(demanded_.begin(), demanded_.end(),
                       [&](Node* node) { return node->document() == document && node->whole(); });
  }

  void explain(Match& match) {
    const std::uint32_t document = match.id.document;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const ClausePlan& asked = plan_.wanted[i];
      WordFound& word = match.words.emplace_back(
          WordFound{asked.clause->text, information_of(snapshot_, asked), 0});
      Node* node = nodes_[i].get();
      if (node == nullptr) continue;
      if (node->document() < document) node->advance(document);
      if (node->document() != document) continue;
      node->explain(match.factors);
      word.found = node->whole() ? 1 : 0.5;
    }
  }

 private:
  double limit(double sum, std::size_t words) const {
    return sum * plan_.factor(static_cast<double>(words));
  }

  // The first document from `document` on that the blocks at hand do not rule out.
  std::uint32_t behind_hopeless(std::uint32_t document, std::size_t first, double threshold) {
    double sum = first == 0 ? 0 : sums_[first - 1];
    std::size_t words = first;
    std::uint32_t next = kEnd;
    for (std::size_t i = first; i < order_.size(); ++i) {
      if (order_[i]->document() != document) {
        next = std::min(next, order_[i]->document());
        continue;
      }
      std::uint32_t until = kEnd;
      sum += order_[i]->bound_near(document, until) * kRoundingRoom;
      ++words;
      if (until != kEnd) next = std::min(next, until + 1);
    }
    return limit(sum, words) < threshold ? std::max(next, document + 1) : document;
  }

  // With the real scores of the nodes that are there, and the others taken in one by one.
  bool promising(std::uint32_t document, std::size_t first, double threshold) {
    double sum = 0;
    std::size_t words = 0;
    for (std::size_t i = first; i < order_.size(); ++i) {
      if (order_[i]->document() != document) continue;
      sum += order_[i]->score();
      ++words;
    }
    for (std::size_t i = first; i-- > 0;) {
      if (limit((sum + sums_[i]) * kRoundingRoom, words + i + 1) < threshold) return false;
      if (order_[i]->document() < document) order_[i]->advance(document);
      if (order_[i]->document() != document) continue;
      sum += order_[i]->score();
      ++words;
    }
    return limit(sum * kRoundingRoom, words) >= threshold;
  }

  void advance_from(std::size_t first, std::uint32_t document, std::uint32_t target) {
    for (std::size_t i = first; i < order_.size(); ++i)
      if (order_[i]->document() == document) order_[i]->advance(target);
  }

  template <typename Visit>
  void run_demanded(const Visit& visit) {
    for (std::uint32_t target = 0;;) {
      std::uint32_t most = target;
      for (Node* node : demanded_) {
        if (node->document() < most) node->advance(most);
        most = std::max(most, node->document());
      }
      if (most == kEnd) return;
      const bool together = std::all_of(demanded_.begin(), demanded_.end(),
                                        [&](Node* node) { return node->document() == most; });
      if (together) visit(most);
      target = together ? most + 1 : most;
    }
  }

  const Snapshot& snapshot_;
  std::uint32_t segment_;
  const Plan& plan_;
  std::vector<std::unique_ptr<Node>> nodes_;  // in the order of the query; nullptr: no match here
  std::vector<Node*> order_;                  // by bound
  std::vector<double> sums_;                  // of the bounds up to each of order_
  std::vector<Node*> demanded_;
  std::vector<std::unique_ptr<Node>> excluded_;
  bool possible_ = true;
};

// The best matches so far, the worst of them on top.
class Best {
 public:
  Best(const Snapshot& snapshot, std::size_t limit) : snapshot_(snapshot), limit_(limit) {}

  const double& threshold() const { return threshold_; }

  void add(const Match& match) {
    const auto better = [this](const Match& a, const Match& b) { return is_better(a, b); };
    if (heap_.size() == limit_) {
      if (!is_better(match, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.pop_back();
    }
    heap_.push_back(match);
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() == limit_) threshold_ = heap_.front().score;
  }

  std::vector<Match> take() {
    std::sort(heap_.begin(), heap_.end(),
              [this](const Match& a, const Match& b) { return is_better(a, b); });
    return std::move(heap_);
  }

 private:
  bool is_better(const Match& a, const Match& b) const {
    return a.score != b.score ? a.score > b.score : snapshot_.precedes(a.id, b.id);
  }

  const Snapshot& snapshot_;
  std::size_t limit_;
  double threshold_ = 0;
  std::vector<Match> heap_;
};

std::size_t count(const Snapshot& snapshot, const Plan& plan, const SearchOptions& options) {
  std::size_t found = 0;
  for (std::uint32_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    SegmentSearch here(snapshot, segment, plan);
    if (!here.possible()) continue;
    constexpr double kNone = 0;
    here.run(kNone, [&](std::uint32_t document) {
      if (here.counts(document) && (!options.accepts || options.accepts({segment, document})))
        ++found;
    });
  }
  return found;
}

}  // namespace

std::vector<Match> search(const Snapshot& snapshot, const Query& query,
                          const SearchOptions& options, std::size_t* total) {
  const Plan plan(snapshot, query);
  if (total != nullptr) *total = 0;
  if (plan.wanted.empty() || options.limit == 0) return {};
  Best best(snapshot, options.limit);
  for (std::uint32_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    SegmentSearch here(snapshot, segment, plan);
    if (!here.possible()) continue;
    here.run(best.threshold(), [&](std::uint32_t document) {
      Match match{{segment, document}, 0, 1, {}, {}};
      match.score = here.score(document, match.coverage);
      if (match.score < best.threshold() || !here.counts(document)) return;
      if (options.accepts && !options.accepts(match.id)) return;
      if (options.factor) match.score *= options.factor(match.id);
      best.add(match);
    });
  }
  auto matches = best.take();
  if (total != nullptr)
    *total = matches.size() < options.limit ? matches.size() : count(snapshot, plan, options);
  for (Match& match : matches) {
    if (!options.explain) break;
    SegmentSearch(snapshot, match.id.segment, plan).explain(match);
  }
  return matches;
}

}  // namespace memfs::index
