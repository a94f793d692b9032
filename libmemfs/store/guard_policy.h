// What the guard's findings mean for a memory: which stop a write, which are only told, and whether
// a memory may be loaded into somebody's context.
#pragma once

#include <memfs/guard.h>
#include <memfs/memory.h>
#include <memfs/settings.h>
#include <memfs/store.h>

#include <string_view>
#include <vector>

namespace memfs {

// Of the whole file, and of the fields whose text the file spells otherwise (escapes): those have
// no line. `bytes` are those that `memory` was read from.
std::vector<Finding> scan_memory(const Memory& memory, std::string_view bytes);

// A file's name as it would be read: the signs that stand for blanks in names are blanks.
std::string words_of_name(std::string name);

// Those of `now` that are not in `before`: a finding that was there already stops no other change.
std::vector<Finding> new_findings(const std::vector<Finding>& before,
                                  const std::vector<Finding>& now);

struct GuardVerdict {
  std::vector<Finding> refused{};
  std::vector<Finding> warned{};
};

// By the policy for the scope; quoted instructions and single stray characters are at most warned
// of. `agent`: a program writes on its own, and what a person would be
// warned of is refused to it, but for credentials in its private notes and for text about attacks.
GuardVerdict judge(const std::vector<Finding>& findings, const Memory& memory,
                   const GuardPolicy& policy, const Consent& consent, bool agent);

// What keeps a memory out of a context, if the person has not trusted these very bytes: in a shared
// memory, whoever wrote it, instructions to a model and hidden text, quoted or not.
std::vector<Finding> held_back_for(const std::vector<Finding>& findings, const Memory& memory,
                                   const GuardPolicy& policy);

// `agent`: without telling how a person would let it pass.
Error guard_refusal(const std::vector<Finding>& refused, const Memory& memory, bool agent);
std::string spoken(const Finding& finding);

}  // namespace memfs
