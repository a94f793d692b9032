// How far a memory can still be believed. See docs/lifecycle.md.
//
// Nothing is written by looking: freshness is worked out of the dates at each reading.
#pragma once

#include <memfs/memory.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

enum class Freshness : std::uint8_t {
  kFresh,    // written or verified a short time ago, or it does not age
  kCurrent,  // older, but within its window; also if its age is not known
  kStale,    // past its window: to be verified before it is relied on
  kExpired,  // past expires_at: out of search and context, its file untouched
};
std::string_view name_of(Freshness freshness);

// Days for which a memory is fresh, and after which it is stale.
struct AgeWindow {
  int fresh_days = 0;
  int stale_days = 0;
};

// By volatility, else by type; nullopt for what does not age.
//   volatile 7/30 · stable 90/365 · evergreen never
//   reference 14/45 · user and feedback 90/365 · project 30/180 · any other 90/365
std::optional<AgeWindow> age_window(const Memory& memory);

// The moment from which its age counts: the later of updated_at and last_verified_at, else
// created_at; or the last commit that touched the file, if that is later; else the file's time.
// Dates that are none do not count. nullopt for a shared memory without any of these dates: the
// file's time there is that of a checkout.
std::optional<std::chrono::sys_time<std::chrono::milliseconds>> age_clock(const Memory& memory);

// More than a day after now: such a date says nothing about an age.
bool is_future(const std::optional<std::chrono::sys_time<std::chrono::milliseconds>>& at,
               std::chrono::sys_time<std::chrono::milliseconds> now);

struct Age {
  Freshness freshness = Freshness::kCurrent;
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> clock{};
  // How long it has been stale or expired; zero for all else.
  std::chrono::milliseconds overdue{};
};

Age age_of(const Memory& memory, std::chrono::sys_time<std::chrono::milliseconds> now);

// Those that are stale, the longest overdue first; equals stay in their order.
std::vector<Memory> stale_memories(std::vector<Memory> memories,
                                   std::chrono::sys_time<std::chrono::milliseconds> now);

// "3 days", "5 hours", "2 months": the largest unit that fits, for people.
std::string spoken_duration(std::chrono::milliseconds duration);

}  // namespace memfs
