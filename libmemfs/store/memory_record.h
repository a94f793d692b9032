// A memory without its body as the search index keeps it: what a listing or a hit shows and what
// filters ask for.
//
// Grammar (numbers are varints unless a size is given, text is size and bytes):
//
//   record  := kind (1) expires (8) clock (8) days (2) flags (1) rest
//   kind    := 0: a memory; 1: a file that is none (empty), with one problem
//   expires := last good instant in milliseconds, or the largest number
//   clock   := what its age counts from as far as the file's text says, in milliseconds, or the
//              smallest number: the file's time, which the record does not hold
//   days    := after which it is stale, 0: never
//   flags   := has_title 1, has_description 2, has_front_matter 4
//   rest    := texts, numbers, lists in the order of write_record()
#pragma once

#include <memfs/memory.h>

#include <optional>
#include <string>
#include <string_view>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/hash.h"

namespace memfs {

// Raised whenever a file would give another record or other look-up words.
constexpr int kRecordRevision = 7;

std::string write_record(const Memory& memory);
std::string write_problem_record(const Problem& problem);

// What the record does not hold, because it follows from the place of the file.
struct RecordPlace {
  Scope scope = Scope::kPrivate;
  std::string_view folder{};  // absolute path of the scope
  std::string_view key{};     // see file_key()
  Instant modified{};
  ContentHash hash{};
};

// nullopt for a file that is no memory; `problem` is then its problem. nullopt and the code
// kDamagedRecord for a record that nobody wrote so.
extern const std::string kDamagedRecord;
std::optional<Memory> read_record(std::string_view record, const RecordPlace& place,
                                  Problem* problem);

// Of the record alone, cheaply.
bool is_memory_record(std::string_view record);
bool record_expired(std::string_view record, Instant now);
struct DatesElsewhere {
  std::optional<Instant> committed{};  // counts if it is later
  std::optional<Instant> modified{};   // counts if there is no other
};
bool record_stale(std::string_view record, const DatesElsewhere& elsewhere, Instant now);

// Documents of the index are files, named by their path in the scope and, behind a NUL, the path
// of the file that a link leads to.
std::string file_key(std::string_view name_rel, std::string_view target);
std::string_view name_of_key(std::string_view key);
std::string_view file_of_key(std::string_view key);

}  // namespace memfs
