// Taking a batch back: each of its writes the other way round, as one batch again.
#include "libmemfs/store/batch_run.h"
#include "libmemfs/store/write_log.h"

namespace memfs {

Result<BatchResult> Store::Impl::BatchRun::run_back(const std::vector<WriteEntry>& writes,
                                                    const SameState& is_the_same,
                                                    const Consent& consent) {
  count_ = writes.size();
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Step step;
    step.item = i;
    step.consent = consent;
    step.takes_back = write_key(writes[i]);
    if (auto planned = take_back(step, writes[i], is_the_same); !planned)
      return std::move(planned).error();
    steps_.push_back(std::move(step));
  }
  take_out_what_changes();
  MEMFS_TRY(check_changes());
  return finish();
}

Result<void> Store::Impl::BatchRun::take_back(Step& step, const WriteEntry& write,
                                              const SameState& is_the_same) {
  if (write.operation == Operation::kForget) {
    MEMFS_ASSIGN(const Lost lost, forgotten_by(write));
    return revive(step, lost);
  }
  MEMFS_TRY(find(step, write.id.empty() ? write.ref() : write.id));
  MEMFS_TRY(is_the_same(*step.before, write));
  // A memory that was new, or was back from the archive, goes there.
  return write.before.empty() ? forget(step, "") : restore(step, write.before);
}

// See Store::Impl::bring_back_forgotten().
Result<Store::Impl::Lost> Store::Impl::BatchRun::forgotten_by(const WriteEntry& write) const {
  MEMFS_ASSIGN(const auto copies, impl_.archived());
  for (const ArchivedMemory& copy : copies)
    if (copy.memory.ref() == write.ref() && copy.memory.etag == write.before)
      return Lost{copy.memory, {}};
  return impl_.find_lost(write.id.empty() ? write.ref() : write.id);
}

Result<void> Store::Impl::BatchRun::restore(Step& step, const std::string& label) {
  MEMFS_ASSIGN(LockedScope * locked, open(step.scope));
  const Memory& memory = *step.before;
  MEMFS_ASSIGN(Restoration back, impl_.compose_restoration(memory, step.old_bytes, label));
  step.operation = Operation::kRestore;
  step.new_bytes = std::move(back.bytes);
  MEMFS_ASSIGN(step.after, preview(*locked, memory.name + ".md", memory.rel, step.new_bytes));
  step.after->name = memory.name;
  note_claim(step);
  step.told.restored = std::move(back.wanted.revision);
  return {};
}

}  // namespace memfs
