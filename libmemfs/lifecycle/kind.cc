#include <memfs/lifecycle.h>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

std::optional<Kind> kind_named(std::string_view text) {
  const std::string_view word = trim(text);
  if (word.empty()) return Kind::kFact;
  for (const Kind kind : {Kind::kFact, Kind::kPreference, Kind::kProcedure})
    if (word == name_of(kind)) return kind;
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kFact:
      return "fact";
    case Kind::kPreference:
      return "preference";
    case Kind::kProcedure:
      return "procedure";
  }
  return "fact";
}

Result<Kind> parse_kind(std::string_view text) {
  if (const auto kind = kind_named(text)) return *kind;
  constexpr std::size_t kShown = 60;  // bytes
  const std::string shown = escape_for_terminal(cut_at_char_boundary(trim(text), kShown)) +
                            (trim(text).size() > kShown ? "…" : "");
  return make_error(ErrorCode::kUsage,
                    "unknown kind \"" + shown + "\": it is fact, preference or procedure")
      .with_hint("a rule that always holds is a preference, what was tried is a procedure");
}

Kind kind_or_fact(std::string_view text) { return kind_named(text).value_or(Kind::kFact); }

Kind kind_of_constraint_dialect(std::string_view text) {
  const std::string_view word = trim(text);
  if (word == "constraint") return Kind::kPreference;
  return word == name_of(Kind::kProcedure) ? Kind::kProcedure : Kind::kFact;
}

}  // namespace memfs
