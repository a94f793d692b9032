// Store: create, read, update, forget and recover the memories of a layout.
//
//   auto layout = memfs::layout_at("/path/to/folder");
//   auto store = memfs::Store::open(*layout);
//   memfs::NewMemory wish;
//   wish.scope = memfs::Scope::kShared;
//   wish.fields = {{"title", "Release branch"}};
//   wish.body = "Releases are cut from `release/7.x`.\n";
//   auto made = store->create(wish);            // made->ref == "shared/release-branch"
//
// Threads: a Store may be used from one thread at a time; several Stores, in one process or in
// many, may work on the same folders. Reading takes no lock and writes nothing but the search index
// in the cache folder, which may be deleted at any time. Every write takes the scope's lock,
// re-reads the file, keeps the old bytes in history and is atomic: after a crash the old or the new
// state stands.
#pragma once

#include <memfs/guard.h>
#include <memfs/history.h>
#include <memfs/layout.h>
#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/watch.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace memfs {

// A self-contained folder (like `--root DIR`) on the real file system.
Result<Layout> layout_at(const std::string& directory);

// A title for a text that has none: its first words, at most 8 and 60 characters, then "…".
std::string title_from_text(std::string_view text);

// One front-matter key and what it is to become: `text`, or `items` for lists, or nothing.
struct FieldEdit {
  std::string key;
  std::string text{};
  std::vector<std::string> items{};
  bool clear = false;
};

// What a caller lets pass that would stop a write, for this write alone.
struct Consent {
  bool near_duplicate = false;       // another memory that says nearly the same
  std::vector<std::string> rules{};  // of the guard, by name
  bool redact = false;               // credentials in the given text become "[redacted: RULE]"
};

struct NewMemory {
  Scope scope = Scope::kPrivate;
  std::vector<FieldEdit> fields{};  // "title" is required
  std::string body{};               // stored byte for byte
  // kConflict if the title's own name is taken, kRefused if a memory says nearly the same. A
  // person is else only warned of the latter.
  bool if_absent = false;
  bool verified = false;  // somebody has just found that it holds: sets last_verified_at
  Consent consent{};
  std::string name{};  // "" for one made from the title; kConflict if it is taken
};

// How the body changes.
struct BodyEdit {
  enum class Kind : std::uint8_t { kKeep, kSet, kAppend, kReplace };
  Kind kind = Kind::kKeep;
  std::string text{};  // kSet: the body; kAppend: a line or more; kReplace: the new text
  std::string old{};   // kReplace: what must occur exactly once
};

struct Change {
  std::vector<FieldEdit> fields{};
  BodyEdit body{};
  bool verified = false;  // renews last_verified_at as well
  std::optional<std::uint64_t> expected_revision{};
  std::optional<std::string> if_match{};  // an etag
  Consent consent{};
};

// What somebody knows now: a change of the memory that says it, or a new one.
struct SaveWish {
  // The memory to change: any reference. kNotFound if there is none.
  std::string reference{};
  // "name" or "scope/name". A memory of exactly that name changes; else a new one is made with it,
  // words being made a name first ("Release branch" is release-branch).
  std::string name{};
  // Where a new memory goes, private by default; an old one must be there already.
  std::optional<Scope> scope{};
  std::vector<FieldEdit> fields{};  // a new one without a title takes it from its name or its text
  std::optional<std::string> body{};  // required for a new one
  bool if_absent = false;             // kConflict if it is there
  bool verified = false;
  std::optional<std::uint64_t> expected_revision{};
  std::optional<std::string> if_match{};  // an etag
  Consent consent{};
};

// What a scope holds and may hold; see Budget.
struct Usage {
  std::uint64_t used = 0;     // characters of the scope's bodies
  std::uint64_t entries = 0;  // memories
  std::uint64_t pinned = 0;   // characters of pinned bodies
  Budget budget{};
  // Of the limit that is nearest, rounded down; nullopt without limits.
  std::optional<std::uint64_t> percent() const;
};

