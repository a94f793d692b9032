// Memories as resources: mem://context, mem://index/SCOPE and mem://SCOPE/NAME.
#pragma once

#include <memfs/store.h>

#include <string>
#include <vector>

#include "cli/mcp/protocol/service.h"
#include "libmemfs/base/clock.h"

namespace memfs::cli {

// "mem://shared/deploy/rollback", what URIs do not allow as percent signs.
std::string resource_uri(const std::string& ref);
// The resources that are others when these memories change: each by every spelling that a client
// may have asked for it, its index, and the context.
std::vector<std::string> changed_uris(const std::vector<std::string>& refs);
std::string index_uri(Scope scope);
extern const char* const kContextUri;

// The context and the index of each scope that there is. Single memories are found by the template:
// there may be a hundred thousand.
std::vector<mcp::Resource> memory_resources(const Layout& layout);
std::vector<mcp::ResourceTemplate> memory_templates();

// kNotFound if there is none.
Result<std::vector<mcp::ResourceText>> read_resource(const Store& store, const std::string& uri,
                                                     Instant now);

// Scopes, and names that contain what is typed, those first that begin with it.
Result<mcp::Completion> complete_resource(const Store& store,
                                          const mcp::CompletionRequest& request);

}  // namespace memfs::cli
