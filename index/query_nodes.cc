#include "index/query_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace memfs::index {
namespace {

constexpr std::size_t kMaxExpansions = 20000;  // words that a prefix stands for

double idf_of(double total, double documents) {
  return std::log(1 + (total - documents + 0.5) / (documents + 0.5));
}

double saturation_of(const Clause& clause) { return clause.dense ? kDenseSaturation : kSaturation; }

// One occurrence counts the same however fast those that follow saturate.
double saturated(double frequency, double saturation) {
  return frequency * (1 + saturation) / (1 + kSaturation) / (saturation + frequency);
}

void finish_plan(const Snapshot& snapshot, TermPlan& plan) {
  std::uint64_t documents = 0;
  for (std::size_t segment = 0; segment < plan.lists.size(); ++segment)
    documents += snapshot.live_documents(segment, plan.lists[segment]);
  plan.idf = idf_of(static_cast<double>(snapshot.document_count()), static_cast<double>(documents));
  if (documents == 0) plan.lists.assign(plan.lists.size(), {});
}

TermPlan plan_term(const Snapshot& snapshot, const std::string& term, double weight,
                   double saturation) {
  TermPlan plan{term, weight, saturation, 0, {}};
  for (const SegmentView& view : snapshot.segments())
    plan.lists.push_back(view.segment->terms().find(term));
  finish_plan(snapshot, plan);
  return plan;
}

std::vector<TermPlan> plan_prefix(const Snapshot& snapshot, const Clause& clause) {
  const std::string& prefix = clause.prefix;
  const std::size_t segments = snapshot.segments().size();
  std::vector<TermPlan> plans;
  std::map<std::string, std::size_t, std::less<>> places;  // only with several segments
  for (std::size_t segment = 0; segment < segments; ++segment) {
    TermDictionary::Cursor cursor(snapshot.segments()[segment].segment->terms(), prefix);
    for (; !cursor.at_end() && cursor.term().starts_with(prefix) && plans.size() < kMaxExpansions;
         cursor.next()) {
      std::size_t at = plans.size();
      if (segments > 1) {
        const auto known = places.find(cursor.term());
        if (known != places.end()) at = known->second;
      }
      if (at == plans.size()) {
        // A character is less in a pair than alone.
        const bool part = clause.dense && cursor.term().size() > prefix.size();
        plans.push_back({std::string(cursor.term()), clause.weight * (part ? 0.5 : 1),
                         saturation_of(clause), 0, std::vector<TermList>(segments)});
        if (segments > 1) places.emplace(plans.back().term, at);
      }
      plans[at].lists[segment] = cursor.list();
    }
  }
  for (TermPlan& plan : plans) finish_plan(snapshot, plan);
  return plans;
}

void plan_word(const Snapshot& snapshot, const Clause& clause, ClausePlan& plan) {
  std::uint32_t begin = clause.tokens.front().begin;
  std::uint32_t end = 0;
  for (const Token& token : clause.tokens) {
    begin = std::min(begin, token.begin);
    end = std::max(end, token.end);
  }
  for (const Token& token : clause.tokens) {
    const bool covers = token.begin == begin && token.end == end && token.form != Form::kPair;
    plan.all_parts = plan.all_parts || (!covers && token.form == Form::kPair);
    (covers ? plan.whole : plan.parts)
        .push_back(plan_term(snapshot, token.term, clause.weight * weight_of(token.form),
                             saturation_of(clause)));
  }
  // The mean of the parts, or the sum of their shares.
  const double mean = 1 / static_cast<double>(std::max<std::size_t>(plan.parts.size(), 1));
  for (TermPlan& part : plan.parts) {
    const double own = &part == &plan.parts.back() ? clause.last_share : clause.share;
    part.weight *= own > 0 ? own : mean;
  }
}

// Any form that has positions may stand at a place of the phrase.
void plan_phrase(const Snapshot& snapshot, const Clause& clause, ClausePlan& plan) {
  std::map<std::uint32_t, ClausePlan::Step> steps;
  for (const Token& token : clause.tokens) {
    if (token.form == Form::kPair || token.form == Form::kStem) continue;
    auto& step = steps[token.position];
    step.offset = token.position;
    step.terms.push_back(plan_term(snapshot, token.term, 1, kSaturation));
  }
  if (!clause.prefix.empty()) {
    auto& step = steps[clause.prefix_position];
    step.offset = clause.prefix_position;
    step.terms = plan_prefix(snapshot, clause);
  }
  for (auto& [position, step] : steps) {
    // Of the forms of a word the commonest says how rare it is.
    double least = step.terms.empty() ? 0 : step.terms.front().idf;
    for (const TermPlan& term : step.terms) least = std::min(least, term.idf);
    plan.idf += least;
    plan.steps.push_back(std::move(step));
  }
}

// What every node needs of its segment.
struct Place {
  const Snapshot& snapshot;
  std::size_t segment;
  const Segment& data() const { return *snapshot.segments()[segment].segment; }
  PostingCursor cursor(const TermList& list) const {
    return {list, snapshot.norms(), data().length_codes(), &data(), snapshot.drift(segment)};
  }
  std::vector<std::string> field_names(std::uint8_t mask) const {
    std::vector<std::string> names;
    for (std::size_t field = 0; field < snapshot.fields().size(); ++field)
      if ((mask >> field & 1U) != 0) names.push_back(snapshot.fields()[field].name);
    return names;
  }
};

class TermNode final : public Node {
 public:
  TermNode(const Place& place, const TermPlan& plan)
      : place_(place),
        plan_(plan),
        cursor_(place.cursor(plan.lists[place.segment])),
        scale_(plan.weight * plan.idf) {
    document_ = cursor_.document();
    bound_ = scale_ * saturated(cursor_.largest_frequency(), plan.saturation);
  }
  void advance(std::uint32_t target) override {
    if (document_ != kEnd && target == document_ + 1) {
      cursor_.next();
    } else {
      cursor_.advance(target);
    }
    document_ = cursor_.document();
  }
  double score() override { return scale_ * saturated(cursor_.frequency(), plan_.saturation); }
  double bound_near(std::uint32_t target, std::uint32_t& until) override {
    return scale_ * saturated(cursor_.largest_near(target, until), plan_.saturation);
  }
  void explain(std::vector<Factor>& out) override {
    out.push_back(
        {plan_.term, plan_.idf, cursor_.frequency(), score(), place_.field_names(cursor_.mask())});
  }

