// Hand edits that are committed become revisions: the number in the index, and in the work tree,
// goes up by one.
//
// git writes the commit from the index that the hook was given. `git commit` and `git commit -a`
// keep that index; a commit of single paths makes one of its own and leaves the user's with the old
// bytes, so that the seal would show up as taken back: nothing is sealed there.
#include <algorithm>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/git/staged_check.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

using Blobs = std::map<std::string, std::string>;

class Sealing {
 public:
  Sealing(StoreInside::Impl& store, const StagedShared& shared, CommitCheck& check)
      : store_(store), shared_(shared), git_(shared.git()), check_(check) {}

  Result<void> run(const std::vector<StagedFile>& files) {
    MEMFS_ASSIGN(const bool fit, may_seal());
    if (!fit) return {};
    MEMFS_ASSIGN(const auto wanted, edited_by_hand(files));
    if (wanted.empty()) return {};
    MEMFS_ASSIGN(LockedScope locked, store_.lock_scope(Scope::kShared));
    MEMFS_ASSIGN(auto state_dir, store_.open_state());
    State state(std::move(state_dir));
    for (const Wanted& one : wanted) {
      const auto sealed = seal(locked, state, one);
      if (!sealed) leave(one.memory, sealed.error().message);
    }
    if (index_info_.empty()) return {};
    MEMFS_TRY(git_.output({"update-index", "-z", "--index-info"}, index_info_));
    return {};
  }

 private:
  struct Wanted {
    StagedFile file;
    std::string bytes;
    Memory memory;
  };

  // Whether this is a commit of the user's own, from the index that stays.
  Result<bool> may_seal() {
    MEMFS_ASSIGN(const std::string dir, git_.line({"rev-parse", "--absolute-git-dir"}));
    for (const char* sign :
         {"rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD", "sequencer"})
      if (store_.fs().stat(join_path(dir, sign))) return false;
    MEMFS_ASSIGN(std::string index, git_.line({"rev-parse", "--git-path", "index"}));
    if (!index.starts_with('/')) index = join_path(git_.folder(), index);
    const auto real = store_.fs().real_path(index);
    const auto real_dir = store_.fs().real_path(dir);
    if (!real || !real_dir) return false;
    return *real == join_path(*real_dir, "index") || *real == join_path(*real_dir, "index.lock");
  }

  Result<std::vector<Wanted>> edited_by_hand(const std::vector<StagedFile>& files) {
    MEMFS_ASSIGN(const auto others, merged_trees());
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> parents;
    for (const StagedFile& file : files) {
      parents.push_back(parents_of(file, others));
      names.push_back(file.blob);
      names.insert(names.end(), parents.back().begin(), parents.back().end());
    }
    MEMFS_ASSIGN(const Blobs blobs, shared_.blobs(names));
    std::vector<Wanted> wanted;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto bytes = blobs.find(files[i].blob);
      const bool taken = std::count(parents[i].begin(), parents[i].end(), files[i].blob) > 0;
      if (bytes == blobs.end() || taken) continue;
      auto memory = shared_.read(files[i].path, bytes->second);
      if (!memory || memory->id.empty() || memory->revision == 0) continue;
      if (memory->revision != newest(files[i].path, parents[i], blobs)) continue;
      wanted.push_back({files[i], bytes->second, std::move(*memory)});
    }
    return wanted;
  }

  // The blobs that the commit's parents have of the file.
  static std::vector<std::string> parents_of(const StagedFile& file,
                                             const std::vector<Blobs>& others) {
    std::vector<std::string> parents;
    if (!file.before.empty()) parents.push_back(file.before);
    for (const Blobs& tree : others)
      if (const auto other = tree.find(file.path); other != tree.end())
        parents.push_back(other->second);
    return parents;
  }

  // The newest revision of the parents' files.
  std::uint64_t newest(const std::string& path, const std::vector<std::string>& parents,
                       const Blobs& blobs) const {
    std::uint64_t most = 0;
    for (const std::string& parent : parents) {
      const auto bytes = blobs.find(parent);
      if (bytes == blobs.end()) continue;
      const auto memory = shared_.read(path, bytes->second);
      if (memory) most = std::max(most, memory->revision);
    }
    return most;
  }

  // Of each parent but HEAD: the blobs of the shared folder by path.
  Result<std::vector<Blobs>> merged_trees() const {
    std::vector<Blobs> trees;
    MEMFS_ASSIGN(const std::string dir, git_.line({"rev-parse", "--absolute-git-dir"}));
    const auto folder = store_.fs().open(dir);
    const auto heads =
        folder ? (*folder)->read("MERGE_HEAD", 1U << 20U) : Result<FileContent>(Error{});
    if (!heads) return trees;
    std::string_view rest = heads->bytes;
    while (!rest.empty()) {
      const auto eol = std::min(rest.find('\n'), rest.size());
      MEMFS_ASSIGN(auto tree, tree_of(std::string(rest.substr(0, eol))));
      trees.push_back(std::move(tree));
      rest.remove_prefix(std::min(eol + 1, rest.size()));
    }
    return trees;
  }

  Result<Blobs> tree_of(const std::string& commit) const {
    Blobs blobs;
    MEMFS_ASSIGN(const std::string raw, git_.output({"ls-tree", "-r", "-z", "--full-tree", commit,
                                                     "--", shared_.folder()}));
    for (const std::string& line : split_nul(raw)) {  // "mode type blob\tpath"
      const auto tab = line.find('\t');
      const auto blank = line.rfind(' ', tab);
      if (tab == std::string::npos || blank == std::string::npos) continue;
      blobs[line.substr(tab + 1)] = line.substr(blank + 1, tab - blank - 1);
    }
    return blobs;
  }

  Result<void> seal(LockedScope& locked, State& state, const Wanted& one) {
    const auto& memories = locked.catalogue.memories;
    const auto same = std::find_if(memories.begin(), memories.end(), [&](const Memory& m) {
      return m.rel == shared_.rel_of(one.file.path) && m.etag == content_hash(one.bytes);
    });
    if (same == memories.end()) {
      leave(one.memory, "the file differs from what is staged");
      return {};
    }
    MEMFS_ASSIGN(const std::string sealed, compose_bump(one.bytes, one.memory));
    // First the object, which nothing refers to yet.
    MEMFS_ASSIGN(const std::string blob,
                 git_.output({"hash-object", "-w", "--no-filters", "--stdin"}, sealed));
    store_.log_hand_edit(locked, state, *same);
    MEMFS_ASSIGN(const Memory now, store_.replace(locked, state, *same, one.bytes, sealed));
    (void)store_.log_write(locked, state, {Operation::kByHand, &*same}, &now);
    index_info_ += one.file.mode + " " + std::string(trim(blob)) + "\t" + one.file.path + '\0';
    check_.sealed.push_back({now.ref(), now.path, now.revision});
    return {};
  }

  void leave(const Memory& memory, std::string why) {
    check_.unsealed.push_back({memory.ref(), memory.path, std::move(why)});
  }

  StoreInside::Impl& store_;
  const StagedShared& shared_;
  const Git& git_;
  CommitCheck& check_;
  std::string index_info_{};
};

}  // namespace

Result<void> seal_files(Store& store, const StagedShared& shared,
                        const std::vector<StagedFile>& files, CommitCheck& check) {
  return Sealing(StoreInside::of(store), shared, check).run(files);
}

}  // namespace memfs
