// A memory folder of Claude Code: topic files with name, description and metadata.type, and the
// page MEMORY.md, which points to them and holds short notes of its own.
#include "libmemfs/exchange/claude_code_file.h"
#include "libmemfs/exchange/flat_block.h"
#include "libmemfs/exchange/topic_folder.h"
#include "libmemfs/format/front_matter.h"

namespace memfs {
namespace {

Result<Incoming> item_of(const TopicFolder& folder, const TreeFile& file) {
  const std::string& rel = file.rel;
  MEMFS_ASSIGN(std::string bytes, folder.read(rel));
  MendedBlock mended;
  // What can be read is taken over byte for byte.
  if (read_front_matter(bytes).state == BlockState::kBroken) {
    mended = mend_flat_block(bytes);
    bytes = std::move(mended.file);
  }
  MEMFS_TRY(check_topic(folder.path_of(rel), bytes));
  Incoming item = topic_item(kClaudeFormat, folder, file, from_claude_file(bytes, rel));
  warn_of_quotes(item, mended.keys);
  return item;
}

void add_page(TopicFolder& folder, const std::string& rel) {
  auto page = folder.read(rel);
  if (!page) return folder.refuse(rel, std::move(page).error());
  add_index_entries(folder, kClaudeFormat, rel, *page);
}

// ~/.claude/projects/PROJECT holds sessions, too.
Result<void> check_is_memory(const ImportPlace& place, const TopicFolder& folder) {
  if (folder.has(kClaudeIndex) || !folder.has("memory/MEMORY.md")) return {};
  return make_error(ErrorCode::kUsage, "the memories lie in the folder memory below it")
      .at(place.path)
      .with_hint("mem import claude-code " + place.path + "/memory");
}

}  // namespace

Result<ImportSource> read_claude_code(const ImportPlace& place) {
  MEMFS_ASSIGN(TopicFolder folder, TopicFolder::open(place, kClaudeFormat));
  MEMFS_TRY(check_is_memory(place, folder));
  for (const TreeFile& file : folder.files) {
    if (leaf_of(file.rel) == kClaudeIndex) {
      add_page(folder, file.rel);
      continue;
    }
    folder.add(file.rel, item_of(folder, file));
  }
  return std::move(folder.source);
}

}  // namespace memfs
