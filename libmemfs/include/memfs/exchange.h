// Other systems' memories in, and ours out. docs/exchange.md says for each format what maps to
// what.
//
//   memfs::ImportWish wish;
//   wish.format = memfs::ImportFormat::kClaudeCode;
//   wish.path = "/home/ana/.claude/projects/shop/memory";
//   auto told = memfs::import_memories(store, wish);  // a dry run: nothing is written
//   wish.apply = true;
//   auto done = memfs::import_memories(store, wish);  // done->items say what became of each
#pragma once

#include <memfs/result.h>
#include <memfs/store.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

enum class ImportFormat : std::uint8_t {
  kCar,           // assistant.json
  kNewt,          // NOTES.md, entries between `§` or one in each line
  kHermes,        // MEMORY.md and USER.md, entries between `§`
  kReasonix,      // a folder of facts, with .revisions and .archive
  kMermaid,       // a folder of facts
  kClaudeCode,    // a folder of topics with MEMORY.md
  kServerMemory,  // JSON lines of entities and relations
  kMarkdown,      // any folder of markdown files, or one file
  kJsonLines,     // our own
};

enum class ExportFormat : std::uint8_t {
  kJsonLines,   // every byte of every memory
  kCar,         // assistant.json
  kNewt,        // NOTES.md, entries between `§`
  kClaudeCode,  // a folder of topics with MEMORY.md
  kBlock,       // a block between markers in CLAUDE.md, AGENTS.md, GEMINI.md …
  kMarkdown,    // one document for people
};

// How a format is called on the command line, and what it is.
struct ExchangeName {
  std::string_view name;  // "claude-code"
  std::string_view help;  // "a Claude Code memory folder"
};
std::span<const ExchangeName> import_formats();  // in the order of ImportFormat
std::span<const ExchangeName> export_formats();  // in the order of ExportFormat
std::string_view name_of(ImportFormat format);
std::string_view name_of(ExportFormat format);
std::optional<ImportFormat> import_format_named(std::string_view name);
std::optional<ExportFormat> export_format_named(std::string_view name);

struct ImportWish {
  ImportFormat format = ImportFormat::kMarkdown;
  std::string path{};  // absolute: a file or a folder, as the format has it
  // Where everything goes. nullopt: where the source says, else private.
  std::optional<Scope> scope{};
  std::string folder{};  // below it in the scope, "" for none: "notes/old"
  bool apply = false;    // false: a dry run, which writes nothing
  // Takes what the source says where a memory was changed on both sides, or was forgotten here, or
  // has the name of another one that cannot be told apart; old bytes stay in history.
  bool force = false;
  Consent consent{};
};

enum class ImportOutcome : std::uint8_t { kAdded, kUpdated, kSame, kRefused };
std::string_view name_of(ImportOutcome outcome);  // "added", …

// What became of one item of the source; in a dry run, what would.
struct ImportItem {
  ImportOutcome outcome = ImportOutcome::kSame;
  std::string ref{};     // of the memory; kRefused: of the one that stands in the way, or ""
  std::string title{};   // as the source has it, for showing
  std::string path{};    // absolute: the file of the source
  int line = 0;          // on which the item begins, 1-based; 0: the whole file
  std::string reason{};  // kRefused: one sentence
  std::string hint{};    // what to do about it, may be empty
  std::vector<std::string> warnings{};
};

struct ImportReport {
  std::vector<ImportItem> items{};  // in the order of the source
  std::size_t added = 0, updated = 0, same = 0, refused = 0;
  std::vector<std::string> notes{};  // what the source has that cannot be taken over
  bool applied = false;              // false: a dry run
  bool interrupted = false;          // `go_on` said no: what is not in `items` was not looked at
  // The system failed on the way (a full disk): the same, and what was done before stands.
  std::optional<Error> failure{};
};

// Called now and then with how many of how many items are done; false ends the import after what is
// done so far, which is kept.
using ImportProgress = std::function<bool(std::size_t done, std::size_t total)>;

// Takes over what can be taken over; a bad item is refused with its place, the others go on.
// Durable when it returns: the files of a few thousand items are synced together and only then get
// their names, so that after a crash whole items are there or are not. A second import of the same
// source changes nothing, also if memories were edited here since; what changed in the source since
// becomes an update.
// Fails without a write if the source cannot be read as that format at all: kNotFound, kInvalid
// with path and line; kUsage for a scope or folder that cannot be.
Result<ImportReport> import_memories(Store& store, const ImportWish& wish,
                                     const ImportProgress& go_on = {});

struct ExportWish {
  ExportFormat format = ExportFormat::kJsonLines;
  // Absolute: a file, or a folder for formats of several files. "": the text is in the report.
  std::string path{};
  std::vector<Scope> scopes{};  // none: all; kBlock: shared alone
  bool force = false;           // also where the target holds what would be lost from it
};

struct ExportReport {
  std::string text{};                // without a path
  std::vector<std::string> files{};  // absolute paths that were written
  std::size_t memories = 0;          // that are in it
  std::size_t unchanged = 0;         // files that had these bytes already
  // What is not in it, and what the format cannot hold: one sentence each.
  std::vector<std::string> notes{};
  std::string kept{};  // absolute: where the target's old bytes are, if `force` replaced them
};

// kRefused if the target holds something that the export does not: an item of its own, text
// outside of the format, or bytes that cannot be read as that format at all; nothing is written
// then. An export that would change nothing writes nothing. Memories that the guard holds back stay
// out of what is made for a model's eyes; what is past its end stays out of all but kJsonLines.
Result<ExportReport> export_memories(const Store& store, const ExportWish& wish);

}  // namespace memfs
