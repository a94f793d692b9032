#include <memfs/guard.h>
#include <memfs/notes.h>

#include <algorithm>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::uint64_t kWarnPercent = 85;

bool is_note(const Memory& memory, Scope scope) {
  return memory.scope == scope &&
         std::find(memory.tags.begin(), memory.tags.end(), Notes::kTag) != memory.tags.end();
}

std::uint64_t size_of(std::string_view text) {
  text = trim(text);
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) decode_utf8(text, at);
  return count;
}

// The notes as they are, and what they may hold.
struct Notebook {
  std::vector<Memory> notes{};
  NotesUsage usage{};

  const Memory* that_says(std::string_view text) const {
    const auto found = std::find_if(notes.begin(), notes.end(), [&](const Memory& note) {
      return trim(note.body) == trim(text);
    });
    return found == notes.end() ? nullptr : &*found;
  }
};

Result<Notebook> read_notes(const Store& store, const std::vector<const Memory*>& memories,
                            Scope scope) {
  Notebook book;
  book.usage.limit = store.layout().settings.notes;
  for (const Memory* listed : memories) {
    if (!is_note(*listed, scope)) continue;
    MEMFS_ASSIGN(Memory note, store.load(*listed));
    book.usage.used += size_of(note.body);
    ++book.usage.entries;
    book.notes.push_back(std::move(note));
  }
  return book;
}

// What a reader may be shown of a note: what the guard holds back from contexts stays back here.
std::string shown(const Store& store, const Memory& note) {
  const auto admission = store.admit(note);
  if (!admission) return "[cannot be read]";
  if (!admission->held_back.empty())
    return "[held back: " + admission->held_back.front().rule + "]";
  const std::string text(trim(admission->memory.body));
  return redact(text, scan_text(text));
}

void add_rows(Error& error, const Store& store, const std::vector<const Memory*>& notes) {
  for (const Memory* note : notes)
    error.rows.push_back({"entries",
                          {{"ref", note->ref()},
                           {"characters", std::to_string(size_of(note->body))},
                           {"text", shown(store, *note)}}});
}

std::vector<const Memory*> pointers(const std::vector<Memory>& notes) {
  std::vector<const Memory*> all;
  for (const Memory& note : notes) all.push_back(&note);
  return all;
}

// Whether the notes may grow from what they are to `after`; what shrinks is always allowed.
Result<void> check_budget(const Store& store, const Notebook& book, std::uint64_t after) {
  const NotesUsage& usage = book.usage;
  if (!usage.limit || after <= *usage.limit || after <= usage.used) return {};
  Error error = make_error(ErrorCode::kRefused, "the notes would hold " + std::to_string(after) +
                                                    " of " + std::to_string(*usage.limit) +
                                                    " characters, and nothing was saved")
                    .with_hint(
                        "replace or remove one of the notes below, then save again; the limit is "
                        "`budget: notes:` in config.yaml")
                    .with("reason", "notes-budget")
                    .with("used", std::to_string(usage.used))
                    .with("needed", std::to_string(after))
                    .with("limit", std::to_string(*usage.limit))
                    .with("percent", std::to_string(*usage.percent()));
  add_rows(error, store, pointers(book.notes));
  return error;
}

// The one note that has the text in it.
Result<const Memory*> the_one_with(const Store& store, const Notebook& book,
                                   std::string_view substring) {
  std::vector<const Memory*> fitting;
  for (const Memory& note : book.notes)
    if (note.body.find(substring) != std::string::npos) fitting.push_back(&note);
  if (fitting.size() == 1) return fitting.front();
  const std::string text = "`" + escape_for_terminal(substring) + "`";
  Error error = fitting.empty()
                    ? make_error(ErrorCode::kNotFound, "no note has " + text + " in it")
                          .with_hint("give a part of the note as it is written")
                    : make_error(ErrorCode::kConflict, std::to_string(fitting.size()) +
                                                           " notes have " + text + " in them")
                          .with_hint("give a part that only one of them has");
  add_rows(error, store, fitting.empty() ? pointers(book.notes) : fitting);
  return error;
}

Result<void> check_given(std::string_view text, const char* what) {
  if (!trim(text).empty()) return {};
  return make_error(ErrorCode::kUsage, std::string("the ") + what + " is empty")
      .with("field", what);
}

NewMemory note_of(Scope scope, std::string_view text, const Consent& consent) {
  NewMemory wish;
  wish.scope = scope;
  wish.body = std::string(trim(text)) + "\n";
  wish.fields = {{"title", title_from_text(text)}, {"tags", "", {Notes::kTag}}};
  wish.consent = consent;
  return wish;
}

