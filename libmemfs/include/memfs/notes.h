// Short notes of an agent, one memory each, tagged `note`, with one budget for all of them: once it
// is used up a note is saved only where another one is replaced or removed.
//
//   memfs::Notes notes(store);
//   auto saved = notes.add("User prefers vi");        // saved->usage.line() == "notes: 15 of 2200
//   …" notes.replace("prefers vi", "User prefers helix");
#pragma once

#include <memfs/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// Characters are code points of the notes' texts, without the blanks around them.
struct NotesUsage {
  std::uint64_t used = 0;
  std::uint64_t entries = 0;
  std::optional<std::uint64_t> limit{};  // Settings::notes
  // Rounded down; nullopt without a limit.
  std::optional<std::uint64_t> percent() const;
  // "notes: 145 of 2200 characters (6 %)", for the end of an answer.
  std::string line() const;
};

struct NoteResult {
  Memory memory;  // that was saved, or as it was removed
  bool changed = false;
  bool duplicate = false;  // add(): a note says exactly that already
  NotesUsage usage{};
  std::vector<std::string> warnings{};  // also from 85 % of the budget on
};

struct NoteList {
  std::vector<Memory> notes{};  // with their bodies, by name
  NotesUsage usage{};
};

// The notes of one scope. Each write looks at them and saves under the store's locks, so that the
// budget holds whoever else writes.
class Notes {
 public:
  static constexpr char kTag[] = "note";
  explicit Notes(Store& store, Scope scope = Scope::kPrivate) : store_(store), scope_(scope) {}

  // kRefused if the budget does not hold it (details "reason": "notes-budget", "used", "needed",
  // "limit", "percent"; rows "entries": all notes); and as Store::create().
  Result<NoteResult> add(std::string_view text, const Consent& consent = {});
  // The one note that has `old_substring` in its text gets the text `text`, and stays the same
  // memory. kNotFound if none has it, kConflict if several have it (rows "entries": those), or if
  // another one says exactly that; kRefused as above.
  Result<NoteResult> replace(std::string_view old_substring, std::string_view text,
                             const Consent& consent = {});
  // The one note that has it goes to the archive.
  Result<NoteResult> remove(std::string_view old_substring);
  Result<NoteList> list() const;

 private:
  Store& store_;
  Scope scope_;
};

}  // namespace memfs
