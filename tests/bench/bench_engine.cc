// Our side of the benchmarks: the engine in process, on a self-contained folder (--root).
//
//   bench_engine build ROOT              makes the index of ROOT anew
//   bench_engine query ROOT QUERIES      top 10 of each line "kind<TAB>query"
//   bench_engine add ROOT                one memory more, until a new store finds it
//
// Prints lines "name<TAB>value".
#include <memfs/search.h>
#include <memfs/store.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "index/searcher.h"
#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/recall/filter.h"
#include "libmemfs/store/store_inside.h"

namespace memfs::bench {
namespace {

namespace fs = std::filesystem;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::uintmax_t bytes_below(const std::string& folder, const char* ending, std::size_t& files) {
  std::uintmax_t bytes = 0;
  if (!fs::exists(folder)) return 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ending) continue;
    bytes += entry.file_size();
    ++files;
  }
  return bytes;
}

Store open(const std::string& root) { return *Store::open(*layout_at(root)); }

int build(const std::string& root) {
  const std::string cache = layout_at(root)->cache;
  fs::remove_all(cache);
  const double took = seconds([&] {
    Store store = open(root);
    (void)StoreInside::snapshot(store, {});
  });
  std::size_t documents = 0;
  std::size_t segments = 0;
  const auto text = bytes_below(root + "/shared", ".md", documents);
  std::printf("build_seconds\t%.4f\ntext_bytes\t%ju\ndocuments\t%zu\n", took, text, documents);
  std::printf("index_bytes\t%ju\n", bytes_below(cache, ".seg", segments));
  return 0;
}

int query(const std::string& root, const char* queries) {
  const Store store = open(root);
  const StoreSnapshot here = StoreInside::snapshot(store, {});
  std::map<std::string, std::vector<double>> by_kind;
  std::map<std::string, double> slowest, hits;
  std::ifstream lines(queries);
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string text = line.substr(tab + 1);
    std::size_t found = 0;
    const auto once = [&] {
      const auto parsed = index::parse_query(text, is_filter);
      if (parsed) found = index::search(here.documents, *parsed, {}).size();
    };
    once();  // pages are verified when they are first touched
    std::vector<double> times;
    for (int i = 0; i < 31; ++i) times.push_back(seconds(once) * 1e6);
    const double typical = median(times);
    by_kind[line.substr(0, tab)].push_back(typical);
    hits[line.substr(0, tab)] += static_cast<double>(found);
    double& worst = slowest[line.substr(0, tab)];
    worst = std::max(worst, typical);
  }
  for (auto& [kind, times] : by_kind)
    std::printf("query_us.%s\t%.2f\n", kind.c_str(), median(times));
  for (const auto& [kind, sum] : hits)
    std::printf("hits.%s\t%.2f\n", kind.c_str(), sum / static_cast<double>(by_kind[kind].size()));
  for (const auto& [kind, time] : slowest) std::printf("slowest_us.%s\t%.2f\n", kind.c_str(), time);
  return 0;
}

int add(const std::string& root) {
  const std::string shared = root + "/shared";
  PosixFileSystem files;
  const auto dir = files.open(shared);
  if (!dir) return 1;
  (void)StoreInside::snapshot(open(root), {});
  WriteOptions options;
  options.durable = true;
  std::vector<double> bare;
  std::vector<double> searchable;
  std::vector<std::string> made;
  // Letters only: a word with a number in it is found by its letters, too.
  const auto word = [](int i) { return "zyzzyva" + std::string(static_cast<std::size_t>(i), 'q'); };
  const auto text = [&](int i) { return "---\ntitle: Added\nrevision: 1\n---\n" + word(i) + "\n"; };
  for (int i = 0; i < 21; ++i) {
    made.push_back("bench-bare-" + std::to_string(i) + ".md");
    bare.push_back(seconds([&] { (void)create_file(**dir, made.back(), text(i), options); }) * 1e3);
    (void)StoreInside::snapshot(open(root), {});
    made.push_back("bench-added-" + std::to_string(i) + ".md");
    searchable.push_back(seconds([&] {
                           (void)create_file(**dir, made.back(), text(100 + i), options);
                           const Store store = open(root);
                           const StoreSnapshot here = StoreInside::snapshot(store, {});
                           const auto parsed = index::parse_query(word(100 + i), is_filter);
                           if (index::search(here.documents, *parsed, {}).size() != 1)
                             std::fputs("the added memory was not found\n", stderr);
                         }) *
                         1e3);
  }
  for (const std::string& file : made) (void)(*dir)->remove(file);
  (void)StoreInside::snapshot(open(root), {});
  std::printf("durable_write_ms\t%.3f\nadd_searchable_ms\t%.3f\n", median(bare),
              median(searchable));
  return 0;
}

}  // namespace
}  // namespace memfs::bench

int main(int argc, char** argv) {
  const std::string verb = argc > 2 ? argv[1] : "";
  const std::string root = argc > 2 ? std::filesystem::absolute(argv[2]).string() : "";
  if (verb == "build") return memfs::bench::build(root);
  if (verb == "query" && argc > 3) return memfs::bench::query(root, argv[3]);
  if (verb == "add") return memfs::bench::add(root);
  std::fputs("usage: bench_engine build ROOT | query ROOT QUERIES | add ROOT\n", stderr);
  return 2;
}
