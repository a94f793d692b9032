// New values in YAML, such that PyYAML, js-yaml, Ruby's Psych and Go's yaml read the same string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// One line: plain if no reader can take it for anything else, else in double quotes with escapes.
// Always quoted inside brackets unless it is a bare word.
std::string yaml_scalar(std::string_view text, bool inside_brackets);
// In the quotes that a value had before: '"', '\'' or none (0). Falls back to double quotes where
// the text cannot stand in single ones.
std::string yaml_scalar_like(char quote, std::string_view text, bool inside_brackets);
// "[a, b]"
std::string yaml_list(const std::vector<std::string>& items);

}  // namespace memfs
