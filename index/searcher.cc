#include "index/searcher.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace memfs::index {
namespace {

constexpr double kSaturation = 1.2;  // k1

struct Scored {
  double score = 0;
  bool whole = false;  // the word is there, not just some of its parts
  std::vector<Factor> factors;
};
using Scores = std::map<std::uint32_t, Scored>;

class Evaluator {
 public:
  explicit Evaluator(const IndexReader& index) : index_(index) {
    for (std::size_t field = 0; field < index.fields().size(); ++field)
      average_.push_back(std::max(index.average_length(field), 1.0));
  }

  Scores evaluate(const Clause& clause) const {
    switch (clause.kind) {
      case Clause::Kind::kWord:
        return word(clause);
      case Clause::Kind::kPrefix:
        return prefix(clause);
      case Clause::Kind::kPhrase:
        return phrase(clause);
    }
    return {};
  }

 private:
  double idf(std::size_t documents) const {
    const double total = index_.document_count();
    const auto n = static_cast<double>(documents);
    return std::log(1 + (total - n + 0.5) / (n + 0.5));
  }

  Factor factor_of(const std::string& term, std::size_t documents, const Posting& posting,
                   double weight) const {
    Factor factor;
    factor.term = term;
    factor.idf = idf(documents);
    std::uint32_t seen = 0;
    for (const Occurrence& occurrence : posting.occurrences) {
      const FieldSpec& field = index_.fields()[occurrence.field];
      const double length = index_.length(posting.document, occurrence.field);
      const double norm =
          1 - field.length_influence + field.length_influence * length / average_[occurrence.field];
      factor.frequency += field.weight * weight_of(static_cast<Form>(occurrence.form)) / norm;
      if ((seen & (1U << occurrence.field)) == 0) factor.fields.push_back(field.name);
      seen |= 1U << occurrence.field;
    }
    factor.score = weight * factor.idf * factor.frequency / (kSaturation + factor.frequency);
    return factor;
  }

  Scores term_scores(const std::string& term, double weight) const {
    Scores scores;
    const auto* postings = index_.find(term);
    if (postings == nullptr) return scores;
    for (const Posting& posting : *postings) {
      Factor factor = factor_of(term, postings->size(), posting, weight);
      Scored& scored = scores[posting.document];
      scored.score = factor.score;
      scored.factors.push_back(std::move(factor));
    }
    return scores;
  }

  static void keep_best(Scores& into, Scores&& from) {
    for (auto& [document, scored] : from) {
      Scored& mine = into[document];
      if (scored.score > mine.score) {
        mine.score = scored.score;
        mine.factors = std::move(scored.factors);
      }
      mine.whole = mine.whole || scored.whole;
    }
  }

  // Forms that stand for the whole word are alternatives; its parts together are one more.
  Scores word(const Clause& clause) const {
    std::uint32_t begin = clause.tokens.front().begin;
    std::uint32_t end = 0;
    for (const Token& token : clause.tokens) {
      begin = std::min(begin, token.begin);
      end = std::max(end, token.end);
    }
    Scores best;
    std::vector<const Token*> parts;
    for (const Token& token : clause.tokens) {
      const bool covers = token.begin == begin && token.end == end && token.form != Form::kPair;
      if (!covers) {
        parts.push_back(&token);
        continue;
      }
      Scores scores = term_scores(token.term, weight_of(token.form));
      for (auto& [document, scored] : scores) scored.whole = true;
      keep_best(best, std::move(scores));
    }
    if (!parts.empty()) keep_best(best, together(parts));
    return best;
  }

  // The mean score of the parts. Pairs of Thai and Lao letters say nothing unless all are there.
  Scores together(const std::vector<const Token*>& parts) const {
    Scores sum;
    std::map<std::uint32_t, std::size_t> found;
    for (const Token* part : parts) {
      for (auto& [document, scored] : term_scores(part->term, weight_of(part->form))) {
        Scored& mine = sum[document];
        mine.score += scored.score / static_cast<double>(parts.size());
        std::move(scored.factors.begin(), scored.factors.end(), std::back_inserter(mine.factors));
        ++found[document];
      }
    }
    const bool all_needed = std::any_of(parts.begin(), parts.end(),
                                        [](const Token* t) { return t->form == Form::kPair; });
    std::erase_if(
        sum, [&](const auto& entry) { return all_needed && found[entry.first] < parts.size(); });
    for (auto& [document, scored] : sum) scored.whole = found[document] == parts.size();
    return sum;
  }

