// What a server offers. The protocol asks a Service and writes what it answers in the form of the
// client's revision; a Service knows nothing of revisions.
//
// All calls come from the thread that runs serve(), one at a time. What a Service throws is
// answered as an internal error, and the next message is served.
#pragma once

#include <memfs/result.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::mcp {

// Entries of a list in one answer.
constexpr std::size_t kPageSize = 200;

struct ServerInfo {
  std::string name{};
  std::string title{};
  std::string version{};
  std::string instructions{};  // for the model; may be empty
  // What there is besides tools; the methods of what there is not are unknown.
  bool resources = false;
  bool prompts = false;
  bool completions = false;
  // How long a client may keep what does not change: this information, tools, prompts, templates.
  int ttl_ms = 0;
};

struct Tool {
  std::string name{};  // of [A-Za-z0-9_.-]
  std::string title{};
  std::string description{};
  Json input_schema{};   // with "type": "object"
  Json output_schema{};  // with "type": "object", or null; every structured result must fit it
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
  bool open_world = false;
};

struct ToolResult {
  Json structured{};   // an object, or null
  std::string text{};  // empty: `structured` as text
  bool is_error = false;
};

struct ClientInfo {
  std::string name{};
  std::string version{};
};

// The call that is running.
class CallContext {
 public:
  virtual ~CallContext() = default;
  // Whether the client wants no answer any more, or the process is to end. Looks at what has
  // arrived, which costs a system call: not for every line of a loop.
  virtual bool cancelled() = 0;
  // Tells the client how far it is, if it asked to be told; what does not exceed the last `done` is
  // left out.
  virtual void progress(double done, std::optional<double> total = {},
                        std::string_view message = {}) = 0;
  virtual const ClientInfo& client() const = 0;
};

struct Resource {
  std::string uri{};
  std::string name{};
  std::string title{};
  std::string description{};
  std::string mime_type{};
  std::optional<std::uint64_t> size{};
};

struct ResourceTemplate {
  std::string uri_template{};
  std::string name{};
  std::string title{};
  std::string description{};
  std::string mime_type{};
};

struct ResourceText {
  std::string uri{};
  std::string mime_type{};
  std::string text{};
};

struct PromptArgument {
  std::string name{};
  std::string title{};
  std::string description{};
  bool required = false;
};

struct Prompt {
  std::string name{};
  std::string title{};
  std::string description{};
  std::vector<PromptArgument> arguments{};
};

struct PromptMessage {
  std::string text{};
  bool from_assistant = false;
};

struct PromptText {
  std::string description{};
  std::vector<PromptMessage> messages{};
};

using Arguments = std::map<std::string, std::string>;

// An argument of a prompt, or a variable of a template, that the user is typing.
struct CompletionRequest {
  std::string prompt{};        // the name of a prompt, or
  std::string uri_template{};  // the template; one of the two is empty
  std::string argument{};
  std::string value{};  // what there is of it
  Arguments given{};    // other arguments that are decided
};

struct Completion {
  std::vector<std::string> values{};  // the first hundred are sent
  std::optional<std::size_t> total{};
  bool has_more = false;
};

// What has changed since it was last asked.
struct Changes {
  std::vector<std::string> uris{};  // of resources
  bool any = false;                 // every resource may have changed: events were lost
  bool list = false;                // the list of resources
};

class Service {
 public:
  virtual ~Service() = default;
  // Asked once, before the first answer: must not look at anything that takes long.
  virtual ServerInfo info() = 0;

  // In a fixed order.
  virtual const std::vector<Tool>& tools() = 0;
  // `tool` is one of tools(), `arguments` an object. Everything that the model can mend or should
  // know is a ToolResult with is_error.
  virtual ToolResult call(const Tool& tool, const Json& arguments, CallContext& context) = 0;

  virtual std::vector<Resource> resources() { return {}; }
  virtual std::vector<ResourceTemplate> resource_templates() { return {}; }
  // kNotFound if there is no such resource.
  virtual Result<std::vector<ResourceText>> read(const std::string& uri);
  // A client wants to be told of changes; called whenever a subscription begins.
  virtual void watch() {}
  // Readable when take_changes() may have something; polled between messages. -1: none. Asked each
  // time, since it may be another one.
  virtual int changes_descriptor() { return -1; }
  // Asked when the descriptor is readable and after each message: must be cheap when there is
  // nothing. Empties the descriptor.
  virtual Changes take_changes() { return {}; }

  virtual const std::vector<Prompt>& prompts();
  // Required arguments are there.
  virtual Result<PromptText> prompt(const Prompt& prompt, const Arguments& arguments);
  virtual Result<Completion> complete(const CompletionRequest& request);

  // Whether to ask a client that has roots for them (before 2026-07-28). Until it has answered, or
  // a second has gone by, other requests wait.
  virtual bool wants_roots() { return false; }
  virtual void set_roots(const std::vector<std::string>& /*uris*/) {}
};

}  // namespace memfs::mcp
