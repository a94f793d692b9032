// How often memories were recalled on this machine: what a clean-up may go by. Kept beside the
// scopes in the state directory, never in a memory's file, and never needed: callers may ignore
// every failure, since reading must work on a disk that cannot be written.
//
// File scopes/<scope key>/recalls, only added to, one write a command and none of them synced:
//   file   := record*                       numbers little-endian
//   record := hash of the memory's key (8), day (4), tag (2), count (2)
//   tag    := the kind in the 2 low bits (1 returned, 2 read), above it 14 bits of the XXH3 of the
//             12 bytes before it, the count and the kind
// Whatever is no such record, torn or foreign, is skipped byte by byte. Each time an append carries
// the file over a multiple of kCompactionStep, records of the same memory and kind become one. What
// others append while that goes on may be lost: these are counts, not memories.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

constexpr std::size_t kCompactionStep = std::size_t{256} << 10U;  // bytes

enum class Recall : std::uint8_t { kReturned = 1, kRead = 2 };  // by a search; as a whole

struct RecallCount {
  std::uint32_t returned = 0;
  std::uint32_t read = 0;
  std::uint32_t last_day = 0;  // day_of() the last one
  bool operator==(const RecallCount&) const = default;
};

// By recall_hash().
using RecallCounts = std::unordered_map<std::uint64_t, RecallCount>;

// `memory_key`: the memory's id or, where it has none, its name.
std::uint64_t recall_hash(std::string_view memory_key);
// Days since 1970-01-01 UTC.
std::uint32_t day_of(Instant at);

// Adds one for each of the keys. `state` is the state directory, `scope_key` as in state.h.
Result<void> note_recalls(Directory& state, const std::string& scope_key,
                          const std::vector<std::string>& memory_keys, Recall kind,
                          std::uint32_t day);

// Empty if there is no file or it cannot be read. A single count of a compacted file stops at
// 65535.
RecallCounts load_recalls(Directory& state, const std::string& scope_key);

}  // namespace memfs
