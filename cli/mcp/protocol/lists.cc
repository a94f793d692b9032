// The four lists, in pages.
#include <algorithm>

#include "cli/mcp/protocol/cursor.h"
#include "cli/mcp/protocol/methods.h"
#include "cli/mcp/protocol/shaping.h"

namespace memfs::mcp {

namespace {

// Where the page that the request asks for begins.
template <typename T, typename KeyOf>
RpcResult<std::size_t> page_begin(const Request& request, const std::vector<T>& all, KeyOf key_of) {
  const Json* given = member(request.params, "cursor");
  if (given == nullptr) return 0;
  const auto* cursor = given->get_ptr<const std::string*>();
  const auto key = cursor == nullptr ? std::nullopt : read_cursor(request.method, *cursor);
  if (!key) return rpc_error(kInvalidParams, "no cursor of this list; begin without one");
  const auto begin = position_after(all, *key, key_of);
  if (!begin) return rpc_error(kInvalidParams, "the list has changed; begin again without cursor");
  return *begin;
}

template <typename T, typename KeyOf>
RpcResult<Json> page_of(const Desk& desk, const Request& request, const char* name,
                        const std::vector<T>& all, KeyOf key_of, int ttl_ms) {
  const auto begin = page_begin(request, all, key_of);
  if (!begin) return tl::unexpected(begin.error());
  const std::size_t end = std::min(all.size(), *begin + desk.page_size);
  Json result = {{name, Json::array()}};
  for (std::size_t i = *begin; i < end; ++i)
    result[name].push_back(shape(all[i], request.revision));
  if (end < all.size()) result["nextCursor"] = make_cursor(request.method, key_of(all[end - 1]));
  add_cache_hint(result, ttl_ms, request.revision);
  return result;
}

}  // namespace

RpcResult<Json> list_tools(Desk& desk, const Request& request) {
  return page_of(
      desk, request, "tools", desk.service.tools(), [](const Tool& tool) { return tool.name; },
      desk.info.ttl_ms);
}

RpcResult<Json> list_resources(Desk& desk, const Request& request) {
  return page_of(
      desk, request, "resources", desk.service.resources(),
      [](const Resource& resource) { return resource.uri; }, 0);
}

RpcResult<Json> list_resource_templates(Desk& desk, const Request& request) {
  return page_of(
      desk, request, "resourceTemplates", desk.service.resource_templates(),
      [](const ResourceTemplate& resource) { return resource.uri_template; }, desk.info.ttl_ms);
}

RpcResult<Json> list_prompts(Desk& desk, const Request& request) {
  return page_of(
      desk, request, "prompts", desk.service.prompts(),
      [](const Prompt& prompt) { return prompt.name; }, desk.info.ttl_ms);
}

}  // namespace memfs::mcp
