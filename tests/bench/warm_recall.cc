// A store that is kept warm, as a server has it.
//
//   warm_recall times ROOT QUERIES          a whole search, library call to hits with their text:
//                                           of each line "kind<TAB>query", and after a change
//   warm_recall memory ROOT QUERIES CALLS   what the process holds after 1,000 and after CALLS
//
// Prints lines "name<TAB>value". ROOT/shared holds the memories.
#include <memfs/search.h>
#include <memfs/store.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/posix_file_system.h"

namespace memfs::bench {
namespace {

namespace fs = std::filesystem;

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double share(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double last = static_cast<double>(values.size()) - 1;
  return values.empty() ? 0 : values[static_cast<std::size_t>(part * last)];
}

std::vector<std::string> queries_of(const char* file) {
  std::vector<std::string> queries;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (const auto tab = line.find('\t'); tab != std::string::npos)
      queries.push_back(line.substr(tab + 1));
  return queries;
}

Store open(const std::string& root) {
  Store store = *Store::open(*layout_at(root));
  store.keep_warm();
  return store;
}

std::size_t ask(const Store& store, const std::string& query) {
  SearchRequest request;
  request.query = query;
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto found = search(store, request, now);
  return found ? found->hits.size() : 0;
}

// A word of letters alone: a number in it is a word of its own.
std::string word_of(int i) {
  std::string word = "zyzzyva";
  for (; i > 0; i /= 26) word += static_cast<char>('a' + i % 26);
  return word;
}

// Milliseconds until a memory that did not exist is on disk for good and found.
double add_and_find(const Store& store, Directory& shared, const std::string& file, int i) {
  WriteOptions options;
  options.durable = true;
  return milliseconds([&] {
    (void)create_file(shared, file, "---\ntitle: Added\n---\n" + word_of(i) + "\n", options);
    if (ask(store, word_of(i)) == 0) std::fputs("the added memory was not found\n", stderr);
  });
}

void added(const Store& store, const std::string& root) {
  PosixFileSystem files;
  const auto shared = files.open(root + "/shared");
  if (!shared) return;
  std::vector<double> took;
  for (int i = 0; i < 101; ++i) {
    const std::string file = "warm-recall-" + std::to_string(i) + ".md";
    took.push_back(add_and_find(store, **shared, file, 2000 + i));
    (void)(*shared)->remove(file);
  }
  std::printf("server_add_searchable_ms\t%.3f\n", share(took, 0.5));
}

int times(const std::string& root, const std::vector<std::string>& queries) {
  const Store store = open(root);
  std::printf("first_ms\t%.2f\n", milliseconds([&] { (void)ask(store, queries.front()); }));
  std::printf("second_ms\t%.3f\n", milliseconds([&] { (void)ask(store, queries.front()); }));
  std::vector<double> warm;
  for (const std::string& query : queries)
    warm.push_back(milliseconds([&] { (void)ask(store, query); }));
  std::printf("warm_recall_ms\t%.3f\nwarm_recall_p95_ms\t%.3f\nwarm_recall_max_ms\t%.3f\n",
              share(warm, 0.5), share(warm, 0.95), share(warm, 1));
  const std::string file = root + "/shared/warm-recall.md";
  std::vector<double> changed;
  for (int i = 0; i < 1000; ++i) {
    std::ofstream(file) << "---\ntitle: Changed\n---\n" << word_of(i) << "\n";
    changed.push_back(milliseconds([&] {
      if (ask(store, word_of(i)) == 0) std::fputs("the changed memory was not found\n", stderr);
    }));
  }
  fs::remove(file);
  added(store, root);
  (void)ask(store, queries.front());
  std::printf("warm_changed_ms\t%.3f\nwarm_changed_p95_ms\t%.3f\nwarm_changed_max_ms\t%.3f\n",
              share(changed, 0.5), share(changed, 0.95), share(changed, 1));
  return 0;
}

// VmRSS without what is mapped from files, which the system takes away as it likes.
long held_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::stol(line.substr(8));
  return 0;
}

int memory(const std::string& root, const std::vector<std::string>& queries, int calls) {
  Store store = open(root);
  for (int i = 1; i <= calls; ++i) {
    (void)ask(store, queries[static_cast<std::size_t>(i) % queries.size()]);
    (void)store.take_changes();
    if (i == 1000 || i == calls) std::printf("held_kib_after_%d\t%ld\n", i, held_kib());
  }
  return 0;
}

}  // namespace
}  // namespace memfs::bench

int main(int argc, char** argv) {
  const std::string verb = argc > 3 ? argv[1] : "";
  if (verb.empty()) {
    std::fputs("usage: warm_recall times ROOT QUERIES | memory ROOT QUERIES CALLS\n", stderr);
    return 2;
  }
  const std::string root = std::filesystem::absolute(argv[2]).string();
  const auto queries = memfs::bench::queries_of(argv[3]);
  if (queries.empty()) return 2;
  if (verb == "times") return memfs::bench::times(root, queries);
  return memfs::bench::memory(root, queries, argc > 4 ? std::stoi(argv[4]) : 100000);
}
