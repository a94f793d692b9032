// Any bytes as a block or a file: the flat reader says what yaml-cpp says, or nothing.
#include "libmemfs/format/flat_reader.h"

#include <cstdint>

#include "libmemfs/format/front_matter.h"
#include "tests/fuzz/require.h"
#include "tests/support/yaml_equal.h"

namespace {

void compare(std::string_view block) {
  const auto flat = memfs::read_flat_block(block);
  if (!flat) return;
  const auto full = memfs::read_yaml_fully(block);
  REQUIRE(full.has_value());
  REQUIRE(memfs::testing::is_same_block(*flat, *full));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  compare(input);
  compare(block_of(input, memfs::read_front_matter(input)));
  return 0;
}
