// What changed in the folders of a store since somebody looked: the events of one FolderWatch,
// sorted by scope, for two who ask independently. The index asks which files to look at again, a
// face what to tell its client.
//
// A watch that is not sure says "all", and everything is looked at.
#pragma once

#include <memfs/watch.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/store/walk.h"

namespace memfs {

class StoreWatch;

class ScopeWatch {
 public:
  // A file, or something that may be one, about which there were events.
  struct Touched {
    bool appeared = false;              // made, or moved there
    std::optional<bool> told_exists{};  // what a face was last told
  };
  using KnowsFile = std::function<bool(const std::string& rel)>;

  explicit ScopeWatch(StoreWatch& store) : store_(store) {}

  // Begins to watch the folders of a walk over `folder`: add() is the walk's hook, and end() says
  // whether all that the walk saw is watched from before it saw it. begin() is false if there is
  // no use in trying yet.
  bool begin(const std::string& folder, Instant now);
  void add(const std::string& rel);
  bool end(const Walk& walk, Instant now);
  // There is no such folder; when there is one, its memories are new.
  void note_missing();

  // Whether it was told of all changes up to now in the folder that is at its path now.
  bool is_sure();
  // Files to look at again; only if is_sure() and not all() may have changed.
  const std::map<std::string, Touched>& touched() const { return touched_; }
  bool all() const { return all_; }
  void looked() { touched_.clear(); }

  // Files that a listing has, to tell which came or went.
  void set_knows(KnowsFile knows) { knows_ = std::move(knows); }
  // Adds what a face was not told yet.
  void tell(Scope scope, MemoryChanges& changes);

 private:
  friend class StoreWatch;
  struct Folder {
    std::string rel{};
    unsigned walk = 0;    // the last one that added it
    bool nested = false;  // a repository of its own: only its end matters
  };

  void note(const FolderEvent& event);
  void note_file(const std::string& rel, FolderEvent::Kind kind);
  void note_all();
  void drop(bool everything);
  bool is_there() const;

  StoreWatch& store_;
  std::string path_{};
  WatchedFolder root_{};
  std::map<int, Folder> folders_{};
  std::mutex mutex_{};  // of folders_ and failed_ during a walk
  unsigned walk_ = 0;
  bool on_ = false;      // all folders are watched
  bool failed_ = false;  // during this walk
  bool missing_ = false;
  bool links_ = false;  // what one file says may depend on any other
  std::optional<Instant> retry_at_{};

  std::map<std::string, Touched> touched_{};
  bool all_ = true;
  // Not told yet: whether each was there when it was first touched.
  std::map<std::string, bool> untold_{};
  bool untold_all_ = false;
  KnowsFile knows_{};
};

class StoreWatch {
 public:
  explicit StoreWatch(FileSystem& fs) : fs_(fs) {}
  ScopeWatch& of(Scope scope) { return scopes_.at(static_cast<std::size_t>(scope)); }
  // -1: nothing is watched.
  int descriptor() const { return watch_ ? watch_->descriptor() : -1; }
  // Takes what has happened and gives it to the scopes.
  void drain();

 private:
  friend class ScopeWatch;
  // nullptr if the system has none.
  FolderWatch* watch();
  // Unless another scope needs it.
  void remove(int number);

  FileSystem& fs_;
  std::unique_ptr<FolderWatch> watch_{};
  std::array<ScopeWatch, 3> scopes_{ScopeWatch(*this), ScopeWatch(*this), ScopeWatch(*this)};
};

}  // namespace memfs
