#include "libmemfs/store/commit_times.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <vector>

#include "index/bytes.h"
#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/git_question.h"

namespace memfs {
namespace {

constexpr std::string_view kMagic = "mem-commits 2 ";
constexpr std::uint64_t kMaxCache = 256U << 20U;
constexpr std::size_t kEntry = 16;
constexpr std::size_t kSeal = 8;

using Times = std::map<std::uint64_t, std::int64_t>;

bool is_ancestor(const std::string& folder, const std::string& commit) {
  const auto answer =
      ask_git(folder, {"--no-replace-objects", "merge-base", "--is-ancestor", commit, "HEAD"});
  return answer && !answer->stopped && answer->exit_code == 0;
}

// Files by the hash of their path: when a commit touched each last, commits coming newest first.
class Touches {
 public:
  void touch(std::uint64_t path, std::int64_t at) {
    note(path, at);
    const auto later = later_names_.find(path);
    if (later == later_names_.end()) return;
    for (const std::uint64_t name : later->second) note(name, at);
  }
  // What touched `before` in older commits touched what is called `after` now.
  void rename(std::uint64_t before, std::uint64_t after) {
    std::vector<std::uint64_t> names = {after};
    if (const auto later = later_names_.find(after); later != later_names_.end())
      names.insert(names.end(), later->second.begin(), later->second.end());
    auto& known = later_names_[before];
    known.insert(known.end(), names.begin(), names.end());
  }
  const Times& times() const { return times_; }

 private:
  void note(std::uint64_t path, std::int64_t at) {
    auto& known = times_[path];
    known = std::max(known, at);
  }

