// Front matter of systems that write `key: value` without escapes and read the rest of the line
// back as it stands. YAML takes `Fix: the parser`, `see #12` or `[draft] plan` for something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

struct MendedBlock {
  std::string file;                 // all bytes but those of the values are as they were
  std::vector<std::string> keys{};  // whose values were put into quotes
};

// Puts name, title, description, keywords and tags into quotes where YAML would not read what
// stands on their lines; if the block still cannot be read, every other value, too, and a line
// that is no key becomes part of the text before it. What cannot be mended so stays as it is.
MendedBlock mend_flat_block(std::string_view file);

}  // namespace memfs
