#include "libmemfs/store/catalogue.h"

#include <algorithm>
#include <tuple>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/memory_document.h"

namespace memfs {
namespace {

// Every document of the index; false if damage came to light on the way.
bool collect(const ScopeIndex& index, Catalogue& catalogue) {
  index::Snapshot snapshot(search_fields());
  snapshot.add(index.segments(), 0);
  for (std::uint32_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    const auto& view = snapshot.segments()[segment];
    for (std::uint32_t document = 0; document < view.segment->document_count(); ++document) {
      if (view.dead.contains(document)) continue;
      Problem problem;
      auto memory = memory_of(snapshot, {segment, document}, index, &problem);
      if (memory) {
        catalogue.memories.push_back(std::move(*memory));
      } else {
        catalogue.problems.push_back(std::move(problem));
      }
    }
  }
  return !snapshot.damaged();
}

}  // namespace

Result<Catalogue> load_catalogue(ScopeIndex& index, Directory& dir) {
  // The second time everything is read anew.
  for (int attempt = 0;; ++attempt) {
    MEMFS_TRY(index.refresh(dir));
    Catalogue catalogue;
    catalogue.problems = index.problems();
    catalogue.leftovers = index.leftovers();
    const std::size_t of_folder = catalogue.problems.size();
    if (!collect(index, catalogue) && attempt == 0) {
      index.discard();
      continue;
    }
    std::sort(catalogue.problems.begin() + static_cast<std::ptrdiff_t>(of_folder),
              catalogue.problems.end(),
              [](const Problem& a, const Problem& b) { return a.path < b.path; });
    sort_memories(catalogue.memories);
    return catalogue;
  }
}

Result<Memory> load_memory(Directory& dir, const Memory& listed) {
  MEMFS_ASSIGN(const FileContent content, dir.read(listed.rel, kMaxFile));
  return memory_from(dir, listed, content);
}

Result<Memory> memory_from(const Directory& dir, const Memory& listed, const FileContent& content) {
  if (content_hash(content.bytes) == listed.etag && listed.body_offset <= content.bytes.size()) {
    Memory memory = listed;
    memory.body = content.bytes.substr(listed.body_offset);
    return memory;
  }
  const std::string name_rel =
      listed.path.substr(std::min(dir.path().size() + 1, listed.path.size()));
  Problem empty;
  auto memory = read_memory({listed.scope, name_rel, listed.path}, content.bytes, &empty);
  if (!memory)
    return make_error(ErrorCode::kInvalid, empty.message).at(listed.path).with_hint(empty.hint);
  memory->rel = listed.rel;
  memory->committed_at = listed.committed_at;
  memory->modified = Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(content.stat.mtime_ns)));
  return std::move(*memory);
}

bool listing_order(const Memory& a, const Memory& b) {
  if (a.scope != b.scope) return a.scope < b.scope;
  const std::string left = fold_name(a.name);
  const std::string right = fold_name(b.name);
  return std::tie(left, a.path) < std::tie(right, b.path);
}

void sort_memories(std::vector<Memory>& memories) {
  // Folding is dear: once for each name.
  std::vector<std::pair<std::string, std::size_t>> order;
  order.reserve(memories.size());
  for (std::size_t i = 0; i < memories.size(); ++i)
    order.emplace_back(fold_name(memories[i].name), i);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    const Memory& left = memories[a.second];
    const Memory& right = memories[b.second];
    return std::tie(left.scope, a.first, left.path) < std::tie(right.scope, b.first, right.path);
  });
  std::vector<Memory> sorted;
  sorted.reserve(memories.size());
  for (const auto& [name, i] : order) sorted.push_back(std::move(memories[i]));
  memories = std::move(sorted);
}

std::vector<index::DocumentId> candidates_of(const index::Snapshot& snapshot,
                                             std::string_view reference) {
  const auto parsed = parse_reference(reference);
  if (!parsed) return {};
  const std::string& text = parsed->text;
  std::vector<std::string> words;
  if (parsed->kind == Reference::Kind::kSubject) {
    words = {subject_lookup(text)};
  } else {
    words = {id_tail_lookup(text), name_lookup(parsed->whole), name_lookup(text), leaf_lookup(text),
             alias_lookup(text)};
    if (parsed->scope)
      words.push_back(name_lookup(std::string(name_of(*parsed->scope)) + "/" + text));
  }
  std::vector<index::DocumentId> found;
  for (const std::string& word : words)
    for (const index::DocumentId id : snapshot.find_lookup(word))
      if (std::find(found.begin(), found.end(), id) == found.end()) found.push_back(id);
  return found;
}

}  // namespace memfs
