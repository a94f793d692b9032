#include "libmemfs/store/walk.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <set>

#include "index/parallel.h"
#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr int kMaxLinks = 8;

// "a/b" + "../c" → "a/c"; empty if it leads out of the root.
std::string resolve_relative(const std::string& from_folder, std::string_view target) {
  std::vector<std::string> parts;
  const std::string joined = join_path(from_folder, target);
  for (std::size_t begin = 0; begin <= joined.size();) {
    const auto slash = std::min(joined.find('/', begin), joined.size());
    const std::string part = joined.substr(begin, slash - begin);
    begin = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) return {};
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string& part : parts) out = join_path(out, part);
  return out;
}

// Of the folders in which `rel` lies.
void tell_of_folders(const std::string& rel, const FolderHook& before) {
  if (!before) return;
  for (std::string folder = parent_of(rel); !folder.empty(); folder = parent_of(folder))
    before(folder);
}

// A page, or a dot-file. A folder whose files are links into a hidden one is somebody's choice.
bool is_hidden_or_page(const std::string& rel) {
  const std::string leaf = leaf_of(rel);
  return leaf.starts_with('.') || is_page_file(leaf);
}

// What one thread finds.
struct Findings {
  Walk walk{};
  std::vector<std::string> links{};
};

class Walker {
 public:
  Walker(Directory& dir, unsigned threads, const FolderHook& before)
      : dir_(dir), before_(before), findings_(std::max(threads, 1U)) {}

  Walk run() {
    tasks_.push_back({});
    // Threads are started when there is work that is worth them.
    while (enough_for_one() && work_one(findings_.front())) {
    }
    const std::size_t threads = tasks_.empty() ? 1 : findings_.size();
    index::in_parts(threads, threads, [this](std::size_t thread, std::size_t, std::size_t) {
      work(findings_[thread]);
    });
    Findings& all = findings_.front();
    for (std::size_t i = 1; i < findings_.size(); ++i) {
      append(all.walk.files, findings_[i].walk.files);
      all.walk.names.take(std::move(findings_[i].walk.names));
      append(all.walk.leftovers, findings_[i].walk.leftovers);
      append(all.walk.problems, findings_[i].walk.problems);
      append(all.walk.nested, findings_[i].walk.nested);
      append(all.links, findings_[i].links);
      all.walk.hard_links = all.walk.hard_links || findings_[i].walk.hard_links;
      if (findings_[i].walk.failure) all.walk.failure = findings_[i].walk.failure;
    }
    add_links(all);
    return std::move(all.walk);
  }

 private:
  // A folder to list, or some files of one to look at.
  struct Task {
    std::string folder{};
    std::vector<DirEntry> files{};
  };
  static constexpr std::size_t kFilesAtOnce = 512;

  template <typename T>
  static void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  // While this thread is the only one.
  bool enough_for_one() const {
    constexpr std::size_t kFewTasks = 4;
    return !tasks_.empty() && tasks_.size() < kFewTasks;
  }

  void work(Findings& found) {
    while (work_one(found)) {
    }
  }

