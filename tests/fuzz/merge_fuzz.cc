// Any three texts as the versions of a memory: front matter that can be read stays so, swapping the
// sides changes nothing that is decided, and what is left open can be listed and settled.
#include <memfs/merge.h>

#include <cstdint>
#include <string>
#include <vector>

#include "libmemfs/format/front_matter.h"
#include "libmemfs/merge/settle.h"
#include "tests/fuzz/require.h"

namespace {

using memfs::BlockState;

// The parts between bytes 0x1E; of an input without any a base and two sides that lack a line each.
std::vector<std::string> parts_of(std::string_view input) {
  std::vector<std::string> parts(1);
  for (const char c : input) {
    if (c == '\x1E') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  const std::string base = parts.front();
  while (parts.size() < 3) {
    std::string side = base;
    const auto from = side.find('\n', side.size() * parts.size() / 3);
    if (from != std::string::npos) side.erase(from, side.find('\n', from + 1) - from);
    parts.push_back(side);
  }
  return parts;
}

bool is_readable(std::string_view file) {
  return memfs::read_front_matter(file).state == BlockState::kReadable;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = parts_of({reinterpret_cast<const char*>(data), size});
  const memfs::ThreeTexts files{parts[0], parts[1], parts[2]};
  const memfs::MemoryMerge there = memfs::merge_memories(files);
  const memfs::MemoryMerge back = memfs::merge_memories({files.base, files.theirs, files.ours});
  REQUIRE(there.clean() == back.clean());
  REQUIRE(!there.clean() || there.text == back.text);
  if (is_readable(files.ours) && is_readable(files.theirs)) REQUIRE(is_readable(there.text));
  (void)memfs::merge_yaml(files);
  for (const std::string& text : {there.text, parts[0]}) {
    (void)memfs::open_conflicts(text);
    if (const auto again = memfs::make_readable(text)) REQUIRE(is_readable(again->text));
    for (const memfs::Take take : {memfs::Take::kOurs, memfs::Take::kTheirs, memfs::Take::kBoth})
      if (const auto settled = memfs::settle(text, take, ""))
        REQUIRE(!is_readable(text) || is_readable(settled->file));
  }
  return 0;
}
