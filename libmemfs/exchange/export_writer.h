// Writers: from memories to another system's files. One file for each format; none of them touches
// the disk.
#pragma once

#include <memfs/exchange.h>

#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs {

struct ExportedMemory {
  Memory memory;      // with its body
  std::string bytes;  // its file
};

struct ExportInput {
  std::vector<ExportedMemory> memories{};  // by scope, then name
  // The bytes of the target as it is, for formats that change a part of a file.
  std::optional<std::string> present{};
  std::string target{};  // its absolute path, "" if there is none; for messages
  Instant now{};
};

struct ExportFile {
  std::string rel;  // in the target folder; "" for the one file of a format that has one
  std::string bytes;
};

struct ExportOutput {
  std::vector<ExportFile> files{};
  std::size_t memories = 0;          // that are in it
  std::vector<std::string> notes{};  // what the format cannot hold, one sentence each
};

// Deterministic: the same input gives the same bytes.
using ExportWriter = Result<ExportOutput> (*)(const ExportInput& input);

Result<ExportOutput> write_json_lines(const ExportInput& input);
Result<ExportOutput> write_car(const ExportInput& input);
Result<ExportOutput> write_newt(const ExportInput& input);
Result<ExportOutput> write_claude_code(const ExportInput& input);
Result<ExportOutput> write_block(const ExportInput& input);
Result<ExportOutput> write_markdown(const ExportInput& input);

}  // namespace memfs
