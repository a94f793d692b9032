// What a reference means, and what is wrong between memories.
#include <algorithm>
#include <functional>
#include <map>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/catalogue.h"
#include "libmemfs/store/memory_document.h"

namespace memfs {
namespace {

using Matches = std::vector<const Memory*>;
using Test = std::function<bool(const Memory&)>;

Matches all_that(const std::vector<Memory>& memories, const Test& fits) {
  Matches matches;
  for (const Memory& memory : memories)
    if (fits(memory)) matches.push_back(&memory);
  return matches;
}

// The ways a reference can fit, the surest first; the first way that fits anything decides.
struct Ways {
  std::vector<Test> sure;  // a write must not choose between what these find
  std::vector<Test> others;
};

Test scoped(const Test& name, Scope scope) {
  return [name, scope](const Memory& m) { return m.scope == scope && name(m); };
}

Ways ways_to_fit(const Reference& ref) {
  const std::string text = ref.text;
  if (ref.kind == Reference::Kind::kSubject)
    return {{[text](const Memory& m) { return m.subject_key == text; }}, {}};
  const std::string folded = fold_name(text);
  const Test whole = [name = ref.whole](const Memory& m) { return m.name == name; };
  const Test exact = [text](const Memory& m) { return m.name == text; };
  const Test any_case = [folded](const Memory& m) { return fold_name(m.name) == folded; };
  if (ref.kind == Reference::Kind::kScoped) {
    const Scope scope = *ref.scope;
    // A folder in some scope may be called "shared", too.
    const std::string path = std::string(name_of(scope)) + "/" + text;
    return {{scoped(whole, scope)},
            {scoped(exact, scope), scoped(any_case, scope),
             [path](const Memory& m) { return m.name == path; }}};
  }
  Ways ways{{[text](const Memory& m) { return !m.id.empty() && m.id == text; }, whole, exact},
            {any_case}};
  if (text.size() >= kShortestTail) {
    const std::string tail = ascii_lower(text);
    ways.others.emplace_back([tail](const Memory& m) { return m.id.ends_with(tail); });
  }
  ways.others.emplace_back(
      [folded](const Memory& m) { return fold_name(leaf_of(m.name)) == folded; });
  ways.others.emplace_back([text](const Memory& m) {
    return std::find(m.aliases.begin(), m.aliases.end(), text) != m.aliases.end();
  });
  return ways;
}

// For a write: what the sure ways find together. For reading: what the first one finds.
Matches find_surely(const std::vector<Memory>& memories, const Ways& ways, bool for_write) {
  Matches matches;
  for (const Test& fits : ways.sure) {
    for (const Memory* memory : all_that(memories, fits))
      if (std::find(matches.begin(), matches.end(), memory) == matches.end())
        matches.push_back(memory);
    if (!for_write && !matches.empty()) break;
  }
  return matches;
}

// The live ones, if there are any: an expired holder of a subject gives way to the one after it.
void drop_expired(Matches& matches, Instant now) {
  const auto expired = [&](const Memory* memory) { return is_expired(*memory, now); };
  if (!std::all_of(matches.begin(), matches.end(), expired)) std::erase_if(matches, expired);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

Error not_found(const std::vector<Memory>& memories, std::string_view reference) {
  Error error =
      make_error(ErrorCode::kNotFound, "there is no memory " + escape_for_terminal(reference));
  const std::string wanted = fold_name(reference);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const Memory& memory : memories) {
    const std::string name = fold_name(memory.name);
    if (wanted.size() > 64 || name.size() > 128) continue;
    const bool part = wanted.size() > 2 && name.find(wanted) != std::string::npos;
    const auto distance = part ? 1
                               : std::min(edit_distance(wanted, name),
                                          edit_distance(wanted, fold_name(memory.ref())));
    if (distance <= 1 + wanted.size() / 4) near.emplace_back(distance, memory.ref());
  }
  std::sort(near.begin(), near.end());
  for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i)
    error.details.emplace_back("candidate", near[i].second);
  error.hint =
      near.empty() ? "`mem list` shows what there is" : "did you mean " + near[0].second + "?";
  return error;
}

Error ambiguous(std::string_view reference, const Matches& matches) {
  Error error = make_error(ErrorCode::kConflict, escape_for_terminal(reference) + " fits " +
                                                     std::to_string(matches.size()) + " memories");
  error.hint = "name one of them:";
  for (const Memory* memory : matches) {
    error.details.emplace_back("candidate", memory->ref());
    error.hint += " " + escape_for_terminal(memory->ref());
  }
  return error;
}

}  // namespace

Result<Found> resolve(const std::vector<Memory>& memories, std::string_view reference,
                      bool for_write, Instant now) {
  MEMFS_ASSIGN(const Reference ref, parse_reference(reference));
  const Ways ways = ways_to_fit(ref);
  Matches matches = find_surely(memories, ways, for_write);
  for (std::size_t i = 0; i < ways.others.size() && matches.empty(); ++i)
    matches = all_that(memories, ways.others[i]);
  if (ref.kind == Reference::Kind::kSubject) drop_expired(matches, now);
  if (matches.empty()) return not_found(memories, reference);
  Found found;
  if (matches.size() > 1) {
    // Scopes come nearest first, so the first match is the nearest.
    std::stable_sort(matches.begin(), matches.end(),
                     [](const Memory* a, const Memory* b) { return a->scope < b->scope; });
    const Scope nearest = matches.front()->scope;
    const bool same_scope = matches[1]->scope == nearest;
    if (for_write || same_scope) return ambiguous(reference, matches);
    for (std::size_t i = 1; i < matches.size(); ++i) found.shadows.push_back(matches[i]->ref());
  }
  found.memory = *matches.front();
  return found;
}

}  // namespace memfs
