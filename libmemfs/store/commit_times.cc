#include "libmemfs/store/commit_times.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "index/bytes.h"
#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/store/git_dir.h"
#include "libmemfs/store/git_question.h"

namespace memfs {
namespace {

constexpr std::string_view kMagic = "mem-commits 1 ";
constexpr std::uint64_t kMaxCache = 256U << 20U;
constexpr std::size_t kEntry = 16;
constexpr std::size_t kSeal = 8;
bool is_ancestor(const std::string& folder, const std::string& commit) {
  const auto answer = ask_git(folder, {"merge-base", "--is-ancestor", commit, "HEAD"});
  return answer && !answer->stopped && answer->exit_code == 0;
}

enum class Answer : std::uint8_t { kNone, kPart, kWhole };

// Adds what the commits that are in HEAD and not in `since` ("": all) touched, newest first.
Answer ask_for_times(const std::string& folder, const std::string& since,
                     std::map<std::uint64_t, std::int64_t>& table) {
  // Each commit: "\1" author's seconds, then the names it touched, relative to the folder.
  std::vector<std::string> words = {
      "log",           "--relative",      "-z", "--name-only", "--no-renames",
      "--no-ext-diff", "--format=%x01%at"};
  words.push_back(since.empty() ? "HEAD" : since + "..HEAD");
  words.insert(words.end(), {"--", "."});
  const auto answer = ask_git(folder, words);
  if (!answer || (!answer->stopped && answer->exit_code != 0)) return Answer::kNone;
  std::int64_t at = 0;
  std::string_view text = answer->out;
  // Of what was cut off the last word may be a part of one.
  if (answer->stopped) text = text.substr(0, text.rfind('\0') + 1);
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (word.starts_with('\n')) word.remove_prefix(1);
    if (word.starts_with('\1')) {
      word.remove_prefix(1);
      std::from_chars(word.data(), word.data() + word.size(), at);
    } else if (!word.empty()) {
      auto& known = table[hash64(word)];
      known = std::max(known, at);
    }
  }
  return answer->stopped ? Answer::kPart : Answer::kWhole;
}

std::string serialised(const std::string& commit, bool whole,
                       const std::map<std::uint64_t, std::int64_t>& table) {
  std::string out = std::string(kMagic) + commit + (whole ? " whole\n" : " part\n");
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
  times->commit_ = head.substr(0, head.find(' '));
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
  if (before && before->commit_ == head) return before;
  const std::string file = "commits-" + short_hash(shared.path);
  if (const auto cache = fs.open(layout.cache); cache && !before) {
    if (auto bytes = (*cache)->map(file, kMaxCache)) before = read(std::move(*bytes));
    if (before && before->commit_ == head) return before;
  }
  Table table;
  std::string since;
  bool whole = true;
  if (before && is_ancestor(shared.path, before->commit_)) {
    table = before->table();
    since = before->commit_;
    whole = before->whole_;
  }
  const Answer answer = ask_for_times(shared.path, since, table);
  // What git could not tell now it may tell the next time: nothing is kept of that.
  if (answer == Answer::kNone) return before;
  whole = whole && answer == Answer::kWhole;
  std::string bytes = serialised(head, whole, table);
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