 private:
  Place place_;
  const TermPlan& plan_;
  PostingCursor cursor_;
  double scale_;
};

using Nodes = std::vector<std::unique_ptr<Node>>;

// Nodes under one: moves them together and stands at the least of their documents.
class UnionNode : public Node {
 public:
  explicit UnionNode(Nodes nodes) : nodes_(std::move(nodes)) { settle(); }
  void advance(std::uint32_t target) override {
    for (auto& node : nodes_)
      if (node->document() < target) node->advance(target);
    settle();
  }

 protected:
  bool here(const Node& node) const { return node.document() == document_; }
  void settle() {
    document_ = kEnd;
    for (const auto& node : nodes_) document_ = std::min(document_, node->document());
  }
  Nodes nodes_;
};

// The best of alternatives counts.
class BestNode final : public UnionNode {
 public:
  explicit BestNode(Nodes nodes) : UnionNode(std::move(nodes)) {
    for (const auto& node : nodes_) bound_ = std::max(bound_, node->bound());
  }
  double score() override {
    double best = 0;
    for (auto& node : nodes_)
      if (here(*node)) best = std::max(best, node->score());
    return best;
  }
  bool whole() override {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](auto& node) { return here(*node) && node->whole(); });
  }
  double bound_near(std::uint32_t target, std::uint32_t& until) override {
    double best = 0;
    until = kEnd;
    for (auto& node : nodes_) {
      std::uint32_t node_until = kEnd;
      best = std::max(best, node->bound_near(target, node_until));
      until = std::min(until, node_until);
    }
    return best;
  }
  void explain(std::vector<Factor>& out) override {
    Node* best = nullptr;
    double best_score = -1;
    for (auto& node : nodes_) {
      if (!here(*node) || node->score() <= best_score) continue;
      best = node.get();
      best_score = node->score();
    }
    if (best != nullptr) best->explain(out);
  }
};

