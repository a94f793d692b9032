#include "libmemfs/store/guard_policy.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

// What a reader of the field sees, whatever the file does to spell it. Where the text stands in the
// file as it is, only what was not found there: quotation marks of YAML, or of a twin elsewhere,
// are none of the field's.
void scan_field(std::string_view name, std::string_view text, std::string_view bytes,
                std::vector<Finding>& findings) {
  if (text.empty()) return;
  const bool as_it_is = bytes.find(text) != std::string_view::npos;
  for (Finding& finding : scan_text(text)) {
    const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.rule == finding.rule && other.hash == finding.hash &&
             (finding.quoted || !other.quoted);
    });
    if (as_it_is && known) continue;
    finding.line = finding.column = 0;
    finding.end -= finding.begin;
    finding.begin = 0;
    finding.message = std::string(name) + ": " + finding.message;
    findings.push_back(std::move(finding));
  }
}

const GuardPolicy::Actions& actions_for(GuardKind kind, const GuardPolicy& policy) {
  switch (kind) {
    case GuardKind::kSecret:
      return policy.secrets;
    case GuardKind::kInstruction:
      return policy.instructions;
    case GuardKind::kHiddenText:
      return policy.hidden_text;
  }
  return policy.secrets;
}

bool fits(const GuardException& exception, const Finding& finding, const std::string& ref) {
  if (exception.rule != finding.rule) return false;
  if (!exception.hash.empty() && exception.hash != finding.hash) return false;
  if (exception.path.ends_with('*'))
    return ref.starts_with(exception.path.substr(0, exception.path.size() - 1));
  std::string path = exception.path;
  if (path.ends_with(".md")) path.resize(path.size() - 3);
  return path.empty() || path == ref;
}

bool excepted(const std::vector<GuardException>& exceptions, const Finding& finding,
              const Memory& memory) {
  return std::any_of(exceptions.begin(), exceptions.end(), [&](const GuardException& exception) {
    return fits(exception, finding, memory.ref());
  });
}

// Translation programs and web pages leave single ones behind; text cannot hide in so few.
bool is_stray(const Finding& finding) {
  constexpr std::size_t kFew = 12;  // bytes: four characters
  return (finding.rule == "zero-width" || finding.rule == "soft-hyphen") &&
         finding.end - finding.begin <= kFew;
}

// Where a kind has as many findings as are reported, there may be others behind them, and nothing
// is excused.
class Excuses {
 public:
  explicit Excuses(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) ++counts_.at(static_cast<std::size_t>(finding.kind));
  }
  bool too_many(GuardKind kind) const {
    return counts_.at(static_cast<std::size_t>(kind)) >= kMaxFindings;
  }
  bool quoted(const Finding& finding) const { return finding.quoted && !too_many(finding.kind); }
  bool stray(const Finding& finding) const { return is_stray(finding) && !too_many(finding.kind); }

 private:
  std::array<std::size_t, 3> counts_{};
};

}  // namespace

std::string words_of_name(std::string name) {
  for (char& c : name)
    if (c == '-' || c == '_' || c == '/' || c == '.') c = ' ';
  return name;
}

std::vector<Finding> scan_memory(const Memory& memory, std::string_view bytes) {
  std::vector<Finding> findings = scan_text(bytes);
  scan_field("title", memory.title, bytes, findings);
  scan_field("description", memory.description, bytes, findings);
  scan_field("keywords", memory.keywords, bytes, findings);
  scan_field("source", memory.source, bytes, findings);
  for (const std::string& tag : memory.tags) scan_field("tags", tag, bytes, findings);
  for (const auto& [key, value] : memory.extra) scan_field(key, value, bytes, findings);
  const std::size_t before = findings.size();
  scan_field("the file's name", words_of_name(memory.name), bytes, findings);
  // It is made of the title and keeps no quotation marks: the title decides for a write.
  for (std::size_t i = before; i < findings.size(); ++i) findings[i].quoted = true;
  return findings;
}

std::vector<Finding> new_findings(const std::vector<Finding>& before,
                                  const std::vector<Finding>& now) {
  // What was quoted and is not any more is something else.
  const auto key = [](const Finding& f) { return std::tuple(f.rule, f.hash, f.quoted); };
  std::map<std::tuple<std::string, std::string, bool>, int> known;
  for (const Finding& finding : before) ++known[key(finding)];
  const Excuses excuses(now);
  std::vector<Finding> fresh;
  for (const Finding& finding : now)
    if (excuses.too_many(finding.kind) || --known[key(finding)] < 0) fresh.push_back(finding);
  return fresh;
}

GuardVerdict judge(const std::vector<Finding>& findings, const Memory& memory,
                   const GuardPolicy& policy, const Consent& consent, bool agent) {
  GuardVerdict verdict;
  const Excuses excuses(findings);
  const auto scope = static_cast<std::size_t>(memory.scope);
  for (const Finding& finding : findings) {
    GuardAction action = actions_for(finding.kind, policy).at(scope);
    // A person may look and let it pass; a program that writes on its own may not.
    const bool allowed = !agent && std::find(consent.rules.begin(), consent.rules.end(),
                                             finding.rule) != consent.rules.end();
    // What comes with a repository says nothing about memories that are not its own.
    const bool the_projects =
        memory.scope == Scope::kShared && excepted(policy.project_exceptions, finding, memory);
    if (allowed || the_projects || excepted(policy.own_exceptions, finding, memory)) continue;
    if (action == GuardAction::kWarn && agent && finding.kind != GuardKind::kSecret)
      action = GuardAction::kRefuse;
    // Text about attacks must be storable: it is told, and kept out of contexts.
    if (action == GuardAction::kRefuse && (excuses.quoted(finding) || excuses.stray(finding)))
      action = GuardAction::kWarn;
    if (action == GuardAction::kRefuse) verdict.refused.push_back(finding);
    if (action == GuardAction::kWarn) verdict.warned.push_back(finding);
  }
  return verdict;
}

std::vector<Finding> held_back_for(const std::vector<Finding>& findings, const Memory& memory,
                                   const GuardPolicy& policy) {
  std::vector<Finding> held;
  if (memory.scope != Scope::kShared) return held;
  const Excuses excuses(findings);
  for (const Finding& finding : findings) {
    if (finding.kind == GuardKind::kSecret || excuses.stray(finding)) continue;
    const auto action =
        actions_for(finding.kind, policy).at(static_cast<std::size_t>(memory.scope));
    if (action == GuardAction::kIgnore || excepted(policy.own_exceptions, finding, memory))
      continue;
    held.push_back(finding);
  }
  return held;
}

std::string spoken(const Finding& finding) {
  std::string place = finding.line > 0 ? " on line " + std::to_string(finding.line) : "";
  return finding.rule + place + ": " + finding.message;
}

Error guard_refusal(const std::vector<Finding>& refused, const Memory& memory, bool agent) {
  const Finding& first = refused.front();
  Error error =
      make_error(ErrorCode::kRefused, first.rule + ": " + first.message + "; nothing was saved")
          .at(memory.path, first.line, first.column)
          .with_hint(first.hint +
                     (agent ? "" : "; `--allow " + first.rule + "` lets it pass this once"))
          .with("reason", "guard")
          .with("rule", first.rule);
  for (const Finding& finding : refused) {
    error.rows.push_back({"findings",
                          {{"rule", finding.rule},
                           {"kind", name_of(finding.kind)},
                           {"line", std::to_string(finding.line)},
                           {"column", std::to_string(finding.column)},
                           {"message", finding.message},
                           {"hint", finding.hint},
                           {"hash", finding.hash}}});
  }
  return error;
}

}  // namespace memfs
