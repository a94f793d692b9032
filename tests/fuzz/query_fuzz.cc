// Any bytes as a text and as a query: places stay inside the text, and nothing is cut in half.
#include <cstdint>

#include "index/query.h"
#include "index/searcher.h"
#include "index/snippet.h"
#include "libmemfs/base/file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"
#include "tests/fuzz/require.h"
#include "tests/support/index_fixture.h"

namespace {

using namespace memfs;  // NOLINT

void check_tokens(std::string_view text) {
  std::uint32_t position = 0;
  for (const index::Token& token : index::analyze(text, index::Purpose::kDocument)) {
    REQUIRE(token.begin < token.end && token.end <= text.size());
    REQUIRE(!token.term.empty() && !find_invalid_utf8(token.term));
    REQUIRE(token.position >= position);
    position = token.position;
  }
}

void check_search(std::string_view text, std::string_view words) {
  const auto query = index::parse_query(words, [](auto, auto value) { return value == "x"; });
  if (!query) return;
  const auto built = testing::snapshot_of({{"body", 1.0, 0.4}}, {{std::string(text)}});
  index::SearchOptions options;
  options.explain = true;
  for (const index::Match& match : index::search(built, *query, options)) REQUIRE(match.score > 0);
  REQUIRE(!built.damaged());
  const index::Snippet snippet = index::make_snippet(text, *query, 30);
  if (!find_invalid_utf8(text)) REQUIRE(!find_invalid_utf8(snippet.text));
  for (const auto& mark : snippet.highlights)
    REQUIRE(mark.begin < mark.end && mark.end <= snippet.text.size());
}

void check_names(std::string_view text) {
  const std::string slug = slug_of(text);
  REQUIRE(slug.size() <= kMaxNameBytes && slug.find('/') == std::string::npos);
  REQUIRE(is_portable_name(name_with_suffix(slug, "mem-01m8n2sak0tn2v5x9yb6c0dehj")));
  const auto ref = parse_reference(text);
  if (ref && ref->kind != Reference::Kind::kSubject) REQUIRE(is_safe_relative(ref->text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto half = input.find('\n');
  check_tokens(input);
  check_search(input, input.substr(0, half));
  check_names(input.substr(0, half));
  return 0;
}
