// What the guard finds in memories that are there, and what the person trusts.
#include "libmemfs/base/hash.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

Result<Admission> Store::admit(const Memory& listed, bool shared_only) const {
  Admission admission;
  MEMFS_ASSIGN(const auto dir, impl_->scope_dir(listed.scope));
  MEMFS_ASSIGN(const FileContent content, dir->read(listed.rel, kMaxFile));
  MEMFS_ASSIGN(admission.memory, memory_from(*dir, listed, content));
  if (shared_only && listed.scope != Scope::kShared) return admission;
  admission.findings = scan_memory(admission.memory, content.bytes);
  admission.held_back =
      held_back_for(admission.findings, admission.memory, impl_->layout.settings.guard);
  if (admission.held_back.empty()) return admission;
  const auto key = impl_->key_of(listed.scope);
  const auto state_dir = impl_->fs().open(impl_->layout.state);
  if (key && state_dir)
    admission.trusted = State(*state_dir).trusts(content_hash(content.bytes), *key);
  if (admission.trusted) admission.held_back.clear();
  return admission;
}

Result<Admission> Store::trust(std::string_view reference, const std::string& if_match) {
  MEMFS_TRY(impl_->check_may_write());
  if (impl_->services.agent) {
    return make_error(ErrorCode::kRefused, "trust is a person's to give")
        .with_hint("ask the person to run `mem trust`");
  }
  MEMFS_ASSIGN(const Reference parsed, parse_reference(reference));
  // Only shared memories are held back: the reference means one of them.
  std::string shared(reference);
  if (!parsed.scope && parsed.kind != Reference::Kind::kSubject) {
    const auto there = impl_->find("shared/" + shared, false);
    if (there) shared = there->memory.ref();
  }
  MEMFS_ASSIGN(const Found found, impl_->find(shared, true));
  if (found.memory.scope != Scope::kShared) {
    return make_error(ErrorCode::kUsage,
                      found.memory.ref() + " is not shared: it is never held back")
        .at(found.memory.path)
        .with_hint("mem trust shared/NAME");
  }
  MEMFS_ASSIGN(Admission admission, admit(found.memory));
  if (!if_match.empty() && admission.memory.etag != if_match) {
    return make_error(ErrorCode::kConflict,
                      "the file changed: its etag is " + admission.memory.etag)
        .at(found.memory.path)
        .with_hint("read it again (`mem show " + found.memory.ref() + "`) before you trust it");
  }
  MEMFS_ASSIGN(const std::string key, impl_->key_of(Scope::kShared));
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  MEMFS_TRY(State(state_dir).trust(admission.memory.etag, key));
  admission.trusted = true;
  admission.held_back.clear();
  return admission;
}

}  // namespace memfs
