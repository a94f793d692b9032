#include "cli/write_options.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "cli/json.h"
#include "libmemfs/format/field_table.h"

namespace memfs::cli {
namespace {

std::string flag_of(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string key_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> cut_at_commas(const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (const std::string& value : values) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const auto comma = std::min(value.find(',', begin), value.size());
      std::string item = value.substr(begin, comma - begin);
      begin = comma + 1;
      if (item.find_first_not_of(' ') != std::string::npos) items.push_back(std::move(item));
    }
  }
  return items;
}

}  // namespace

std::vector<FieldEdit> field_edits(const Args& args) {
  std::vector<FieldEdit> edits;
  for (const Field& field : kFields) {
    const std::string flag = flag_of(field.key);
    if (field.owned || !args.has(flag)) continue;
    FieldEdit edit;
    edit.key = field.key;
    if (field.type == FieldType::kTags) {
      edit.items = cut_at_commas(args.values(flag));
    } else {
      edit.text = *args.value(flag);
    }
    if (field.type == FieldType::kDate && (edit.text == "never" || edit.text == "none"))
      edit.clear = true;
    edits.push_back(std::move(edit));
  }
  for (const std::string& name : args.values("clear")) {
    FieldEdit edit;
    edit.key = key_of(name);
    edit.clear = true;
    edits.push_back(std::move(edit));
  }
  return edits;
}

std::string short_commit(const std::string& commit) {
  constexpr std::size_t kShortCommit = 8;
  return commit.substr(0, kShortCommit);
}

namespace {

// "as commit 1a2b3c4d by Bob had it, deleted by Ada in commit 5e6f7a8b"; "" for what git does not
// know.
std::string where_from(const WriteResult& result) {
  std::string text;
  if (result.restored && !result.restored->commit.empty()) {
    const Revision& state = *result.restored;
    text = "as commit " + short_commit(state.commit) +
           (state.author.empty() ? "" : " by " + state.author) + " had it";
  }
  if (!result.deletion || result.deletion->commit.empty()) return text;
  return text + (text.empty() ? "" : ", ") + "deleted by " + result.deletion->author +
         " in commit " + short_commit(result.deletion->commit);
}

}  // namespace

void report_write(Context& context, std::string_view verb, const WriteResult& result) {
  if (context.json) {
    context.out() << write_json(result);
    return;
  }
  const Memory& memory = result.memory;
  std::ostream& out = context.out();
  if (result.duplicate) {
    out << "Nothing to add: " << context.shown(memory.ref()) << " says exactly that\n";
    return;
  }
  if (!result.changed) {
    out << "Nothing to change: " << context.shown(memory.ref()) << revision_part(memory.revision)
        << "\n";
    return;
  }
  out << verb << " " << context.bold(context.shown(memory.ref())) << revision_part(memory.revision)
      << "\n  " << context.shown(memory.path) << "\n";
  if (context.quiet) return;
  if (!memory.id.empty()) out << "  " << context.shown(memory.id) << "\n";
  if (const std::string came = where_from(result); !came.empty())
    out << "  " << context.shown(came) << "\n";
  if (!result.expires.empty()) out << "  good through " << result.expires << "\n";
  out << "  " << result.usage.used << " characters in " << name_of(memory.scope);
  if (const auto percent = result.usage.percent(); percent.value_or(0) > 0)
    out << ", " << *percent << " % of its budget";
  out << "\n";
  for (const std::string& warning : result.warnings) context.note(context.shown(warning));
}

Result<Consent> consent_argument(const Args& args) {
  Consent consent;
  consent.near_duplicate = args.has("force");
  consent.redact = args.has("redact");
  consent.rules = args.values("allow");
  for (const std::string& rule : consent.rules) {
    const auto& rules = guard_rules();
    const bool known = std::any_of(rules.begin(), rules.end(),
                                   [&](const GuardRule& one) { return one.name == rule; });
    if (!known) {
      return make_error(ErrorCode::kUsage, "the guard has no rule `" + rule + "`")
          .with_hint("its message names the rule; docs/security.md lists them all");
    }
  }
  return consent;
}

std::vector<Flag> guard_flags(bool with_redact) {
  std::vector<Flag> flags = {
      {"--allow", "RULE", "let what this rule of the guard finds pass, this once", true}};
  if (with_redact)
    flags.push_back({"--redact", "", "replace credentials in the given text by [redacted: RULE]"});
  return flags;
}

Result<std::vector<Scope>> scope_arguments(const Args& args) {
  std::vector<Scope> scopes;
  for (const std::string& name : args.values("scope")) {
    const auto scope = scope_named(name);
    if (!scope) {
      return make_error(ErrorCode::kUsage, "there is no scope `" + name + "`")
          .with_hint("scopes are private, shared and global");
    }
    scopes.push_back(*scope);
  }
  return scopes;
}

Result<Scope> scope_argument(const Args& args, Scope fallback) {
  MEMFS_ASSIGN(const auto scopes, scope_arguments(args));
  return scopes.empty() ? fallback : scopes.back();
}

Result<std::uint64_t> number_argument(std::string_view name, const std::string& text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size()) return number;
  return make_error(ErrorCode::kUsage,
                    "--" + std::string(name) + " takes a whole number, not `" + text + "`");
}

}  // namespace memfs::cli
