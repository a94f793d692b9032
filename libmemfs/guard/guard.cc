#include <memfs/guard.h>

#include <algorithm>
#include <string>

#include "libmemfs/base/hash.h"
#include "libmemfs/guard/hidden_scan.h"
#include "libmemfs/guard/instruction_rules.h"
#include "libmemfs/guard/instruction_scan.h"
#include "libmemfs/guard/quoted_text.h"
#include "libmemfs/guard/secret_rules.h"
#include "libmemfs/guard/secret_scan.h"

namespace memfs {
namespace {

// The words of both tables, so that one pass finds all of them.
const KeywordSet& all_words() {
  static const KeywordSet* const words = [] {
    auto* made = new KeywordSet();
    add_secret_words(*made);
    add_instruction_words(*made, static_cast<std::uint16_t>(secret_rules().size()));
    made->build();
    return made;
  }();
  return *words;
}

Finding new_finding(GuardKind kind, std::string_view rule, const Match& match) {
  Finding finding{};
  finding.kind = kind;
  finding.rule = rule;
  finding.begin = match.begin;
  finding.end = match.end;
  return finding;
}

Finding secret_finding(const Match& match) {
  const SecretRule& rule = secret_rules()[match.rule];
  Finding finding = new_finding(GuardKind::kSecret, rule.name, match);
  finding.message = "looks like a credential: " + std::string(rule.help);
  finding.hint =
      "keep it out of the memory and write where it is stored; if it was shared, "
      "replace it at its issuer";
  return finding;
}

Finding instruction_finding(const Match& match, bool quoted) {
  const InstructionRule& rule = instruction_rules()[match.rule];
  Finding finding = new_finding(GuardKind::kInstruction, rule.name, match);
  finding.message = "reads like an instruction to a model: " + std::string(rule.help);
  finding.hint = quoted ? "nothing to do if the text only speaks of such instructions"
                        : "say it as a fact, or set it in code or quotation marks if the text is "
                          "about such instructions";
  finding.quoted = quoted;
  return finding;
}

Finding hidden_finding(const Match& match) {
  const HiddenRule& rule = hidden_rules()[match.rule];
  Finding finding = new_finding(GuardKind::kHiddenText, rule.name, match);
  finding.message = std::string(rule.help) + ": " + match.detail;
  finding.hint = "remove these characters";
  return finding;
}

std::vector<Finding> instruction_findings(std::string_view text, InstructionScan& scan) {
  const std::vector<Match> matches = scan.take(kMaxFindings);
  std::vector<ByteRange> passages;
  for (const Match& match : matches) passages.push_back({match.begin, match.end});
  const std::vector<bool> quoted = are_quoted(text, passages);
  std::vector<Finding> findings;
  for (std::size_t at = 0; at < matches.size(); ++at)
    findings.push_back(instruction_finding(matches[at], quoted[at] || matches[at].mentioned));
  return findings;
}

// One pass over the lines for all of them.
void add_positions(std::string_view text, std::vector<Finding>& findings) {
  int line = 1;
  std::size_t line_begin = 0;
  for (Finding& finding : findings) {
    for (auto at = text.find('\n', line_begin); at < finding.begin;
         at = text.find('\n', line_begin)) {
      ++line;
      line_begin = at + 1;
    }
    finding.line = line;
    finding.column = static_cast<int>(finding.begin - line_begin) + 1;
    finding.hash = content_hash(text.substr(finding.begin, finding.end - finding.begin));
  }
}

// Appends text[done, …) with its credentials replaced, however many. All of the text is looked at
// again: what stands in a table is known by its head.
void append_redacted(std::string& out, std::string_view text, std::size_t done) {
  for (const Match& match : find_secrets(text, text.size())) {
    if (match.begin < done) continue;
    out += text.substr(done, match.begin - done);
    out += "[redacted: " + std::string(secret_rules()[match.rule].name) + "]";
    done = match.end;
  }
  out += text.substr(done);
}

std::vector<GuardRule> make_rules() {
  std::vector<GuardRule> rules;
  for (const SecretRule& rule : secret_rules())
    if (rules.empty() || rules.back().name != rule.name)
      rules.push_back({rule.name, GuardKind::kSecret, rule.help});
  for (const InstructionRule& rule : instruction_rules())
    if (rules.back().name != rule.name)
      rules.push_back({rule.name, GuardKind::kInstruction, rule.help});
  for (const HiddenRule& rule : hidden_rules())
    rules.push_back({rule.name, GuardKind::kHiddenText, rule.help});
  return rules;
}

}  // namespace

const char* name_of(GuardKind kind) {
  switch (kind) {
    case GuardKind::kSecret:
      return "secret";
    case GuardKind::kInstruction:
      return "instruction";
    case GuardKind::kHiddenText:
      return "hidden-text";
  }
  return "";
}

const std::vector<GuardRule>& guard_rules() {
  static const auto* const rules = new std::vector<GuardRule>(make_rules());
  return *rules;
}

std::vector<Finding> scan_text(std::string_view text) {
  text = text.substr(0, kMaxGuardedBytes);
  SecretScan secrets(text, kMaxFindings);
  InstructionScan instructions(text);
  const auto first_instruction = static_cast<std::uint16_t>(secret_rules().size());
  all_words().scan(text, [&](std::uint16_t word, std::size_t begin, std::size_t end) {
    if (word >= first_instruction)
      instructions.word_at(static_cast<std::uint16_t>(word - first_instruction), begin, end);
    else if (!secrets.full())
      secrets.word_at(word, begin);
    return true;
  });
  const std::vector<Match> hidden = find_hidden(
      text, kMaxFindings,
      [&](std::size_t begin, std::size_t end) { instructions.disguise_at(begin, end); });

  std::vector<Finding> findings;
  for (const Match& match : secrets.take()) findings.push_back(secret_finding(match));
  for (Finding& finding : instruction_findings(text, instructions))
    findings.push_back(std::move(finding));
  for (const Match& match : hidden) findings.push_back(hidden_finding(match));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.begin < b.begin; });
  add_positions(text, findings);
  return findings;
}

std::string redact(std::string_view text, const std::vector<Finding>& findings) {
  std::string out;
  std::size_t done = 0;
  std::size_t count = 0;
  for (const Finding& finding : findings) {
    if (finding.kind != GuardKind::kSecret || finding.begin < done || finding.end > text.size())
      continue;
    out += text.substr(done, finding.begin - done);
    out += "[redacted: " + finding.rule + "]";
    done = finding.end;
    ++count;
  }
  if (count < kMaxFindings) return out += text.substr(done);
  append_redacted(out, text, done);
  return out;
}

}  // namespace memfs
