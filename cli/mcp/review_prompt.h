// The prompt `review-memories`: what should be looked after, with the calls to make.
#pragma once

#include <memfs/store.h>

#include "cli/mcp/protocol/service.h"
#include "libmemfs/base/clock.h"

namespace memfs::cli {

mcp::Prompt review_prompt();
// kUsage for a scope that is none.
Result<mcp::PromptText> review_memories(Store& store, const mcp::Arguments& arguments, Instant now);
Result<mcp::Completion> complete_review(const mcp::CompletionRequest& request);

}  // namespace memfs::cli
