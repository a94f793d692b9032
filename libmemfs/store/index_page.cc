#include "libmemfs/store/index_page.h"

#include <memfs/guard.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"

namespace memfs {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::size_t kMaxTitle = 120;        // graphemes
constexpr std::size_t kMaxDescription = 160;  // graphemes

// A relative link target: what ends or escapes a target is percent-encoded, letters stay.
std::string link_target(std::string_view rel) {
  std::string out;
  for (const char c : rel) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x7F || (byte > 0x20 && byte != 0x7F &&
                                       std::string_view("()<>%#?\\\"`[]*_").find(c) == npos);
    if (plain || c == '_') {
      out += c;
    } else {
      std::array<char, 4> buffer{};
      std::snprintf(buffer.data(), buffer.size(), "%%%02X", byte);
      out += buffer.data();
    }
  }
  return out;
}

struct Group {
  std::string_view type;
  std::string_view heading;
};
constexpr std::array kGroups = {Group{"user", "User"}, Group{"feedback", "Feedback"},
                                Group{"project", "Project"}, Group{"reference", "Reference"},
                                Group{"", "Other"}};

struct GeneratedSpan {
  std::size_t begin;
  std::size_t end;
};

// Where a line that is exactly `marker` starts, from `from` on.
std::size_t find_line(std::string_view page, std::string_view marker, std::size_t from) {
  for (auto at = page.find(marker, from); at != npos; at = page.find(marker, at + 1)) {
    const auto rest = page.substr(at + marker.size());
    const bool ends = rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n");
    if (ends && (at == 0 || page[at - 1] == '\n')) return at;
  }
  return npos;
}

// The marker lines and everything between them, from `from` on.
std::optional<GeneratedSpan> generated_span(std::string_view page, std::size_t from = 0) {
  const auto begin = find_line(page, kIndexBegin, from);
  if (begin == npos) return std::nullopt;
  const auto end = find_line(page, kIndexEnd, begin);
  if (end == npos) return std::nullopt;
  const auto eol = page.find('\n', end);
  return GeneratedSpan{begin, eol == npos ? page.size() : eol + 1};
}

// A merge that was not finished around the generated part: its lines are nobody's text, and what
// stands between them stays.
std::string without_conflict_markers(const std::string& page) {
  const auto begins = [](std::string_view line) { return line.starts_with("<<<<<<< "); };
  const auto ends = [](std::string_view line) { return line.starts_with(">>>>>>> "); };
  std::string out;
  bool begun = false;
  bool ended = false;
  for (std::string_view rest = page; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n') + (rest.find('\n') == npos ? 0 : 1));
    const auto whole = line.empty() ? rest : line;
    rest.remove_prefix(whole.size());
    begun = begun || begins(whole);
    ended = ended || ends(whole);
    const bool middle = trim(whole) == "=======" || whole.starts_with("||||||| ");
    if (!begins(whole) && !ends(whole) && !middle) out += whole;
  }
  return begun && ended ? out : page;
}

}  // namespace

std::string inline_text(std::string_view text, std::size_t max_graphemes, bool plain) {
  const auto shown = take_graphemes(text, max_graphemes);
  std::string flat;
  for (std::size_t pos = 0; pos < shown.size();) {
    const auto begin = pos;
    const char32_t c = decode_utf8(shown, pos);
    const bool breaks = c < 0x20 || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029;
    if (breaks) {
      flat += ' ';
    } else if (!is_invisible(c)) {
      if (!plain && c < 0x80 && std::string_view("\\[]<>*_`&|").find(static_cast<char>(c)) != npos)
        flat += '\\';
      flat += shown.substr(begin, pos - begin);
    }
  }
  if (shown.size() < text.size()) flat += "…";
  return flat;
}

// On a line control characters are blanks, and whoever reads it sees the words that they parted.
std::string instruction_in(std::string text) {
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
  };
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  for (const Finding& finding : scan_text(text))
    if (finding.kind == GuardKind::kInstruction) return finding.rule;
  return {};
}

// The page is read by agents, and a shared memory may come from anybody.
std::string telling_rule(const Memory& memory) {
  if (memory.scope != Scope::kShared) return {};
  return instruction_in(memory.title + "\n" + memory.description);
}

namespace {

// The target of the memory's line: the file's own spelling, unless the name is a link's.
std::string target_of(const Memory& memory) {
  const bool own = memory_name(memory.rel) == memory.name;
  return "](" + link_target(own ? to_valid_utf8(memory.rel) : memory.name + ".md") + ")";
}

}  // namespace

std::string index_line(const Memory& memory) {
  const std::string rule = telling_rule(memory);
  if (!rule.empty())
    return "- [" + inline_text(leaf_of(memory.name), kMaxTitle) + target_of(memory) +
           " — title or description held back by the guard: " + rule;
  std::string line = "- [" + inline_text(memory.title, kMaxTitle) + target_of(memory);
  // A description that only repeats the title says nothing.
  if (!memory.description.empty() && memory.description != memory.title)
    line += " — " + inline_text(memory.description, kMaxDescription);
  return line;
}

bool page_names(std::string_view page, const Memory& memory) {
  const std::string by_title = "- [" + inline_text(memory.title, kMaxTitle) + "](";
  return page.find(target_of(memory)) != npos || page.find(by_title) != npos;
}

std::string render_index(const std::vector<Memory>& memories) {
  std::string out(kIndexBegin);
  out += "\n";
  for (const Group& group : kGroups) {
    std::string lines;
    for (const Memory& memory : memories)
      if (memory.type == group.type) lines += index_line(memory) + "\n";
    if (lines.empty()) continue;
    out += "\n## " + std::string(group.heading) + "\n\n" + lines;
  }
  return out + "\n" + std::string(kIndexEnd) + "\n";
}

bool is_blank_page(std::string_view page) {
  return page.find_first_not_of(std::string_view("\0 \t\r\n", 5)) == npos;
}

std::optional<std::string> merge_index(std::string_view page, const std::string& generated) {
  if (is_blank_page(page)) return generated;
  const auto span = generated_span(page);
  if (!span) return std::nullopt;
  std::string out = std::string(page.substr(0, span->begin)) + generated;
  // A merge may have doubled the generated part: the text between the copies stays.
  std::size_t from = span->end;
  while (const auto copy = generated_span(page, from)) {
    out += page.substr(from, copy->begin - from);
    from = copy->end;
  }
  return without_conflict_markers(out + std::string(page.substr(from)));
}

std::optional<PageParts> split_page(std::string_view page) {
  const auto span = generated_span(page);
  if (!span) return std::nullopt;
  return PageParts{page.substr(0, span->begin), page.substr(span->begin, span->end - span->begin),
                   page.substr(span->end)};
}

bool has_own_text(std::string_view page) {
  const auto span = generated_span(page);
  if (!span) return !is_blank_page(page);
  return !trim(page.substr(0, span->begin)).empty() || !trim(page.substr(span->end)).empty();
}

}  // namespace memfs