  Times times_{};
  std::map<std::uint64_t, std::vector<std::uint64_t>> later_names_{};
};

enum class Answer : std::uint8_t { kNone, kPart, kWhole };

// The next word of an output of `-z`, which ends with a NUL; what was cut off is none.
std::optional<std::string_view> next_word(std::string_view& text) {
  const auto end = text.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view word = text.substr(0, end);
  text.remove_prefix(end + 1);
  while (word.starts_with('\n')) word.remove_prefix(1);
  return word;
}

// Each commit: "\1" author's seconds " " its name, then status and name of the files that it
// touched, relative to the folder; of a rename both names.
void read_log(std::string_view text, const std::set<std::string>& shallow, Touches& touches) {
  std::int64_t at = 0;
  bool counts = true;
  while (const auto word = next_word(text)) {
    if (word->empty()) continue;
    if (word->starts_with('\1')) {
      std::from_chars(word->data() + 1, word->data() + word->size(), at);
      counts = !shallow.contains(std::string(word->substr(word->find(' ') + 1)));
      continue;
    }
    const auto path = next_word(text);
    if (!path) return;
    if (!word->starts_with('R')) {
      if (counts) touches.touch(hash64(*path), at);
    } else if (const auto after = next_word(text)) {
      touches.rename(hash64(*path), hash64(*after));
    }
  }
}

// Adds what the commits that are in HEAD and not in `since` ("": all) touched.
Answer ask_for_times(const std::string& folder, const std::string& since,
                     const std::set<std::string>& shallow, Touches& touches) {
  const auto answer =
      ask_git(folder, {"--no-replace-objects", "log", "--relative", "-z", "--name-status", "-M100%",
                       "--no-ext-diff", "--format=%x01%at %H",
                       since.empty() ? "HEAD" : since + "..HEAD", "--", "."});
  if (!answer || (!answer->stopped && answer->exit_code != 0)) return Answer::kNone;
  read_log(answer->out, shallow, touches);
  return answer->stopped ? Answer::kPart : Answer::kWhole;
}

std::string hash_of(const std::set<std::string>& shallow) {
  std::string names;
  for (const std::string& name : shallow) names += name + "\n";
  return short_hash(names);
}

std::string serialised(const std::string& commit, const std::string& shallow, bool whole,
                       const Times& table) {
  std::string out = std::string(kMagic) + commit + " " + shallow + (whole ? " whole\n" : " part\n");
  for (const auto& [path, at] : table) {
    index::put<std::uint64_t>(out, path);
    index::put<std::int64_t>(out, at);
  }
  index::put<std::uint64_t>(out, hash64(out));
  return out;
}

}  // namespace

std::optional<Instant> CommitTimes::of(std::string_view rel) const {
  const std::uint64_t path = hash64(rel);
  std::size_t begin = 0;
  std::size_t end = entries_.size() / kEntry;
  while (begin < end) {
    const std::size_t middle = (begin + end) / 2;
    const char* entry = entries_.data() + middle * kEntry;
    const auto found = index::load<std::uint64_t>(entry);
    if (found == path) return Instant(std::chrono::seconds(index::load<std::int64_t>(entry + 8)));
    (found < path ? begin : end) = found < path ? middle + 1 : middle;
  }
  return std::nullopt;
}

std::shared_ptr<const CommitTimes> CommitTimes::read(std::shared_ptr<const Bytes> bytes) {
  const std::string_view all = bytes->view();
  const auto newline = all.find('\n');
  if (!all.starts_with(kMagic) || newline == std::string_view::npos) return nullptr;
  if ((all.size() - newline - 1) % kEntry != kSeal) return nullptr;
  const auto sealed = all.substr(0, all.size() - kSeal);
  if (index::load<std::uint64_t>(all.data() + sealed.size()) != hash64(sealed)) return nullptr;
  auto times = std::make_shared<CommitTimes>();
  const std::string_view head = all.substr(kMagic.size(), newline - kMagic.size());
  const auto blank = head.find(' ');
  if (blank == std::string_view::npos) return nullptr;
  times->commit_ = head.substr(0, blank);
  times->shallow_ = head.substr(blank + 1, head.rfind(' ') - blank - 1);
  times->whole_ = head.ends_with(" whole");
  times->entries_ = sealed.substr(newline + 1);
  times->bytes_ = std::move(bytes);
  return times;
}

CommitTimes::Table CommitTimes::table() const {
  Table table;
  for (std::size_t at = 0; at < entries_.size(); at += kEntry)
    table.emplace_hint(table.end(), index::load<std::uint64_t>(entries_.data() + at),
                       index::load<std::int64_t>(entries_.data() + at + 8));
  return table;
}

std::shared_ptr<const CommitTimes> CommitTimes::load(FileSystem& fs, const Layout& layout,
                                                     std::shared_ptr<const CommitTimes> before) {
  const ScopeFolder& shared = layout.folder(Scope::kShared);
  if (layout.git_top.empty() || !shared.exists) return nullptr;
  const std::string head = git_head(fs, layout.git_top, layout.git_common_dir);
  if (head.empty()) return nullptr;
  const std::set<std::string> shallow = shallow_commits(fs, layout.git_common_dir);
  const std::string shallow_hash = hash_of(shallow);
  if (before && before->answers(head, shallow_hash)) return before;
  const std::string file = "commits-" + short_hash(shared.path);
  if (const auto cache = fs.open(layout.cache); cache && !before) {
    if (auto bytes = (*cache)->map(file, kMaxCache)) before = read(std::move(*bytes));
    if (before && before->answers(head, shallow_hash)) return before;
  }
  const bool grown =
      before && before->shallow_ == shallow_hash && is_ancestor(shared.path, before->commit_);
  Touches touches;
  const Answer answer =
      ask_for_times(shared.path, grown ? before->commit_ : std::string(), shallow, touches);
  // What git could not tell now it may tell the next time: nothing is kept of that. What was before
  // may be of a history that HEAD has no more.
  if (answer == Answer::kNone) return grown ? before : nullptr;
  bool whole = answer == Answer::kWhole;
  if (grown) {
    whole = whole && before->whole_;
    for (const auto& [path, at] : before->table()) touches.touch(path, at);
  }
  std::string bytes = serialised(head, shallow_hash, whole, touches.times());
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  const auto made = fs.make_directories(layout.cache, 0700);
  // Where it cannot be kept, git is asked again.
  if (const auto dir = fs.open(layout.cache); made && dir)
    (void)replace_file(**dir, file, bytes, options);
  return read(bytes_of(std::move(bytes)));
}

}  // namespace memfs