struct WriteResult {
  Memory memory;
  bool changed = false;
  bool duplicate = false;  // create(): nothing was written, since this memory says exactly that
  std::string expires{};   // the exact last good instant, if the write set expires_at
  Usage usage{};
  std::vector<std::string> warnings{};
  // recover() and restore(): the state that came back, and how the memory had gone, if git knows.
  std::optional<Revision> restored{};
  std::optional<Deletion> deletion{};
  bool created = false;  // by create() or save()
  std::string ref() const { return memory.ref(); }
};

struct ForgetResult {
  std::string id, ref;
  std::string archived_as;  // absolute path, empty after a purge
  Usage usage{};            // of the scope now
};

// The memories of some scopes at one moment, without their bodies, sorted by scope and name, with
// every problem found.
struct Listing {
  std::vector<Memory> memories;
  std::vector<Problem> problems;  // also those of the memories
};

struct Found {
  Memory memory;
  std::vector<std::string> shadows;  // refs of farther scopes that the same name also fits
};

struct ArchivedMemory {
  Memory memory;         // as it was
  std::string file;      // absolute path of the archived copy
  std::string archived;  // instant, RFC 3339
};

struct Admission {
  Memory memory{};
  std::vector<Finding> findings{};   // all
  std::vector<Finding> held_back{};  // empty: it may be loaded
  bool trusted = false;              // trust() was called for these bytes
};

struct PruneReport {
  std::vector<std::string> files;  // absolute paths of the dropped copies
  std::uint64_t bytes = 0;         // their size
  std::uint64_t kept = 0;          // copies that stay
};

struct UndoResult {
  WriteEntry undone;
  std::optional<WriteResult> written{};  // what stands there now
  std::string archived_as{};             // where it went, if it had been new …
  std::string archived_ref{};            // … and under which name it can be restored
  std::size_t moved_back = 0;            // memories that an undone move had moved
  std::vector<WriteEntry> others{};      // what of the same batch was taken back with it
};

struct MoveWish {
  // A reference, or a folder: "deploy/", "shared/deploy/" (all that lies in it goes along).
  std::string from{};
  // A name, "scope/name", "folder/" or "scope/" (the last part stays); of a folder its new name.
  std::string to{};
  bool dry_run = false;    // nothing is written
  std::string if_match{};  // an etag, for one memory
  Consent consent{};
};

struct MovedMemory {
  Memory before, after;  // without bodies
};

// A link whose address the move changed.
struct RewrittenLink {
  std::string ref, path;  // of the memory in which it stands, before the move
  int line = 0;
  std::string before, after;  // addresses
};

// A link that does not lead where it led, because its file could not be written or no address
// would do.
struct LeftLink {
  std::string ref, path;
  int line = 0;
  std::string text, why;
};

struct MoveResult {
  std::vector<MovedMemory> moved{};  // by the path before
  std::vector<RewrittenLink> links{};
  std::vector<LeftLink> left{};
  std::vector<std::string> warnings{};
  Usage usage{};  // of the scope they went to
};

// One write of a batch: a NewMemory, a SaveWish, or one of these.
struct BatchUpdate {
  std::string reference{};
  Change change{};
};
struct BatchForget {
  std::string reference{};
  std::string if_match{};  // an etag
};
struct BatchRecover {
  std::string reference{};
  Consent consent{};
};
struct BatchVerify {
  std::string reference{};
  Change expectations{};
};
using BatchItem =
    std::variant<NewMemory, SaveWish, BatchUpdate, BatchForget, BatchRecover, BatchVerify>;
// Chooses the items under the locks of the batch, from the memories of all scopes as they are then,
// without bodies. Store::load() and all that only reads may be called in it, nothing that writes.
using BatchPlan =
    std::function<Result<std::vector<BatchItem>>(const std::vector<const Memory*>& memories)>;

struct BatchOutcome {
  std::optional<WriteResult> written{};  // of all items but BatchForget
  std::optional<ForgetResult> forgotten{};
};
struct BatchResult {
  std::vector<BatchOutcome> items{};  // in the order of the wish; usages are those after all
  std::vector<std::string> warnings{};
};

struct IndexReport {
  Scope scope = Scope::kPrivate;
  std::string path;
  std::size_t memories = 0;
  bool exists = false;   // there was a page
  bool current = false;  // it was as it should be
  bool written = false;
  bool blank = false;     // it held nothing but NUL bytes: a write was lost
  std::string skipped{};  // why it was left alone
};

