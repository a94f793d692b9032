// Any bytes as what a client writes: every line that goes out is valid JSON-RPC.
#include <cstdint>
#include <string>

#include "cli/mcp/protocol/line_reader.h"
#include "cli/mcp/protocol/session.h"
#include "tests/fuzz/mcp_sink.h"
#include "tests/mcp/fixture_service.h"

namespace {

using namespace memfs;  // NOLINT
// The session of the revision that the first byte chooses, or none.
void open(mcp::Session& session, std::uint8_t choice) {
  if (choice % 5 == 4) return;
  session.receive({{"jsonrpc", "2.0"},
                   {"id", 0},
                   {"method", "initialize"},
                   {"params", {{"protocolVersion", mcp::name_of(mcp::kRevisions[choice % 5])}}}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  memfs::testing::FixtureService service;
  service.ask_for_roots();
  memfs::testing::Sink sink;
  mcp::Session session(service, sink, 2);
  open(session, data[0]);
  mcp::LineReader lines(2000);
  lines.feed({reinterpret_cast<const char*>(data), size});
  lines.finish();
  while (auto line = lines.next()) {
    std::string_view text = line->text;
    // So that the golden exchanges are seeds.
    if (text.starts_with("> ")) text.remove_prefix(2);
    auto json = mcp::parse_json(text);
    if (json) {
      session.receive(std::move(*json));
    } else {
      session.receive_broken(json.error().message);
    }
    session.tell(service.take_changes());
  }
  return 0;
}
