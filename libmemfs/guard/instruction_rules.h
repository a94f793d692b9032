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
  // RE2, what follows a match: an ordinary object or condition ("… for Docker", "… on Windows").
  // With it the match is documentation, unless it speaks of all instructions or of yours.
  std::string_view object = {};
  bool statement = false;  // the verb is a statement as well: "o linter ignora"
  bool mark = false;       // a mark, which a sentence may be about: "[INST] wraps a turn"
};

// Of two that fit the same bytes the first names them. Lines with the same name stand together:
// they are one rule in several languages. At most 32 lines.
std::span<const InstructionRule> instruction_rules();

}  // namespace memfs
