// What git knows beyond this machine: states of shared memories that others committed, and memories
// that a commit deleted.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/git_history.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// What the bytes of a commit say.
struct BlobNotes {
  std::string etag{}, crlf_etag{}, id{};
  std::uint64_t number = 0, size = 0;
};

// With autocrlf a checkout has a CR before each LF that the commit has without.
std::string with_crlf(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (c == '\n') text += '\r';
    text += c;
  }
  return text;
}

std::map<std::string, BlobNotes> read_notes(const Layout& layout,
                                            const std::vector<CommittedFile>& files) {
  std::map<std::string, BlobNotes> notes;
  std::vector<std::string> blobs;
  for (const CommittedFile& file : files)
    if (notes.try_emplace(file.blob).second) blobs.push_back(file.blob);
  read_blobs(layout, blobs, [&](const std::string& blob, std::string_view bytes) {
    Problem empty;
    const auto memory = read_memory({Scope::kShared, "x.md", "x.md"}, bytes, &empty);
    if (!memory) return;
    const bool plain = bytes.find('\r') == std::string_view::npos;
    notes[blob] = {content_hash(bytes), plain ? content_hash(with_crlf(bytes)) : std::string(),
                   memory->id, memory->revision, bytes.size()};
  });
  std::erase_if(notes, [](const auto& entry) { return entry.second.etag.empty(); });
  return notes;
}

// One path may have been that of several memories, one after the other. Ids tell them apart; what
// has none goes with the memory that came next at this path.
class Ownership {
 public:
  explicit Ownership(const Memory& memory) : id_(memory.id) {}
  bool has(const BlobNotes& notes) {
    if (id_.empty()) return true;
    if (!notes.id.empty()) other_ = notes.id != id_;
    return !other_;
  }

 private:
  std::string id_;
  bool other_ = false;
};

Error several_deleted(Error error, std::string_view reference, const std::vector<Memory>& memories,
                      const std::map<std::string, Deletion>& deletions) {
  std::string ids;
  for (const Memory& memory : memories) {
    if (memory.id.empty() || error.hint.find(memory.ref()) == std::string::npos) continue;
    const auto gone = deletions.find(memory.id);
    const bool told = gone != deletions.end() && !gone->second.commit.empty();
    ids += (ids.empty() ? "" : ", ") + memory.id +
           (told ? " (deleted by " + escape_for_terminal(gone->second.author) + ")" : "");
  }
  error.message = escape_for_terminal(reference) + " fits several memories that were deleted";
  if (!ids.empty()) error.hint = "name one of them: " + ids;
  return error;
}

std::string key_of_deleted(const Memory& memory) {
  return memory.id.empty() ? memory.ref() : memory.id;
}

// What a write of ours told of the state is known better than what the commit tells.
void add_commit(Revision& revision, const Revision& committed) {
  revision.commit = committed.commit;
  revision.author = committed.author;
  revision.subject = committed.subject;
  revision.blob = committed.blob;
  if (revision.operation && *revision.operation != Operation::kByHand) return;
  revision.operation.reset();  // whoever committed it may have written it with mem
  if (committed.at) revision.at = committed.at;
}

// Each as its last commit had it, without its body; nullopt for what is no memory.
std::vector<std::optional<Memory>> read_deleted(const Layout& layout,
                                                const std::vector<CommittedFile>& files) {
  std::map<std::string, std::vector<std::size_t>> places;
  std::vector<std::string> blobs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto& of_blob = places[files[i].blob];
    if (of_blob.empty()) blobs.push_back(files[i].blob);
    of_blob.push_back(i);
  }
  const std::string& folder = layout.folder(Scope::kShared).path;
  std::vector<std::optional<Memory>> memories(files.size());
  read_blobs(layout, blobs, [&](const std::string& blob, std::string_view bytes) {
    for (const std::size_t i : places[blob]) {
      Problem empty;
      const std::string& rel = files[i].rel;
      memories[i] = read_memory({Scope::kShared, rel, join_path(folder, rel)}, bytes, &empty);
      if (memories[i]) memories[i]->body.clear();
    }
  });
  return memories;
}

}  // namespace

std::vector<Revision> Store::Impl::committed_revisions(const Memory& memory,
                                                       const std::set<std::string>& known) const {
  std::vector<Revision> revisions;
  if (memory.scope != Scope::kShared) return revisions;
  const auto files = committed_files(fs(), layout, memory.rel);
  const auto notes = read_notes(layout, files);
  Ownership ownership(memory);
  for (const CommittedFile& file : files) {
    const auto blob = notes.find(file.blob);
    if (blob == notes.end()) continue;
    if (ownership.has(blob->second)) {
      Revision revision{blob->second.number, blob->second.etag, blob->second.size, file.at};
      revision.commit = file.commit;
      revision.author = file.author;
      revision.subject = file.subject;
      revision.blob = file.blob;
      if (!known.contains(revision.etag) && known.contains(blob->second.crlf_etag)) {
        revision.etag = blob->second.crlf_etag;
        revision.blob.clear();  // its bytes are those that are known
      }
      revisions.push_back(std::move(revision));
    }
    // Without an id nothing but the file itself tells that it is the same memory.
    if (memory.id.empty() && file.born) break;
  }
  return revisions;
}

void add_committed(std::vector<Revision>& revisions, const std::vector<Revision>& committed) {
  std::vector<Revision> others;
  std::set<std::string> done;
  for (const Revision& revision : committed) {
    if (!done.insert(revision.etag).second) continue;  // the newest commit names it
    const auto local = std::find_if(revisions.begin(), revisions.end(), [&](const Revision& known) {
      return known.etag == revision.etag;
    });
    if (local == revisions.end()) {
      others.push_back(revision);
    } else {
      add_commit(*local, revision);
    }
  }
  // Each list keeps its own order, whatever the clocks of those who wrote said.
  std::vector<Revision> merged = {revisions.front()};
  auto other = others.begin();
  for (auto local = revisions.begin() + 1; local != revisions.end(); ++local) {
    while (other != others.end() &&
           std::tie(other->at, other->number) > std::tie(local->at, local->number))
      merged.push_back(*other++);
    merged.push_back(*local);
  }
  merged.insert(merged.end(), other, others.end());
  revisions = std::move(merged);
}

Result<Store::Impl::Remembered> Store::Impl::find_deleted(std::string_view reference) const {
  const auto files = deleted_files(fs(), layout);
  const auto read = read_deleted(layout, files);
  MEMFS_ASSIGN(const std::set<std::string> here, known_memories());
  std::vector<Memory> memories;
  std::map<std::string, Deletion> deletions;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!read[i] || here.contains(key_of_deleted(*read[i]))) continue;
    const Deletion deletion{files[i].commit, files[i].author, files[i].at};
    const bool newest = deletions.emplace(key_of_deleted(*read[i]), deletion).second;
    if (newest) memories.push_back(*read[i]);
  }
  auto found = resolve(memories, reference, true, now());
  if (!found && found.error().code == ErrorCode::kConflict)
    return several_deleted(std::move(found).error(), reference, memories, deletions);
  if (!found) return std::move(found).error();
  Memory& memory = found->memory;
  const Deletion deletion = deletions[key_of_deleted(memory)];
  // Somebody else may have edited what was deleted: the merge then settled for the deletion.
  const auto states = committed_revisions(memory, {});
  if (!states.empty() && states.front().number >= memory.revision) {
    memory.etag = states.front().etag;
    memory.revision = states.front().number;
  }
  return Remembered{std::move(memory), false, deletion};
}

}  // namespace memfs
