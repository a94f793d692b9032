#include "libmemfs/git/git.h"

#include "libmemfs/base/utf8.h"

namespace memfs {

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
                                        (said.empty() ? "" : ": " + escape_for_terminal(said)))
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
