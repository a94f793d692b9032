// Readers: from another system's files to memories on their way in. One file for each format; none
// of them writes or knows the store.
#pragma once

#include <memfs/exchange.h>

#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/exchange/incoming.h"

namespace memfs {

// The place that the user names: absolute, links resolved, and it is there.
struct ImportPlace {
  FileSystem& fs;
  std::string path;
  FileStat stat;  // a file or a folder
  // Of a file that is not in its place, for formats that go by names: "USER.md". Else "".
  std::string called{};
};

// An item that cannot be taken over: where it is and why.
struct BadItem {
  std::string title{};
  Error error;  // with path, and line where the format has lines
};

struct ImportSource {
  std::vector<Incoming> items{};
  std::vector<BadItem> bad{};
  std::vector<std::string> notes{};  // what is left out on purpose, one sentence each
};

// Gives what the place holds; an empty source is no error. Fails only where nothing can be told of
// any item: kInvalid with path, line and hint if the file is damaged (cut short, of other types,
// NUL bytes), kUsage if a folder is wanted and a file is given or the other way round.
using ImportReader = Result<ImportSource> (*)(const ImportPlace& place);

Result<ImportSource> read_car(const ImportPlace& place);
Result<ImportSource> read_newt(const ImportPlace& place);
Result<ImportSource> read_hermes(const ImportPlace& place);
Result<ImportSource> read_reasonix(const ImportPlace& place);
Result<ImportSource> read_mermaid(const ImportPlace& place);
Result<ImportSource> read_claude_code(const ImportPlace& place);
Result<ImportSource> read_server_memory(const ImportPlace& place);
Result<ImportSource> read_markdown(const ImportPlace& place);
Result<ImportSource> read_json_lines(const ImportPlace& place);

}  // namespace memfs
