// What we need to know of a git repository, read from its files; the user's git writes.
#pragma once

#include <memfs/result.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

// The common directory (shared by all worktrees) of the repository whose work tree is `top`, with
// links resolved; nullopt if `top` has no usable .git. A .git file must lead to a repository that
// knows this work tree: anyone can write such a file.
std::optional<std::string> git_common_dir(FileSystem& fs, const std::string& top);

// `mem.project` in the common directory's own configuration; "" if there is none. An error if the
// configuration is there and cannot be read: that is not the same as having no id.
Result<std::string> read_project_id(FileSystem& fs, const std::string& common_dir);
// Where the configuration really lies, if it is a link, as in work trees that some scripts make
// over another repository; else "". What is written through it is written for all who link there.
std::string linked_config(FileSystem& fs, const std::string& common_dir);
// Written by `git config`, so that git's own lock and format apply.
Result<void> write_project_id(const std::string& common_dir, const std::string& id);

// URLs of the remotes, without credentials.
std::vector<std::string> git_remotes(FileSystem& fs, const std::string& common_dir);

// The commit that HEAD of the work tree `top` is at, as git writes it; "" if that cannot be told
// from the files (a new repository, other kinds of reference storage).
std::string git_head(FileSystem& fs, const std::string& top, const std::string& common_dir);

// The reference that HEAD of the work tree names: "refs/heads/main"; "" if it names a commit.
std::string git_branch(FileSystem& fs, const std::string& top);

// The first commits of a shallow clone: their parents are not there. Empty of a whole one.
std::set<std::string> shallow_commits(FileSystem& fs, const std::string& common_dir);

bool is_project_id(std::string_view text);

}  // namespace memfs
