#include <memfs/context.h>

#include <algorithm>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {
namespace {

bool is_rule(const Memory& memory) { return memory.kind == "preference"; }
bool is_always(const Memory& memory) { return is_rule(memory) || memory.activation == "pinned"; }

class Assembler {
 public:
  Assembler(const Store& store, const ContextRequest& request, Instant now)
      : store_(store), request_(request), now_(now) {}

  AssembledContext run(Listing listing) {
    for (const Memory& memory : listing.memories) {
      if (!is_always(memory) || is_expired(memory, now_)) continue;
      if (const Memory* nearer = nearer_than(memory, listing.memories)) {
        leave_out(memory, LeftOut::Why::kShadowed);
        context_.left_out.back().nearer = nearer->ref();
      } else {
        take(memory);
      }
    }
    context_.problems = std::move(listing.problems);
    return std::move(context_);
  }

 private:
  // The memory of a nearer scope that stands in for this one; nullptr if none does. One that is
  // itself kept out does not: it must not take the place of a rule that it could not replace.
  const Memory* nearer_than(const Memory& memory, const std::vector<Memory>& all) const {
    const std::string name = fold_name(memory.name);
    for (const Memory& other : all) {
      if (other.scope >= memory.scope) break;  // sorted by scope
      if (is_expired(other, now_)) continue;
      const bool same_subject =
          !memory.subject_key.empty() && other.subject_key == memory.subject_key;
      const bool same_id = !memory.id.empty() && other.id == memory.id;
      if (!same_id && !same_subject && fold_name(other.name) != name) continue;
      const auto admission = store_.admission(other);
      if (admission && admission->held_back.empty()) return &other;
    }
    return nullptr;
  }

  void leave_out(const Memory& memory, LeftOut::Why why) {
    LeftOut out;
    out.memory = memory;
    out.why = why;
    context_.left_out.push_back(std::move(out));
  }

  void take(const Memory& memory) {
    const auto admission = store_.admission(memory);
    auto found = store_.read(memory.ref());
    if (!admission || !found || found->memory.path != memory.path) {
      leave_out(memory, LeftOut::Why::kUnreadable);
    } else if (!admission->held_back.empty()) {
      leave_out(memory, LeftOut::Why::kHeldBack);
      context_.left_out.back().findings = admission->held_back;
    } else if (is_rule(memory)) {
      context_.rules.push_back({std::move(found->memory), age_of(memory, now_)});
    } else if (context_.pinned_characters + memory.characters > request_.pinned_budget) {
      leave_out(memory, LeftOut::Why::kBudget);
    } else {
      context_.pinned_characters += memory.characters;
      context_.pinned.push_back({std::move(found->memory), age_of(memory, now_)});
    }
  }

  const Store& store_;
  const ContextRequest& request_;
  Instant now_;
  AssembledContext context_{};
};

// Text between tags cannot end them.
std::string enclosed(std::string_view text) {
  std::string out;
  constexpr std::string_view kClose = "</memory";
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::min(text.find(kClose, at), text.size());
    out += text.substr(at, next - at);
    if (next < text.size()) out += "<\\/memory";
    at = std::min(next + kClose.size(), text.size());
  }
  return out;
}

std::string in_attribute(std::string_view text) {
  std::string out;
  for (const char c : escape_for_terminal(text)) out += c == '"' ? '\'' : c;
  return out;
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

std::string reason_of(const LeftOut& left) {
  switch (left.why) {
    case LeftOut::Why::kHeldBack:
      return "held back by the guard (" + left.findings.front().rule + "): `mem show " +
             left.memory.ref() + "` shows it, `mem trust " + left.memory.ref() + "` lets it in";
    case LeftOut::Why::kBudget:
      return "pinned, " + std::to_string(left.memory.characters) +
             " characters do not fit any more: `mem show " + left.memory.ref() + "`";
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
  for (const LeftOut& left : context.left_out)
    out += "- " + escape_for_terminal(left.memory.ref()) + ": " +
           escape_for_terminal(reason_of(left)) + "\n";
  return out;
}

}  // namespace memfs
