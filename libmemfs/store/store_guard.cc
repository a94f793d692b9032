// What the guard finds in memories that are there, and whom the person trusts.
#include "libmemfs/base/hash.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

Result<Admission> Store::admission(const Memory& memory) const {
  Admission admission;
  MEMFS_ASSIGN(const std::string bytes, read_bytes(memory));
  admission.findings = scan_memory(memory, bytes);
  admission.held_back = held_back_for(admission.findings, memory, impl_->layout.settings.guard);
  if (admission.held_back.empty()) return admission;
  const auto key = impl_->key_of(memory.scope);
  const auto state_dir = impl_->fs().open(impl_->layout.state);
  // The bytes that were looked at, not those that somebody put there meanwhile.
  if (key && state_dir) admission.trusted = State(*state_dir).trusts(content_hash(bytes), *key);
  if (admission.trusted) admission.held_back.clear();
  return admission;
}

Result<Found> Store::trust(std::string_view reference) {
  MEMFS_ASSIGN(const Found found, read(reference));
  MEMFS_ASSIGN(const std::string key, impl_->key_of(found.memory.scope));
  MEMFS_ASSIGN(const auto state_dir, impl_->open_state());
  MEMFS_TRY(State(state_dir).trust(found.memory.etag, key));
  return found;
}

}  // namespace memfs