  // Takes a task and does it; waits while others may still find some. False when all is done.
  bool work_one(Findings& found) {
    Task task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return !tasks_.empty() || busy_ == 0; });
      if (tasks_.empty()) return false;
      task = std::move(tasks_.back());
      tasks_.pop_back();
      ++busy_;
    }
    // Also when it throws: others wait for the last one that is busy.
    const Busy busy(*this);
    if (task.files.empty()) {
      visit(task.folder, found);
    } else {
      look_at(task, found);
    }
    return true;
  }

  class Busy {
   public:
    explicit Busy(Walker& walker) : walker_(walker) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() {
      const std::lock_guard<std::mutex> lock(walker_.mutex_);
      if (--walker_.busy_ == 0) walker_.changed_.notify_all();
    }

   private:
    Walker& walker_;
  };

  void give_out(Task task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

  void visit(const std::string& folder, Findings& found) {
    if (before_) before_(folder);
    auto entries = dir_.list(folder);
    if (!entries) return note_unreadable(found, folder, entries.error());
    if (!folder.empty() && has_git(*entries)) {
      note(found, "nested-repository", Severity::kInfo, folder,
           "a git repository of its own is left out", "");
      found.walk.nested.push_back(folder);
      return;
    }
    Task files{folder, {}};
    for (DirEntry& entry : *entries) {
      if (!is_candidate(folder, entry, found)) continue;
      files.files.push_back(std::move(entry));
      if (files.files.size() < kFilesAtOnce) continue;
      give_out(std::move(files));
      files = {folder, {}};
    }
    if (!files.files.empty()) look_at(files, found);
  }

  // Gone between two looks is no problem, the next run is right.
  void note_unreadable(Findings& found, const std::string& folder, const Error& error) {
    if (folder.empty()) found.walk.failure = error;
    if (error.code == ErrorCode::kNotFound) return;
    note(found, "unreadable", Severity::kError, folder, error.message, error.hint);
  }

  static bool has_git(const std::vector<DirEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const DirEntry& entry) { return entry.name == ".git"; });
  }

  // Whether the entry is a file that is named like a memory; deals with all others.
  bool is_candidate(const std::string& folder, const DirEntry& entry, Findings& found) {
    if (entry.name.starts_with('.')) {
      if (entry.name.starts_with(kTemporaryPrefix) && entry.kind == FileKind::kRegular)
        found.walk.leftovers.push_back(join_path(folder, entry.name));
      return false;
    }
    const bool named_like_memory = is_memory_file(entry.name);
    if (entry.kind == FileKind::kRegular) return named_like_memory;
    const std::string rel = join_path(folder, entry.name);
    if (entry.kind == FileKind::kDirectory) {
      if (named_like_memory)
        note(found, "not-a-file", Severity::kWarning, rel, "a folder is named like a memory",
             "rename the folder");
      give_out({rel, {}});
    } else if (entry.kind == FileKind::kSymlink) {
      found.links.push_back(rel);
    } else if (named_like_memory) {
      note(found, "not-a-file", Severity::kWarning, rel, "not a regular file: it is not read",
           "remove it or rename it");
    }
    return false;
  }

  void look_at(const Task& task, Findings& found) {
    const auto stats = dir_.stat_entries(task.folder, task.files);
    if (!stats) return note_unreadable(found, task.folder, stats.error());
    for (std::size_t i = 0; i < stats->size(); ++i) {
      // Gone, or something else by now: the next run sees it.
      const auto& stat = (*stats)[i];
      if (!stat || stat->kind != FileKind::kRegular) continue;
      add(found.walk.names.keep(task.folder, task.files[i].name), {}, *stat, found);
    }
  }

  void add(std::string_view name_rel, std::string_view target, const FileStat& stat,
           Findings& found) {
    if (find_invalid_utf8(name_rel))
      note(found, "name-utf8", Severity::kError, std::string(name_rel),
           "the file's name is not UTF-8", "rename the file");
    found.walk.hard_links = found.walk.hard_links || stat.links > 1;
    found.walk.files.push_back(
        {name_rel, target, {stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode}});
  }

  void add_links(Findings& all) {
    all.walk.links = !all.links.empty();
    if (all.links.empty()) return;
    std::sort(all.links.begin(), all.links.end());
    std::set<std::string, std::less<>> files;
    for (const WalkedFile& file : all.walk.files) files.emplace(file.name_rel);
    for (const std::string& rel : all.links) {
      auto target = resolve_link(dir_, rel, before_);
      if (!target) {
        const bool matters =
            is_memory_file(leaf_of(rel)) || target.error().details.empty();  // a link to a folder
        if (matters)
          note(all, "link", Severity::kWarning, rel, target.error().message, target.error().hint);
      } else if (files.contains(*target)) {
        note(all, "link-to-memory", Severity::kInfo, rel,
             "a link to the memory " + escape_for_terminal(*target) +
                 ": it is shown under that name",
             "");
      } else if (is_memory_file(leaf_of(rel)) && is_hidden_or_page(*target)) {
        note(all, "link", Severity::kWarning, rel,
             "a link to " + escape_for_terminal(*target) + ", which is no memory", "remove it");
      } else if (is_memory_file(leaf_of(rel))) {
        const auto stat = dir_.stat(*target);
        if (!stat) continue;
        files.insert(*target);
        add(all.walk.names.keep({}, rel), all.walk.names.keep({}, *target), *stat, all);
      }
    }
  }

  void note(Findings& found, const char* code, Severity severity, const std::string& rel,
            std::string message, std::string hint) {
    Problem problem;
    problem.code = code;
    problem.severity = severity;
    problem.path = escape_for_terminal(join_path(dir_.path(), rel));
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    found.walk.problems.push_back(std::move(problem));
  }

  Directory& dir_;
  const FolderHook& before_;
  std::vector<Findings> findings_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  int busy_ = 0;
};

}  // namespace

std::string_view NamePool::keep(std::string_view folder, std::string_view name) {
  constexpr std::size_t kPage = 65536;
  const std::size_t size = folder.size() + (folder.empty() ? 0 : 1) + name.size();
  if (used_ + size > size_) {
    size_ = std::max(kPage, size);
    pages_.push_back(std::make_unique_for_overwrite<char[]>(size_));
    used_ = 0;
  }
  char* begin = pages_.back().get() + used_;
  char* end = std::copy(folder.begin(), folder.end(), begin);
  if (!folder.empty()) *end++ = '/';
  std::copy(name.begin(), name.end(), end);
  used_ += size;
  return {begin, size};
}

void NamePool::take(NamePool&& other) {
  // In front, so that the page at work stays the last one.
  pages_.insert(pages_.begin(), std::make_move_iterator(other.pages_.begin()),
                std::make_move_iterator(other.pages_.end()));
}

Result<std::string> resolve_link(Directory& dir, const std::string& rel, const FolderHook& before) {
  std::string at = rel;
  const auto refuse = [&](const char* why) {
    return make_error(ErrorCode::kRefused, std::string("a link that ") + why + " is not followed")
        .at(join_path(dir.path(), rel))
        .with_hint("put the file itself here");
  };
  for (int hop = 0; hop < kMaxLinks; ++hop) {
    MEMFS_ASSIGN(const std::string target, dir.read_link(at));
    if (target.starts_with('/')) return refuse("leads out of the folder");
    at = resolve_relative(parent_of(at), target);
    if (at.empty()) return refuse("leads out of the folder");
    tell_of_folders(at, before);
    auto stat = dir.stat(at);
    if (!stat) return refuse("leads nowhere").with("target", target);
    if (stat->kind == FileKind::kRegular) return at;
    if (stat->kind != FileKind::kSymlink) return refuse("leads to something that is no file");
  }
  return refuse("goes in circles");
}

Walk walk_scope(Directory& dir, unsigned threads, const FolderHook& before) {
  return Walker(dir, threads, before).run();
}

}  // namespace memfs
