// Fills a budget with what belongs into a context.
#pragma once

#include <memfs/context.h>

#include "libmemfs/base/clock.h"
#include "libmemfs/recall/context_candidates.h"

namespace memfs {

// kUsage if not even the account fits.
Result<AssembledContext> pack_context(const Store& store, const ContextRequest& request,
                                      ContextCandidates candidates, Instant now);

}  // namespace memfs
