// The guard: looks in a text for credentials, for instructions that are aimed at a model, and for
// characters that a reader does not see. It names what it finds and changes nothing; a finding is
// a hint for people and for the policy of a store, never a guarantee. See docs/security.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

enum class GuardKind : std::uint8_t {
  kSecret,       // a credential
  kInstruction,  // text that tells a model what to do
  kHiddenText,   // characters that are not seen
};

// "secret", "instruction", "hidden-text".
const char* name_of(GuardKind kind);

struct GuardRule {
  std::string_view name;  // stable, kebab-case: "github-token"
  GuardKind kind;
  std::string_view help;  // what it finds, one line
};

// Every rule, each name once, by kind and then in the order of docs/security.md.
const std::vector<GuardRule>& guard_rules();

struct Finding {
  GuardKind kind;
  std::string rule;
  std::size_t begin;  // bytes [begin, end) of the scanned text
  std::size_t end;
  int line;             // 1-based, by LF
  int column;           // 1-based, in bytes
  std::string message;  // one sentence without a period; never repeats a credential
  std::string hint;     // what to do
  std::string hash;     // content_hash of the bytes: 32 hex digits, for a list of exceptions
  bool quoted;  // an instruction in a code span, fence, block quote or quotation marks: text about
                // such instructions rather than one
};

// At most so many findings of a kind are reported for a text.
inline constexpr std::size_t kMaxFindings = 100;
// What lies behind so many bytes is not looked at.
inline constexpr std::size_t kMaxGuardedBytes = std::size_t{16} << 20U;

// Findings sorted by `begin`; those of one kind do not overlap. Takes any bytes, never fails, gives
// the same for the same bytes and takes time in proportion to their number. Several threads may
// call it at once.
std::vector<Finding> scan_text(std::string_view text);

// The text with each credential among `findings` replaced by "[redacted: RULE]". `findings` are
// those that scan_text() gave for `text`, or some of them. If they reach kMaxFindings credentials,
// the text behind the last of them is scanned again until none is left.
std::string redact(std::string_view text, const std::vector<Finding>& findings);

}  // namespace memfs
