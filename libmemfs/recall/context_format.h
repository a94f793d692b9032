// How a context is written. A text is the concatenation of pieces that do not depend on each
// other, so that what fits a budget is known before the text is there.
#pragma once

#include <memfs/context.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace memfs {

constexpr std::string_view kWhyRule = "rule";
constexpr std::string_view kWhyPinned = "pinned";

enum class Section : std::uint8_t { kRules, kPinned, kRelevant, kIndex, kLeftOut, kProblems };
constexpr std::size_t kSections = 6;

// What the account tells beside the sections.
struct Account {
  ContextCounts counts{};
  ContextCounts unnamed{};  // of what is held back, shadowed and unreadable: without a line
  std::uint64_t pinned_characters = 0;
  std::size_t problems = 0;
};

class ContextFormatter {
 public:
  virtual ~ContextFormatter() = default;
  // The pieces of the sections; whole lines. "" if the format does not have it.
  virtual std::string entry(const ContextEntry& entry) const = 0;
  virtual std::string line(const IndexEntry& entry) const = 0;
  virtual std::string named(const LeftOut& left) const = 0;
  virtual std::string problem(const Problem& problem) const = 0;
  // Around the pieces of a section and between them.
  virtual std::string begin(Section section) const = 0;
  virtual std::string end(Section section) const = 0;
  virtual std::string separator() const { return {}; }
  // Whether sections without pieces stand there, too.
  virtual bool keeps_empty() const { return false; }
  virtual std::string head() const { return {}; }
  virtual std::string foot() const { return {}; }
  // No longer for smaller numbers.
  virtual std::string account(const Account& account) const = 0;
};

const ContextFormatter& markdown_context();
const ContextFormatter& xml_context();
const ContextFormatter& json_context();
const ContextFormatter& formatter_for(ContextFormat format);

// What all of them say of a memory that is named: "held back by the guard (…)", in plain text.
std::string reason_of(const LeftOut& left);
// "held-back", "budget", "shadowed", "unreadable", "stale".
std::string_view name_of(LeftOut::Why why);
// "rules", "pinned", "relevant", "index".
std::string_view name_of(ContextPart part);
// The command that gets what is left out of the part.
std::string_view command_for(ContextPart part);
// "21 days"; "" if it is not stale.
std::string spoken_days(int days);
int stale_days_of(const Age& age);

// `"`, `<` and `>` as entities.
std::string in_markdown(std::string_view text);

}  // namespace memfs
