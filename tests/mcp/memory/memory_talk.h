// A talk with the server of memories, over a file system of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/mcp/memory_service.h"
#include "tests/mcp/talk.h"
#include "tests/support/memory_fs.h"

namespace memfs::testing {

using mcp::Json;

class MemoryTalk : public ::testing::Test {
 protected:
  // Serves the folder /m by itself, as --root does.
  Talk& serve(const std::string& tools = "all", bool read_only = false);
  // Serves whatever project `place` leads to.
  Talk& serve(cli::ServerPlace place, const std::string& tools = "all", bool read_only = false);

  // The result of a tool.
  Json call(const std::string& tool, const Json& arguments = Json::object());
  // Its structured content, expecting no error.
  Json done(const std::string& tool, const Json& arguments = Json::object());
  // The error of its structured content, expecting one.
  Json refused(const std::string& tool, const Json& arguments = Json::object());
  cli::MemoryService& service() { return *service_; }
  // The text block of the last result.
  const std::string& text() const { return text_; }
  // A store on the same folder, as a person's command opens it.
  Store person() const;
  std::string file(const std::string& rel) const { return fs->bytes_of("/m/" + rel); }
  void plant(const std::string& rel, const std::string& bytes) { fs->plant("/m/" + rel, bytes); }

  std::shared_ptr<MemoryFs> fs = std::make_shared<MemoryFs>();
  std::shared_ptr<FileSystem> real{};  // used instead, if there is one
  std::string now = "2026-11-30T09:00:00Z";

 private:
  Store::Services services() const;

  std::unique_ptr<cli::MemoryService> service_{};
  std::unique_ptr<Talk> talk_{};
  std::string text_{};
};

}  // namespace memfs::testing
