// Any bytes as markdown: the scanner finds the headings that cmark-gfm finds, or says that it is
// not sure; the mask stays in order inside the text.
#include "libmemfs/format/markdown_scan.h"

#include <cstdint>

#include "libmemfs/format/markdown.h"
#include "tests/fuzz/require.h"

namespace {

std::string with_cmark(std::string_view line) {
  const auto headings = memfs::parse_headings("# " + std::string(line) + " #", 1);
  return headings.empty() ? std::string() : headings.front();
}

void compare(std::string_view body, std::size_t limit) {
  const auto fast = memfs::scan_headings(body, limit, with_cmark);
  if (fast) REQUIRE(*fast == memfs::parse_headings(body, limit));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  compare(body, body.size());
  compare(body, 1);
  std::size_t end = 0;
  for (const memfs::Span span : memfs::code_mask(body)) {
    REQUIRE(span.begin >= end && span.end >= span.begin && span.end <= size);
    end = span.end;
  }
  return 0;
}
