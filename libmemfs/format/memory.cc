#include <memfs/memory.h>

#include <algorithm>

namespace memfs {

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::kPrivate:
      return "private";
    case Scope::kShared:
      return "shared";
    case Scope::kGlobal:
      return "global";
  }
  return "";
}

std::optional<Scope> scope_named(std::string_view name) {
  for (const Scope scope : kScopes)
    if (name_of(scope) == name) return scope;
  return std::nullopt;
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "info";
  }
  return "";
}

bool Memory::needs_attention() const {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.severity == Severity::kError; });
}

bool is_expired(const Memory& memory, std::chrono::sys_time<std::chrono::milliseconds> now) {
  return memory.expires_at && memory.expires_at->at && now > *memory.expires_at->at;
}

}  // namespace memfs
