#include "libmemfs/store/git_question.h"

#include <algorithm>

namespace memfs {

Result<ProcessOutput> ask_git(const std::string& folder, const std::vector<std::string>& words,
                              std::string input) {
  ProcessOptions options;
  options.input = std::move(input);
  options.time_limit = std::chrono::seconds(2);
  options.output_limit = std::size_t{64} << 20U;
  options.only_output = true;
  options.without = {"GIT_"};
  options.environment = {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
                         "GIT_OPTIONAL_LOCKS=0", "GIT_GRAFT_FILE=/dev/null"};
  std::vector<std::string> argv = {"git", "-C", folder};
  for (const char* setting : {"core.fsmonitor=false", "core.alternateRefsCommand=",
                              "log.showSignature=false", "log.showRoot=true", "log.follow=false"}) {
    argv.emplace_back("-c");
    argv.emplace_back(setting);
  }
  argv.insert(argv.end(), words.begin(), words.end());
  return run_process(argv, options);
}

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace memfs
