// Scans every markdown file below a folder with the guard, to judge its findings by eye.
//
//   guard_scan DIR [RULE]
//
// Prints each finding (of RULE) as FILE:LINE:COLUMN RULE EXCERPT, credentials masked to their first
// four characters, then the number of findings by rule.
#include <memfs/guard.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "libmemfs/base/utf8.h"

namespace memfs::testing {
namespace {

constexpr std::size_t kAround = 48;

// The passage between `before` and `after` bytes of its surroundings, on one line.
std::string excerpt(std::string_view text, const Finding& finding) {
  const std::size_t from = finding.begin - std::min(finding.begin, kAround);
  const std::string before(text.substr(from, finding.begin - from));
  std::string passage(text.substr(finding.begin, finding.end - finding.begin));
  if (finding.kind == GuardKind::kSecret && passage.size() > 4)
    passage = passage.substr(0, 4) + "~" + std::to_string(passage.size());
  const std::string after(text.substr(finding.end, kAround));
  return escape_for_terminal(to_valid_utf8(before)) + "⟦" + escape_for_terminal(passage) + "⟧" +
         escape_for_terminal(to_valid_utf8(after));
}

int run(const std::string& folder, const std::string& only) {
  std::map<std::string, int> counts;
  int files = 0;
  int flagged = 0;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".md") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto findings = scan_text(text);
    ++files;
    flagged += findings.empty() ? 0 : 1;
    for (const Finding& finding : findings) {
      ++counts[finding.rule];
      if (!only.empty() && finding.rule != only) continue;
      std::cout << path.lexically_relative(folder).string() << ":" << finding.line << ":"
                << finding.column << " " << finding.rule << (finding.quoted ? " (quoted)" : "")
                << " " << excerpt(text, finding) << "\n";
    }
  }
  for (const auto& [rule, count] : counts) std::cout << count << "\t" << rule << "\n";
  std::cout << flagged << " of " << files << " files\n";
  return 0;
}

}  // namespace
}  // namespace memfs::testing

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: guard_scan DIR [RULE]\n";
    return 2;
  }
  return memfs::testing::run(argv[1], argc == 3 ? argv[2] : "");
}
