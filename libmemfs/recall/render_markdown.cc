// A context as markdown: each memory between two tags that name it, so that a reader can tell whose
// text it is. Bodies cannot close their tag.
#include <array>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"

namespace memfs {
namespace {

// A bracket that begins a tag, or what a reader could take for one: `<`, its full-width and its
// small form.
bool opens_tag(char32_t c) { return c == '<' || c == 0xFF1C || c == 0xFE64; }

bool is_between_bracket_and_name(char32_t c) {
  return c == '/' || c == 0xFF0F || is_white_space(c) || is_invisible(c);
}

// Behind the characters of this sort that begin at `at`.
template <typename Test>
std::size_t skip(std::string_view text, std::size_t at, const Test& is_one) {
  for (std::size_t next = at; at < text.size(); at = next)
    if (!is_one(decode_utf8(text, next))) break;
  return at;
}

// Text between tags cannot end them, nor begin another. Takes brackets and blanks a run at a time,
// since a text may consist of them.
std::string enclosed(std::string_view text) {
  constexpr std::string_view kName = "memory";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::size_t bracket_end = skip(text, at, opens_tag);
    if (bracket_end == begin) {
      decode_utf8(text, at);
      out += text.substr(begin, at - begin);
      continue;
    }
    at = skip(text, bracket_end, is_between_bracket_and_name);
    if (ascii_lower(text.substr(at, kName.size())) == kName) {
      for (std::size_t one = begin; one < bracket_end; decode_utf8(text, one)) out += "&lt;";
    } else {
      out += text.substr(begin, bracket_end - begin);
    }
    out += text.substr(bracket_end, at - bracket_end);
  }
  return out;
}

std::string tag_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + in_markdown(escape_for_terminal(value)) + "\"";
}

std::string_view heading_of(Section section) {
  constexpr std::array<std::string_view, kSections> kHeadings = {
      "Rules", "Pinned", "Relevant", "Index (`mem show NAME`)", "Not shown", ""};
  return kHeadings.at(static_cast<std::size_t>(section));
}

std::string_view spoken(ContextPart part) {
  constexpr std::array<std::string_view, kContextParts> kNames = {"rules", "pinned", "relevant",
                                                                  "others"};
  return kNames.at(static_cast<std::size_t>(part));
}

class Markdown final : public ContextFormatter {
 public:
  std::string entry(const ContextEntry& entry) const override {
    const Memory& memory = entry.memory;
    std::string out =
        "<memory" + tag_attribute("ref", memory.ref()) + tag_attribute("title", memory.title);
    // The heading says so of all rules.
    if (entry.why != kWhyRule && entry.why != kWhyPinned) out += tag_attribute("why", entry.why);
    if (const int days = stale_days_of(entry.age); days > 0)
      out += tag_attribute("stale", spoken_days(days));
    out += ">\n" + enclosed(memory.body);
    if (!out.ends_with('\n')) out += '\n';
    return out + "</memory>\n";
  }

  std::string line(const IndexEntry& entry) const override { return compact_line(entry); }

  std::string named(const LeftOut& left) const override {
    return "- " + in_markdown(shown_reference(left.memory)) + ": " +
           in_markdown(escape_for_terminal(reason_of(left))) + "\n";
  }

  std::string problem(const Problem& /*problem*/) const override { return {}; }

  std::string begin(Section section) const override {
    return "\n# " + std::string(heading_of(section)) + "\n\n";
  }
  std::string end(Section /*section*/) const override { return {}; }

  std::string account(const Account& account) const override {
    std::string out;
    for (std::size_t i = 0; i < kContextParts; ++i) {
      const auto part = static_cast<ContextPart>(i);
      const PartCount& count = account.counts.of(part);
      if (count.left_out == 0) continue;
      const std::size_t all = count.shown + count.named + count.left_out;
      out += "- " + std::to_string(count.left_out) + " of " + std::to_string(all) + " " +
             std::string(spoken(part)) + ": `" + std::string(command_for(part)) + "`\n";
    }
    return out + more(account.unnamed.held_back, "held back by the guard: `mem check`") +
           more(account.unnamed.shadowed, "that nearer ones stand in for") +
           more(account.unnamed.unreadable, "that cannot be read: `mem check`");
  }

 private:
  static std::string more(std::size_t count, std::string_view what) {
    return count == 0 ? "" : "- " + std::to_string(count) + " more " + std::string(what) + "\n";
  }
};

}  // namespace

std::string enclosed_memory(const Memory& memory, std::string_view text, bool held_back) {
  std::string out =
      "<memory" + tag_attribute("ref", held_back ? shown_reference(memory) : memory.ref());
  if (!held_back) out += tag_attribute("title", memory.title);
  if (held_back) out += tag_attribute("held_back", "quoted as data");
  out += ">\n" + enclosed(text);
  if (!out.ends_with('\n')) out += '\n';
  return out + "</memory>\n";
}

const ContextFormatter& markdown_context() {
  static const Markdown markdown;
  return markdown;
}

}  // namespace memfs
