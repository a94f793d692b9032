// A context as markdown: each memory between two tags that name it, so that a reader can tell whose
// text it is. Bodies cannot close their tag.
#include <algorithm>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"

namespace memfs {
namespace {

// Whether a tag of ours, or what a reader could take for one, begins at the `<` at `at`.
bool is_tag(std::string_view text, std::size_t at) {
  const auto skip = [&](std::string_view signs) {
    while (at < text.size() && signs.find(text[at]) != std::string_view::npos) ++at;
  };
  skip("<");
  skip(" \t\n/");
  constexpr std::string_view kName = "memory";
  if (text.size() - at < kName.size()) return false;
  return std::equal(kName.begin(), kName.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == (b | 0x20); });
}

// Text between tags cannot end them, nor begin another.
std::string enclosed(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<' && is_tag(text, at)) {
      out += "&lt;";
    } else {
      out += text[at];
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
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
    std::string out = "<memory" + attribute("ref", memory.ref()) + attribute("title", memory.title);
    // The heading says so of all rules.
    if (entry.why != kWhyRule && entry.why != kWhyPinned) out += attribute("why", entry.why);
    if (const int days = stale_days_of(entry.age); days > 0)
      out += attribute("stale", spoken_days(days));
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

const ContextFormatter& markdown_context() {
  static const Markdown markdown;
  return markdown;
}

}  // namespace memfs
