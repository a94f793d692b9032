// How memories are used over time.
#pragma once

#include <memfs/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memfs {

// How a memory is used: a fact is shown when it is relevant, a preference is a standing rule that
// is shown always, a procedure is evidence of what was tried and how it went.
enum class Kind : std::uint8_t { kFact, kPreference, kProcedure };
// "fact", "preference", "procedure", as the front matter spells it.
std::string_view name_of(Kind kind);

// Strict, for what a person or a model asks for. Blanks around it do not count and an empty text is
// a fact; kUsage for any other word, naming the three, so that the caller can correct it.
Result<Kind> parse_kind(std::string_view text);
// Lenient, for what is stored or comes from a newer program: any other word is a fact.
Kind kind_or_fact(std::string_view text);
// The dialect of tools that know rules and patterns only: "constraint" is a preference, "procedure"
// a procedure, anything else a fact.
Kind kind_of_constraint_dialect(std::string_view text);

// Reminds an agent to save what it has learned, once it has not done so for a while: after
// `interval` user turns without a save the next turn carries one line, and after that every
// `interval`-th turn does until something is saved. Never in the way: nothing waits for it.
class Nudge {
 public:
  static constexpr unsigned kDefaultInterval = 10;                               // user turns
  explicit Nudge(unsigned interval = kDefaultInterval) : interval_(interval) {}  // 0: off

  // Called once at the beginning of each user turn: the line to add to it, if one is due.
  std::optional<std::string> begin_turn();
  // Something was saved.
  void note_saved() { quiet_turns_ = 0; }

  // The state as one line of text, for a program that runs anew at each turn.
  std::string to_text() const;
  // A fresh state from any text that is not of this version, whole and undamaged.
  static Nudge from_text(std::string_view text, unsigned interval = kDefaultInterval);

 private:
  unsigned interval_;
  unsigned quiet_turns_ = 0;  // begun since the last save or reminder
};

}  // namespace memfs
