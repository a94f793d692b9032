// File names from titles, and the ways to name a memory on a command line.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

constexpr std::size_t kMaxNameBytes = 100;

// A file name without extension from a title: NFC, lower case; letters, marks and digits of any
// script are kept, runs of anything else become one "-"; at most kMaxNameBytes, cut on a
// grapheme. Empty if nothing is left; the caller then uses name_with_suffix().
std::string slug_of(std::string_view title);

// `slug` with the last six characters of the id: "c-q5f0za", or "memory-q5f0za" for an empty slug.
std::string name_with_suffix(std::string_view slug, std::string_view id);

// No system we know of refuses the path component: not empty, not reserved on Windows (with or
// without extension), no trailing "." or blank, none of <>:"/\|?* and no control character.
bool is_valid_everywhere(std::string_view component);

// What we name files: valid everywhere, not the name of a page such as INDEX, no leading "." or
// "-".
bool is_portable_name(std::string_view component);

// INDEX.md, README.md, MEMORY.md, CLAUDE.md, AGENTS.md, GEMINI.md: in exactly this spelling.
bool is_page_file(std::string_view file_name);
// "x.md" or "x.MD", not a dot-file, not a page.
bool is_memory_file(std::string_view file_name);

bool is_subject_key(std::string_view text);
// "mem-" and 26 lower-case characters of Crockford base 32.
bool is_own_id(std::string_view text);

// A reference as the user wrote it.
struct Reference {
  enum class Kind : std::uint8_t { kAny, kScoped, kSubject };
  Kind kind = Kind::kAny;      // kAny: an id, a tail of one, or a bare name
  std::optional<Scope> scope;  // kScoped
  std::string text;            // NFC, without ".md": name, id, tail or subject key
  std::string whole{};         // the same with ".md": a memory may be called so
};

// kUsage for an empty reference and for one that could lead out of a scope.
Result<Reference> parse_reference(std::string_view text);

}  // namespace memfs
