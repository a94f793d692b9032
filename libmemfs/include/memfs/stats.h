// Counts, sizes and use of a folder, for `mem stats` and for cleaning up.
#pragma once

#include <memfs/freshness.h>
#include <memfs/memory.h>
#include <memfs/store.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace memfs {

struct ScopeStats {
  Scope scope = Scope::kPrivate;
  Usage usage{};
  std::array<std::uint64_t, 4> by_freshness{};  // in the order of Freshness
  std::uint64_t rules = 0;                      // kind: preference
  std::uint64_t pinned = 0;                     // memories, see usage.pinned for characters
  std::uint64_t with_problems = 0;              // of severity error
  std::uint64_t recalled = 0;                   // were ever returned or read on this machine
  std::uint64_t archived = 0;
};

// How often a memory was recalled on this machine.
struct RecalledMemory {
  Memory memory;  // without its body
  std::uint64_t returned = 0;
  std::uint64_t read = 0;
  std::string last_day{};  // "2026-11-30"
};

struct Stats {
  std::vector<ScopeStats> scopes;         // those that have a folder
  std::vector<RecalledMemory> most_used;  // at most ten, the most used first
  std::uint64_t history_files = 0;        // kept states of these memories
  std::uint64_t history_bytes = 0;
  std::uint64_t writes_logged = 0;
};

Result<Stats> stats_of(const Store& store, std::chrono::sys_time<std::chrono::milliseconds> now);

// A younger memory has not had its chance to be recalled.
constexpr int kUnusedDays = 30;

// Memories that no search returned and nobody read on this machine since counting began, and that
// are older than kUnusedDays; the oldest first.
Result<std::vector<Memory>> unused_memories(const Store& store, std::vector<Memory> memories,
                                            std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace memfs
