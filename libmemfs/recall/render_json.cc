// A context as one JSON document, a line for each memory; docs/cli.md describes it. Written by
// hand, since its length must be known piece by piece.
#include <array>
#include <cstdio>

#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"

namespace memfs {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : to_valid_utf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      std::array<char, 8> buffer{};
      std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(c));
      out += buffer.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string or_null(std::string_view text) { return text.empty() ? "null" : quoted(text); }

class Object {
 public:
  Object& add(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "{" : ",") + quoted(key) + ":" + value;
    return *this;
  }
  Object& add(std::string_view key, std::uint64_t value) { return add(key, std::to_string(value)); }
  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

// A hostile file can hold a hundred: the first tell enough.
constexpr std::size_t kFindings = 3;

std::string findings_of(const LeftOut& left) {
  std::string out;
  for (const Finding& finding : left.findings) {
    if (&finding - left.findings.data() == kFindings) break;
    out += (out.empty() ? "" : ",") + Object()
                                          .add("rule", quoted(finding.rule))
                                          .add("kind", quoted(name_of(finding.kind)))
                                          .add("line", static_cast<std::uint64_t>(finding.line))
                                          .add("column", static_cast<std::uint64_t>(finding.column))
                                          .add("message", quoted(finding.message))
                                          .add("hint", quoted(finding.hint))
                                          .add("hash", quoted(finding.hash))
                                          .add("quoted", finding.quoted ? "true" : "false")
                                          .text();
  }
  return "[" + out + "]";
}

class Json final : public ContextFormatter {
 public:
  std::string entry(const ContextEntry& entry) const override {
    const Memory& memory = entry.memory;
    return Object()
        .add("ref", quoted(memory.ref()))
        .add("id", or_null(memory.id))
        .add("scope", quoted(name_of(memory.scope)))
        .add("name", quoted(memory.name))
        .add("title", quoted(memory.title))
        .add("type", or_null(memory.type))
        .add("kind", quoted(memory.kind))
        .add("revision", memory.revision)
        .add("etag", quoted(memory.etag))
        .add("freshness", quoted(name_of(entry.age.freshness)))
        .add("stale_days", static_cast<std::uint64_t>(stale_days_of(entry.age)))
        .add("why", quoted(entry.why))
        .add("body", quoted(memory.body))
        .text();
  }

  std::string line(const IndexEntry& entry) const override {
    return Object().add("ref", quoted(entry.ref)).add("text", quoted(entry.text)).text();
  }

  std::string named(const LeftOut& left) const override {
    return Object()
        .add("ref", quoted(shown_reference(left.memory)))
        .add("id", or_null(left.memory.id))
        .add("why", quoted(name_of(left.why)))
        .add("characters", left.memory.characters)
        .add("nearer", or_null(left.nearer))
        .add("reason", quoted(reason_of(left)))
        .add("findings", findings_of(left))
        .text();
  }

  std::string problem(const Problem& problem) const override {
    return Object()
        .add("code", quoted(problem.code))
        .add("severity", quoted(name_of(problem.severity)))
        .add("path", or_null(problem.path))
        .add("line", problem.line == 0 ? "null" : std::to_string(problem.line))
        .add("column", problem.column == 0 ? "null" : std::to_string(problem.column))
        .add("message", quoted(problem.message))
        .add("hint", or_null(problem.hint))
        .add("ref", or_null(problem.ref))
        .text();
  }

  std::string begin(Section section) const override {
    constexpr std::array<std::string_view, kSections> kKeys = {"rules", "pinned",   "relevant",
                                                               "index", "left_out", "problems"};
    return quoted(kKeys.at(static_cast<std::size_t>(section))) + ":[";
  }
  std::string end(Section /*section*/) const override { return "],\n"; }
  std::string separator() const override { return ",\n"; }
  bool keeps_empty() const override { return true; }
  std::string head() const override { return "{\"format\":1,\n"; }
  std::string foot() const override { return "}\n"; }

  std::string account(const Account& account) const override {
    Object parts;
    for (std::size_t i = 0; i < kContextParts; ++i) {
      const auto part = static_cast<ContextPart>(i);
      const PartCount& count = account.counts.of(part);
      parts.add(name_of(part), Object()
                                   .add("shown", count.shown)
                                   .add("named", count.named)
                                   .add("left_out", count.left_out)
                                   .text());
    }
    parts.add("held_back", account.counts.held_back)
        .add("shadowed", account.counts.shadowed)
        .add("unreadable", account.counts.unreadable)
        .add("problems", account.problems);
    // The text is what the other formats are for.
    return "\"text\":null,\"pinned_characters\":" + std::to_string(account.pinned_characters) +
           ",\n\"account\":" + parts.text() + "\n";
  }
};

}  // namespace

const ContextFormatter& json_context() {
  static const Json json;
  return json;
}

}  // namespace memfs
