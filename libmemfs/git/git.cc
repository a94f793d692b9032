#include "libmemfs/git/git.h"

#include <algorithm>
#include <iterator>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

// Variables that name another repository, index or work tree than that of the folder, as git sets
// them for its hooks and people for a shell, or change what a path means. With GIT_DIR alone git
// would take the folder for the whole work tree of that repository, and commit that all else in it
// is gone.
constexpr const char* kOfARepository[] = {"GIT_DIR=",
                                          "GIT_WORK_TREE=",
                                          "GIT_IMPLICIT_WORK_TREE=",
                                          "GIT_COMMON_DIR=",
                                          "GIT_INDEX_FILE=",
                                          "GIT_OBJECT_DIRECTORY=",
                                          "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
                                          "GIT_QUARANTINE_PATH=",
                                          "GIT_NAMESPACE=",
                                          "GIT_PREFIX=",
                                          "GIT_SHALLOW_FILE=",
                                          "GIT_GRAFT_FILE=",
                                          "GIT_NO_REPLACE_OBJECTS=",
                                          "GIT_REPLACE_REF_BASE=",
                                          "GIT_INTERNAL_SUPER_PREFIX=",
                                          "GIT_LITERAL_PATHSPECS=",
                                          "GIT_GLOB_PATHSPECS=",
                                          "GIT_NOGLOB_PATHSPECS=",
                                          "GIT_ICASE_PATHSPECS=",
                                          "GIT_EXTERNAL_DIFF="};

}  // namespace

std::string words_of_git(std::string_view said) {
  std::string text;
  for (std::string_view rest = trim(said); !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    text += (text.empty() ? "" : "\n") + escape_for_terminal(line);
  }
  return text;
}

Git Git::with(std::vector<std::string> environment) const {
  Git git = *this;
  git.environment_.insert(git.environment_.end(), environment.begin(), environment.end());
  return git;
}

Git Git::for_private_files() const {
  Git git = *this;
  git.private_files_ = true;
  return git;
}

Result<ProcessOutput> Git::run(const std::vector<std::string>& words, std::string input) const {
  std::vector<std::string> argv = {"git", "-C", folder_};
  // The umask of this process is that of all its threads.
  if (private_files_) argv = {"sh", "-c", "umask 077; exec git \"$@\"", "git", "-C", folder_};
  argv.insert(argv.end(), words.begin(), words.end());
  ProcessOptions options;
  options.split_output = true;
  options.without.assign(std::begin(kOfARepository), std::end(kOfARepository));
  options.input = std::move(input);
  // No editor may wait, and what we read of git's words is English.
  options.environment = {"GIT_EDITOR=true", "LC_ALL=C.UTF-8"};
  options.environment.insert(options.environment.end(), environment_.begin(), environment_.end());
  auto answer = run_process(argv, options);
  if (!answer && answer.error().code == ErrorCode::kNotFound)
    return make_error(ErrorCode::kNotFound, "there is no git to run").with_hint("install git");
  return answer;
}

Result<std::string> Git::output(const std::vector<std::string>& words, std::string input) const {
  MEMFS_ASSIGN(auto answer, run(words, std::move(input)));
  if (answer.exit_code == 0) return std::move(answer.out);
  std::string said(trim(answer.err.empty() ? answer.out : answer.err));
  return make_error(ErrorCode::kIo, "`git " + words.front() + "` failed" +
                                        (said.empty() ? "" : ": " + words_of_git(said)))
      .at(folder_);
}

Result<std::string> Git::line(const std::vector<std::string>& words) const {
  MEMFS_ASSIGN(std::string text, output(words));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

bool Git::holds(const std::vector<std::string>& words) const {
  const auto answer = run(words);
  return answer && answer->exit_code == 0;
}

}  // namespace memfs
