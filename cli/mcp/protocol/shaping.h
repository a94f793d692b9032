// The JSON of what a Service answers, in the form of each revision: no member that is newer than
// the revision, none missing that it demands.
#pragma once

#include "cli/mcp/protocol/revision.h"
#include "cli/mcp/protocol/service.h"

namespace memfs::mcp {

Json server_info_json(const ServerInfo& info, Revision revision);
Json capabilities_json(const ServerInfo& info, Revision revision);

Json shape(const Tool& tool, Revision revision);
Json shape(const Resource& resource, Revision revision);
Json shape(const ResourceTemplate& resource, Revision revision);
Json shape(const Prompt& prompt, Revision revision);

// Whole results, but for what finish_result adds.
Json shape(const ToolResult& result, Revision revision);
Json shape(const std::vector<ResourceText>& contents, Revision revision);
Json shape(const PromptText& prompt, Revision revision);
Json shape(const Completion& completion, Revision revision);

// How long a result may be kept. Never shared between users: whoever asks another server may be
// another person.
void add_cache_hint(Json& result, int ttl_ms, Revision revision);
// What each result of the revision carries.
Json finish_result(Json result, const ServerInfo& info, Revision revision);

}  // namespace memfs::mcp
