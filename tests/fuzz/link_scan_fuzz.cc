// Any bytes as markdown: links lie inside the text, in order, and an address that is replaced
// changes no other link.
#include "libmemfs/format/link_scan.h"

#include <cstdint>
#include <string>
#include <vector>

#include "libmemfs/format/link_address.h"
#include "tests/fuzz/require.h"

namespace {

std::string_view text_of(std::string_view body, memfs::Span span) {
  return body.substr(span.begin, span.end - span.begin);
}

std::vector<std::string> addresses(std::string_view body) {
  std::vector<std::string> found;
  for (const memfs::Link& link : memfs::scan_links(body))
    found.emplace_back(text_of(body, link.address));
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto links = memfs::scan_links(body);
  std::size_t begin = 0;
  for (const memfs::Link& link : links) {
    REQUIRE(link.whole.begin >= begin && link.whole.end <= size);
    REQUIRE(link.address.begin > link.whole.begin && link.address.begin <= link.address.end);
    REQUIRE(link.address.end <= link.whole.end && link.shown.end <= link.whole.end);
    begin = link.whole.begin;
    const auto names = memfs::names_in(text_of(body, link.address));
    REQUIRE(!link.is_wiki() || !names.empty());
    (void)memfs::decode_path(text_of(body, link.address));
  }
  if (links.empty() || size > 4096) return 0;
  const std::size_t chosen = size % links.size();
  const memfs::Link& link = links[chosen];
  // Other signs may be half of some markup that then goes.
  for (const char c : text_of(body, link.address))
    if (c != '/' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z')) return 0;
  std::string edited(body);
  edited.replace(link.address.begin, link.address.end - link.address.begin, "w");
  auto expected = addresses(body);
  expected[chosen] = "w";
  REQUIRE(addresses(edited) == expected);
  return 0;
}
