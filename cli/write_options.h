// What the writing commands share: field flags in, one report out.
#pragma once

#include <memfs/store.h>

#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/context.h"

namespace memfs::cli {

// The field flags that were given, and `--clear FIELD`. `--expires-at never` clears, too.
std::vector<FieldEdit> field_edits(const Args& args);

// The first digits of a commit, enough to name it.
std::string short_commit(const std::string& commit);

// "Added private/release-branch, revision 1" with path, id and warnings, or the JSON.
void report_write(Context& context, std::string_view verb, const WriteResult& result);

// --force, --allow and --redact, as far as the command has them; kUsage for a rule that is none.
Result<Consent> consent_argument(const Args& args);
// The flags --allow and --redact.
std::vector<Flag> guard_flags(bool with_redact);

// "private", "shared", "global"; kUsage otherwise. `fallback` if the flag is not given.
Result<Scope> scope_argument(const Args& args, Scope fallback);
// All scopes named by `--scope`, none for all.
Result<std::vector<Scope>> scope_arguments(const Args& args);
// A whole number of at least 1.
Result<std::uint64_t> number_argument(std::string_view name, const std::string& text);

}  // namespace memfs::cli
