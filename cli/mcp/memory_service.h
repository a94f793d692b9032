// The server of memories: tools, resources and prompts over the stores of the projects that a
// client works in. Parses, calls the library, answers; knows nothing of protocol revisions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/mcp/projects.h"
#include "cli/mcp/protocol/service.h"
#include "cli/mcp/resources.h"
#include "cli/mcp/tool.h"

namespace memfs::cli {

class MemoryService final : public mcp::Service {
 public:
  MemoryService(ServerPlace place, Store::Services services, std::vector<ToolEntry> tools);

  mcp::ServerInfo info() override;

  // None where no store can be opened at all.
  const std::vector<mcp::Tool>& tools() override;
  mcp::ToolResult call(const mcp::Tool& tool, const mcp::Json& arguments,
                       mcp::CallContext& context) override;

  std::vector<mcp::Resource> resources() override;
  std::vector<mcp::ResourceTemplate> resource_templates() override;
  Result<std::vector<mcp::ResourceText>> read(const std::string& uri) override;

  void watch() override;
  int changes_descriptor() override;
  mcp::Changes take_changes() override;

  const std::vector<mcp::Prompt>& prompts() override;
  Result<mcp::PromptText> prompt(const mcp::Prompt& prompt,
                                 const mcp::Arguments& arguments) override;
  Result<mcp::Completion> complete(const mcp::CompletionRequest& request) override;

  bool wants_roots() override;
  void set_roots(const std::vector<std::string>& uris) override;

 private:
  Result<mcp::ToolResult> run(const ToolEntry& entry, const mcp::Json& arguments,
                              mcp::CallContext& context);
  Instant now() const { return services_.clock->now(); }
  // The store that is served, for whatever no client names.
  Result<std::shared_ptr<Store>> store();

  Store::Services services_;
  Projects projects_;
  std::map<std::string, ToolEntry> entries_{};  // by name
  std::vector<mcp::Tool> tools_{};
  std::vector<mcp::Tool> no_tools_{};
  std::vector<mcp::Prompt> prompts_;
  bool watching_ = false;
  std::shared_ptr<Store> watched_{};      // whose changes were taken last
  std::vector<std::string> told_list_{};  // the resources that there were then
};

}  // namespace memfs::cli