class Store {
 public:
  // For tests and servers; the defaults are the real ones.
  struct Services {
    std::shared_ptr<FileSystem> fs{};
    std::shared_ptr<Clock> clock{};
    std::shared_ptr<Clock> file_clock{};  // what the times of files are compared with
    std::shared_ptr<IdSource> ids{};
    std::chrono::milliseconds lock_wait{10000};
    std::string writer{};  // who writes, for the log
    bool agent =
        false;  // a program writes on its own: warnings that it would pass over are refusals
    unsigned threads = 0;    // for reading many files; 0: one per core
    bool read_only = false;  // every write is refused; only the search index is kept up to date
  };

  static Result<Store> open(Layout layout);
  static Result<Store> open(Layout layout, Services services);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const Layout& layout() const;
  // Who writes from now on, for the log: a server's clients come and go.
  void set_writer(std::string writer);

  // For a process that asks often: from the first look at a scope on its folders are watched, and
  // what did not change is not looked at again. Answers are as new as before, but for the few ways
  // to write of which the system tells nobody (docs/architecture.md); these are seen within a
  // minute. Where folders cannot be watched every call looks at everything, as without this.
  void keep_warm();
  // Readable, for poll(2), when take_changes() may have something to tell; -1 if nothing is
  // watched. May change with any call.
  int changes_descriptor() const;
  // What changed since the last call, whoever did it; begins to watch where that is still to do.
  // Nothing without keep_warm().
  MemoryChanges take_changes();

  // All memories of the given scopes (all usable ones by default). Never fails for the sake of
  // single files: they are in `problems`.
  Result<Listing> list(const std::vector<Scope>& scopes = {}) const;

  // kNotFound with near names in "candidate" details; kConflict if it fits several memories.
  // A bare name reads from the nearest scope.
  Result<Found> read(std::string_view reference) const;
  // "scope/name" of a file in one of the scopes; kNotFound if it lies in none.
  Result<std::string> reference_of_path(const std::string& path) const;
  // A listed memory with its body, as its file is now.
  Result<Memory> load(const Memory& listed) const;
  // The exact bytes of the memory's file.
  Result<std::string> read_bytes(const Memory& memory) const;

  // kRefused: over budget (rows "entries": what the scope holds), the guard (rows "findings"), or a
  // near-duplicate (details "holder_ref", …); "reason" tells which. kConflict: the subject is held.
  // The very same text in the same scope changes nothing: see WriteResult::duplicate.
  Result<WriteResult> create(const NewMemory& wish);
  // update() or create(), as the wish has it, also if another process does the same just now.
  // kConflict if a name fits memories of several scopes, or the memory is in another scope.
  Result<WriteResult> save(const SaveWish& wish);
  // kConflict: expected_revision or if_match do not fit (details "revision", "etag"), the subject
  // key is held (details "holder_id", "holder_ref", …), or the reference fits several memories.
  // A change that changes nothing writes nothing and has `changed == false`.
  Result<WriteResult> update(std::string_view reference, const Change& change);
  // Moves the memory to the archive; with `purge` erases it from history and archive too, also if
  // it was forgotten before.
  Result<ForgetResult> forget(std::string_view reference, bool purge = false,
                              const std::string& if_match = {});
  Result<std::vector<ArchivedMemory>> archived() const;
  // Brings an archived memory back as a new revision, all checks applied; or one whose file was
  // removed by other means, as the history has it; or a shared one that a commit deleted, as it was
  // before that.
  Result<WriteResult> recover(std::string_view reference, const Consent& consent = {});
  // Renames memories, moves them to another folder or scope, and rewrites every link that leads to
  // them in all scopes that can be written, so that each leads to the same memory as before and
  // nothing else changes: complete or undone after a crash. kConflict if a name or the subject is
  // taken, or `from` fits several; kUsage for a name that links or other systems cannot have.
  Result<MoveResult> move(const MoveWish& wish);
  // Several writes, all or none of them, also across a crash. What each item says of the state that
  // it expects is held against the state found; names, subjects, budgets and near-duplicates
  // against the state that all items lead to. Each item means memories that were there before, and
  // each of them is meant by one item at most: kUsage. Any other failure is that of the single
  // write; all have the item's number, from 0, in details "item". A hand edit that stands in the
  // way of an expected revision is sealed as update() does.
  Result<BatchResult> batch(const std::vector<BatchItem>& items);
  // The same with items that depend on what is there; the folders of the scopes in `made` are made.
  // What `plan` fails with is handed on.
  Result<BatchResult> batch(const BatchPlan& plan, const std::vector<Scope>& made = {});
  // Gives a hand-written file id, revision and dates.
  Result<WriteResult> adopt(std::string_view reference);
  // Renews last_verified_at, after somebody found that the memory still holds.
  Result<WriteResult> verify(std::string_view reference, const Change& expectations = {});
  // The whole file as somebody made it in an editor from the bytes with the etag `if_match`.
  // kInvalid, naming the line, if its block cannot be read; kConflict if the file changed
  // meanwhile.
  Result<WriteResult> edit(std::string_view reference, const std::string& bytes,
                           const std::string& if_match, const Consent& consent = {});

