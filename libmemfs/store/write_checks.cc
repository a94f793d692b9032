// What stands between a wish and a write: subject keys, budgets and the guard.
#include <memfs/freshness.h>

#include <algorithm>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/store_impl.h"
#include "libmemfs/store/wishes.h"

namespace memfs {
namespace {

constexpr std::uint64_t kWarnPercent = 85;

std::uint64_t percent_of(std::uint64_t used, std::uint64_t limit) {
  return limit == 0 ? 100 : used * 100 / limit;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

// One limit of a budget and what a write does to it.
struct Limit {
  std::string_view what;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::optional<std::uint64_t> limit{};

  std::string spoken(std::uint64_t used) const {
    return grouped(used) + " of " + grouped(*limit) + " " + std::string(what);
  }
};

std::array<Limit, 3> limits_of(const Usage& before, const Usage& after) {
  const Budget& budget = after.budget;
  return {Limit{"characters", before.used, after.used, budget.characters},
          Limit{"memories", before.entries, after.entries, budget.entries},
          Limit{"pinned characters", before.pinned, after.pinned, budget.pinned}};
}

// What to look at first: expired, then stale, then old; the larger of two before the smaller.
std::vector<std::pair<const Memory*, Age>> by_worth(const std::vector<Memory>& memories,
                                                    bool pinned_only, Instant now) {
  std::vector<std::pair<const Memory*, Age>> order;
  for (const Memory& memory : memories)
    if (!pinned_only || memory.activation == "pinned")
      order.emplace_back(&memory, age_of(memory, now));
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.second.freshness != b.second.freshness) return a.second.freshness > b.second.freshness;
    if (a.second.clock != b.second.clock) return a.second.clock < b.second.clock;
    return a.first->characters > b.first->characters;
  });
  return order;
}

Error over_budget(Scope scope, const std::vector<Memory>& memories, const Limit& over,
                  Instant now) {
  Error error =
      make_error(ErrorCode::kRefused, std::string(name_of(scope)) + " would hold " +
                                          over.spoken(over.after) + ", and nothing was saved")
          .with_hint(
              "shorten, merge or forget one of the memories below first, then try again; the limit "
              "is `budget` in config.yaml")
          .with("reason", "budget")
          .with("limit_of", std::string(over.what))
          .with("used", std::to_string(over.before))
          .with("limit", std::to_string(*over.limit))
          .with("percent", std::to_string(percent_of(over.before, *over.limit)));
  const bool pinned = over.what == "pinned characters";
  for (const auto& [memory, age] : by_worth(memories, pinned, now)) {
    error.rows.push_back({"entries",
                          {{"ref", memory->ref()},
                           {"title", memory->title},
                           {"characters", std::to_string(memory->characters)},
                           {"age", age.clock ? spoken_duration(now - *age.clock) : "unknown"},
                           {"freshness", std::string(name_of(age.freshness))}}});
  }
  return error;
}

}  // namespace

void count(Usage& usage, const Memory& memory, bool add) {
  const auto move = [&](std::uint64_t& sum, std::uint64_t by) { sum = add ? sum + by : sum - by; };
  move(usage.used, memory.characters);
  move(usage.entries, 1);
  if (memory.activation == "pinned") move(usage.pinned, memory.characters);
}

std::optional<std::uint64_t> Usage::percent() const {
  std::optional<std::uint64_t> nearest;
  for (const auto& [used_part, limit] :
       {std::pair(used, budget.characters), std::pair(entries, budget.entries),
        std::pair(pinned, budget.pinned)})
    if (limit) nearest = std::max(nearest.value_or(0), percent_of(used_part, *limit));
  return nearest;
}

Usage usage_of(const Catalogue& catalogue, const Budget& budget) {
  Usage usage;
  usage.budget = budget;
  for (const Memory& memory : catalogue.memories) count(usage, memory, true);
  return usage;
}

Result<void> Store::Impl::check_subject(const LockedScope& locked, const Memory& candidate) const {
  if (candidate.subject_key.empty() || is_expired(candidate, now())) return {};
  for (const Memory& other : locked.catalogue.memories) {
    if (other.subject_key != candidate.subject_key || other.rel == candidate.rel) continue;
    if (is_expired(other, now())) continue;
    const auto whole = load_memory(*locked.dir, other);
    // Before it is cut, so that no half of a credential is left.
    const std::string text = redacted(whole ? whole->body : other.title);
    const std::string value(take_graphemes(trim(text), 120));
    return make_error(ErrorCode::kConflict,
                      "the subject " + candidate.subject_key + " is held by " + other.ref() +
                          (other.id.empty() ? "" : " (" + other.id + ")") + ", revision " +
                          std::to_string(other.revision) + ": " + escape_for_terminal(value))
        .at(other.path)
        .with_hint("update that memory: mem update " + other.ref())
        .with("holder_id", other.id)
        .with("holder_ref", other.ref())
        .with("holder_revision", std::to_string(other.revision))
        .with("holder_etag", other.etag)
        .with("holder_value", value);
  }
  return {};
}

Result<void> Store::Impl::check_write(const LockedScope& locked, const Memory* before,
                                      std::string_view old_bytes, const NextState& next,
                                      const Consent& consent,
                                      std::vector<std::string>& warnings) const {
  MEMFS_TRY(check_budget(locked, before, next.memory, warnings));
  return check_guard(before, old_bytes, next, consent, warnings);
}

Result<void> Store::Impl::check_guard(const Memory* before, std::string_view old_bytes,
                                      const NextState& next, const Consent& consent,
                                      std::vector<std::string>& warnings) const {
  const auto known = before == nullptr ? std::vector<Finding>() : scan_memory(*before, old_bytes);
  const auto findings = new_findings(known, scan_memory(next.memory, next.bytes));
  const GuardVerdict verdict =
      judge(findings, next.memory, layout.settings.guard, consent, services.agent);
  if (!verdict.refused.empty()) return guard_refusal(verdict.refused, next.memory, services.agent);
  for (const Finding& finding : verdict.warned) warnings.push_back(spoken(finding));
  return {};
}

Result<void> Store::Impl::check_budget(const LockedScope& locked, const Memory* before,
                                       const Memory& after,
                                       std::vector<std::string>& warnings) const {
  const Usage now_used = usage_of(locked.catalogue, layout.settings.budget(locked.scope));
  Usage then = now_used;
  if (before != nullptr) count(then, *before, false);
  count(then, after, true);
  return check_usage(locked.scope, locked.catalogue.memories, now_used, then, warnings);
}

Result<void> Store::Impl::check_usage(Scope scope, const std::vector<Memory>& memories,
                                      const Usage& before, const Usage& after,
                                      std::vector<std::string>& warnings) const {
  for (const Limit& limit : limits_of(before, after)) {
    if (!limit.limit || limit.after <= limit.before) continue;  // what shrinks is always allowed
    if (limit.after > *limit.limit) return over_budget(scope, memories, limit, now());
    const std::uint64_t percent = percent_of(limit.after, *limit.limit);
    if (percent < kWarnPercent) continue;
    warnings.push_back(std::string(name_of(scope)) + " is " + std::to_string(percent) +
                       " % full: " + limit.spoken(limit.after));
  }
  return {};
}

}  // namespace memfs
