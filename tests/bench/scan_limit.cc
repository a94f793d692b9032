// The limit of every search that looks whether its files have changed: a walk that lists each
// folder and takes the stamp of each entry, and nothing else.
//
//   scan_limit DIR [THREADS]          count, and the median of several walks in this process
//   scan_limit DIR [THREADS] --once   one walk, so that the whole process can be timed
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

// Measured without gain: other buffer sizes, stamps in the order of inodes, fewer statx flags, a
// table of descriptors for each thread. What remains is the kernel's time for one statx after the
// other.
constexpr std::size_t kBuffer = 32 * 1024;
constexpr std::size_t kStack = 256 * 1024;
constexpr int kMostThreads = 16;
// A second thread costs as much as some hundred stamps; below this many bytes of names it waits.
constexpr std::size_t kWorthAThread = 4 * 1024;

// What the kernel's getdents64 fills in.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

// A folder to be listed, or entries of a big one that another thread takes over.
struct Work {
  std::string path;
  std::vector<char> entries;
};

class Scan {
 public:
  Scan(int root, int threads) : root_(root), threads_(std::clamp(threads, 1, kMostThreads)) {}

  long run();

 private:
  static void* start(void* scan);
  void work(long* seen);
  void list(const std::string& path, long* seen);
  void stamp_all(int folder, const std::string& path, const char* entries, std::size_t size,
                 long* seen);
  int open_folder(const std::string& path) const {
    return openat(root_, path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  void give(Work work);
  bool take(Work* work);
  bool has_work() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  bool wants_more() const { return waiting_.load(std::memory_order_relaxed) < threads_; }
  void start_threads();
  void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) sched_yield();
  }
  void unlock() { busy_.clear(std::memory_order_release); }

  int root_;
  int threads_;
  bool started_ = false;
  std::array<pthread_t, kMostThreads> handles_{};
  std::atomic_flag busy_;
  std::vector<Work> stack_;
  std::atomic<int> waiting_{0};     // pieces of work nobody has taken
  std::atomic<int> unfinished_{0};  // those, and the ones being worked on
  std::atomic<long> total_{0};
};

alignas(64) char stacks[kMostThreads][kStack];

void Scan::give(Work work) {
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  lock();
  stack_.push_back(std::move(work));
  waiting_.fetch_add(1, std::memory_order_relaxed);
  unlock();
}

bool Scan::take(Work* work) {
  if (!has_work()) return false;
  lock();
  const bool found = !stack_.empty();
  if (found) {
    *work = std::move(stack_.back());
    stack_.pop_back();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  unlock();
  return found;
}

void Scan::stamp_all(int folder, const std::string& path, const char* entries, std::size_t size,
                     long* seen) {
  struct statx stamp;
  for (std::size_t at = 0; at < size;) {
    const auto* entry = reinterpret_cast<const Entry*>(entries + at);
    at += entry->length;
    const char* name = entry->name;
    if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
    if (statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &stamp))
      continue;
    if (S_ISDIR(stamp.stx_mode))
      give({path.empty() ? name : path + "/" + name, {}});
    else
      ++*seen;
  }
}

void Scan::list(const std::string& path, long* seen) {
  const int folder = open_folder(path);
  if (folder < 0) return;
  std::array<char, kBuffer> buffer;
  for (bool first = true;; first = false) {
    const long size = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (size <= 0) break;
    const auto bytes = static_cast<std::size_t>(size);
    if (!first && threads_ > 1 && wants_more())
      give({path, std::vector<char>(buffer.begin(), buffer.begin() + size)});
    else
      stamp_all(folder, path, buffer.data(), bytes, seen);
    if (!started_ && threads_ > 1 && (bytes > kWorthAThread || has_work())) start_threads();
  }
  close(folder);
}

void Scan::work(long* seen) {
  Work work;
  while (unfinished_.load(std::memory_order_acquire) > 0) {
    if (!take(&work)) {
      // Waiting in the kernel would cost the other thread a call for each wake-up.
      sched_yield();
      continue;
    }
    if (work.entries.empty()) {
      list(work.path, seen);
    } else {
      const int folder = open_folder(work.path);
      stamp_all(folder, work.path, work.entries.data(), work.entries.size(), seen);
      close(folder);
    }
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

void* Scan::start(void* scan) {
  long seen = 0;
  static_cast<Scan*>(scan)->work(&seen);
  static_cast<Scan*>(scan)->total_ += seen;
  return nullptr;
}

void Scan::start_threads() {
  started_ = true;
  for (int i = 1; i < threads_; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stacks[i], kStack);
    auto& handle = handles_[static_cast<std::size_t>(i)];
    if (pthread_create(&handle, &attributes, &Scan::start, this) != 0) handle = 0;
    pthread_attr_destroy(&attributes);
  }
}

long Scan::run() {
  long seen = 0;
  give({});
  work(&seen);
  for (const pthread_t handle : handles_)
    if (handle != 0) pthread_join(handle, nullptr);
  return seen + total_;
}

double milliseconds(int root, int threads, long* count) {
  const auto begin = std::chrono::steady_clock::now();
  *count = Scan(root, threads).run();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

}  // namespace

int main(int argc, char** argv) {
  const bool once = argc > 2 && std::strcmp(argv[argc - 1], "--once") == 0;
  const int words = once ? argc - 1 : argc;
  if (words < 2 || words > 3) {
    std::fputs("usage: scan_limit DIR [THREADS] [--once]\n", stderr);
    return 2;
  }
  const int threads = words == 3 ? std::atoi(argv[2]) : 2;
  const int root = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) {
    std::perror(argv[1]);
    return 1;
  }
  long count = 0;
  std::vector<double> times;
  const int repeats = once ? 1 : 21;
  for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(root, threads, &count));
  std::sort(times.begin(), times.end());
  if (once)
    std::printf("%ld\n", count);
  else
    std::printf("count\t%ld\nscan_ms\t%.3f\n", count, times[times.size() / 2]);
  return 0;
}