  // The states of a live or archived memory's file that are kept or, of a shared one, in git's
  // commits, newest first; the first is the present one of a live memory.
  Result<History> history(std::string_view reference) const;
  // One of them by its label, number, etag (6 characters or more) or commit (7 or more); "" is the
  // present one.
  // kNotFound with the labels that there are; kConflict if the number is that of several.
  Result<RevisionText> revision(std::string_view reference, std::string_view label) const;
  // What changed from one state to another; "" for `to` is the present one, and "" for `from` the
  // one before `to`.
  Result<RevisionDiff> diff(std::string_view reference, std::string_view from,
                            std::string_view to) const;
  // An older state as a new revision, all checks applied: body and fields as they were, and what
  // was absent is absent again. Identity and revision stay the memory's own.
  Result<WriteResult> restore(std::string_view reference, std::string_view label,
                              const Consent& consent = {});
  // The settings' policy with what is given in its place. kInvalid if the person's config.yaml has
  // a problem, so that its policy is not known, and not all is given.
  Result<HistoryPolicy> history_policy(std::optional<std::uint64_t> keep,
                                       std::optional<std::uint64_t> days) const;
  // Drops old states by the policy, of one memory or ("") of all that have a
  // history on this machine. With `dry_run` it only tells.
  Result<PruneReport> prune(std::string_view reference, const HistoryPolicy& policy, bool dry_run);

  // What was written in the scopes of this store, newest first. States of files that no write of
  // ours made are in it as kByHand.
  Result<std::vector<WriteEntry>> log(const LogFilter& filter) const;
  // Takes the newest write back that is not taken back yet, as a new revision: of this folder (in
  // the global scope only what was written from here), with all that was written in one batch with
  // it; or that of one memory alone. kNotFound if there is none; kConflict if the file has changed
  // since; kRefused if the newest write was a purge.
  Result<UndoResult> undo(std::string_view reference = {}, const Consent& consent = {});

  // A listed memory with its body, what the guard finds in it, and which of that keeps it out of
  // contexts: all of the same bytes. With `shared_only` nothing is looked for in other scopes,
  // where nothing is held back.
  Result<Admission> admit(const Memory& listed, bool shared_only = false) const;
  // Lets a shared memory into this person's contexts whatever the guard finds, as long as its file
  // has the bytes that it has now; `if_match`: only if they have this etag. kUsage for memories of
  // other scopes, kRefused for an agent.
  Result<Admission> trust(std::string_view reference, const std::string& if_match = {});

  // Counts on this machine that these were returned by a search (or read as a whole), unless the
  // settings say not to. Never fails: a disk that cannot be written counts nothing.
  void note_returned(const std::vector<const Memory*>& memories) const;
  void note_read(const Memory& memory) const;

  // INDEX.md of a scope; with `check_only` nothing is written.
  Result<IndexReport> refresh_index(Scope scope, bool check_only = false);

 private:
  friend class StoreInside;
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace memfs
