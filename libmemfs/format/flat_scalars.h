// The pieces of a line that the flat reader understands. Each function answers npos for text that
// is doubtful.
#pragma once

#include <string_view>

#include "libmemfs/format/yaml_node.h"

namespace memfs::flat {

constexpr std::size_t kNone = std::string_view::npos;

// Whether the bytes are what a flat block may hold: valid UTF-8, no controls but whole line ends.
bool has_plain_bytes(std::string_view block);

// Where the colon of the simple key at `pos` stands.
std::size_t end_of_key(std::string_view line, std::size_t pos);

// Where the plain text at `pos` ends (before blanks and a comment); `pos` stands at a sign that may
// start a plain text, or inside one.
std::size_t end_of_plain(std::string_view line, std::size_t pos);
bool starts_plain(std::string_view line, std::size_t pos);

// Reads the quoted text at `pos` into `node`; the answer is the place behind its closing quote.
std::size_t read_quoted(std::string_view line, std::size_t pos, YamlNode& node);

// Reads the bracketed list at `pos` into `node`; the answer is the place behind its `]`.
std::size_t read_list(std::string_view line, std::size_t pos, YamlNode& node);

// Fills `node` with a plain text: a null if it spells one.
void set_plain(YamlNode& node, std::size_t offset, std::string_view text);

inline std::size_t skip_blanks(std::string_view line, std::size_t pos) {
  while (pos < line.size() && line[pos] == ' ') ++pos;
  return pos;
}

// Nothing but a comment behind blanks follows.
inline bool is_end(std::string_view line, std::size_t pos) {
  const auto next = skip_blanks(line, pos);
  return next >= line.size() || (next > pos && line[next] == '#');
}

}  // namespace memfs::flat
