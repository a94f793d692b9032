#include "libmemfs/store/recall_counts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr std::size_t kRecordSize = 16;
constexpr std::uint64_t kMaxCounts = std::uint64_t{64} << 20U;  // more is nobody's records
constexpr std::uint32_t kMode = 0600;
constexpr std::uint32_t kMostCount = 0xFFFF;

struct Record {
  std::uint64_t hash = 0;
  std::uint32_t day = 0;
  Recall kind = Recall::kReturned;
  std::uint32_t count = 1;
};

std::string folder_of(const std::string& scope_key) { return "scopes/" + scope_key; }
std::string file_of(const std::string& scope_key) { return folder_of(scope_key) + "/recalls"; }

void put(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xFFU);
}

std::uint64_t get(std::string_view bytes, std::size_t at, int size) {
  std::uint64_t number = 0;
  for (int i = size - 1; i >= 0; --i)
    number = number << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return number;
}

// Check of a record without its tag, in the place where the tag has it.
std::uint64_t check_of(std::string_view head, std::string_view count, std::uint64_t kind) {
  std::string bytes(head);
  bytes += count;
  bytes += static_cast<char>(kind);
  return (hash64(bytes) & 0x3FFFU) << 2U;
}

void append_record(std::string& out, const Record& record) {
  std::string head;
  std::string count;
  put(head, record.hash, 8);
  put(head, record.day, 4);
  put(count, std::min(record.count, kMostCount), 2);
  const auto kind = static_cast<std::uint64_t>(record.kind);
  out += head;
  put(out, check_of(head, count, kind) | kind, 2);
  out += count;
}

// REQUIRES kRecordSize bytes.
std::optional<Record> record_of(std::string_view bytes) {
  const std::uint64_t tag = get(bytes, 12, 2);
  const std::uint64_t kind = tag & 3U;
  if (kind != 1 && kind != 2) return std::nullopt;
  if (tag - kind != check_of(bytes.substr(0, 12), bytes.substr(14, 2), kind)) return std::nullopt;
  return Record{get(bytes, 0, 8), static_cast<std::uint32_t>(get(bytes, 8, 4)),
                static_cast<Recall>(kind), static_cast<std::uint32_t>(get(bytes, 14, 2))};
}

template <typename Take>
void for_each_record(std::string_view bytes, Take take) {
  for (std::size_t at = 0; at + kRecordSize <= bytes.size();) {
    const auto record = record_of(bytes.substr(at, kRecordSize));
    if (record) take(*record);
    at += record ? kRecordSize : 1;
  }
}

void add(std::uint32_t& sum, std::uint32_t count) {
  sum += std::min(count, std::numeric_limits<std::uint32_t>::max() - sum);
}

// One record for each memory and kind. What is skipped fills the file up where little room would
// be left before the next compaction: otherwise every command might compact.
std::string compacted(std::string_view bytes) {
  std::map<std::pair<std::uint64_t, Recall>, Record> sums;
  for_each_record(bytes, [&](const Record& record) {
    const auto [it, made] = sums.try_emplace({record.hash, record.kind}, record);
    if (made) return;
    add(it->second.count, record.count);
    it->second.day = std::max(it->second.day, record.day);
  });
  std::string out;
  for (const auto& [key, record] : sums) append_record(out, record);
  const std::size_t over = out.size() % kCompactionStep;
  if (over > kCompactionStep / 4 * 3) out.resize(out.size() - over + kCompactionStep);
  return out;
}

// If somebody else is at it, it is left to them.
Result<void> compact(Directory& state, const std::string& scope_key) {
  MEMFS_ASSIGN(const auto lock, state.try_lock(file_of(scope_key) + ".lock", kMode));
  if (!lock) return {};
  std::string bytes;
  auto content = state.read(file_of(scope_key), kMaxCounts);
  if (content) {
    bytes = std::move(content->bytes);
  } else if (content.error().code != ErrorCode::kInvalid) {
    return std::move(content).error();
  }
  WriteOptions options;
  options.mode = kMode;
  options.durable = false;
  return replace_file(state, file_of(scope_key), compacted(bytes), options);
}

}  // namespace

std::uint64_t recall_hash(std::string_view memory_key) { return hash64(memory_key); }

std::uint32_t day_of(Instant at) {
  const auto days = std::chrono::floor<std::chrono::days>(at).time_since_epoch().count();
  return static_cast<std::uint32_t>(std::max<std::int64_t>(days, 0));
}

Result<void> note_recalls(Directory& state, const std::string& scope_key,
                          const std::vector<std::string>& memory_keys, Recall kind,
                          std::uint32_t day) {
  if (memory_keys.empty()) return {};
  std::string records;
  for (const std::string& key : memory_keys)
    append_record(records, {recall_hash(key), day, kind, 1});
  const std::string rel = file_of(scope_key);
  auto done = state.append(rel, records, kMode);
  if (!done && done.error().code == ErrorCode::kNotFound) {
    MEMFS_TRY(make_parents(state, rel, 0700));
    done = state.append(rel, records, kMode);
  }
  MEMFS_TRY(done);
  MEMFS_ASSIGN(const FileStat now, state.stat(rel));
  const bool steps_over =
      now.size % kCompactionStep < records.size() && now.size >= kCompactionStep;
  return steps_over ? compact(state, scope_key) : Result<void>();
}

RecallCounts load_recalls(Directory& state, const std::string& scope_key) {
  RecallCounts counts;
  const auto content = state.read(file_of(scope_key), kMaxCounts);
  if (!content) return counts;
  for_each_record(content->bytes, [&](const Record& record) {
    RecallCount& count = counts[record.hash];
    add(record.kind == Recall::kRead ? count.read : count.returned, record.count);
    count.last_day = std::max(count.last_day, record.day);
  });
  return counts;
}

}  // namespace memfs
