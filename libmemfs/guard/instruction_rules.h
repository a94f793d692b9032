// The table of instructions that are aimed at a model.
#pragma once

#include <span>
#include <string_view>

namespace memfs {

struct InstructionRule {
  std::string_view name;
  std::string_view help;
  std::string_view words;    // "a;b", lower case: where to look
  std::string_view pattern;  // RE2, over FoldedText
};

// Of two that fit the same bytes the first names them. Lines with the same name stand together:
// they are one rule in several languages. At most 32 lines.
std::span<const InstructionRule> instruction_rules();

}  // namespace memfs
