// A talk with the fixture.
#pragma once

#include "tests/mcp/fixture_service.h"
#include "tests/mcp/talk.h"

namespace memfs::testing {

// Made before the session that asks it.
struct FixtureHolder {
  explicit FixtureHolder(int resources) : fixture(resources) {}
  FixtureService fixture;
};

class Conversation final : private FixtureHolder, public Talk {
 public:
  explicit Conversation(int resources = 3, std::size_t page_size = mcp::kPageSize)
      : FixtureHolder(resources), Talk(fixture, page_size) {}

  FixtureService& service() { return fixture; }
};

}  // namespace memfs::testing
