// A context as one XML element, well-formed for any parser.
//
//   <context>
//   <rules><memory ref title why stale>body</memory>…</rules>, <pinned>, <relevant>
//   <index><memory ref>description</memory>…</index>
//   <left_out><memory ref why>reason</memory>…</left_out>
//   <account held_back shadowed unreadable><rules shown named left_out see/>…</account>
//   </context>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"

namespace memfs {
namespace {

// XML 1.0, "Char": what else there is cannot be written, not even as a reference.
bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0xFFFE && c != 0xFFFF;
}

// As text and in attributes. A parser would make LF of CR.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = decode_utf8(text, at);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\r') {
      out += "&#13;";
    } else {
      append_utf8(out, is_xml_character(c) ? c : kReplacement);
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(escape_for_terminal(value)) + "\"";
}
std::string attribute(std::string_view name, std::size_t value) {
  return attribute(name, std::to_string(value));
}

std::string_view element_of(Section section) {
  constexpr std::array<std::string_view, kSections> kElements = {"rules", "pinned",   "relevant",
                                                                 "index", "left_out", ""};
  return kElements.at(static_cast<std::size_t>(section));
}

class Xml final : public ContextFormatter {
 public:
  std::string entry(const ContextEntry& entry) const override {
    const Memory& memory = entry.memory;
    std::string out = "<memory" + attribute("ref", memory.ref()) +
                      attribute("title", memory.title) + attribute("why", entry.why);
    if (const int days = stale_days_of(entry.age); days > 0)
      out += attribute("stale", spoken_days(days));
    return out + ">" + escaped(memory.body) + "</memory>\n";
  }

  std::string line(const IndexEntry& entry) const override {
    return "<memory" + attribute("ref", entry.ref) + ">" + escaped(entry.text) + "</memory>\n";
  }

  std::string named(const LeftOut& left) const override {
    return "<memory" + attribute("ref", shown_reference(left.memory)) +
           attribute("why", name_of(left.why)) + ">" +
           escaped(escape_for_terminal(reason_of(left))) + "</memory>\n";
  }

  std::string problem(const Problem& /*problem*/) const override { return {}; }

  std::string begin(Section section) const override {
    return "<" + std::string(element_of(section)) + ">\n";
  }
  std::string end(Section section) const override {
    return "</" + std::string(element_of(section)) + ">\n";
  }
  std::string head() const override { return "<context>\n"; }
  std::string foot() const override { return "</context>\n"; }

  std::string account(const Account& account) const override {
    const ContextCounts& counts = account.counts;
    std::string out = "<account" + attribute("held_back", counts.held_back) +
                      attribute("shadowed", counts.shadowed) +
                      attribute("unreadable", counts.unreadable) + ">\n";
    for (std::size_t i = 0; i < kContextParts; ++i) {
      const auto part = static_cast<ContextPart>(i);
      const PartCount& count = counts.of(part);
      if (count == PartCount{}) continue;
      out += "<" + std::string(name_of(part)) + attribute("shown", count.shown) +
             attribute("named", count.named) + attribute("left_out", count.left_out);
      if (count.left_out > 0) out += attribute("see", command_for(part));
      out += "/>\n";
    }
    return out + "</account>\n";
  }
};

}  // namespace

const ContextFormatter& xml_context() {
  static const Xml xml;
  return xml;
}

}  // namespace memfs
