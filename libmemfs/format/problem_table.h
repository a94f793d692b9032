// The one table of problems: every code that a listing or `mem check` can report. A new code is one
// line here and a section in docs/problems.md; a test compares the table with that page and with
// the sources.
#pragma once

#include <memfs/memory.h>

#include <array>
#include <string_view>

namespace memfs {

struct ProblemKind {
  std::string_view code;  // "guard-*": one code for each rule of the guard
  Severity severity;      // the gravest that it is reported with …
  Severity mildest;       // … and the mildest
  std::string_view title;
};

// Grouped as docs/problems.md is.
constexpr auto kProblemKinds = [] {
  using enum Severity;
  return std::array{
      // The file.
      ProblemKind{"unreadable", kError, kError, "a file or folder cannot be read"},
      ProblemKind{"empty-file", kError, kError, "the file is empty"},
      ProblemKind{"nul-filled", kError, kError, "the file holds nothing but NUL bytes"},
      ProblemKind{"nul", kError, kError, "a NUL byte in the text"},
      ProblemKind{"utf8", kError, kError, "a byte that is not UTF-8"},
      ProblemKind{"conflict-marker", kError, kWarning, "a merge was not finished"},
      ProblemKind{"control-character", kWarning, kWarning, "a control character in the text"},
      ProblemKind{"large-body", kInfo, kInfo, "only the beginning is searched"},
      // The front matter as YAML.
      ProblemKind{"unclosed-block", kError, kError, "the front matter is never closed"},
      ProblemKind{"dots-close-block", kWarning, kWarning, "`...` ends the front matter early"},
      ProblemKind{"duplicate-key", kError, kError, "a key is given twice"},
      ProblemKind{"cr-newlines", kError, kError, "old Mac newlines"},
      ProblemKind{"yaml-colon", kError, kError, "an unquoted value holds a colon"},
      ProblemKind{"yaml-sign", kError, kError, "an unquoted value begins with a sign of YAML's"},
      ProblemKind{"yaml-quote", kError, kError, "a quote is not closed"},
      ProblemKind{"yaml-open", kError, kError, "a bracket is not closed"},
      ProblemKind{"yaml-indent", kError, kError, "a line fits no key or item"},
      ProblemKind{"yaml-tab", kError, kError, "a tab is used to indent"},
      ProblemKind{"yaml-list", kError, kError, "a list item in the wrong place"},
      ProblemKind{"yaml-key", kError, kError, "a key that cannot stand there"},
      ProblemKind{"yaml-mapping", kError, kError, "no `key: value` lines"},
      ProblemKind{"yaml-escape", kError, kError, "an unknown escape in double quotes"},
      ProblemKind{"yaml-invisible-key", kError, kError, "a key with characters that are not seen"},
      ProblemKind{"yaml-nbsp", kError, kError, "a blank behind a colon that is none"},
      ProblemKind{"yaml-wide-colon", kError, kError, "a full-width colon"},
      ProblemKind{"yaml-anchor", kError, kError, "an anchor or alias in the wrong place"},
      ProblemKind{"yaml-alias", kWarning, kWarning, "anchors or aliases: read, never written"},
      ProblemKind{"yaml-depth", kError, kError, "nested too deeply"},
      ProblemKind{"yaml-size", kError, kError, "the front matter is too large"},
      ProblemKind{"yaml-documents", kError, kError, "more than one YAML document"},
      ProblemKind{"yaml-missing-blank", kError, kError, "no blank behind a colon"},
      ProblemKind{"yaml-layout", kError, kError, "a layout that cannot be edited safely"},
      ProblemKind{"yaml-syntax", kError, kError, "other broken YAML"},
      ProblemKind{"odd-character", kWarning, kWarning,
                  "a character that other YAML readers take for a line end"},
      ProblemKind{"comment-cuts", kWarning, kWarning, "an unquoted # cuts a value short"},
      // Keys and values.
      ProblemKind{"bad-revision", kError, kError, "`revision` is no whole number"},
      ProblemKind{"bad-date", kError, kWarning, "a date that is none"},
      ProblemKind{"bad-value", kError, kError,
                  "a list or mapping in the place of a single value, or the other way round"},
      ProblemKind{"bad-subject", kError, kError, "a subject key with signs that it cannot have"},
      ProblemKind{"bad-choice", kWarning, kWarning, "a value that is none of the choices"},
      ProblemKind{"bad-item", kWarning, kWarning, "an empty item of a list"},
      ProblemKind{"misspelt-key", kWarning, kWarning, "a key that looks like one of mem's"},
      ProblemKind{"unknown-keys", kInfo, kInfo, "keys that mem keeps and does not use"},
      ProblemKind{"scope-mismatch", kWarning, kWarning,
                  "`scope` says another scope than the folder"},
      ProblemKind{"future-date", kWarning, kWarning, "a date that lies in the future"},
      ProblemKind{"revision-twice", kInfo, kInfo, "one revision number with two contents"},
      ProblemKind{"revision-without-id", kWarning, kWarning, "mem's bookkeeping without an id"},
      // Between memories.
      ProblemKind{"merge-undecided", kWarning, kInfo, "a merge kept two values of a key"},
      ProblemKind{"merge-unfinished", kWarning, kWarning,
                  "one side of a merge edited a memory, the other deleted it"},
      ProblemKind{"duplicate-id", kError, kError, "two files have one id"},
      ProblemKind{"subject-clash", kError, kError, "two memories answer one subject"},
      ProblemKind{"name-clash", kError, kError, "two names differ only in case or accents' form"},
      ProblemKind{"name-unportable", kError, kError, "a name that Windows cannot have"},
      ProblemKind{"name-utf8", kError, kError, "a file name that is not UTF-8"},
      ProblemKind{"shadowed", kInfo, kInfo, "a nearer scope has the same name"},
      ProblemKind{"near-duplicate", kInfo, kInfo, "two memories say nearly the same"},
      ProblemKind{"broken-link", kWarning, kWarning, "a link to a memory that is not there"},
      ProblemKind{"ambiguous-link", kInfo, kInfo, "a link that several memories fit"},
      ProblemKind{"private-link", kWarning, kWarning,
                  "a shared memory links to one that only you have"},
      // What a memory says.
      ProblemKind{"guard-*", kError, kInfo, "a finding of the guard"},
      ProblemKind{"rule-as-fact", kInfo, kInfo, "a standing rule that is kept as a fact"},
      ProblemKind{"progress-as-fact", kInfo, kInfo, "the state of a task that is kept as a fact"},
      // The folder.
      ProblemKind{"vanished", kWarning, kInfo, "memories are gone since the last check"},
      ProblemKind{"private-permissions", kWarning, kWarning, "others can read private memories"},
      ProblemKind{"link", kWarning, kWarning, "a symbolic link that is not followed"},
      ProblemKind{"link-to-memory", kInfo, kInfo, "a symbolic link to another memory"},
      ProblemKind{"hard-link", kInfo, kInfo, "a file with a second name"},
      ProblemKind{"not-a-file", kWarning, kWarning, "something else is named like a memory"},
      ProblemKind{"nested-repository", kInfo, kInfo, "a git repository inside the folder"},
      ProblemKind{"leftover", kWarning, kWarning, "a temporary file of a write that was cut off"},
      ProblemKind{"interrupted", kWarning, kWarning, "an operation was cut off"},
      ProblemKind{"journal-damaged", kError, kError, "the record of an operation cannot be read"},
      ProblemKind{"index-stale", kInfo, kInfo, "INDEX.md differs from the files"},
      ProblemKind{"index-foreign", kInfo, kInfo, "INDEX.md is not mem's"},
      ProblemKind{"newlines", kInfo, kInfo, "git may change the newlines of memories"},
      ProblemKind{"not-fixed", kWarning, kWarning, "`--fix` could not do a thing"},
      // The project.
      ProblemKind{"config", kError, kInfo, "a setting that cannot be used"},
      ProblemKind{"shared-outside", kError, kError, "the shared folder leads out of the project"},
      ProblemKind{"known-project", kInfo, kInfo, "another clone has private memories"},
      ProblemKind{"copied-project", kInfo, kInfo, "the repository is a copy"},
  };
}();

// The kind that a code is of; nullptr for a code that nobody reports.
constexpr const ProblemKind* find_problem_kind(std::string_view code) {
  for (const ProblemKind& kind : kProblemKinds) {
    if (kind.code == code) return &kind;
    if (kind.code.ends_with("-*") && code.starts_with(kind.code.substr(0, kind.code.size() - 1)))
      return &kind;
  }
  return nullptr;
}

}  // namespace memfs
