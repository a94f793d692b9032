#include "libmemfs/recall/context_format.h"

#include <algorithm>
#include <array>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/store/index_page.h"

namespace memfs {
namespace {

constexpr std::size_t kTitleGraphemes = 120;
constexpr std::size_t kTitleBytes = 480;

std::string command_to_show(const LeftOut& left) {
  return "`mem show " + shown_reference(left.memory) + "`";
}

// It has been let in by the guard, so its title may be shown.
std::string titled(const LeftOut& left) {
  const auto title = cut_graphemes(left.memory.title, kTitleBytes);
  return to_valid_utf8(inline_text(title, kTitleGraphemes, true)) + "; ";
}

std::string shadowed_reason(const LeftOut& left) {
  if (left.day.empty()) return left.nearer + " stands in for it";
  return "is newer (" + left.day + ") than " + left.nearer + " (" + left.nearer_day +
         "), which stands in for it: " + command_to_show(left);
}

}  // namespace

std::string reason_of(const LeftOut& left) {
  switch (left.why) {
    case LeftOut::Why::kHeldBack:
      return "held back by the guard (" + left.findings.front().rule +
             "): " + command_to_show(left) + " shows it, and a person may let it in";
    case LeftOut::Why::kBudget:
      return titled(left) + left.found_by + ", " + std::to_string(left.memory.characters) +
             " characters do not fit: " + command_to_show(left);
    case LeftOut::Why::kStale:
      return titled(left) + "stale for " + spoken_days(left.stale_days) + ", verify before use; " +
             left.found_by + ": " + command_to_show(left);
    case LeftOut::Why::kShadowed:
      return shadowed_reason(left);
    case LeftOut::Why::kUnreadable:
      return "cannot be read: `mem check` tells why";
  }
  return "";
}

std::string_view name_of(LeftOut::Why why) {
  constexpr std::array<std::string_view, 5> kNames = {"held-back", "budget", "shadowed",
                                                      "unreadable", "stale"};
  return kNames.at(static_cast<std::size_t>(why));
}

std::string_view name_of(ContextPart part) {
  constexpr std::array<std::string_view, kContextParts> kNames = {"rules", "pinned", "relevant",
                                                                  "index"};
  return kNames.at(static_cast<std::size_t>(part));
}

std::string_view command_for(ContextPart part) {
  constexpr std::array<std::string_view, kContextParts> kCommands = {
      "mem list kind:preference", "mem list is:pinned", "mem search", "mem search"};
  return kCommands.at(static_cast<std::size_t>(part));
}

std::string spoken_days(int days) { return std::to_string(days) + (days == 1 ? " day" : " days"); }

// Begun days, so that something stale is so for a day at least.
int stale_days_of(const Age& age) {
  if (age.freshness != Freshness::kStale) return 0;
  return static_cast<int>(std::chrono::floor<std::chrono::days>(age.overdue).count()) + 1;
}

std::string in_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"') {
      out += "&quot;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

const ContextFormatter& formatter_for(ContextFormat format) {
  switch (format) {
    case ContextFormat::kMarkdown:
      return markdown_context();
    case ContextFormat::kXml:
      return xml_context();
    case ContextFormat::kJson:
      return json_context();
  }
  return markdown_context();
}

}  // namespace memfs
