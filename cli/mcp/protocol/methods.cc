#include "cli/mcp/protocol/methods.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/mcp/protocol/shaping.h"

namespace memfs::mcp {

namespace {

RpcCode code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kNotFound:
    case ErrorCode::kInvalid:
      return kInvalidParams;
    default:
      return kInternalError;
  }
}

// The library's message and hint verbatim.
tl::unexpected<RpcError> rpc_error_of(const Error& error, RpcCode code) {
  Json data = {{"code", name_of(error.code)}};
  if (!error.hint.empty()) data["hint"] = error.hint;
  if (!error.path.empty()) data["path"] = error.path;
  return rpc_error(code, error.message, std::move(data));
}

// A string that the method cannot do without.
RpcResult<std::string> needed(const Json& params, const char* name) {
  const std::string* text = string_member(params, name);
  if (text == nullptr) return rpc_error(kInvalidParams, std::string(name) + " must be a string");
  return *text;
}

// The members of an object of strings; null ones are not given.
RpcResult<Arguments> strings_of(const Json* object, const std::string& what) {
  Arguments arguments;
  if (object == nullptr) return arguments;
  if (!object->is_object()) return rpc_error(kInvalidParams, what + " must be an object");
  for (const auto& [name, value] : object->items()) {
    if (value.is_null()) continue;
    if (!value.is_string())
      return rpc_error(kInvalidParams, what + ": " + clipped(name) + " must be a string");
    arguments[name] = value.template get<std::string>();
  }
  return arguments;
}

// Whole numbers are written as such.
Json number_json(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) <= kExact && std::trunc(value) == value)
    return static_cast<std::int64_t>(value);
  return value;
}

class RunningCall final : public CallContext {
 public:
  RunningCall(Link& link, const Request& request) : link_(link), request_(request) {
    const Json* meta = member(request.params, "_meta");
    const Json* token = meta == nullptr ? nullptr : member(*meta, "progressToken");
    if (token != nullptr && is_id(*token)) token_ = *token;
  }

  bool cancelled() override { return cancelled_ = cancelled_ || link_.cancelled(request_.id); }
  const ClientInfo& client() const override { return request_.client; }

  void progress(double done, std::optional<double> total, std::string_view message) override {
    if (token_.is_null() || cancelled_ || !std::isfinite(done) || done <= last_) return;
    last_ = done;
    Json params = {{"progressToken", token_}, {"progress", number_json(done)}};
    if (total && std::isfinite(*total)) params["total"] = number_json(*total);
    if (!message.empty() && request_.revision >= Revision::k2025_03_26) params["message"] = message;
    link_.send(notification("notifications/progress", std::move(params)));
  }

 private:
  Link& link_;
  const Request& request_;
  Json token_{};
  double last_ = -std::numeric_limits<double>::infinity();
  bool cancelled_ = false;
};

RpcResult<Json> call_tool(Desk& desk, const Request& request) {
  const auto name = needed(request.params, "name");
  if (!name) return tl::unexpected(name.error());
  const std::vector<Tool>& tools = desk.service.tools();
  const auto tool = std::find_if(tools.begin(), tools.end(),
                                 [&](const Tool& each) { return each.name == *name; });
  if (tool == tools.end()) return rpc_error(kInvalidParams, "no such tool: " + clipped(*name));
  const Json* arguments = member(request.params, "arguments");
  if (arguments != nullptr && !arguments->is_object())
    return rpc_error(kInvalidParams, "arguments must be an object");
  RunningCall running(desk.link, request);
  // What was taken back before it began is not begun.
  if (running.cancelled()) return Json();
  const ToolResult result =
      desk.service.call(*tool, arguments == nullptr ? Json::object() : *arguments, running);
  return running.cancelled() ? Json() : shape(result, request.revision);
}

RpcResult<Json> read_resource(Desk& desk, const Request& request) {
  const auto uri = needed(request.params, "uri");
  if (!uri) return tl::unexpected(uri.error());
  const auto contents = desk.service.read(*uri);
  if (!contents) {
    const bool unknown = contents.error().code == ErrorCode::kNotFound;
    auto failed = rpc_error_of(contents.error(), unknown && !is_stateless(request.revision)
                                                     ? kResourceNotFound
                                                     : code_of(contents.error().code));
    failed.value().data["uri"] = clipped(*uri);
    return failed;
  }
  Json result = shape(*contents, request.revision);
  add_cache_hint(result, 0, request.revision);
  return result;
}

RpcResult<Json> subscribe(Desk& desk, const Request& request) {
  const auto uri = needed(request.params, "uri");
  if (!uri) return tl::unexpected(uri.error());
  auto subscribed = desk.subscriptions.subscribe(*uri);
  if (subscribed) desk.service.watch();
  return subscribed;
}

RpcResult<Json> unsubscribe(Desk& desk, const Request& request) {
  const auto uri = needed(request.params, "uri");
  if (!uri) return tl::unexpected(uri.error());
  desk.subscriptions.unsubscribe(*uri);
  return Json::object();
}

RpcResult<Json> listen(Desk& desk, const Request& request) {
  auto acknowledged = desk.subscriptions.listen(request.id, request.params, desk.info.resources);
  if (!acknowledged) return tl::unexpected(std::move(acknowledged).error());
  // What changes from the acknowledgement on is told.
  desk.service.watch();
  desk.link.send(*acknowledged);
  return Json();
}

