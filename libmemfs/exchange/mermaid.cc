// A mermaid memory folder: one file for each fact, name, description, scope, created and tags in
// its front matter, whose values are written as they are and never escaped.
#include "libmemfs/exchange/flat_block.h"
#include "libmemfs/exchange/topic_folder.h"
#include "libmemfs/format/front_matter.h"

namespace memfs {
namespace {

constexpr char kMermaid[] = "mermaid";

// The folder decides there, and the key says which it was.
std::optional<Scope> stated_scope(std::string_view bytes) {
  const FrontMatter front = read_front_matter(bytes);
  if (front.state != BlockState::kReadable) return std::nullopt;
  const YamlNode* scope = front.yaml.root.find("scope");
  if (scope == nullptr) return std::nullopt;
  if (scope->text == "global") return Scope::kGlobal;
  if (scope->text == "project-private") return Scope::kPrivate;
  if (scope->text == "project-shared") return Scope::kShared;
  return std::nullopt;
}

Result<Incoming> mermaid_item(const TopicFolder& folder, const TreeFile& file) {
  MEMFS_ASSIGN(const std::string bytes, folder.read(file.rel));
  MendedBlock mended = mend_flat_block(bytes);
  MEMFS_TRY(check_topic(folder.path_of(file.rel), mended.file));
  Incoming item = topic_item(kMermaid, folder, file, std::move(mended.file));
  item.scope = stated_scope(item.bytes);
  warn_of_quotes(item, mended.keys);
  return item;
}

}  // namespace

Result<ImportSource> read_mermaid(const ImportPlace& place) {
  MEMFS_ASSIGN(TopicFolder folder, TopicFolder::open(place, kMermaid));
  for (const TreeFile& file : folder.files) folder.add(file.rel, mermaid_item(folder, file));
  return std::move(folder.source);
}

}  // namespace memfs
