#include "libmemfs/git/sync_pending.h"

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr char kWaiting[] = "mem-sync/waiting";
// Of `waiting`: words that end with NUL; the format, the commit, and for each file its paths, three
// entries and "text", "other" or "decided".
constexpr char kFormat[] = "mem-sync 1";
constexpr std::size_t kWordsOfFile = 10;

std::string record_of(const std::string& branch) { return "mem-sync/" + short_hash(branch); }

std::optional<std::string> read_record(const SyncPlace& place, const std::string& rel) {
  const auto dir = place.fs->open(place.git_dir);
  if (!dir) return std::nullopt;
  auto content = (*dir)->read(rel, std::uint64_t{64} << 20U);
  if (!content) return std::nullopt;
  return std::move(content->bytes);
}

Result<void> write_record(const SyncPlace& place, const std::string& rel, const std::string& text) {
  MEMFS_ASSIGN(const auto dir, place.fs->open(place.git_dir));
  MEMFS_TRY(make_parents(*dir, rel, 0777));
  return replace_file(*dir, rel, text);
}

}  // namespace

std::optional<Waiting> read_waiting(const SyncPlace& place) {
  const auto text = read_record(place, kWaiting);
  if (!text) return std::nullopt;
  const auto words = split_nul(*text);
  if (words.size() < 2 || words[0] != kFormat || (words.size() - 2) % kWordsOfFile != 0)
    return std::nullopt;
  Waiting waiting;
  waiting.theirs = words[1];
  for (std::size_t i = 2; i < words.size(); i += kWordsOfFile) {
    TreeConflict file;
    file.path = words[i];
    file.their_path = words[i + 1];
    file.base_path = words[i + 2];
    std::size_t at = i + 3;
    for (TreeEntry* entry : {&file.base, &file.ours, &file.theirs}) {
      entry->mode = words[at++];
      entry->object = words[at++];
    }
    file.is_text = words[at] != "other";
    file.is_decided = words[at] == "decided";
    waiting.files.push_back(std::move(file));
  }
  return waiting;
}

Result<void> write_waiting(const SyncPlace& place, const Waiting& waiting) {
  std::string text = std::string(kFormat) + '\0' + waiting.theirs + '\0';
  for (const TreeConflict& file : waiting.files) {
    text += file.path + '\0' + file.their_path + '\0' + file.base_path + '\0';
    for (const TreeEntry* entry : {&file.base, &file.ours, &file.theirs})
      text += entry->mode + '\0' + entry->object + '\0';
    text += std::string(file.is_decided ? "decided" : file.is_text ? "text" : "other") + '\0';
  }
  return write_record(place, kWaiting, text);
}

Result<void> drop_waiting(const SyncPlace& place) {
  MEMFS_ASSIGN(const auto dir, place.fs->open(place.git_dir));
  auto removed = dir->remove(kWaiting);
  if (!removed && removed.error().code != ErrorCode::kNotFound) return removed;
  return {};
}

Result<void> note_decision(FileSystem& fs, const Git& git, const std::string& rel) {
  MEMFS_ASSIGN(const std::string git_dir, git.line({"rev-parse", "--absolute-git-dir"}));
  SyncPlace place{git, {}, {}, git_dir, &fs};
  auto waiting = read_waiting(place);
  if (!waiting) return {};
  for (TreeConflict& file : waiting->files)
    if (file.path == rel) file.is_decided = true;
  return write_waiting(place, *waiting);
}

std::optional<LastMerge> read_last_merge(const SyncPlace& place, const std::string& branch) {
  const auto text = read_record(place, record_of(branch));
  if (!text) return std::nullopt;
  const auto blank = text->find(' ');
  const auto end = text->find('\n');
  if (blank == std::string::npos || end == std::string::npos || end < blank) return std::nullopt;
  return LastMerge{text->substr(0, blank), text->substr(blank + 1, end - blank - 1)};
}

Result<void> write_last_merge(const SyncPlace& place, const std::string& branch,
                              const LastMerge& last) {
  return write_record(place, record_of(branch), last.ours + " " + last.theirs + "\n");
}

}  // namespace memfs
