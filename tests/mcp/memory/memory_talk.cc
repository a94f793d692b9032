#include "tests/mcp/memory/memory_talk.h"

#include "cli/mcp/tools/tools.h"
#include "libmemfs/base/clock.h"
#include "libmemfs/format/date.h"

namespace memfs::testing {

Store::Services MemoryTalk::services() const {
  Store::Services services;
  services.fs = real ? real : fs;
  services.clock = std::make_shared<FixedClock>(parse_date(now)->at);
  services.ids = std::make_shared<RandomIds>();
  services.threads = 1;
  return services;
}

Talk& MemoryTalk::serve(const std::string& tools, bool read_only) {
  cli::ServerPlace place;
  place.environment.working_directory = "/";
  place.environment.root = "/m";
  return serve(std::move(place), tools, read_only);
}

Talk& MemoryTalk::serve(cli::ServerPlace place, const std::string& tools, bool read_only) {
  Store::Services own = services();
  own.agent = true;
  own.read_only = read_only;
  service_ = std::make_unique<cli::MemoryService>(std::move(place), own,
                                                  *cli::chosen_tools(tools, read_only));
  talk_ = std::make_unique<Talk>(*service_);
  talk_->open("2025-11-25");
  return *talk_;
}

Store MemoryTalk::person() const {
  Environment environment;
  environment.working_directory = "/";
  environment.root = "/m";
  return *Store::open(*discover_layout(*services().fs, environment), services());
}

Json MemoryTalk::call(const std::string& tool, const Json& arguments) {
  if (!talk_) serve();
  const Json params = {{"name", tool}, {"arguments", arguments}};
  Json response = talk_->ask("tools/call", mcp::to_text(params));
  text_.clear();
  if (!response.contains("result")) return response;
  Json result = response["result"];
  if (!result["content"].empty()) text_ = result["content"][0].value("text", "");
  return result;
}

Json MemoryTalk::done(const std::string& tool, const Json& arguments) {
  Json result = call(tool, arguments);
  EXPECT_FALSE(result.value("isError", false)) << text_;
  return result.contains("structuredContent") ? result["structuredContent"] : Json();
}

Json MemoryTalk::refused(const std::string& tool, const Json& arguments) {
  Json result = call(tool, arguments);
  EXPECT_TRUE(result.value("isError", false)) << mcp::to_text(result).substr(0, 500);
  if (!result.contains("structuredContent")) return {};
  return result["structuredContent"].value("error", Json::object());
}

}  // namespace memfs::testing
