// Any bytes as a file: reading never fails, and an edit either is refused or changes what it says
// and nothing else.
#include <cstdint>
#include <cstdlib>

#include "libmemfs/format/block_editor.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/memory_reader.h"
#include "tests/fuzz/require.h"

namespace {

using memfs::BlockState;
using memfs::FrontMatter;
using memfs::KeyEdit;
using memfs::NewValue;

// The file with title set, or "" if the edit is refused.
std::string with_title(std::string_view file, const std::optional<std::string>& title) {
  KeyEdit edit{"title", std::nullopt};
  if (title) edit.value = NewValue{NewValue::Form::kText, *title, {}};
  auto edited = memfs::edit_front_matter(file, {edit});
  return edited ? *edited : std::string();
}

void check_edit(std::string_view file, const FrontMatter& before) {
  const std::string edited = with_title(file, "a: \"b\" #c");
  if (edited.empty()) return;
  const FrontMatter after = memfs::read_front_matter(edited);
  REQUIRE(after.state == BlockState::kReadable);
  REQUIRE(std::string_view(edited).substr(after.body_begin) == file.substr(before.body_begin));
  const auto* title = after.yaml.root.find("title");
  REQUIRE(title != nullptr && title->text == "a: \"b\" #c");
  if (before.state != BlockState::kReadable || before.yaml.root.find("title") != nullptr) return;
  // What was added can be taken out again, and then nothing is left of it.
  REQUIRE(with_title(edited, std::nullopt) == file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const FrontMatter front = memfs::read_front_matter(file);
  REQUIRE(front.body_begin <= size && front.block_begin <= front.block_end);
  if (front.state == BlockState::kBroken)
    REQUIRE(!front.error.message.empty() && !front.error.hint.empty() && front.error.line > 0);
  memfs::Problem empty;
  const auto memory = memfs::read_memory({memfs::Scope::kShared, "a.md", "/s/a.md"}, file, &empty);
  if (memory) REQUIRE(!memory->title.empty());
  if (front.state == BlockState::kReadable || front.state == BlockState::kNone)
    check_edit(file, front);
  return 0;
}
