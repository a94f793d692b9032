// Puts a table of plain keys into settings in TOML and takes it out again, byte for byte. The text
// is read as far as it takes to know where its statements begin and end and what they name; a value
// is skipped, not understood.
#pragma once

#include <memfs/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmemfs/setup/block_edit.h"

namespace memfs::setup {

struct TomlStatement {
  enum class Kind : std::uint8_t { kTable, kTableOfList, kKey };
  Kind kind = Kind::kKey;
  std::vector<std::string> path{};  // of a key with that of its table
  std::size_t begin = 0, end = 0;   // whole lines
  std::string value{};              // of a key, as written
};

// kInvalid with line and cure for a text whose statements cannot be told apart.
Result<std::vector<TomlStatement>> parse_toml(std::string_view text);

// A basic string of TOML.
std::string toml_string(std::string_view text);

using TomlPath = std::vector<std::string>;
// Keys and their values as TOML spells them.
using TomlKeys = std::vector<std::pair<std::string, std::string>>;

// A table [a.b] with its plain keys.
struct TomlTable {
  std::size_t begin = 0, end = 0;  // from its header to the end of its last key
  int line = 0;
  TomlKeys keys{};
  bool plain = true;  // false: tables below it, dotted keys, or another form than [a.b]
};
// nullopt if nothing in the text names the path. An inline table on the way to it is kRefused,
// since nothing can be added to it.
Result<std::optional<TomlTable>> find_toml_table(std::string_view text, const TomlPath& path);

// At the end of the text. REQUIRES: find_toml_table() found none.
BlockInsertion insert_toml_table(std::string_view text, const TomlPath& path, const TomlKeys& keys);
// The value of a key in place of the one that it has. REQUIRES: a plain table.
Result<std::string> replace_toml_value(std::string_view text, const TomlPath& path,
                                       const std::string& key, const std::string& value);

}  // namespace memfs::setup
