#include <memfs/context.h>

#include "libmemfs/recall/context_candidates.h"
#include "libmemfs/recall/context_packer.h"

namespace memfs {

Result<AssembledContext> assemble_context(const Store& store, const ContextRequest& request,
                                          std::chrono::sys_time<std::chrono::milliseconds> now) {
  MEMFS_ASSIGN(ContextCandidates candidates, find_candidates(store, request, now));
  return pack_context(store, request, std::move(candidates), now);
}

}  // namespace memfs
