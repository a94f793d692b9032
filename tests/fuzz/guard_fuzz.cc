// Any bytes: findings lie inside the text, in order, and are the same the second time; after the
// credentials are taken out there are none.
#include <memfs/guard.h>

#include <array>
#include <cstdint>

#include "tests/fuzz/require.h"

namespace {

using memfs::Finding;
using memfs::GuardKind;

void require_order(std::string_view text, const std::vector<Finding>& findings) {
  std::array<std::size_t, 3> ends{};
  std::size_t begin = 0;
  for (const Finding& finding : findings) {
    auto& end = ends.at(static_cast<std::size_t>(finding.kind));
    REQUIRE(finding.begin < finding.end && finding.end <= text.size());
    REQUIRE(finding.begin >= begin && finding.begin >= end);
    REQUIRE(finding.line >= 1 && finding.column >= 1 && finding.hash.size() == 32);
    begin = finding.begin;
    end = finding.end;
  }
}

void require_same(const std::vector<Finding>& one, const std::vector<Finding>& other) {
  REQUIRE(one.size() == other.size());
  for (std::size_t at = 0; at < one.size(); ++at)
    REQUIRE(one[at].rule == other[at].rule && one[at].begin == other[at].begin &&
            one[at].end == other[at].end && one[at].message == other[at].message);
}

bool has_secret(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.kind == GuardKind::kSecret) return true;
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto findings = memfs::scan_text(text);
  require_order(text, findings);
  require_same(findings, memfs::scan_text(text));
  // What a credential kept apart may become one when it is gone, but not for long.
  std::string clean = text;
  for (int round = 0; round < 4 && has_secret(memfs::scan_text(clean)); ++round)
    clean = memfs::redact(clean, memfs::scan_text(clean));
  REQUIRE(!has_secret(memfs::scan_text(clean)));
  return 0;
}
