#include <memfs/context.h>

#include <algorithm>
#include <map>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

bool is_rule(const Memory& memory) { return memory.kind == "preference"; }
bool is_always(const Memory& memory) { return is_rule(memory) || memory.activation == "pinned"; }

bool is_unreadable(const Memory& memory) {
  return std::any_of(memory.problems.begin(), memory.problems.end(),
                     [](const Problem& p) { return p.blocks_writes && p.key.empty(); });
}

class Assembler {
 public:
  Assembler(const Store& store, const ContextRequest& request, Instant now)
      : store_(store), request_(request), now_(now) {}

  AssembledContext run(Listing listing) {
    for (const Memory& memory : listing.memories) {
      if (is_expired(memory, now_)) continue;
      // It may be a rule: nobody can tell.
      if (is_unreadable(memory)) leave_out(memory, LeftOut::Why::kUnreadable);
      if (!is_always(memory) || is_unreadable(memory)) continue;
      if (const std::string nearer = shown_nearer(memory); !nearer.empty()) {
        leave_out(memory, LeftOut::Why::kShadowed);
        context_.left_out.back().nearer = nearer;
      } else {
        take(memory);
      }
    }
    context_.problems = std::move(listing.problems);
    return std::move(context_);
  }

 private:
  // By what a memory is known: what is shown under one of these names stands in for farther ones.
  static std::vector<std::string> names_of(const Memory& memory) {
    std::vector<std::string> names = {"name:" + fold_name(memory.name)};
    if (!memory.id.empty()) names.push_back("id:" + memory.id);
    if (!memory.subject_key.empty()) names.push_back("subject:" + memory.subject_key);
    return names;
  }

  std::string shown_nearer(const Memory& memory) const {
    for (const std::string& name : names_of(memory)) {
      const auto shown = shown_.find(name);
      if (shown == shown_.end() || shown->second.first == memory.scope) continue;
      // What anybody may commit does not silence what the person told every agent.
      if (is_rule(memory) && shown->second.first == Scope::kShared) continue;
      return shown->second.second;
    }
    return {};
  }

  void leave_out(const Memory& memory, LeftOut::Why why) {
    LeftOut out;
    out.memory = memory;
    out.why = why;
    context_.left_out.push_back(std::move(out));
  }

  // Whether the text still fits its budget; counts it if so.
  bool fits(const Memory& memory) {
    const bool rule = is_rule(memory);
    if (rule && memory.scope != Scope::kShared) return true;
    auto& used = rule ? shared_rules_ : context_.pinned_characters;
    if (used + memory.characters > (rule ? request_.shared_rules_budget : request_.pinned_budget))
      return false;
    used += memory.characters;
    return true;
  }

  void take(const Memory& memory) {
    auto admission = store_.admit(memory, true);
    if (!admission) {
      leave_out(memory, LeftOut::Why::kUnreadable);
    } else if (!admission->held_back.empty()) {
      leave_out(memory, LeftOut::Why::kHeldBack);
      context_.left_out.back().findings = admission->held_back;
    } else if (!fits(admission->memory)) {
      leave_out(memory, LeftOut::Why::kBudget);
    } else {
      for (std::string& name : names_of(memory))
        shown_.emplace(std::move(name), std::pair(memory.scope, memory.ref()));
      auto& list = is_rule(memory) ? context_.rules : context_.pinned;
      const Age age = age_of(admission->memory, now_);
      list.push_back({std::move(admission->memory), age});
    }
  }

  std::map<std::string, std::pair<Scope, std::string>> shown_{};
  std::uint64_t shared_rules_ = 0;  // characters
  const Store& store_;
  const ContextRequest& request_;
  Instant now_;
  AssembledContext context_{};
};

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

std::string in_attribute(std::string_view text) {
  std::string out;
  for (const char c : escape_for_terminal(text)) {
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

// A name that tells a model what to do is not repeated to it.
std::string shown_reference(const LeftOut& left) {
  const bool by_name =
      std::any_of(left.findings.begin(), left.findings.end(), [](const Finding& finding) {
        return finding.kind == GuardKind::kInstruction && finding.line == 0;
      });
  if (!by_name) return in_attribute(left.memory.ref());
  if (is_own_id(left.memory.id)) return left.memory.id;
  return "a file in " + std::string(name_of(left.memory.scope)) + " that `mem check` names";
}

void render(const ContextEntry& entry, std::string& out) {
  const Memory& memory = entry.memory;
  out += "<memory ref=\"" + in_attribute(memory.ref()) + "\" title=\"" +
         in_attribute(memory.title) + "\"";
  if (entry.age.freshness == Freshness::kStale)
    out += " stale=\"" + spoken_duration(entry.age.overdue) + "\"";
  out += ">\n" + enclosed(memory.body);
  if (!out.ends_with('\n')) out += '\n';
  out += "</memory>\n";
}

constexpr std::size_t kNamedUnreadable = 5;

std::string reason_of(const LeftOut& left) {
  switch (left.why) {
    case LeftOut::Why::kHeldBack:
      return "held back by the guard (" + left.findings.front().rule + "): `mem show " +
             shown_reference(left) + "` shows it, and a person may let it in";
    case LeftOut::Why::kBudget:
      return std::string(is_rule(left.memory) ? "a rule, " : "pinned, ") +
             std::to_string(left.memory.characters) +
             " characters do not fit any more: `mem show " + shown_reference(left) + "`";
    case LeftOut::Why::kShadowed:
      return left.nearer + " stands in for it";
    case LeftOut::Why::kUnreadable:
      return "cannot be read: `mem check` tells why";
  }
  return "";
}

}  // namespace

Result<AssembledContext> assemble_context(const Store& store, const ContextRequest& request,
                                          Instant now) {
  MEMFS_ASSIGN(Listing listing, store.list(request.scopes));
  return Assembler(store, request, now).run(std::move(listing));
}

std::string render_context(const AssembledContext& context) {
  std::string out;
  if (!context.rules.empty()) out += "# Rules\n\n";
  for (const ContextEntry& entry : context.rules) render(entry, out);
  if (!context.pinned.empty()) out += std::string(out.empty() ? "" : "\n") + "# Pinned\n\n";
  for (const ContextEntry& entry : context.pinned) render(entry, out);
  if (context.left_out.empty()) return out;
  out += std::string(out.empty() ? "" : "\n") + "# Not shown\n\n";
  std::size_t unreadable = 0;
  for (const LeftOut& left : context.left_out) {
    // A folder of other files may hold hundreds that are no rules.
    if (left.why == LeftOut::Why::kUnreadable && ++unreadable > kNamedUnreadable) continue;
    out += "- " + shown_reference(left) + ": " + escape_for_terminal(reason_of(left)) + "\n";
  }
  if (unreadable > kNamedUnreadable)
    out += "- and " + std::to_string(unreadable - kNamedUnreadable) +
           " more files that cannot be read: `mem check` names them\n";
  return out;
}

}  // namespace memfs
