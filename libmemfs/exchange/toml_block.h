// Hugo's TOML front matter, which becomes YAML on the way in.
//
//   "+++" eol { key "=" value eol | "#" … eol | eol } "+++" eol body
//
// Values: strings of one line, numbers, booleans, dates, and lists of those on one line or several.
// Tables, dotted keys and multi-line strings are refused: `hugo convert toYAML` knows them.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>

namespace memfs {

bool has_toml_block(std::string_view file);

// The file with the block as YAML: the same keys in the same order, the body byte for byte.
// Comments are lost. kInvalid with path, line and hint for what is not understood.
// REQUIRES: has_toml_block(file).
Result<std::string> yaml_of_toml(std::string_view file, const std::string& path);

}  // namespace memfs