// The sum of what is there.
class SumNode final : public UnionNode {
 public:
  SumNode(Nodes nodes, bool whole_if_all, std::size_t all)
      : UnionNode(std::move(nodes)), whole_if_all_(whole_if_all), all_(all) {
    for (const auto& node : nodes_) bound_ += node->bound();
  }
  double score() override {
    double sum = 0;
    for (auto& node : nodes_)
      if (here(*node)) sum += node->score();
    return sum;
  }
  bool whole() override {
    std::size_t found = 0;
    for (auto& node : nodes_) found += here(*node) && node->whole() ? 1 : 0;
    return whole_if_all_ ? found == all_ : found > 0;
  }
  double bound_near(std::uint32_t target, std::uint32_t& until) override {
    double sum = 0;
    until = kEnd;
    for (auto& node : nodes_) {
      std::uint32_t node_until = kEnd;
      sum += node->bound_near(target, node_until);
      until = std::min(until, node_until);
    }
    return sum;
  }
  void explain(std::vector<Factor>& out) override {
    for (auto& node : nodes_)
      if (here(*node)) node->explain(out);
  }

 private:
  bool whole_if_all_;
  std::size_t all_;
};

// All of them must be there; the sum counts.
class AllNode final : public Node {
 public:
  explicit AllNode(Nodes nodes) : nodes_(std::move(nodes)) {
    for (const auto& node : nodes_) bound_ += node->bound();
    settle(0);
  }
  void advance(std::uint32_t target) override { settle(target); }
  double score() override {
    double sum = 0;
    for (auto& node : nodes_) sum += node->score();
    return sum;
  }
  bool whole() override {
    return std::all_of(nodes_.begin(), nodes_.end(), [](auto& node) { return node->whole(); });
  }
  void explain(std::vector<Factor>& out) override {
    for (auto& node : nodes_) node->explain(out);
  }

 private:
  void settle(std::uint32_t target) {
    while (true) {
      std::uint32_t most = target;
      bool together = true;
      for (auto& node : nodes_) {
        if (node->document() < most) node->advance(most);
        together = together && node->document() == nodes_.front()->document();
        most = std::max(most, node->document());
      }
      if (most == kEnd || (together && nodes_.front()->document() == most)) {
        document_ = most;
        return;
      }
      target = most;
    }
  }

  Nodes nodes_;
};

// All words of a prefix at once: they are many and their lists are short.
class PrefixNode final : public Node {
 public:
  PrefixNode(const Place& place, const std::vector<TermPlan>& terms)
      : place_(place), terms_(terms), scores_(place.data().document_count()) {
    for (const TermPlan& term : terms) {
      if (term.lists[place.segment].documents == 0) continue;
      PostingCursor cursor = place.cursor(term.lists[place.segment]);
      for (; cursor.document() != kEnd; cursor.next()) {
        const double score =
            term.weight * term.idf * saturated(cursor.frequency(), term.saturation);
        float& best = scores_[cursor.document()];
        best = std::max(best, static_cast<float>(score));
        bound_ = std::max<double>(bound_, best);
      }
    }
    advance(0);
  }
  void advance(std::uint32_t target) override {
    const auto found = target >= scores_.size()
                           ? scores_.end()
                           : std::find_if(scores_.begin() + static_cast<std::ptrdiff_t>(target),
                                          scores_.end(), [](float score) { return score > 0; });
    document_ = found == scores_.end() ? kEnd : static_cast<std::uint32_t>(found - scores_.begin());
  }
  double score() override { return scores_[document_]; }
  void explain(std::vector<Factor>& out) override {
    Factor best;
    for (const TermPlan& term : terms_) {
      PostingCursor cursor = place_.cursor(term.lists[place_.segment]);
      cursor.advance(document_);
      if (cursor.document() != document_) continue;
      const double score = term.weight * term.idf * saturated(cursor.frequency(), term.saturation);
      if (score <= best.score) continue;
      best = {term.term, term.idf, cursor.frequency(), score, place_.field_names(cursor.mask())};
    }
    out.push_back(std::move(best));
  }