RpcResult<const Prompt*> find_prompt(Desk& desk, const std::string& name) {
  const std::vector<Prompt>& prompts = desk.service.prompts();
  const auto prompt = std::find_if(prompts.begin(), prompts.end(),
                                   [&](const Prompt& each) { return each.name == name; });
  if (prompt == prompts.end()) return rpc_error(kInvalidParams, "no such prompt: " + clipped(name));
  return &*prompt;
}

RpcResult<Json> get_prompt(Desk& desk, const Request& request) {
  const auto name = needed(request.params, "name");
  if (!name) return tl::unexpected(name.error());
  const auto prompt = find_prompt(desk, *name);
  if (!prompt) return tl::unexpected(prompt.error());
  const auto arguments = strings_of(member(request.params, "arguments"), "arguments");
  if (!arguments) return tl::unexpected(arguments.error());
  for (const PromptArgument& argument : (*prompt)->arguments)
    if (argument.required && arguments->count(argument.name) == 0)
      return rpc_error(kInvalidParams, "the prompt needs the argument " + argument.name);
  const auto text = desk.service.prompt(**prompt, *arguments);
  if (!text) return rpc_error_of(text.error(), code_of(text.error().code));
  return shape(*text, request.revision);
}

// Fills in what `ref` points at.
RpcResult<CompletionRequest> completed_thing(Desk& desk, const Json& params) {
  const Json* ref = member(params, "ref");
  const std::string* type = ref == nullptr ? nullptr : string_member(*ref, "type");
  CompletionRequest wanted;
  if (type != nullptr && *type == "ref/prompt") {
    const auto name = needed(*ref, "name");
    if (!name) return tl::unexpected(name.error());
    const auto prompt = find_prompt(desk, *name);
    if (!prompt) return tl::unexpected(prompt.error());
    wanted.prompt = *name;
    return wanted;
  }
  if (type == nullptr || *type != "ref/resource")
    return rpc_error(kInvalidParams, "ref must be a ref/prompt or a ref/resource");
  const auto uri = needed(*ref, "uri");
  if (!uri) return tl::unexpected(uri.error());
  const auto templates = desk.service.resource_templates();
  if (std::none_of(templates.begin(), templates.end(),
                   [&](const ResourceTemplate& each) { return each.uri_template == *uri; }))
    return rpc_error(kInvalidParams, "no such template: " + clipped(*uri));
  wanted.uri_template = *uri;
  return wanted;
}

RpcResult<Json> complete(Desk& desk, const Request& request) {
  auto wanted = completed_thing(desk, request.params);
  if (!wanted) return tl::unexpected(wanted.error());
  const Json* argument = member(request.params, "argument");
  if (argument == nullptr) return rpc_error(kInvalidParams, "argument must be an object");
  const auto name = needed(*argument, "name");
  if (!name) return tl::unexpected(name.error());
  const auto value = needed(*argument, "value");
  if (!value) return tl::unexpected(value.error());
  const Json* context = member(request.params, "context");
  const Json* given = context == nullptr ? nullptr : member(*context, "arguments");
  auto arguments = strings_of(given, "context.arguments");
  if (!arguments) return tl::unexpected(arguments.error());
  wanted->argument = *name;
  wanted->value = *value;
  wanted->given = std::move(*arguments);
  const auto completion = desk.service.complete(*wanted);
  if (!completion) return rpc_error_of(completion.error(), code_of(completion.error().code));
  return shape(*completion, request.revision);
}

// Which revisions have a method, and which part of the service it belongs to.
enum class Era : std::uint8_t { kBoth, kSession, kStateless };

struct Method {
  const char* name;
  RpcResult<Json> (*run)(Desk&, const Request&);
  Era era = Era::kBoth;
  bool ServerInfo::*part = nullptr;  // null: every server has it
};

constexpr std::array kMethods = {
    Method{"tools/list", list_tools},
    Method{"tools/call", call_tool},
    Method{"resources/list", list_resources, Era::kBoth, &ServerInfo::resources},
    Method{"resources/templates/list", list_resource_templates, Era::kBoth, &ServerInfo::resources},
    Method{"resources/read", read_resource, Era::kBoth, &ServerInfo::resources},
    Method{"resources/subscribe", subscribe, Era::kSession, &ServerInfo::resources},
    Method{"resources/unsubscribe", unsubscribe, Era::kSession, &ServerInfo::resources},
    Method{"subscriptions/listen", listen, Era::kStateless},
    Method{"prompts/list", list_prompts, Era::kBoth, &ServerInfo::prompts},
    Method{"prompts/get", get_prompt, Era::kBoth, &ServerInfo::prompts},
    Method{"completion/complete", complete, Era::kBoth, &ServerInfo::completions}};

bool is_known(const Method& method, const ServerInfo& info, Revision revision) {
  if (method.part != nullptr && !(info.*method.part)) return false;
  return method.era == Era::kBoth || (method.era == Era::kStateless) == is_stateless(revision);
}

}  // namespace

RpcResult<Json> answer(Desk& desk, const Request& request) {
  for (const Method& method : kMethods)
    if (request.method == method.name && is_known(method, desk.info, request.revision))
      return method.run(desk, request);
  return rpc_error(kMethodNotFound, "no such method: " + clipped(request.method));
}

}  // namespace memfs::mcp
