// What a memory is: one markdown file in a scope directory. See docs/format.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memfs {

// Who sees a memory. The directory decides; nearer scopes come first.
enum class Scope : std::uint8_t { kPrivate, kShared, kGlobal };
constexpr Scope kScopes[] = {Scope::kPrivate, Scope::kShared, Scope::kGlobal};
std::string_view name_of(Scope scope);
std::optional<Scope> scope_named(std::string_view name);

enum class Severity : std::uint8_t { kError, kWarning, kInfo };
std::string_view name_of(Severity severity);

// Something about a file that its owner should know. Problems are collected, never fatal.
struct Problem {
  std::string code{};  // stable, kebab case: "yaml", "duplicate-key", "bad-date", …
  Severity severity = Severity::kWarning;
  std::string path{};  // absolute, odd characters of names escaped for showing
  int line = 0;        // 1-based line of the file, 0: the whole file
  int column = 0;      // 1-based byte column, 0: the whole line
  std::string message{};
  std::string hint{};
  std::string ref{};  // "shared/deploy/rollback", empty if the file is no memory
  // The front-matter key it is about, empty for the whole block or file. A write is refused when
  // a blocking problem has no key, or has the very key that is being written.
  std::string key{};
  bool blocks_writes = false;
};

// A date as the file spells it and as it is understood.
struct Date {
  std::string text{};  // the source's spelling
  // What it means: for expires_at the last instant that is still good, for all others the instant
  // itself. Empty if the text is no date; then the memory has a problem.
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> at{};
};

struct Memory {
  Scope scope = Scope::kPrivate;
  std::string name;  // path in the scope without ".md", NFC: "deploy/rollback"
  std::string rel;   // path in the scope as it is on disk
  std::string path;  // absolute, as it is on disk
  std::string etag;  // opaque: hash of the file's bytes (32 hex digits)
  std::chrono::sys_time<std::chrono::milliseconds> modified{};  // the file's time
  // Of a shared memory: when the last commit touched the file, where git knows it.
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> committed_at{};

  std::string title;          // never empty: falls back to the first heading, then the file name
  std::string description;    // falls back to the first line of text; may be empty
  std::string type;           // user, feedback, project, reference, or empty
  std::string kind = "fact";  // fact, preference, procedure
  std::string activation = "relevant";  // relevant, pinned
  std::string volatility;               // evergreen, stable, volatile, or empty: by type
  std::string subject_key;
  std::string keywords;  // words separated by blanks
  std::vector<std::string> tags;
  std::vector<std::string> aliases;  // other names: foreign ids, aliases, permalink
  std::string id;                    // empty: not given yet
  std::uint64_t revision = 0;        // 0: none written
  std::optional<Date> created_at, updated_at, last_verified_at, expires_at;
  std::string source;
  bool has_title = false;  // stated in the front matter, not fallen back to
  bool has_description = false;
  bool has_front_matter = false;
  // Keys that are not ours, in file order, values as text.
  std::vector<std::pair<std::string, std::string>> extra;

  std::string body;              // listings leave it empty
  std::uint64_t characters = 0;  // of the body: code points
  std::size_t body_offset = 0;   // bytes before the body in the file
  int body_line = 1;             // 1-based line on which the body starts
  std::vector<Problem> problems;

  // "shared/deploy/rollback"
  std::string ref() const { return std::string(name_of(scope)) + "/" + name; }
  bool needs_attention() const;  // has a problem of severity error
};

// Past the last good instant of `expires_at`. A date that is not understood never expires.
bool is_expired(const Memory& memory, std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace memfs