 private:
  Place place_;
  const std::vector<TermPlan>& terms_;
  std::vector<float> scores_;
};

class PhraseNode final : public Node {
 public:
  PhraseNode(const Place& place, const ClausePlan& plan) : place_(place), plan_(plan) {
    double frequency = 1e9;
    for (const auto& step : plan.steps) {
      auto& cursors = steps_.emplace_back();
      double largest = 0;
      for (const TermPlan& term : step.terms) {
        if (term.lists[place.segment].documents == 0) continue;
        cursors.push_back(place.cursor(term.lists[place.segment]));
        largest += cursors.back().largest_frequency();
      }
      frequency = std::min(frequency, largest);
    }
    // An occurrence of a part weighs 0.6 in a list and a whole one in the phrase.
    bound_ = plan.clause->weight * plan.idf *
             saturated(frequency / weight_of(Form::kPart), saturation_of(*plan.clause));
    seek(0);
  }
  void advance(std::uint32_t target) override { seek(target); }
  double score() override {
    return plan_.clause->weight * plan_.idf * saturated(frequency_, saturation_of(*plan_.clause));
  }
  void explain(std::vector<Factor>& out) override {
    out.push_back({"\"" + plan_.clause->text + "\"", plan_.idf, frequency_, score(),
                   place_.field_names(mask_)});
  }

 private:
  using Cursors = std::vector<PostingCursor>;

  // The first document from `target` on that has a term of the step.
  static std::uint32_t next_of(Cursors& cursors, std::uint32_t target) {
    std::uint32_t next = kEnd;
    for (PostingCursor& cursor : cursors) {
      cursor.advance(target);
      next = std::min(next, cursor.document());
    }
    return next;
  }

  void seek(std::uint32_t target) {
    while (true) {
      bool together = true;
      for (Cursors& cursors : steps_) {
        const std::uint32_t next = next_of(cursors, target);
        together = together && (&cursors == &steps_.front() || next == target);
        target = next;
        if (target == kEnd) break;
      }
      document_ = target;
      if (target == kEnd) return;
      if (!together) continue;
      if (count_places()) return;
      ++target;
    }
  }

  void places_of(Cursors& cursors, std::vector<PostingCursor::Place>& out) const {
    out.clear();
    for (const PostingCursor& cursor : cursors)
      if (cursor.document() == document_) cursor.places(out);
    if (cursors.size() > 1) std::sort(out.begin(), out.end());
  }

  // Keeps of the places of the first step those that the others follow.
  bool count_places() {
    places_of(steps_.front(), found_);
    const std::uint32_t first = plan_.steps.front().offset;
    for (std::size_t i = 1; i < steps_.size() && !found_.empty(); ++i) {
      places_of(steps_[i], next_);
      const std::uint32_t distance = plan_.steps[i].offset - first;
      std::size_t at = 0;
      std::erase_if(found_, [&](PostingCursor::Place place) {
        place.position += distance;
        while (at < next_.size() && next_[at] < place) ++at;
        return at == next_.size() || next_[at] != place;
      });
    }
    frequency_ = 0;
    mask_ = 0;
    const char* codes = place_.data().length_codes().data() + std::size_t{document_} * kMaxFields;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i > 0 && found_[i] == found_[i - 1]) continue;
      const std::uint8_t field = found_[i].field;
      frequency_ += kUnitsPerOccurrence *
                    place_.snapshot.norms().of(field, static_cast<std::uint8_t>(codes[field]));
      mask_ = static_cast<std::uint8_t>(mask_ | 1U << field);
    }
    return !found_.empty();
  }

  Place place_;
  const ClausePlan& plan_;
  std::vector<Cursors> steps_;
  std::vector<PostingCursor::Place> found_, next_;
  double frequency_ = 0;
  std::uint8_t mask_ = 0;
};

