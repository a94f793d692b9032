#include "libmemfs/recall/context_candidates.h"

#include <memfs/freshness.h>
#include <memfs/search.h>

#include <algorithm>
#include <unordered_map>

#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"
#include "libmemfs/recall/overrides.h"
#include "libmemfs/recall/search_snapshot.h"

namespace memfs {
namespace {

enum class Fate : std::uint8_t { kOther, kRule, kPinned, kRelevant, kShadowed, kUnreadable };

// So many hits at least are asked whether they are strong. Twice the number of facts have a place:
// those that are shown and as many again that are named.
constexpr std::size_t kHits = 50;
constexpr std::size_t kMostFacts = 10'000;  // nobody reads more

std::string day_text(Instant at) { return format_instant(at).substr(0, 10); }

class Finder {
 public:
  Finder(const Store& store, const ContextRequest& request, Instant now)
      : store_(store), request_(request), now_(now) {}

  Result<ContextCandidates> run() {
    if (request_.always || request_.index) {
      MEMFS_TRY(list_all());
    } else if (!request_.query.empty()) {
      MEMFS_TRY(list_hits());
    }
    return decide_all();
  }

  Result<ContextCandidates> run_for_rules() {
    SearchRequest wanted;
    wanted.query = "kind:preference";
    wanted.scopes = request_.scopes;
    wanted.limit = kMostFacts;
    MEMFS_ASSIGN(SearchedSnapshot searched, search_snapshot(store_, wanted, start_of_day(now_)));
    for (Hit& hit : searched.result.hits) {
      memories_.push_back(std::move(hit.memory));
      memories_.back().body.clear();
    }
    memories_ = with_namesakes(searched.here, std::move(memories_));
    return decide_all();
  }

 private:
  Result<ContextCandidates> decide_all() {
    std::erase_if(memories_, [&](const Memory& memory) { return is_expired(memory, now_); });
    fates_.assign(memories_.size(), Fate::kOther);
    whys_.resize(memories_.size());
    nearer_.resize(memories_.size());
    const Overrides overrides(store_, memories_);
    for (std::size_t i = 0; i < memories_.size(); ++i) decide(i, overrides);
    for (std::size_t i = 0; i < memories_.size(); ++i) take_place(i);
    find_relevant();
    sort_out();
    hide_instructions(out_.problems, store_.layout());
    return std::move(out_);
  }

  Result<void> list_all() {
    MEMFS_ASSIGN(Listing listing, store_.list(request_.scopes));
    memories_ = std::move(listing.memories);
    if (!request_.query.empty()) {
      MEMFS_ASSIGN(SearchResult result, search(store_, search_request(), start_of_day(now_)));
      take_result(std::move(result));
    }
    out_.problems = std::move(listing.problems);
    return {};
  }

  // Of a large folder the hits and their namesakes are little, and nothing else is looked at.
  Result<void> list_hits() {
    MEMFS_ASSIGN(SearchedSnapshot searched,
                 search_snapshot(store_, search_request(), start_of_day(now_)));
    take_result(std::move(searched.result));
    for (const Hit& hit : hits_) {
      memories_.push_back(hit.memory);
      memories_.back().body.clear();
    }
    memories_ = with_namesakes(searched.here, std::move(memories_));
    return {};
  }

  SearchRequest search_request() const {
    SearchRequest search_request;
    search_request.query = request_.query;
    search_request.scopes = request_.scopes;
    search_request.limit = std::max(kHits, std::min(request_.facts, kMostFacts) * 2);
    return search_request;
  }

  void take_result(SearchResult result) {
    out_.notes = std::move(result.notes);
    out_.problems = std::move(result.problems);
    hits_ = std::move(result.hits);
    std::erase_if(hits_, [](const Hit& hit) { return hit.strength < kStrongEnough; });
  }

  void decide(std::size_t i, const Overrides& overrides) {
    const Memory& memory = memories_[i];
    if (is_unreadable(memory)) {
      fates_[i] = Fate::kUnreadable;
    } else if (const auto nearer = overrides.nearer(i)) {
      fates_[i] = Fate::kShadowed;
      // Nearer ones are decided: where one is shadowed itself, its own stands in for both.
      nearer_[i] = fates_[*nearer] == Fate::kShadowed ? nearer_[*nearer] : *nearer;
    } else if (is_always_shown(memory)) {
      fates_[i] = is_rule(memory) ? Fate::kRule : Fate::kPinned;
      whys_[i] = is_rule(memory) ? kWhyRule : kWhyPinned;
    }
  }

