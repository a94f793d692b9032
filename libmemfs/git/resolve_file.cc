#include "libmemfs/git/resolve_file.h"

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

constexpr std::size_t kIdTail = 6;

// Files that no wish of a caller could be written to: the block cannot be read.
Result<void> put(StoreInside::Impl& store, const Memory& listed, const std::string& old,
                 const std::string& bytes) {
  MEMFS_ASSIGN(StoreInside::Impl::Target target, store.lock_target(listed.ref()));
  MEMFS_ASSIGN(const auto state_dir, store.open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const std::string now, store.reread(target.locked, target.memory));
  if (now != old)
    return make_error(ErrorCode::kConflict, "somebody changed the file meanwhile").at(listed.path);
  MEMFS_ASSIGN(const Memory after, store.replace(target.locked, state, target.memory, old, bytes));
  MEMFS_ASSIGN(auto done,
               store.finish(target.locked, state, {Operation::kFix, &target.memory}, after, {}));
  (void)done;
  return {};
}

// The second memory of a file, beside the first.
Result<std::string> put_beside(StoreInside::Impl& store, const Memory& listed,
                               const std::string& bytes) {
  MEMFS_ASSIGN(LockedScope locked, store.lock_scope(listed.scope));
  MEMFS_ASSIGN(const auto state_dir, store.open_state());
  State state(state_dir);
  MEMFS_ASSIGN(const Memory read, preview(locked, listed.rel, listed.rel, bytes));
  std::string rel = listed.rel.substr(0, listed.rel.rfind('.')) + "-";
  rel += read.id.size() > kIdTail ? read.id.substr(read.id.size() - kIdTail) : "2";
  MEMFS_ASSIGN(Memory added, store.add_file(locked, state, rel + ".md", bytes));
  MEMFS_ASSIGN(const WriteResult done,
               store.finish(locked, state, {Operation::kFix}, std::move(added), {}));
  return done.memory.ref();
}

class Resolver {
 public:
  Resolver(Store& store, const Memory& listed, const ResolveWish& wish, const Sides& sides,
           const std::optional<std::string>& base)
      : store_(store), listed_(listed), wish_(wish), sides_(sides), base_(base) {
    file_.ref = listed.ref();
    file_.path = listed.path;
  }

  ResolvedFile run() {
    auto done = settle_all();
    file_.open = open_conflicts(bytes_, sides_);
    if (done && file_.open.empty()) done = check_settled(bytes_, sides_);
    if (!done) file_.problem = done.error().message;
    if (!done && !done.error().hint.empty()) file_.problem += "; " + done.error().hint;
    return std::move(file_);
  }

 private:
  Result<void> settle_all() {
    MEMFS_ASSIGN(bytes_, store_.read_bytes(listed_));
    MEMFS_TRY(read_again());
    if (wish_.take == Take::kNothing) return {};
    MEMFS_ASSIGN(const Settlement settled, settle(bytes_, wish_.take, wish_.key, sides_));
    return choose(settled);
  }

  // What needs no choice, so that the front matter can be read.
  Result<void> read_again() {
    const auto merged = make_readable(bytes_, sides_, base_);
    if (!merged) return {};
    if (!wish_.dry_run) {
      MEMFS_TRY(put(StoreInside::of(store_), listed_, bytes_, merged->text));
      file_.written = true;
    }
    bytes_ = merged->text;
    file_.done.emplace_back("merged the front matter by key: it can be read again");
    for (const std::string& note : merged->notes) file_.done.push_back(note);
    return {};
  }

  Result<void> choose(const Settlement& settled) {
    if (settled.other && !wish_.dry_run) {
      // First the new file: a crash between the two doubles a memory and loses none.
      MEMFS_ASSIGN(file_.other_ref, put_beside(StoreInside::of(store_), listed_, *settled.other));
      file_.done.push_back("gave the other memory a file of its own: " + file_.other_ref);
    }
    if (!wish_.dry_run) {
      MEMFS_ASSIGN(const WriteResult written,
                   store_.edit(listed_.ref(), settled.file, content_hash(bytes_), wish_.consent));
      file_.written = file_.written || written.changed;
    }
    const auto before = open_conflicts(bytes_, sides_);
    bytes_ = settled.file;
    for (const OpenConflict& conflict : before)
      if (wish_.key.empty() || conflict.key == wish_.key) tell(conflict);
    return {};
  }

  void tell(const OpenConflict& conflict) {
    const char* taken = wish_.take == Take::kOurs     ? "ours"
                        : wish_.take == Take::kTheirs ? "theirs"
                                                      : "both";
    const std::string what = conflict.key.empty() ? "the text" : "`" + conflict.key + "`";
    std::string done = what + ": took " + taken;
    if (std::find(file_.done.begin(), file_.done.end(), done) == file_.done.end())
      file_.done.push_back(std::move(done));
  }

  Store& store_;
  const Memory& listed_;
  const ResolveWish& wish_;
  const Sides& sides_;
  const std::optional<std::string>& base_;
  std::string bytes_{};
  ResolvedFile file_{};
};

}  // namespace

ResolvedFile resolve_file(Store& store, const Memory& listed, const ResolveWish& wish,
                          const Sides& sides, const std::optional<std::string>& base) {
  return Resolver(store, listed, wish, sides, base).run();
}

}  // namespace memfs
