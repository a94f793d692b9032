// What the guard costs for a text.
//
//   guard_speed PATH…
//
// Reads every markdown file of the folders and files, scans all of them once to warm up and then
// five times, and prints the best: bytes, nanoseconds a file and a byte, megabytes a second.
#include <memfs/guard.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> read_all(int count, char** names) {
  std::vector<std::string> texts;
  for (int at = 0; at < count; ++at) {
    if (!fs::is_directory(names[at])) {
      texts.push_back(read(names[at]));
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(names[at]))
      if (entry.is_regular_file() && entry.path().extension() == ".md")
        texts.push_back(read(entry.path()));
  }
  return texts;
}

// Nanoseconds of one round over all texts.
double round_of(const std::vector<std::string>& texts, std::size_t& findings) {
  const auto start = std::chrono::steady_clock::now();
  findings = 0;
  for (const std::string& text : texts) findings += memfs::scan_text(text).size();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: guard_speed PATH…\n";
    return 2;
  }
  const auto texts = read_all(argc - 1, argv + 1);
  double bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<double>(text.size());
  if (bytes == 0) {
    std::cerr << "no text there\n";
    return 1;
  }
  std::size_t findings = 0;
  const double first = round_of(texts, findings);
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 5; ++round) best = std::min(best, round_of(texts, findings));
  std::cout << texts.size() << " texts, " << bytes << " bytes, " << findings << " findings; first "
            << bytes / first * 1000 << " MB/s, best " << bytes / best * 1000 << " MB/s, "
            << best / static_cast<double>(texts.size()) << " ns a text, " << best / bytes
            << " ns a byte\n";
  return 0;
}
