// Index: the documents of one folder, kept in step with its files.
//
//   Index index(cache_directory, fields);
//   index.refresh(files_as_they_are, loader, now);     // reads only what changed
//   Snapshot snapshot(fields);
//   snapshot.add(index.segments(), 0);
//   search(snapshot, query, 10);
//
// refresh() compares the stamps of the files with those of its documents and asks the loader for
// those that differ. What it learns becomes a new small segment, written to the cache directory
// together with a new manifest; from time to time small segments are merged. Whatever is wrong
// with the cache (missing, damaged, of another version, not writable, locked by another writer)
// the answer is the same: it is then made in memory.
//
// Threads: one at a time. Processes: any number; one of them writes, the others do not wait.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/manifest.h"
#include "index/snapshot.h"
#include "libmemfs/base/file_system.h"

namespace memfs::index {

// A file as a scan found it.
struct FileEntry {
  std::string_view key{};
  Stamp stamp{};
};

// What the loader found when it read a file.
struct Loaded {
  enum class State : std::uint8_t {
    kGone,  // or not readable: it has no document
    kSame,  // its content has the hash that was asked about
    kRead,
  };
  State state = State::kGone;
  Stamp stamp{};  // as it was read
  Document document{};
};

// Called from several threads. `known`: the hash of the content that the index has, or nullptr.
using Loader = std::function<Loaded(std::size_t entry, const ContentHash* known)>;

struct RefreshReport {
  std::size_t read = 0;     // files that were looked into
  std::size_t changed = 0;  // documents that are new or others
  std::size_t removed = 0;
  bool complete = false;  // everything was read anew: there was no usable index
  bool written = false;   // the cache directory has it all now
  std::string note{};     // why the cache could not be used or written, for the user
};

class Index {
 public:
  // `cache` may be nullptr: everything is kept in memory. `owner` stands for the folder whose files
  // these are: an index of another one is not used.
  Index(std::shared_ptr<Directory> cache, std::vector<FieldSpec> fields, unsigned threads = 1,
        std::uint64_t owner = 0);

  // Opens what the cache has and lets the disk begin with it, while the caller looks at its files.
  void prefetch();

  // `files`: every file that is to have a document, in any order, keys unique. `now_ns`: when the
  // scan began; files that changed less than two seconds before it are looked into again next
  // time, since a change within the clock's grain does not show (git calls them racy).
  RefreshReport refresh(const std::vector<FileEntry>& files, const Loader& loader,
                        std::int64_t now_ns);

  // The same if only `files` may have changed and `gone` be gone since the last refresh(): they are
  // looked into, whatever their stamps say. What others wrote into the cache meanwhile is not taken
  // over, since it may be older than what is known here; see state_of_cache().
  // Written from time to time.
  RefreshReport update(const std::vector<FileEntry>& files, const std::vector<std::string>& gone,
                       const Loader& loader, std::int64_t now_ns);

  enum class CacheState : std::uint8_t {
    kOwn,       // as this object read or wrote it last
    kGoneOn,    // others wrote on top of that
    kReplaced,  // it was erased, perhaps so that a text is forgotten, or made anew
  };
  CacheState state_of_cache() const;
  // Whether there is a document with that key.
  bool knows(std::string_view key) const { return find(key).has_value(); }
  // Segments that no cache has.
  std::size_t unwritten_segments() const;

  // The cache folder was made anew, or is gone (nullptr).
  void set_cache(std::shared_ptr<Directory> cache);

  const std::vector<SegmentView>& segments() const { return views_; }
  // Forgets what was read, for instance after damage came to light: the next refresh() reads all.
  void discard();
  // Removes every segment of the cache, so that no text that is to be forgotten stays in it. Waits
  // for a writer that is at work; kBusy if it goes on for long.
  Result<void> erase();

 private:
  struct Changes;
  void start_over();
  void load_manifest(RefreshReport& report);
  bool open_segments(const Manifest& manifest);
  std::optional<DocumentId> find(std::string_view key) const;
  Changes compare(const std::vector<FileEntry>& files) const;
  void read_files(const std::vector<FileEntry>& files, const Loader& loader, std::int64_t now_ns,
                  Changes& changes, RefreshReport& report);
  void apply(Changes& changes);
  void commit(RefreshReport& report);
  void map_large();
  Result<void> write_file(const std::string& name, std::string_view bytes);
  Result<void> write_segments();
  Result<void> write_manifest_file();
  void merge_small();
  bool merge(const std::vector<std::size_t>& which);
  void remove_unused();

  std::shared_ptr<Directory> cache_;
  std::vector<FieldSpec> fields_;
  unsigned threads_;
  std::uint64_t owner_;
  Manifest manifest_;  // of views_; file 0: not written yet
  std::vector<SegmentView> views_;
  std::uint64_t seen_ = 0;  // hash of the manifest as this object last read or wrote it; 0: none
  std::string early_note_{};
  bool unwritten_ = false;  // there is more in memory than in the cache
  unsigned unwritten_updates_ = 0;
  bool unusable_ = false;  // what the cache holds is damaged or foreign
};

}  // namespace memfs::index
