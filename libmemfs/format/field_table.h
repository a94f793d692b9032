// The one table of our front-matter keys. Reader, writer, command flags, list filters and the
// documentation test all read it; a new field is one line here and its place in Memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace memfs {

enum class FieldType : std::uint8_t {
  kText,     // any single value, taken as text whatever it looks like
  kChoice,   // one of Field::choices
  kSubject,  // dotted [a-z0-9_-] segments
  kWords,    // text, or a list whose items are joined by blanks
  kTags,     // list, or comma separated text
  kDate,     // RFC 3339 instant or YYYY-MM-DD
  kId,
  kRevision,  // plain decimal digits, 1 … 2^53−1
  kSource,    // text or mapping
};

struct Field {
  std::string_view key;
  FieldType type;
  bool owned;                  // id, dates, revision: written by the store, not by the caller
  bool changes_meaning;        // an edit renews updated_at
  std::string_view choices;    // "a|b|c" for kChoice
  std::string_view fallbacks;  // foreign keys read in its place, "a|b", never written
  std::string_view help;
};

// Where a merge keeps the values that it could not choose between (merge/kept_values.h).
constexpr std::string_view kMergeConflictKey = "merge_conflict";

// In the order in which new keys are written.
constexpr std::array kFields = {
    Field{"title", FieldType::kText, false, true, "", "name", "short label shown everywhere"},
    Field{"description", FieldType::kText, false, true, "", "",
          "one line by which a reader decides to open it"},
    Field{"type", FieldType::kChoice, false, false, "user|feedback|project|reference",
          "metadata.type", "what the memory is about"},
    Field{"kind", FieldType::kChoice, false, false, "fact|preference|procedure", "",
          "how it is used: a preference is a standing rule"},
    Field{"activation", FieldType::kChoice, false, false, "relevant|pinned", "",
          "pinned bodies are always in the context"},
    Field{"volatility", FieldType::kChoice, false, false, "evergreen|stable|volatile", "",
          "how fast it ages"},
    Field{"subject_key", FieldType::kSubject, false, true, "", "",
          "the question it answers; one live memory per scope and subject"},
    Field{"keywords", FieldType::kWords, false, true, "", "",
          "other words that should find it: synonyms, translations"},
    Field{"tags", FieldType::kTags, false, false, "", "", "groups"},
    Field{"expires_at", FieldType::kDate, false, false, "", "expires",
          "good through the end of that day (UTC), or until that instant"},
    Field{"source", FieldType::kSource, false, false, "", "", "who or what wrote it"},
    Field{"id", FieldType::kId, true, false, "", "", "identity, given once"},
    Field{"mem_id", FieldType::kId, true, false, "", "", "identity where `id` is another tool's"},
    Field{"created_at", FieldType::kDate, true, false, "", "created|date", "when it was made"},
    Field{"last_verified_at", FieldType::kDate, true, false, "", "",
          "when it was last checked to hold"},
    Field{"updated_at", FieldType::kDate, true, false, "", "modified|updated|lastmod",
          "when its meaning last changed"},
    Field{"revision", FieldType::kRevision, true, false, "", "",
          "+1 with each write that changes something"},
};

constexpr std::optional<std::size_t> field_index(std::string_view key) {
  for (std::size_t i = 0; i < kFields.size(); ++i)
    if (kFields.at(i).key == key) return i;
  return std::nullopt;
}

constexpr const Field* find_field(std::string_view key) {
  const auto index = field_index(key);
  return index ? &kFields.at(*index) : nullptr;
}

// Whether `word` is one of the alternatives of "a|b|c".
constexpr bool is_alternative(std::string_view alternatives, std::string_view word) {
  while (!alternatives.empty()) {
    const auto bar = alternatives.find('|');
    if (alternatives.substr(0, bar) == word) return !word.empty();
    if (bar == std::string_view::npos) break;
    alternatives.remove_prefix(bar + 1);
  }
  return false;
}

}  // namespace memfs
