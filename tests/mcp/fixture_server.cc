// The fixture as a process, for clients that want to talk to one: fixture_server [RESOURCES].
#include <cstdio>
#include <cstdlib>

#include "cli/mcp/protocol/server.h"
#include "tests/mcp/fixture_service.h"

int main(int count, char** arguments) {
  memfs::testing::FixtureService service(count > 1 ? std::atoi(arguments[1]) : 3);
  memfs::mcp::ServeOptions options;
  options.page_size = 2;
  const auto served = memfs::mcp::serve(service, options);
  if (served) return 0;
  std::fprintf(stderr, "fixture_server: %s\n", served.error().message.c_str());
  return 1;
}
