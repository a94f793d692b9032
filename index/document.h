// What an index is told of a document, and what it remembers of the file behind it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/hash.h"

namespace memfs::index {

constexpr std::size_t kMaxFields = 8;

// A searchable field: its weight in the ranking and how much its length matters (BM25F's b).
struct FieldSpec {
  std::string name;
  double weight = 1.0;
  double length_influence = 0.4;
};

// What tells one state of a file from another. Compared by inequality only: clocks go back.
struct Stamp {
  std::uint64_t size = 0;     // bytes
  std::int64_t mtime_ns = 0;  // nanoseconds since 1970-01-01 UTC
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  bool operator==(const Stamp&) const = default;
};

struct Document {
  std::string key{};  // unique in its source; ties between equal scores are settled by it
  Stamp stamp{};      // of the file as it was read
  ContentHash hash{};
  std::string stored{};  // opaque: what a hit or a listing shows
  // What it can be looked up by, exactly; the caller prefixes what the words mean ("id:…").
  std::vector<std::string> lookups{};
  // One text per field, in the order of the fields; the last one is the body.
  std::array<std::string, kMaxFields> texts{};
};

}  // namespace memfs::index
