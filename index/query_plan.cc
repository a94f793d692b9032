#include "index/query_plan.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "index/character.h"
#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

// What a character counts in a pair, if it is looked for alone.
constexpr double kInPair = 0.5;

double idf_of(double total, double documents) {
  return std::log(1 + (total - documents + 0.5) / (documents + 0.5));
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

PrefixPlan plan_prefix(const Snapshot& snapshot, const Clause& clause, const std::string& prefix) {
  PrefixPlan plan{clause.weight, saturation_of(clause), 0, {}, {}};
  std::uint64_t documents = 0;
  for (std::size_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    const SegmentView& view = snapshot.segments()[segment];
    auto& frequencies = plan.frequencies.emplace_back(view.segment->document_count());
    auto& masks = plan.masks.emplace_back(view.segment->document_count());
    TermDictionary::Cursor words(view.segment->terms(), prefix);
    for (; !words.at_end() && words.term().starts_with(prefix); words.next()) {
      const bool in_pair = clause.dense && words.term().size() > prefix.size();
      PostingCursor cursor(words.list(), snapshot.norms(), view.segment->length_codes(),
                           view.segment.get(), 1);
      for (; cursor.document() != kEnd; cursor.next()) {
        const double frequency = cursor.frequency() * (in_pair ? kInPair : 1);
        frequencies[cursor.document()] += static_cast<float>(frequency);
        masks[cursor.document()] |= cursor.mask();
      }
    }
    for (std::uint32_t document = 0; document < frequencies.size(); ++document)
      documents += frequencies[document] > 0 && !view.dead.contains(document) ? 1 : 0;
  }
  plan.idf = idf_of(static_cast<double>(snapshot.document_count()), static_cast<double>(documents));
  return plan;
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

bool is_single_of_pairs(std::string_view term) {
  std::size_t end = 0;
  const char32_t c = decode_utf8(term, end);
  return end == term.size() && is_pair_script(class_of(c));
}

// Any form that has positions may stand at a place of the phrase. A single character of a script
// that is indexed in pairs is there as the beginning of a pair.
void plan_phrase(const Snapshot& snapshot, const Clause& clause, ClausePlan& plan) {
  std::map<std::uint32_t, ClausePlan::Step> steps;
  const auto step_at = [&](std::uint32_t position) -> ClausePlan::Step& {
    steps[position].offset = position;
    return steps[position];
  };
  for (const Token& token : clause.tokens) {
    if (token.form == Form::kPair || token.form == Form::kStem) continue;
    auto& step = step_at(token.position);
    if (is_single_of_pairs(token.term)) {
      step.prefix = token.term;
    } else {
      step.terms.push_back(plan_term(snapshot, token.term, 1, kSaturation));
    }
  }
  if (!clause.prefix.empty()) step_at(clause.prefix_position).prefix = clause.prefix;
  for (auto& [position, step] : steps) {
    // Of the forms of a word the commonest says how rare it is.
    double least = step.prefix.empty() ? step.terms.front().idf
                                       : plan_prefix(snapshot, clause, step.prefix).idf;
    for (const TermPlan& term : step.terms) least = std::min(least, term.idf);
    plan.idf += least;
    plan.steps.push_back(std::move(step));
  }
}

}  // namespace

double saturation_of(const Clause& clause) { return clause.dense ? kDenseSaturation : kSaturation; }

double saturated(double frequency, double saturation) {
  return frequency * (1 + saturation) / (1 + kSaturation) / (saturation + frequency);
}

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
      plan.prefix = plan_prefix(snapshot, clause, clause.prefix);
      break;
    default:
      for (const Clause& inner : clause.clauses) plan.clauses.push_back(make_plan(snapshot, inner));
  }
  return plan;
}

double information_of(const Snapshot& snapshot, const ClausePlan& plan) {
  const double weight = plan.clause->weight;
  const double most = weight * idf_of(static_cast<double>(snapshot.document_count()), 1);
  if (plan.clause->kind == Clause::Kind::kPhrase)
    return std::min(weight * plan.idf, most * static_cast<double>(plan.steps.size()));
  if (plan.clause->kind == Clause::Kind::kPrefix) return std::min(weight * plan.prefix.idf, most);
  double sum = 0;
  for (const ClausePlan& inner : plan.clauses) {
    const double own = information_of(snapshot, inner);
    sum = plan.clause->kind == Clause::Kind::kBest ? std::max(sum, own) : sum + own;
  }
  const auto rarer = [](const TermPlan& a, const TermPlan& b) { return a.idf < b.idf; };
  const auto& forms = plan.whole.empty() ? plan.parts : plan.whole;
  const auto commonest = std::min_element(forms.begin(), forms.end(), rarer);
  return sum + (commonest == forms.end() ? 0 : std::min(weight * commonest->idf, most));
}

}  // namespace memfs::index
