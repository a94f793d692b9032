// Compares the fast readers with the libraries they stand in for, on every file below a folder.
//
//   flat_compare DIR
//
// Prints each file on which they differ, how many took the fast way, and what both cost.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "libmemfs/format/flat_reader.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/markdown_scan.h"
#include "tests/support/yaml_equal.h"

namespace memfs::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Tally {
  const char* what;
  int files = 0;
  int fast = 0;
  int alone = 0;  // headings: without any help of cmark-gfm
  int different = 0;
  double fast_us = 0;
  double slow_us = 0;  // of the same files

  void print() const {
    std::cout << what << ": " << files << " files, " << fast << " the fast way, " << alone
              << " of them alone, " << different << " differ; µs a file "
              << fast_us / std::max(fast, 1) << " against " << slow_us / std::max(fast, 1) << "\n";
  }
};

template <typename Read>
auto timed(Read read, double& us) {
  const auto start = Clock::now();
  auto result = read();
  us += std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  return result;
}

void compare_block(const std::string& path, std::string_view file, Tally& tally) {
  const FrontMatter front = read_front_matter(file);
  if (front.block_end == 0) return;
  ++tally.files;
  const auto block = block_of(file, front);
  double fast_us = 0;
  const auto flat = timed([&] { return read_flat_block(block); }, fast_us);
  if (!flat) return;
  ++tally.fast;
  ++tally.alone;
  tally.fast_us += fast_us;
  const auto full = timed([&] { return read_yaml_fully(block); }, tally.slow_us);
  if (full && is_same_block(*flat, *full)) return;
  ++tally.different;
  std::cout << "front matter differs: " << path << "\n";
}

// Headings of which cmark-gfm was asked for the markup of single lines.
int asked = 0;
std::string with_cmark(std::string_view line) {
  ++asked;
  const auto headings = parse_headings("# " + std::string(line) + " #", 1);
  return headings.empty() ? std::string() : headings.front();
}

void compare_headings(const std::string& path, std::string_view body, std::size_t limit,
                      Tally& tally) {
  if (body.size() > kMaxParsedMarkdown) return;
  ++tally.files;
  double fast_us = 0;
  const auto asked_before = asked;
  const auto fast = timed([&] { return scan_headings(body, limit, with_cmark); }, fast_us);
  if (!fast) return;
  if (asked == asked_before) ++tally.alone;
  ++tally.fast;
  tally.fast_us += fast_us;
  if (*fast == timed([&] { return parse_headings(body, limit); }, tally.slow_us)) return;
  ++tally.different;
  std::cout << tally.what << " differ: " << path << "\n";
}

int run(const char* folder) {
  Tally blocks{"front matter"};
  Tally first{"first headings"};
  Tally all{"all headings"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(in)), {});
    compare_block(entry.path().string(), file, blocks);
    const auto body = std::string_view(file).substr(read_front_matter(file).body_begin);
    compare_headings(entry.path().string(), body, 1, first);
    compare_headings(entry.path().string(), body, body.size(), all);
  }
  for (const Tally* tally : {&blocks, &first, &all}) tally->print();
  return blocks.different + first.different + all.different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace memfs::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: flat_compare DIR\n";
    return 2;
  }
  return memfs::testing::run(argv[1]);
}