  Scores prefix(const Clause& clause) const {
    Scores best;
    for (const std::string& term : index_.terms_with_prefix(clause.prefix)) {
      Scores scores = term_scores(term, 1.0);
      for (auto& [document, scored] : scores) scored.whole = true;
      keep_best(best, std::move(scores));
    }
    return best;
  }

  using Places = std::set<std::pair<std::uint8_t, std::uint32_t>>;  // field, position

  // One set of terms per position of the phrase: any of its forms may stand there.
  static std::vector<std::set<std::string>> steps_of(const Clause& clause) {
    std::vector<std::set<std::string>> steps;
    std::map<std::uint32_t, std::set<std::string>> by_position;
    for (const Token& token : clause.tokens)
      if (token.form != Form::kPair) by_position[token.position].insert(token.term);
    for (auto& [position, terms] : by_position) steps.push_back(std::move(terms));
    return steps;
  }

  std::map<std::uint32_t, Places> places_of(const std::set<std::string>& terms) const {
    std::map<std::uint32_t, Places> places;
    for (const std::string& term : terms) {
      const auto* postings = index_.find(term);
      if (postings == nullptr) continue;
      for (const Posting& posting : *postings)
        for (const Occurrence& occurrence : posting.occurrences)
          places[posting.document].emplace(occurrence.field, occurrence.position);
    }
    return places;
  }

  // Documents in which the steps follow one another, as one term whose occurrences are the
  // phrase's.
  Scores phrase(const Clause& clause) const {
    auto steps = steps_of(clause);
    if (!clause.prefix.empty()) {
      const auto terms = index_.terms_with_prefix(clause.prefix);
      steps.emplace_back(terms.begin(), terms.end());
    }
    std::map<std::uint32_t, Places> ends = places_of(steps.front());
    for (std::size_t i = 1; i < steps.size(); ++i) {
      auto next = places_of(steps[i]);
      for (auto& [document, places] : next) {
        const Places& before = ends[document];
        std::erase_if(places, [&](const auto& place) {
          return place.second == 0 || !before.contains({place.first, place.second - 1});
        });
      }
      std::erase_if(next, [](const auto& entry) { return entry.second.empty(); });
      ends = std::move(next);
    }
    Scores scores;
    for (const auto& [document, places] : ends) {
      Posting posting{document, {}};
      for (const auto& [field, position] : places)
        posting.occurrences.push_back({field, static_cast<std::uint8_t>(Form::kExact), position});
      Factor factor = factor_of("\"" + clause.text + "\"", ends.size(), posting, 1.0);
      scores[document] = Scored{factor.score, true, {factor}};
    }
    return scores;
  }

  const IndexReader& index_;
  std::vector<double> average_;
};

}  // namespace

std::vector<Match> search(const IndexReader& index, const Query& query,
                          const std::function<bool(std::uint32_t)>& accepts) {
  const Evaluator evaluator(index);
  std::map<std::uint32_t, Match> matches;
  std::map<std::uint32_t, double> found;
  std::set<std::uint32_t> excluded;
  std::vector<Scores> demanded;
  double words = 0;
  for (const Clause& clause : query.clauses) {
    Scores scores = evaluator.evaluate(clause);
    if (clause.mode == Clause::Mode::kMustNot) {
      for (const auto& [document, scored] : scores)
        if (scored.whole) excluded.insert(document);
      continue;
    }
    words += 1;
    if (clause.mode == Clause::Mode::kMust) demanded.push_back(scores);
    for (auto& [document, scored] : scores) {
      Match& match = matches[document];
      match.document = document;
      match.score += scored.score;
      found[document] += scored.whole ? 1.0 : 0.5;
      std::move(scored.factors.begin(), scored.factors.end(), std::back_inserter(match.factors));
    }
  }
  std::vector<Match> out;
  for (auto& [document, match] : matches) {
    const bool has_all =
        std::all_of(demanded.begin(), demanded.end(), [&, d = document](const Scores& s) {
          const auto it = s.find(d);
          return it != s.end() && it->second.whole;
        });
    if (!has_all || excluded.contains(document) || !accepts(document)) continue;
    match.coverage = found[document] / words;
    const double least = 1 - 1 / words;
    match.score *= least + (1 - least) * match.coverage;
    out.push_back(std::move(match));
  }
  std::sort(out.begin(), out.end(), [](const Match& a, const Match& b) {
    return a.score != b.score ? a.score > b.score : a.document < b.document;
  });
  return out;
}

}  // namespace memfs::index