  // Who stands in for something pinned is shown in its place.
  void take_place(std::size_t i) {
    if (fates_[i] != Fate::kShadowed || memories_[i].activation != "pinned") return;
    const std::size_t nearer = nearer_[i];
    if (fates_[nearer] != Fate::kOther) return;
    fates_[nearer] = Fate::kPinned;
    whys_[nearer] = "stands in for " + shown_reference(memories_[i]);
  }

  void find_relevant() {
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < memories_.size(); ++i) numbers.emplace(memories_[i].ref(), i);
    for (const Hit& hit : hits_) {
      if (relevant_.size() / 2 >= request_.facts) break;
      const auto found = numbers.find(hit.memory.ref());
      if (found != numbers.end()) take_hit(found->second, hit.why);
    }
  }

  // What answers the question; or what stands in for it, whatever words it has.
  void take_hit(std::size_t i, std::string why) {
    if (fates_[i] == Fate::kShadowed) {
      named_.push_back(i);
      why = "stands in for " + shown_reference(memories_[i]) + ": " + why;
      i = nearer_[i];
    }
    if (fates_[i] != Fate::kOther) return;
    fates_[i] = Fate::kRelevant;
    whys_[i] = std::move(why);
    relevant_.push_back(i);
  }

  void sort_out() {
    // Nothing shared displaces the person's own rules.
    for (const bool shared : {false, true}) sort_out_by_age(Fate::kRule, shared, out_.rules);
    sort_out_by_age(Fate::kPinned, std::nullopt, out_.pinned);
    for (std::size_t i = 0; i < memories_.size(); ++i)
      if (fates_[i] == Fate::kShadowed) note_shadowed(i);
    for (const std::size_t i : relevant_)
      out_.relevant.push_back({std::move(memories_[i]), std::move(whys_[i])});
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (fates_[i] == Fate::kOther) out_.others.push_back(std::move(memories_[i]));
      if (fates_[i] == Fate::kUnreadable) out_.unreadable.push_back(unreadable(i));
    }
  }

  // The nearer scope first, and of each the newest.
  void sort_out_by_age(Fate fate, std::optional<bool> shared, std::vector<Candidate>& out) {
    std::vector<std::size_t> numbers;
    std::vector<Memory> memories;
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (fates_[i] != fate) continue;
      if (shared && *shared != (memories_[i].scope == Scope::kShared)) continue;
      numbers.push_back(i);
      memories.push_back(memories_[i]);
    }
    auto order = newest_first(memories, start_of_day(now_));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return memories[a].scope < memories[b].scope;
    });
    for (const std::size_t i : order) out.push_back({memories[i], whys_[numbers[i]]});
  }

  // Named if it would be in the context, or if what stands in for it is older.
  void note_shadowed(std::size_t i) {
    ++out_.shadowed_count;
    LeftOut left;
    left.why = LeftOut::Why::kShadowed;
    const Memory& nearer = memories_[nearer_[i]];
    left.nearer = shown_reference(nearer);
    const auto own = age_of(memories_[i], now_).clock;
    const auto others = age_of(nearer, now_).clock;
    if (own && others && start_of_day(*others) < start_of_day(*own)) {
      left.day = day_text(*own);
      left.nearer_day = day_text(*others);
    }
    const bool wanted =
        is_always_shown(memories_[i]) || std::find(named_.begin(), named_.end(), i) != named_.end();
    if (!wanted && left.day.empty()) return;
    left.memory = memories_[i];
    out_.shadowed.push_back(std::move(left));
  }

  LeftOut unreadable(std::size_t i) {
    LeftOut left;
    left.why = LeftOut::Why::kUnreadable;
    left.memory = std::move(memories_[i]);
    return left;
  }

  const Store& store_;
  const ContextRequest& request_;
  Instant now_;
  // By number, in the order of a listing.
  std::vector<Memory> memories_{};
  std::vector<Fate> fates_{};
  std::vector<std::string> whys_{};
  std::vector<std::size_t> nearer_{};
  std::vector<Hit> hits_{};              // that are strong enough
  std::vector<std::size_t> relevant_{};  // numbers, the best first
  std::vector<std::size_t> named_{};     // shadowed hits
  ContextCandidates out_{};
};

}  // namespace

bool is_rule(const Memory& memory) { return memory.kind == "preference"; }

Instant start_of_day(Instant now) { return std::chrono::floor<std::chrono::days>(now); }

Result<ContextCandidates> find_rules(const Store& store, const ContextRequest& request,
                                     Instant now) {
  return Finder(store, request, now).run_for_rules();
}

Result<ContextCandidates> find_candidates(const Store& store, const ContextRequest& request,
                                          Instant now) {
  return Finder(store, request, now).run();
}

}  // namespace memfs
