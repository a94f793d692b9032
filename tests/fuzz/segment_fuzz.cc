// Any bytes as a segment, with checksums that fit: what is read stays inside, ends, and a merge of
// what was accepted gives a segment again. The first byte says how much of a sound one is kept.
#include <cstdint>

#include "index/near_spelling.h"
#include "index/searcher.h"
#include "index/segment_merger.h"
#include "libmemfs/store/memory_record.h"
#include "tests/fuzz/require.h"
#include "tests/support/index_fixture.h"
#include "tests/support/segment_seal.h"

namespace {

using namespace memfs;  // NOLINT

const std::vector<index::FieldSpec> kFields = {{"title", 5.0, 0.3}, {"body", 1.0, 0.4}};

const std::string& sound_segment() {
  static const std::string bytes = [] {
    std::vector<std::vector<std::string>> documents;
    for (int i = 0; i < 300; ++i)
      documents.push_back({"walrus", "tusk of a walrus " + std::to_string(i % 7)});
    return std::string(testing::segment_of(kFields, documents)->bytes());
  }();
  return bytes;
}

void use(const std::shared_ptr<const index::Segment>& segment) {
  index::Snapshot snapshot(kFields);
  index::SegmentView view{segment, {}, {}, 0};
  if (segment->document_count() > 2) view.dead.add(1);
  snapshot.add({view}, 0);
  for (const char* text :
       {"walrus tusk", "\"walrus tusk\"", "wal*", "tusk -walrus", "tusk AND of"}) {
    const auto query = index::parse_query(text, [](auto, auto) { return false; });
    index::SearchOptions options;
    options.explain = true;
    std::size_t total = 0;
    (void)index::search(snapshot, *query, options, &total);
  }
  (void)index::near_terms(snapshot, "walruss", 3);
  (void)snapshot.find_lookup("x");
  (void)segment->find_key("100001");
  for (std::uint32_t i = 0; i < std::min(segment->document_count(), 400U); ++i) {
    Problem problem;
    RecordPlace place;
    place.key = segment->key(i);
    (void)read_record(segment->stored(i), place, &problem);
  }
  const auto merged = index::merge_segments(kFields, {&view, &view});
  if (!merged) return;
  auto fault = index::Segment::Fault::kNone;
  REQUIRE(index::Segment::open(bytes_of(*merged), fault) != nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!bytes.empty() && (bytes[0] & 1) != 0) {
    // Edits of a sound segment: place (2), byte (1).
    std::string edits = bytes.substr(1);
    bytes = sound_segment();
    for (std::size_t i = 0; i + 2 < edits.size(); i += 3) {
      const std::size_t at =
          (static_cast<unsigned char>(edits[i]) * 256U + static_cast<unsigned char>(edits[i + 1])) %
          bytes.size();
      bytes[at] = edits[i + 2];
    }
  }
  if (!testing::seal_segment(bytes)) return 0;
  auto fault = index::Segment::Fault::kNone;
  if (const auto segment = index::Segment::open(bytes_of(bytes), fault)) use(segment);
  return 0;
}
