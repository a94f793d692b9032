#include "libmemfs/recall/filter.h"

#include <memfs/freshness.h>

#include <algorithm>
#include <array>

#include "libmemfs/base/unicode.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"

namespace memfs {
namespace {

// "project.*" fits what starts with "project.".
bool fits_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.ends_with('*')) return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return text == pattern;
}

bool fits_state(const Memory& memory, std::string_view state, Instant now) {
  if (state == "pinned") return memory.activation == "pinned";
  if (state == "expired") return is_expired(memory, now);
  if (state == "stale") return age_of(memory, now).freshness == Freshness::kStale;
  if (state == "plain") return !memory.has_front_matter;
  return memory.needs_attention();  // "problem"
}

// When the memory's meaning last changed, as far as the file tells.
Instant time_of(const Memory& memory) {
  for (const auto* date : {&memory.updated_at, &memory.created_at})
    if (*date && (*date)->at) return *(*date)->at;
  return memory.modified;
}

}  // namespace

bool is_filter(std::string_view name, std::string_view value) {
  if (value.empty()) return false;
  if (name == "type" || name == "kind" || name == "volatility" || name == "activation")
    return is_alternative(find_field(name)->choices, value);
  if (name == "scope") return scope_named(value).has_value();
  if (name == "is") return is_alternative("pinned|expired|stale|plain|problem", value);
  if (name == "before" || name == "after") return parse_date(value).has_value();
  return name == "tag" || name == "subject" || name == "in" || name == "source";
}

bool fits_filter(const Memory& memory, std::string_view name, std::string_view value, Instant now) {
  if (name == "type") return memory.type == value;
  if (name == "kind") return memory.kind == value;
  if (name == "volatility") return memory.volatility == value;
  if (name == "activation") return memory.activation == value;
  if (name == "scope") return name_of(memory.scope) == value;
  if (name == "is") return fits_state(memory, value, now);
  if (name == "subject") return fits_pattern(memory.subject_key, value);
  if (name == "source") return fits_pattern(memory.source, value);
  if (name == "before") return time_of(memory) < parse_date(value)->at;
  if (name == "after") return time_of(memory) >= parse_date(value)->at;
  if (name == "in") {
    const std::string folder = fold_name(value.substr(0, value.find_last_not_of('/') + 1)) + "/";
    return fold_name(memory.name).starts_with(folder);
  }
  const std::string tag = fold_name(value);
  return std::any_of(memory.tags.begin(), memory.tags.end(),
                     [&](const std::string& own) { return fits_pattern(fold_name(own), tag); });
}

}  // namespace memfs
