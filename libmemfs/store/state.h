// The bookkeeping beside the scopes: history, archive and seals, in the state directory.
//
//   history/<memory key>/<revision, 10 digits>-<hash>.md     old bytes, append-only
//   scopes/<scope key>/archive/<path of the memory>/<stamp>.md   forgotten memories
//   scopes/<scope key>/sealed/<memory key>    "revision hash": our last write in this checkout
//   history/strays/<hash>.md                  bytes of left-over temporary files
//   history/pages/<hash>.md                   INDEX.md as somebody else left it
//   scopes/<scope key>/page                   hash of INDEX.md as we wrote it last
//   scopes/<scope key>/trusted/<hash>          see Store::trust
//   scopes/<scope key>/recalls                 see recall_counts.h
//   log                                        see write_log.h
//   journal/<name>                             see base/journal.h
//
// A memory key is the memory's id, or a hash of scope and name where it has none. A scope key is
// the scope's name and a hash of its directory's real path.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

std::string scope_key(Scope scope, const std::string& directory);

struct Seal {
  std::uint64_t revision = 0;
  std::string hash;
};

// A former state of a memory's file.
struct KeptBytes {
  std::uint64_t revision = 0;
  std::string hash{};
  std::string file{};  // in the state directory
  std::uint64_t size = 0;
  std::int64_t kept_ns = 0;  // when the copy was made, since 1970
  Instant kept{};            // the same in milliseconds
};

struct ArchiveEntry {
  std::string rel;    // path of the memory in its scope
  std::string file;   // path of the copy in the state directory
  std::string stamp;  // "20261130T015820Z", maybe with "-2"
  // The same as an instant, "2026-11-30T01:58:20Z"; "" if the file's name is none of ours.
  std::string instant() const;
};

class State {
 public:
  explicit State(std::shared_ptr<Directory> dir) : dir_(std::move(dir)) {}

  // Keeps bytes of a memory, durably; the same bytes are kept once.
  Result<void> keep(const Memory& memory, std::string_view bytes);
  // The same for what was just written: its file has these bytes, so nothing is lost if a crash
  // takes the copy. It serves once somebody edits the file by hand.
  Result<void> keep_new(const Memory& memory, std::string_view bytes);
  // The same and seal() for many that have no names yet: nothing is durable, nor whole, before the
  // caller has synced everything and gives them their names.
  Result<void> keep_staged(const Memory& memory, std::string_view bytes,
                           const std::string& scope_key);
  // The folder of a memory's history.
  static std::string history_of(const Memory& memory);
  // Oldest first; files of other names are passed over.
  Result<std::vector<KeptBytes>> kept(const Memory& memory);
  Result<void> drop_kept(const std::string& file);
  // The folders of all memories that have a history.
  Result<std::vector<std::string>> histories();
  Result<std::vector<KeptBytes>> kept_in(const std::string& history);
  // Keeps bytes that belong to no readable memory (left-over temporary files).
  Result<void> keep_stray(std::string_view bytes);
  // Removes the strays whose bytes `gone` knows.
  Result<void> erase_strays(const std::function<bool(const std::string&)>& gone);
  // The same for INDEX.md as somebody else left it.
  Result<void> keep_page(std::string_view bytes);
  Result<void> erase_pages(const std::function<bool(const std::string&)>& gone);
  // The hash of INDEX.md as we wrote it last, "" if that is not known. Only a hint, like a seal.
  std::string page_seal(const std::string& scope_key);
  Result<void> seal_page(const std::string& scope_key, const std::string& hash);
  Result<void> erase_history(const Memory& memory);
  // The history of a memory that got an id goes with it, so that a purge finds it. What cannot be
  // moved stays where it was.
  Result<void> move_history(const Memory& before, const Memory& after);

  std::optional<Seal> seal_of(const Memory& memory, const std::string& scope_key);
  // Not durable: a lost seal only means that the revision number alone decides.
  Result<void> seal(const Memory& memory, const std::string& scope_key);

  void unseal(const Memory& memory, const std::string& scope_key);

  // Files that the person let into contexts, by their hash.
  Result<void> trust(const std::string& etag, const std::string& scope_key);
  bool trusts(const std::string& etag, const std::string& scope_key);

  // Where archive() puts a copy; nothing is written.
  struct ArchivePlace {
    std::string file{};  // in the state directory
    bool there = false;  // with these very bytes
  };
  Result<ArchivePlace> archive_place(const std::string& scope_key, const std::string& rel,
                                     std::string_view bytes, Instant now);
  // Returns the path of the copy in the state directory.
  Result<std::string> archive(const std::string& scope_key, const std::string& rel,
                              std::string_view bytes, Instant now);
  Result<std::vector<ArchiveEntry>> archived(const std::string& scope_key);
  Result<void> drop_archived(const std::string& file);

  Directory& dir() { return *dir_; }
  const std::shared_ptr<Directory>& shared_dir() const { return dir_; }

 private:
  Result<void> erase_in(const std::string& folder,
                        const std::function<bool(const std::string&)>& gone);
  Result<void> put(const std::string& rel, std::string_view bytes, bool durable);

  std::shared_ptr<Directory> dir_;
};

}  // namespace memfs
