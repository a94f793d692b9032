#include "libmemfs/store/memory_record.h"

#include <limits>

#include "index/bytes.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/lifecycle/freshness.h"

namespace memfs {
namespace {

using index::ByteReader;
using index::put;
using index::put_text;
using index::put_varint;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNoClock = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kClockAt = 9;
constexpr std::size_t kDaysAt = 17;
constexpr std::size_t kHead = 20;
enum class Kind : std::uint8_t { kMemory, kProblem };

void put_head(std::string& out, Kind kind, const Memory& memory, unsigned flags) {
  put(out, kind);
  const bool known = memory.expires_at && memory.expires_at->at;
  put<std::int64_t>(out, known ? memory.expires_at->at->time_since_epoch().count() : kNever);
  const auto clock = stated_clock(memory);
  put<std::int64_t>(out, clock ? clock->time_since_epoch().count() : kNoClock);
  const auto window = age_window(memory);
  put<std::uint16_t>(out, static_cast<std::uint16_t>(window ? window->stale_days : 0));
  put<std::uint8_t>(out, static_cast<std::uint8_t>(flags));
}

void put_words(std::string& out, const std::vector<std::string>& words) {
  put_varint(out, words.size());
  for (const std::string& word : words) put_text(out, word);
}

std::vector<std::string> read_words(ByteReader& reader) {
  std::vector<std::string> words;
  for (std::uint64_t count = reader.varint(); count > 0 && reader.ok(); --count)
    words.emplace_back(reader.text());
  return words;
}

void put_date(std::string& out, const std::optional<Date>& date) {
  const unsigned state = !date ? 0 : date->at ? 2 : 1;
  put<std::uint8_t>(out, static_cast<std::uint8_t>(state));
  if (date) put_text(out, date->text);
  if (date && date->at) put<std::int64_t>(out, date->at->time_since_epoch().count());
}

std::optional<Date> read_date(ByteReader& reader) {
  const auto state = reader.number<std::uint8_t>();
  if (state == 0) return std::nullopt;
  Date date{std::string(reader.text()), std::nullopt};
  if (state == 2) date.at = Instant(std::chrono::milliseconds(reader.number<std::int64_t>()));
  return date;
}

void put_problem(std::string& out, const Problem& problem) {
  put_text(out, problem.code);
  put(out, problem.severity);
  put_varint(out, static_cast<std::uint64_t>(problem.line));
  put_varint(out, static_cast<std::uint64_t>(problem.column));
  put_text(out, problem.message);
  put_text(out, problem.hint);
  put_text(out, problem.key);
  put<std::uint8_t>(out, problem.blocks_writes ? 1 : 0);
}

Problem read_problem(ByteReader& reader) {
  Problem problem;
  problem.code = reader.text();
  problem.severity = static_cast<Severity>(reader.number<std::uint8_t>() % 3);
  problem.line = static_cast<int>(reader.varint32());
  problem.column = static_cast<int>(reader.varint32());
  problem.message = reader.text();
  problem.hint = reader.text();
  problem.key = reader.text();
  problem.blocks_writes = reader.number<std::uint8_t>() != 0;
  return problem;
}

}  // namespace

const std::string kDamagedRecord = "damaged-record";

std::string write_record(const Memory& memory) {
  std::string out;
  put_head(out, Kind::kMemory, memory,
           (memory.has_title ? 1U : 0U) | (memory.has_description ? 2U : 0U) |
               (memory.has_front_matter ? 4U : 0U));
  static const Memory usual;
  const std::string none;
  // What nearly all memories have is not kept.
  const std::string& kind = memory.kind == usual.kind ? none : memory.kind;
  const std::string& activation = memory.activation == usual.activation ? none : memory.activation;
  for (const auto* text :
       {&memory.title, &memory.description, &memory.type, &kind, &activation, &memory.volatility,
        &memory.subject_key, &memory.keywords, &memory.id, &memory.source})
    put_text(out, *text);
  put_words(out, memory.tags);
  put_words(out, memory.aliases);
  put_varint(out, memory.revision);
  for (const auto* date :
       {&memory.created_at, &memory.updated_at, &memory.last_verified_at, &memory.expires_at})
    put_date(out, *date);
  put_varint(out, memory.extra.size());
  for (const auto& [key, value] : memory.extra) {
    put_text(out, key);
    put_text(out, value);
  }
  put_varint(out, memory.characters);
  put_varint(out, memory.body_offset);
  put_varint(out, static_cast<std::uint64_t>(memory.body_line));
  put_varint(out, memory.problems.size());
  for (const Problem& problem : memory.problems) put_problem(out, problem);
  return out;
}

std::string write_problem_record(const Problem& problem) {
  std::string out;
  put_head(out, Kind::kProblem, {}, 0);
  put_problem(out, problem);
  return out;
}

bool is_memory_record(std::string_view record) {
  return !record.empty() && record.front() == static_cast<char>(Kind::kMemory);
}

bool record_expired(std::string_view record, Instant now) {
  if (record.size() < kHead) return false;
  const auto expires = index::load<std::int64_t>(record.data() + 1);
  return expires != kNever && now.time_since_epoch().count() > expires;
}

bool record_stale(std::string_view record, const DatesElsewhere& elsewhere, Instant now) {
  if (record.size() < kHead) return false;
  const auto days = index::load<std::uint16_t>(record.data() + kDaysAt);
  if (days == 0) return false;
  std::optional<Instant> clock = elsewhere.committed;
  const auto stated = index::load<std::int64_t>(record.data() + kClockAt);
  if (stated != kNoClock) {
    const Instant at{std::chrono::milliseconds(stated)};
    if (!clock || at > *clock) clock = at;
  }
  if (!clock) clock = elsewhere.modified;
  return freshness_at(AgeWindow{0, days}, clock, now) == Freshness::kStale;
}

std::optional<Memory> read_record(std::string_view record, const RecordPlace& place,
                                  Problem* problem) {
  const std::string name_rel(name_of_key(place.key));
  const std::string path = join_path(place.folder, name_rel);
  ByteReader reader(record);
  const auto kind = reader.number<std::uint8_t>();
  reader.skip(kHead - 2);
  const auto flags = reader.number<std::uint8_t>();
  if (kind != static_cast<std::uint8_t>(Kind::kMemory)) {
    *problem = read_problem(reader);
    problem->path = escape_for_terminal(path);
    if (!reader.ok()) problem->code = kDamagedRecord;
    return std::nullopt;
  }
  Memory memory;
  memory.scope = place.scope;
  memory.name = memory_name(name_rel);
  memory.rel = file_of_key(place.key);
  memory.path = path;
  memory.etag = hex_of(place.hash);
  memory.modified = place.modified;
  memory.has_title = (flags & 1U) != 0;
  memory.has_description = (flags & 2U) != 0;
  memory.has_front_matter = (flags & 4U) != 0;
  for (auto* text :
       {&memory.title, &memory.description, &memory.type, &memory.kind, &memory.activation,
        &memory.volatility, &memory.subject_key, &memory.keywords, &memory.id, &memory.source})
    if (const auto stored = reader.text(); !stored.empty()) *text = stored;
  memory.tags = read_words(reader);
  memory.aliases = read_words(reader);
  memory.revision = reader.varint();
  for (auto* date :
       {&memory.created_at, &memory.updated_at, &memory.last_verified_at, &memory.expires_at})
    *date = read_date(reader);
  for (std::uint64_t count = reader.varint(); count > 0 && reader.ok(); --count) {
    std::string key(reader.text());
    memory.extra.emplace_back(std::move(key), reader.text());
  }
  memory.characters = reader.varint();
  memory.body_offset = static_cast<std::size_t>(reader.varint());
  memory.body_line = static_cast<int>(reader.varint32());
  for (std::uint64_t count = reader.varint(); count > 0 && reader.ok(); --count) {
    Problem own = read_problem(reader);
    own.path = escape_for_terminal(path);
    own.ref = memory.ref();
    memory.problems.push_back(std::move(own));
  }
  if (!reader.ok()) {
    problem->code = kDamagedRecord;
    return std::nullopt;
  }
  return memory;
}

std::string file_key(std::string_view name_rel, std::string_view target) {
  std::string key(name_rel);
  if (!target.empty()) {
    key += '\0';
    key += target;
  }
  return key;
}

std::string_view name_of_key(std::string_view key) { return key.substr(0, key.find('\0')); }

std::string_view file_of_key(std::string_view key) {
  const auto nul = key.find('\0');
  return nul == std::string_view::npos ? key : key.substr(nul + 1);
}

}  // namespace memfs
