// What git's commits hold of the shared memories' files. Every answer is a question to the user's
// git (git_question.h): bounded in time and number, and where git does not answer there is nothing
// to tell, never an error.
#pragma once

#include <memfs/layout.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/file_system.h"

namespace memfs {

// A file as a commit left it, or, in deleted_files(), as it was before a commit deleted it.
struct CommittedFile {
  std::string commit{};  // full; empty: gone from the work tree, and no commit says so yet
  std::string author{}, subject{};
  std::optional<Instant> at{};  // the author's date
  std::string rel{};            // path in the shared folder
  std::string blob{};           // git's name of the bytes
  bool born = false;            // the commit made the file, or made it from another one that stayed
};

// The states of the file at `rel`, newest commit first, through renames; of equal states one after
// the other (a rename, the same change on two branches) the oldest. The newest 500 commits that
// touched it. Of the first commit of a shallow clone nobody knows whether it did: neither author
// nor date are told.
std::vector<CommittedFile> committed_files(FileSystem& fs, const Layout& layout,
                                           const std::string& rel);

// The files that a commit in HEAD's history deleted, or that are in HEAD and gone from the work
// tree, newest first; the newest 20,000. One that was renamed as it was is not among them.
std::vector<CommittedFile> deleted_files(FileSystem& fs, const Layout& layout);

// The paths in the shared folder that a commit, or the tip of a reference, has.
std::set<std::string> files_at(FileSystem& fs, const Layout& layout, const std::string& commit);
// Whether the commit is HEAD or one that led to it.
bool led_to_head(const Layout& layout, const std::string& commit);
// Whether a branch, a tag or what was fetched holds the commit.
bool is_referred_to(const Layout& layout, const std::string& commit);

// Calls `use` with the bytes of the blobs that git has, in this order; 64 MiB in all at most.
void read_blobs(const Layout& layout, const std::vector<std::string>& blobs,
                const std::function<void(const std::string& blob, std::string_view bytes)>& use);

}  // namespace memfs
