#include "libmemfs/lifecycle/freshness.h"

#include <algorithm>
#include <array>

namespace memfs {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

struct NamedWindow {
  std::string_view name;
  AgeWindow window;
};

constexpr std::array kByVolatility = {NamedWindow{"volatile", {7, 30}},
                                      NamedWindow{"stable", {90, 365}}};
constexpr std::array kByType = {NamedWindow{"reference", {14, 45}}, NamedWindow{"user", {90, 365}},
                                NamedWindow{"feedback", {90, 365}},
                                NamedWindow{"project", {30, 180}}};
constexpr AgeWindow kUsual{90, 365};

template <typename Windows>
const AgeWindow* find_window(const Windows& windows, std::string_view name) {
  for (const NamedWindow& one : windows)
    if (one.name == name) return &one.window;
  return nullptr;
}

std::optional<Instant> instant_of(const std::optional<Date>& date) {
  return date ? date->at : std::nullopt;
}

std::optional<Instant> later(const std::optional<Instant>& a, const std::optional<Instant>& b) {
  return std::max(a, b);  // nothing is before everything
}

}  // namespace

std::string_view name_of(Freshness freshness) {
  switch (freshness) {
    case Freshness::kFresh:
      return "fresh";
    case Freshness::kCurrent:
      return "current";
    case Freshness::kStale:
      return "stale";
    case Freshness::kExpired:
      return "expired";
  }
  return "";
}

std::optional<AgeWindow> age_window(const Memory& memory) {
  if (memory.volatility == "evergreen") return std::nullopt;
  if (const auto* window = find_window(kByVolatility, memory.volatility)) return *window;
  if (const auto* window = find_window(kByType, memory.type)) return *window;
  return kUsual;
}

std::optional<Instant> stated_clock(const Memory& memory) {
  const auto latest = later(instant_of(memory.updated_at), instant_of(memory.last_verified_at));
  return latest ? latest : instant_of(memory.created_at);
}

std::optional<Instant> age_clock(const Memory& memory) {
  const auto latest = later(stated_clock(memory), memory.committed_at);
  if (latest || memory.scope == Scope::kShared) return latest;
  return memory.modified;
}

Freshness freshness_at(const std::optional<AgeWindow>& window, const std::optional<Instant>& clock,
                       Instant now) {
  if (!window) return Freshness::kFresh;
  if (!clock || is_future(clock, now)) return Freshness::kCurrent;
  if (now - *clock <= days(window->fresh_days)) return Freshness::kFresh;
  return now - *clock <= days(window->stale_days) ? Freshness::kCurrent : Freshness::kStale;
}

Age age_of(const Memory& memory, Instant now) {
  Age age;
  age.clock = age_clock(memory);
  if (is_future(age.clock, now)) age.clock.reset();
  const auto window = age_window(memory);
  age.freshness = freshness_at(window, age.clock, now);
  if (is_expired(memory, now)) {
    age.freshness = Freshness::kExpired;
    age.overdue = now - *memory.expires_at->at;
  } else if (age.freshness == Freshness::kStale) {
    age.overdue = now - *age.clock - days(window->stale_days);
  }
  return age;
}

bool is_future(const std::optional<Instant>& at, Instant now) {
  // Clocks differ between machines, and dates between time zones.
  return at && *at - now > days(1);
}

std::vector<Memory> stale_memories(std::vector<Memory> memories, Instant now) {
  std::erase_if(memories, [&](const Memory& memory) {
    return age_of(memory, now).freshness != Freshness::kStale;
  });
  std::stable_sort(memories.begin(), memories.end(), [&](const Memory& a, const Memory& b) {
    return age_of(a, now).overdue > age_of(b, now).overdue;
  });
  return memories;
}

std::string spoken_duration(milliseconds duration) {
  struct Unit {
    milliseconds length;
    std::string_view name;
  };
  constexpr std::array units = {Unit{days(365), "year"}, Unit{days(30), "month"},
                                Unit{days(1), "day"}, Unit{std::chrono::hours(1), "hour"},
                                Unit{std::chrono::minutes(1), "minute"}};
  for (const Unit& unit : units) {
    const auto count = duration / unit.length;
    if (count < 1) continue;
    return std::to_string(count) + " " + std::string(unit.name) + (count == 1 ? "" : "s");
  }
  return "moments";
}

}  // namespace memfs
