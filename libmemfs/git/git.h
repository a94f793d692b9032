// The user's own git at work in a repository: their settings, hooks and credentials apply. For mere
// questions that must not wait or run anything there is store/git_question.h.
#pragma once

#include <memfs/result.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmemfs/base/process.h"
#include "libmemfs/store/git_question.h"  // split_nul

namespace memfs {

// What git or a hook said, line by line, for a message of ours.
std::string words_of_git(std::string_view said);

// Works in the repository of its folder, whatever GIT_DIR and the like say.
class Git {
 public:
  // Runs in `folder` (absolute), with `environment` ("NAME=value") on top of our own.
  explicit Git(std::string folder, std::vector<std::string> environment = {})
      : folder_(std::move(folder)), environment_(std::move(environment)) {}

  const std::string& folder() const { return folder_; }
  // The same with more in its environment.
  Git with(std::vector<std::string> environment) const;
  // The same, but files that it makes are for the user alone.
  Git for_private_files() const;

  // `git WORDS…`, with `input` on its standard input. Fails only if there is no git to run.
  Result<ProcessOutput> run(const std::vector<std::string>& words, std::string input = {}) const;
  // What a command that must succeed printed. kIo with git's own words if it did not.
  Result<std::string> output(const std::vector<std::string>& words, std::string input = {}) const;
  // The same without the newline at the end.
  Result<std::string> line(const std::vector<std::string>& words) const;
  // Whether a command that answers by its exit code says yes (0).
  bool holds(const std::vector<std::string>& words) const;

 private:
  std::string folder_;
  std::vector<std::string> environment_;
  bool private_files_ = false;
};

}  // namespace memfs
