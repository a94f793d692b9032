// One entry of the table (harness.h) in the text of its file, whatever the file's format.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>

#include "libmemfs/setup/block_edit.h"
#include "libmemfs/setup/harness.h"
#include "libmemfs/setup/json_edit.h"

namespace memfs::setup {

struct FoundEntry {
  enum class State : std::uint8_t {
    kAbsent,
    kOurs,          // as it would be written
    kOtherProgram,  // the same, but it starts another mem
    kEdited,        // something else of that name
  };
  State state = State::kAbsent;
  int line = 0;
  std::string program{};           // kOtherProgram
  std::size_t index = 0;           // JSON: of the item in its container
  std::size_t begin = 0, end = 0;  // blocks
};

struct EntryFootprint {
  Footprint json{};
  BlockFootprint block{};
};

struct EntryInsertion {
  std::string text;
  EntryFootprint footprint{};
};

// kInvalid with line and column for a text that is not of the format.
Result<FoundEntry> find_entry(std::string_view text, const Entry& entry,
                              const std::string& program);
// REQUIRES: kAbsent. kRefused if there is no place for it; kUnsupported if taking it out would not
// give the same bytes again.
Result<EntryInsertion> insert_entry(std::string_view text, const Entry& entry,
                                    const std::string& program);
Result<std::string> remove_entry(std::string_view text, const Entry& entry, const FoundEntry& found,
                                 const EntryFootprint& footprint);
// Lets a kOtherProgram start `program`.
Result<std::string> replace_program(std::string_view text, const Entry& entry,
                                    const FoundEntry& found, const std::string& program);

}  // namespace memfs::setup
