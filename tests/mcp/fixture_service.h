// A server that knows nothing of memories: one of each thing that a Service can offer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/mcp/protocol/change_queue.h"
#include "cli/mcp/protocol/service.h"

namespace memfs::testing {

// Tools: `echo` (its arguments), `say` (text only), `refuse` (is_error), `throw`, `count` (progress
// from 1 to n, until cancelled), `touch` (tells that a resource changed).
class FixtureService final : public mcp::Service {
 public:
  // `resources` many of them: note://1, note://2, …
  explicit FixtureService(int resources = 3);

  mcp::ServerInfo info() override { return info_; }
  const std::vector<mcp::Tool>& tools() override { return tools_; }
  mcp::ToolResult call(const mcp::Tool& tool, const mcp::Json& arguments,
                       mcp::CallContext& context) override;
  std::vector<mcp::Resource> resources() override;
  std::vector<mcp::ResourceTemplate> resource_templates() override;
  Result<std::vector<mcp::ResourceText>> read(const std::string& uri) override;
  int changes_descriptor() override { return changes_.descriptor(); }
  mcp::Changes take_changes() override { return changes_.take(); }
  const std::vector<mcp::Prompt>& prompts() override { return prompts_; }
  Result<mcp::PromptText> prompt(const mcp::Prompt& prompt,
                                 const mcp::Arguments& arguments) override;
  Result<mcp::Completion> complete(const mcp::CompletionRequest& request) override;
  bool wants_roots() override { return asks_for_roots_; }
  void set_roots(const std::vector<std::string>& uris) override { roots_ = uris; }

  mcp::ChangeQueue& changes() { return changes_; }
  mcp::ServerInfo& mutable_info() { return info_; }
  void ask_for_roots() { asks_for_roots_ = true; }
  const std::vector<std::string>& roots() const { return roots_; }
  int calls() const { return calls_; }
  // As they were at the last call of a tool.
  const std::vector<std::string>& roots_at_call() const { return roots_at_call_; }

 private:
  mcp::ServerInfo info_{};
  std::vector<mcp::Tool> tools_{};
  std::vector<mcp::Prompt> prompts_{};
  int resource_count_;
  mcp::ChangeQueue changes_{};
  bool asks_for_roots_ = false;
  std::vector<std::string> roots_{};
  std::vector<std::string> roots_at_call_{};
  int calls_ = 0;
};

}  // namespace memfs::testing
