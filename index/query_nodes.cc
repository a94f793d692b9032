#include "index/query_nodes.h"

#include <algorithm>

namespace memfs::index {
namespace {

// Words that a beginning in a phrase stands for, in each segment: each needs a cursor.
constexpr std::size_t kMaxExpansions = 20000;

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

// All of them must be there, and whole; the sum counts.
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
      document_ = most;
      if (most == kEnd) return;
      const bool met = together && nodes_.front()->document() == most;
      if (met && whole()) return;
      target = met ? most + 1 : most;
    }
  }

  Nodes nodes_;
};

class PrefixNode final : public Node {
 public:
  PrefixNode(const Place& place, const ClausePlan& plan)
      : place_(place), plan_(plan), frequencies_(plan.prefix.frequencies[place.segment]) {
    float largest = 0;
    for (const float frequency : frequencies_) largest = std::max(largest, frequency);
    bound_ = score_of(largest);
    advance(0);
  }
  void advance(std::uint32_t target) override {
    std::size_t at = target;
    while (at < frequencies_.size() && !(frequencies_[at] > 0)) ++at;
    document_ = at < frequencies_.size() ? static_cast<std::uint32_t>(at) : kEnd;
  }
  double score() override { return score_of(frequencies_[document_]); }
  void explain(std::vector<Factor>& out) override {
    out.push_back({plan_.clause->prefix + "*", plan_.prefix.idf, frequencies_[document_], score(),
                   place_.field_names(plan_.prefix.masks[place_.segment][document_])});
  }

 private:
  double score_of(float frequency) const {
    return plan_.prefix.weight * plan_.prefix.idf * saturated(frequency, plan_.prefix.saturation);
  }

  Place place_;
  const ClausePlan& plan_;
  const std::vector<float>& frequencies_;
};

// The cursors of the words that may stand at one place of a phrase, by their documents.
class StepCursors {
  auto later() const {
    return [this](std::size_t a, std::size_t b) {
      return cursors_[a].document() > cursors_[b].document();
    };
  }

 public:
  StepCursors(const Place& place, const ClausePlan::Step& step) {
    for (const TermPlan& term : step.terms)
      if (term.lists[place.segment].documents > 0) add(place.cursor(term.lists[place.segment]));
    if (!step.prefix.empty()) {
      TermDictionary::Cursor words(place.data().terms(), step.prefix);
      for (; !words.at_end() && words.term().starts_with(step.prefix); words.next())
        if (cursors_.size() < kMaxExpansions) add(place.cursor(words.list()));
    }
    std::make_heap(order_.begin(), order_.end(), later());
  }

  bool is_single() const { return cursors_.size() == 1; }
  // REQUIRES is_single(), and a document at hand.
  double frequency() const { return cursors_.front().frequency(); }
  double largest_frequency() const {
    double largest = 0;
    for (const PostingCursor& cursor : cursors_) largest += cursor.largest_frequency();
    return largest;
  }

  // The first document from `target` on that has one of the words.
  std::uint32_t next(std::uint32_t target) {
    if (is_single()) {
      cursors_.front().advance(target);
      return cursors_.front().document();
    }
    while (!order_.empty() && cursors_[order_.front()].document() < target) {
      std::pop_heap(order_.begin(), order_.end(), later());
      cursors_[order_.back()].advance(target);
      std::push_heap(order_.begin(), order_.end(), later());
    }
    return order_.empty() ? kEnd : cursors_[order_.front()].document();
  }

  // Where the words stand in the document at hand, ascending.
  void places(std::uint32_t document, std::vector<PostingCursor::Place>& out) {
    out.clear();
    if (is_single()) return cursors_.front().places(out);
    // Those that stand at the document are a piece of the heap that holds its top.
    std::vector<std::size_t> open = {0};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at >= order_.size() || cursors_[order_[at]].document() != document) continue;
      cursors_[order_[at]].places(out);
      open.push_back(2 * at + 1);
      open.push_back(2 * at + 2);
    }
    std::sort(out.begin(), out.end());
  }

 private:
  void add(const PostingCursor& cursor) {
    order_.push_back(cursors_.size());
    cursors_.push_back(cursor);
  }
  std::vector<PostingCursor> cursors_;
  std::vector<std::size_t> order_;  // a heap: the least document in front
};

class PhraseNode final : public Node {
 public:
  PhraseNode(const Place& place, const ClausePlan& plan) : place_(place), plan_(plan) {
    double frequency = 1e9;
    for (const auto& step : plan.steps) {
      steps_.emplace_back(place, step);
      frequency = std::min(frequency, steps_.back().largest_frequency());
    }
    // An occurrence of a part weighs 0.6 in a list and a whole one in the phrase.
    bound_ = score_of(frequency / weight_of(Form::kPart));
    seek(0);
  }
  void advance(std::uint32_t target) override { seek(target); }
  double score() override { return score_of(frequency_); }
  void expect(double least) override { least_ = least; }
  void explain(std::vector<Factor>& out) override {
    out.push_back({"\"" + plan_.clause->text + "\"", plan_.idf, frequency_, score(),
                   place_.field_names(mask_)});
  }

 private:
  void seek(std::uint32_t target) {
    while (true) {
      bool together = true;
      for (StepCursors& step : steps_) {
        const std::uint32_t next = step.next(target);
        together = together && (&step == &steps_.front() || next == target);
        target = next;
        if (target == kEnd) break;
      }
      document_ = target;
      if (target == kEnd) return;
      if (!together) continue;
      if (promising() && count_places()) return;
      ++target;
    }
  }

  double score_of(double frequency) const {
    return plan_.clause->weight * plan_.idf * saturated(frequency, saturation_of(*plan_.clause));
  }

  // Without a look at the positions: a phrase comes no more often than its rarest word.
  bool promising() const {
    if (!(least_ > 0)) return true;
    double frequency = 1e9;
    for (const StepCursors& step : steps_)
      if (step.is_single()) frequency = std::min(frequency, step.frequency());
    return score_of(frequency / weight_of(Form::kPart)) >= least_;
  }

  // Keeps of the places of the first step those that the others follow.
  bool count_places() {
    steps_.front().places(document_, found_);
    const std::uint32_t first = plan_.steps.front().offset;
    for (std::size_t i = 1; i < steps_.size() && !found_.empty(); ++i) {
      steps_[i].places(document_, next_);
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
  std::vector<StepCursors> steps_;
  std::vector<PostingCursor::Place> found_, next_;
  double frequency_ = 0;
  double least_ = 0;
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
      auto node = std::make_unique<PrefixNode>(place, plan);
      if (node->document() == kEnd) return nullptr;
      return node;
    }
    default:
      return group_node(snapshot, segment, plan);
  }
}

}  // namespace memfs::index
