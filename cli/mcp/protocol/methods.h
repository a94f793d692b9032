// The methods that a request can name, apart from those that are the session's own affair.
#pragma once

#include <string>

#include "cli/mcp/protocol/json_rpc.h"
#include "cli/mcp/protocol/link.h"
#include "cli/mcp/protocol/revision.h"
#include "cli/mcp/protocol/service.h"
#include "cli/mcp/protocol/subscriptions.h"

namespace memfs::mcp {

// A request of which it is known by which revision it is served.
struct Request {
  Json id{};
  std::string method{};
  Json params = Json::object();
  Revision revision = kNewestSession;
  ClientInfo client{};
};

// What the methods work with.
struct Desk {
  Service& service;
  Link& link;
  ServerInfo info;
  std::size_t page_size;
  Subscriptions subscriptions{};
};

// The result without what finish_result adds, or an error. Null: there is nothing to answer,
// since the request was cancelled or is a subscription.
RpcResult<Json> answer(Desk& desk, const Request& request);

// lists.cc
RpcResult<Json> list_tools(Desk& desk, const Request& request);
RpcResult<Json> list_resources(Desk& desk, const Request& request);
RpcResult<Json> list_resource_templates(Desk& desk, const Request& request);
RpcResult<Json> list_prompts(Desk& desk, const Request& request);

}  // namespace memfs::mcp