Change change_to(const Memory& note, std::string_view text, const Consent& consent) {
  Change change;
  change.body = {BodyEdit::Kind::kSet, std::string(trim(text)) + "\n", {}};
  // A title of one's own stays.
  if (note.title == title_from_text(note.body)) change.fields = {{"title", title_from_text(text)}};
  change.if_match = note.etag;
  change.consent = consent;
  return change;
}

void warn_if_nearly_full(NoteResult& result) {
  const auto percent = result.usage.percent();
  if (!percent || *percent < kWarnPercent) return;
  result.warnings.push_back("the notes are " + std::to_string(*percent) +
                            " % full: replace or remove what no longer helps");
}

// One write, chosen by `choose` from the notes as they are under the locks; it notes in `result`
// what it leads to.
template <typename Choose>
Result<NoteResult> write(Store& store, Scope scope, Choose choose) {
  NoteResult result;
  const auto plan =
      [&](const std::vector<const Memory*>& memories) -> Result<std::vector<BatchItem>> {
    MEMFS_ASSIGN(const Notebook book, read_notes(store, memories, scope));
    result.usage = book.usage;
    return choose(book, result);
  };
  MEMFS_ASSIGN(BatchResult done, store.batch(plan, {scope}));
  result.warnings = std::move(done.warnings);
  if (!done.items.empty() && done.items.front().written) {
    WriteResult& written = *done.items.front().written;
    result.changed = written.changed;
    result.memory = std::move(written.memory);
    result.warnings.insert(result.warnings.end(), written.warnings.begin(), written.warnings.end());
  }
  warn_if_nearly_full(result);
  return result;
}

using Items = Result<std::vector<BatchItem>>;

}  // namespace

std::optional<std::uint64_t> NotesUsage::percent() const {
  if (!limit) return std::nullopt;
  return *limit == 0 ? 100 : used * 100 / *limit;
}

std::string NotesUsage::line() const {
  const std::string number = "notes: " + std::to_string(used);
  if (!limit) return number + " characters";
  return number + " of " + std::to_string(*limit) + " characters (" + std::to_string(*percent()) +
         " %)";
}

Result<NoteResult> Notes::add(std::string_view text, const Consent& consent) {
  MEMFS_TRY(check_given(text, "text"));
  return write(store_, scope_, [&](const Notebook& book, NoteResult& result) -> Items {
    if (const Memory* same = book.that_says(text)) {
      result.duplicate = true;
      result.memory = *same;
      return std::vector<BatchItem>();
    }
    result.usage.used += size_of(text);
    ++result.usage.entries;
    MEMFS_TRY(check_budget(store_, book, result.usage.used));
    return std::vector<BatchItem>{note_of(scope_, text, consent)};
  });
}

Result<NoteResult> Notes::replace(std::string_view old_substring, std::string_view text,
                                  const Consent& consent) {
  MEMFS_TRY(check_given(old_substring, "old_substring"));
  MEMFS_TRY(check_given(text, "text"));
  return write(store_, scope_, [&](const Notebook& book, NoteResult& result) -> Items {
    MEMFS_ASSIGN(const Memory* const note, the_one_with(store_, book, old_substring));
    const Memory* const same = book.that_says(text);
    if (same != nullptr && same != note) {
      return make_error(ErrorCode::kConflict,
                        "another note says exactly that: " + same->ref() + "; nothing was saved")
          .with_hint("remove the note that you meant to replace")
          .with("holder_ref", same->ref());
    }
    result.usage.used += size_of(text);
    result.usage.used -= size_of(note->body);
    MEMFS_TRY(check_budget(store_, book, result.usage.used));
    return std::vector<BatchItem>{BatchUpdate{note->ref(), change_to(*note, text, consent)}};
  });
}

Result<NoteResult> Notes::remove(std::string_view old_substring) {
  MEMFS_TRY(check_given(old_substring, "old_substring"));
  return write(store_, scope_, [&](const Notebook& book, NoteResult& result) -> Items {
    MEMFS_ASSIGN(const Memory* const note, the_one_with(store_, book, old_substring));
    result.memory = *note;
    result.changed = true;
    result.usage.used -= size_of(note->body);
    --result.usage.entries;
    return std::vector<BatchItem>{BatchForget{note->ref(), note->etag}};
  });
}

Result<NoteList> Notes::list() const {
  MEMFS_ASSIGN(const Listing listing, store_.list({scope_}));
  MEMFS_ASSIGN(Notebook book, read_notes(store_, pointers(listing.memories), scope_));
  return NoteList{std::move(book.notes), book.usage};
}

}  // namespace memfs
