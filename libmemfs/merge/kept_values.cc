#include "libmemfs/merge/kept_values.h"

#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/merge/keyed_text.h"

namespace memfs {
namespace {

constexpr std::string_view kDash = "  - ";
constexpr std::string_view kIndent = "    ";

bool is_blank(std::string_view line) { return trim(line).empty(); }

// An item's lines without the dash and the indentation.
std::optional<KeptValue> value_of(const std::string& raw, int line) {
  KeptValue value;
  value.raw = raw;
  value.line = line;
  const KeyedText text = cut_keys(raw, true);
  if (text.kind != BlockKind::kKeys || text.entries.size() != 1) return std::nullopt;
  if (!text.trailing.empty() || !text.entries.front().leading.empty()) return std::nullopt;
  value.key = text.entries.front().key;
  value.value = text.entries.front().value;
  return value;
}

}  // namespace

std::optional<std::vector<KeptValue>> parse_kept(std::string_view entry) {
  const auto lines = lines_of(entry);
  std::vector<KeptValue> values;
  if (lines.empty() || trim(lines.front()) != std::string(kKeptKey) + ":") return std::nullopt;
  for (std::size_t i = 1; i < lines.size();) {
    if (!lines[i].starts_with(kDash)) return std::nullopt;
    const int first = static_cast<int>(i);
    std::string raw(lines[i].substr(kDash.size()));
    for (++i; i < lines.size() && !lines[i].starts_with(kDash); ++i) {
      if (lines[i].starts_with(kIndent)) {
        raw += lines[i].substr(kIndent.size());
      } else if (is_blank(lines[i])) {
        raw += lines[i];
      } else {
        return std::nullopt;
      }
    }
    auto value = value_of(raw, first);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

std::string render_kept(const std::vector<KeptValue>& values, std::string_view newline) {
  if (values.empty()) return {};
  std::string out(kKeptKey);
  out.append(":").append(newline);
  for (const KeptValue& value : values) {
    std::string_view start = kDash;
    for (const std::string_view line : lines_of(value.raw)) {
      if (!is_blank(line)) out += start;
      out += line;
      start = kIndent;
    }
  }
  return out;
}

}  // namespace memfs
