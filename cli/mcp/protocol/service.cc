#include "cli/mcp/protocol/service.h"

namespace memfs::mcp {

Result<std::vector<ResourceText>> Service::read(const std::string& uri) {
  return make_error(ErrorCode::kNotFound, "no such resource: " + uri);
}

const std::vector<Prompt>& Service::prompts() {
  static const std::vector<Prompt> none;
  return none;
}

Result<PromptText> Service::prompt(const Prompt& prompt, const Arguments& /*arguments*/) {
  return make_error(ErrorCode::kNotFound, "no such prompt: " + prompt.name);
}

Result<Completion> Service::complete(const CompletionRequest& /*request*/) { return Completion{}; }

}  // namespace memfs::mcp
