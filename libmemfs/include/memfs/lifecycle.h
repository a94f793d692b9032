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

}  // namespace memfs