Nodes term_nodes(const Place& place, const std::vector<TermPlan>& terms) {
  Nodes nodes;
  for (const TermPlan& term : terms)
    if (term.lists[place.segment].documents > 0)
      nodes.push_back(std::make_unique<TermNode>(place, term));
  return nodes;
}

std::unique_ptr<Node> best_of(Nodes nodes) {
  if (nodes.empty()) return nullptr;
  if (nodes.size() == 1) return std::move(nodes.front());
  return std::make_unique<BestNode>(std::move(nodes));
}

std::unique_ptr<Node> word_node(const Place& place, const ClausePlan& plan) {
  Nodes nodes = term_nodes(place, plan.whole);
  Nodes parts = term_nodes(place, plan.parts);
  const bool complete = parts.size() == plan.parts.size();
  if (!parts.empty() && plan.all_parts) {
    if (complete) nodes.push_back(std::make_unique<AllNode>(std::move(parts)));
  } else if (!parts.empty()) {
    nodes.push_back(std::make_unique<SumNode>(std::move(parts), true, plan.parts.size()));
  }
  return best_of(std::move(nodes));
}

std::unique_ptr<Node> group_node(const Snapshot& snapshot, std::size_t segment,
                                 const ClausePlan& plan) {
  Nodes nodes;
  for (const ClausePlan& inner : plan.clauses)
    if (auto node = make_node(snapshot, segment, inner)) nodes.push_back(std::move(node));
  if (nodes.empty()) return nullptr;
  if (plan.clause->kind == Clause::Kind::kBest) return best_of(std::move(nodes));
  if (plan.clause->kind == Clause::Kind::kSome) {
    const std::size_t all = nodes.size();
    return std::make_unique<SumNode>(std::move(nodes), false, all);
  }
  if (nodes.size() < plan.clauses.size()) return nullptr;
  return std::make_unique<AllNode>(std::move(nodes));
}

}  // namespace

ClausePlan make_plan(const Snapshot& snapshot, const Clause& clause) {
  ClausePlan plan;
  plan.clause = &clause;
  switch (clause.kind) {
    case Clause::Kind::kWord:
      plan_word(snapshot, clause, plan);
      break;
    case Clause::Kind::kPhrase:
      plan_phrase(snapshot, clause, plan);
      break;
    case Clause::Kind::kPrefix:
      plan.whole = plan_prefix(snapshot, clause);
      break;
    default:
      for (const Clause& inner : clause.clauses) plan.clauses.push_back(make_plan(snapshot, inner));
  }
  return plan;
}

std::unique_ptr<Node> make_node(const Snapshot& snapshot, std::size_t segment,
                                const ClausePlan& plan) {
  const Place place{snapshot, segment};
  switch (plan.clause->kind) {
    case Clause::Kind::kWord:
      return word_node(place, plan);
    case Clause::Kind::kPhrase: {
      auto node = std::make_unique<PhraseNode>(place, plan);
      if (node->document() == kEnd) return nullptr;
      return node;
    }
    case Clause::Kind::kPrefix: {
      auto node = std::make_unique<PrefixNode>(place, plan.whole);
      if (node->document() == kEnd) return nullptr;
      return node;
    }
    default:
      return group_node(snapshot, segment, plan);
  }
}

}  // namespace memfs::index
