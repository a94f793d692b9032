#include "libmemfs/store/git_history.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/git_question.h"

namespace memfs {
namespace {

constexpr std::size_t kMostCommits = 500;
constexpr std::size_t kMostDeletions = 20000;

// The words of an output of `-z`, without what was cut off.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.find('\0') == std::string_view::npos; }
  std::string_view next() {
    const auto end = rest_.find('\0');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return word;
  }

 private:
  std::string_view rest_;
};

// A line of `--raw`: ":100644 100644 <blob> <blob> M", of a merge with one more of each.
struct RawChange {
  std::string before{}, after{};  // of the first parent and of the commit; empty: no file
  char status = 0;
};

std::string blob_named(std::string_view word) {
  return word.find_first_not_of('0') == std::string_view::npos ? std::string() : std::string(word);
}

std::optional<RawChange> raw_change(std::string_view line) {
  const auto parents = std::min(line.find_first_not_of(':'), line.size());
  std::vector<std::string_view> words;
  for (std::string_view rest = line.substr(parents); !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (parents == 0 || words.size() != 2 * parents + 3 || words.back().empty()) return std::nullopt;
  return RawChange{blob_named(words[parents + 1]), blob_named(words[2 * parents + 1]),
                   words.back().front()};
}

// Text that somebody else wrote, for a line of ours.
std::string as_line(std::string_view text) {
  return find_invalid_utf8(text) ? escape_for_terminal(text) : std::string(text);
}

// What `git log -z --raw` with kFormat says, commit by commit and file by file.
constexpr const char* kFormat = "--format=%x01%H%x00%aN%x00%at%x00%s";

class LogReader {
 public:
  LogReader(std::string_view text, std::string prefix) : words_(text), prefix_(std::move(prefix)) {}

  struct Change {
    CommittedFile file;
    RawChange raw;
  };
  // The next change of a file in the folder.
  std::optional<Change> next() {
    while (!words_.at_end()) {
      std::string_view word = words_.next();
      while (word.starts_with('\n')) word.remove_prefix(1);
      if (word.starts_with('\1')) read_commit(word.substr(1));
      if (!word.starts_with(':')) continue;
      const auto raw = raw_change(word);
      if (!raw) return std::nullopt;
      std::string_view path = words_.next();
      if (raw->status == 'R' || raw->status == 'C') path = words_.next();
      if (!path.starts_with(prefix_)) continue;
      Change change{commit_, *raw};
      change.file.rel = path.substr(prefix_.size());
      return change;
    }
    return std::nullopt;
  }

 private:
  void read_commit(std::string_view name) {
    commit_ = {};
    commit_.commit = name;
    commit_.author = as_line(words_.next());
    const std::string_view at = words_.next();
    std::int64_t seconds = 0;
    if (std::from_chars(at.data(), at.data() + at.size(), seconds).ec == std::errc{})
      commit_.at = Instant(std::chrono::seconds(seconds));
    commit_.subject = as_line(words_.next());
  }

  Words words_;
  std::string prefix_;
  CommittedFile commit_{};
};

// The shared folder as git calls it: "docs/memory/"; nullopt where git has nothing to say of it.
std::optional<std::string> prefix_of(FileSystem& fs, const Layout& layout) {
  if (layout.git_top.empty()) return std::nullopt;
  const std::string& folder = layout.folder(Scope::kShared).path;
  const auto real = fs.real_path(folder);  // gone with its last memory, it is no link
  const std::string path = real ? *real : folder;
  if (!path.starts_with(layout.git_top + "/")) return std::nullopt;
  return path.substr(layout.git_top.size() + 1) + "/";
}

// Paths are what they look like, and the repository's own settings change nothing of the answer.
std::optional<ProcessOutput> ask_log(const Layout& layout, std::vector<std::string> words,
                                     const std::string& path) {
  std::vector<std::string> all = {"--literal-pathspecs", "log"};
  all.insert(all.end(), words.begin(), words.end());
  // The states that a merge overruled, and those that it made, are states as well.
  for (const char* word : {"--full-history", "-c", "--raw", "--no-abbrev", "-z", "--no-ext-diff",
                           "--no-relative", "--encoding=UTF-8", kFormat, "HEAD", "--"})
    all.emplace_back(word);
  all.push_back(path);
  auto answer = ask_git(layout.git_top, all);
  if (!answer || (!answer->stopped && answer->exit_code != 0)) return std::nullopt;
  return std::move(*answer);
}

// What the first commit of a shallow clone holds came with commits that are not there.
void forget_author(CommittedFile& file) {
  file.author.clear();
  file.subject.clear();
  file.at.reset();
}

std::optional<ProcessOutput> ask_about(const Layout& layout, std::vector<std::string> words,
                                       const std::string& path) {
  words.insert(words.begin(), "--literal-pathspecs");
  words.insert(words.end(), {"--", path});
  auto answer = ask_git(layout.git_top, words);
  if (!answer || answer->stopped || answer->exit_code != 0) return std::nullopt;
  return std::move(*answer);
}

// In HEAD and the index, and in the work tree no more. To compare them any further git would run
// the filters that the repository names.
void add_removed(const Layout& layout, const std::string& prefix,
                 std::vector<CommittedFile>& files) {
  const auto names = ask_about(layout, {"ls-files", "-z", "--deleted"}, prefix);
  if (!names || names->out.empty()) return;
  std::set<std::string, std::less<>> gone;
  for (Words words(names->out); !words.at_end();) gone.emplace(words.next());
  const auto tree = ask_about(layout, {"ls-tree", "-r", "-z", "HEAD"}, prefix);
  if (!tree) return;
  // "<mode> blob <name>\t<path>"
  for (Words words(tree->out); !words.at_end();) {
    const std::string_view word = words.next();
    const auto tab = word.find('\t');
    if (tab == std::string_view::npos || !gone.contains(word.substr(tab + 1))) continue;
    CommittedFile file;
    file.rel = word.substr(tab + 1 + prefix.size());
    file.blob = word.substr(0, tab).substr(word.substr(0, tab).rfind(' ') + 1);
    files.push_back(std::move(file));
  }
}

// In HEAD, and in the index no more.
void add_unstaged(const Layout& layout, const std::string& prefix,
                  std::vector<CommittedFile>& files) {
  const auto answer = ask_about(layout,
                                {"diff-index", "--cached", "--raw", "-z", "--no-renames",
                                 "--no-ext-diff", "--no-relative", "--diff-filter=D", "HEAD"},
                                prefix);
  if (!answer) return;
  LogReader reader(answer->out, prefix);
  while (auto change = reader.next()) {
    change->file.blob = change->raw.before;
    files.push_back(std::move(change->file));
  }
}

}  // namespace

std::vector<CommittedFile> committed_files(FileSystem& fs, const Layout& layout,
                                           const std::string& rel) {
  std::vector<CommittedFile> files;
  const auto prefix = prefix_of(fs, layout);
  if (!prefix) return files;
  const auto answer =
      ask_log(layout, {"--follow", "--max-count=" + std::to_string(kMostCommits)}, *prefix + rel);
  if (!answer) return files;
  const std::set<std::string> shallow = shallow_commits(fs, layout.git_common_dir);
  LogReader reader(answer->out, *prefix);
  while (auto change = reader.next()) {
    const RawChange& raw = change->raw;
    if (raw.after.empty()) continue;
    CommittedFile& file = change->file;
    file.blob = raw.after;
    file.born = raw.status == 'A' || raw.status == 'C';
    if (shallow.contains(file.commit)) forget_author(file);
    if (!files.empty() && files.back().blob == file.blob && !files.back().born) files.pop_back();
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<CommittedFile> deleted_files(FileSystem& fs, const Layout& layout) {
  const auto prefix = prefix_of(fs, layout);
  if (!prefix) return {};
  std::vector<CommittedFile> files;
  add_removed(layout, *prefix, files);
  add_unstaged(layout, *prefix, files);
  // Memories are too much alike for git to tell an edited one from another one.
  const auto answer = ask_log(layout, {"-M100%", "--diff-filter=D"}, *prefix);
  if (!answer) return files;
  LogReader reader(answer->out, *prefix);
  while (auto change = reader.next()) {
    if (files.size() == kMostDeletions) break;
    change->file.blob = change->raw.before;
    if (!change->file.blob.empty()) files.push_back(std::move(change->file));
  }
  return files;
}

std::set<std::string> files_at(FileSystem& fs, const Layout& layout, const std::string& commit) {
  std::set<std::string> files;
  const auto prefix = prefix_of(fs, layout);
  if (!prefix) return files;
  const auto answer = ask_about(layout, {"ls-tree", "-r", "-z", "--name-only", commit}, *prefix);
  if (!answer) return files;
  for (Words words(answer->out); !words.at_end();) {
    const std::string_view path = words.next();
    if (path.starts_with(*prefix)) files.emplace(path.substr(prefix->size()));
  }
  return files;
}

bool led_to_head(const Layout& layout, const std::string& commit) {
  const auto answer = ask_git(layout.git_top, {"merge-base", "--is-ancestor", commit, "HEAD"});
  return answer && !answer->stopped && answer->exit_code == 0;
}

bool is_referred_to(const Layout& layout, const std::string& commit) {
  const auto answer = ask_git(layout.git_top, {"for-each-ref", "--count=1", "--contains", commit});
  return answer && !answer->stopped && answer->exit_code == 0 && !answer->out.empty();
}

void read_blobs(const Layout& layout, const std::vector<std::string>& blobs,
                const std::function<void(const std::string& blob, std::string_view bytes)>& use) {
  std::string wanted;
  for (const std::string& blob : blobs) wanted += blob + "\n";
  if (wanted.empty()) return;
  const auto answer = ask_git(layout.git_top, {"cat-file", "--batch", "--buffer"}, wanted);
  if (!answer) return;
  // "<name> blob <size>\n<bytes>\n", or "<name> missing\n"
  std::string_view rest = answer->out;
  for (auto eol = rest.find('\n'); eol != std::string_view::npos; eol = rest.find('\n')) {
    const std::string_view head = rest.substr(0, eol);
    rest.remove_prefix(eol + 1);
    const auto type = head.find(" blob ");
    if (type == std::string_view::npos) continue;
    std::size_t size = 0;
    std::from_chars(head.data() + type + 6, head.data() + head.size(), size);
    if (rest.size() <= size) return;  // cut off
    use(std::string(head.substr(0, type)), rest.substr(0, size));
    rest.remove_prefix(size + 1);
  }
}

}  // namespace memfs
