// What the tests of the guard ask of a scan.
#pragma once

#include <memfs/guard.h>

#include <string>
#include <string_view>

namespace memfs::testing {

// Names of the rules that find something in the text, in order, separated by blanks.
inline std::string rules_in(std::string_view text) {
  std::string out;
  for (const Finding& finding : scan_text(text)) out += (out.empty() ? "" : " ") + finding.rule;
  return out;
}

// The finding's bytes.
inline std::string bytes_of(std::string_view text, const Finding& finding) {
  return std::string(text.substr(finding.begin, finding.end - finding.begin));
}

}  // namespace memfs::testing
