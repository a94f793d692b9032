// Dependencies run one way: cli → libmemfs → index → libmemfs/base, and inside libmemfs each floor
// rests only on those below it. Reads the includes and fails on an arrow that runs back.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

namespace {

namespace fs = std::filesystem;

// Height of each room; a file may include its own room and rooms that are lower.
const std::map<std::string, int> kFloors = {{"libmemfs/base", 0},
                                            {"index", 1},
                                            {"libmemfs/format", 2},
                                            {"libmemfs/guard", 2},
                                            {"libmemfs/lifecycle", 3},
                                            {"libmemfs/merge", 3},
                                            {"libmemfs/store", 4},
                                            {"libmemfs/recall", 5},
                                            {"libmemfs/check", 5},
                                            {"libmemfs/exchange", 5},
                                            {"libmemfs/git", 6},
                                            {"libmemfs/setup", 2},
                                            {"libmemfs/notes", 5},
                                            {"cli/mcp/protocol", 1},
                                            {"cli", 7}};

// The room that implements each public header.
const std::map<std::string, std::string> kPublicHeaders = {
    {"memfs/agent_hooks.h", "libmemfs/recall"},
    {"memfs/check.h", "libmemfs/check"},
    {"memfs/context.h", "libmemfs/recall"},
    {"memfs/exchange.h", "libmemfs/exchange"},
    {"memfs/freshness.h", "libmemfs/lifecycle"},
    {"memfs/git_hooks.h", "libmemfs/git"},
    {"memfs/git_install.h", "libmemfs/git"},
    {"memfs/git_status.h", "libmemfs/git"},
    {"memfs/guard.h", "libmemfs/guard"},
    {"memfs/history.h", "libmemfs/store"},
    {"memfs/layout.h", "libmemfs/store"},
    {"memfs/lifecycle.h", "libmemfs/lifecycle"},
    {"memfs/links.h", "libmemfs/store"},
    {"memfs/memory.h", "libmemfs/format"},
    {"memfs/merge.h", "libmemfs/merge"},
    {"memfs/resolve.h", "libmemfs/git"},
    {"memfs/result.h", "libmemfs/base"},
    {"memfs/search.h", "libmemfs/recall"},
    {"memfs/settings.h", "libmemfs/store"},
    {"memfs/setup.h", "libmemfs/setup"},
    {"memfs/stats.h", "libmemfs/store"},
    {"memfs/store.h", "libmemfs/store"},
    {"memfs/sync.h", "libmemfs/git"},
    {"memfs/text_budget.h", "libmemfs/recall"},
    {"memfs/version.h", "libmemfs/format"},
    {"memfs/watch.h", "libmemfs/store"},
    {"memfs/notes.h", "libmemfs/notes"}};

std::string room_of(const std::string& path) {
  if (const auto it = kPublicHeaders.find(path); it != kPublicHeaders.end()) return it->second;
  if (path.starts_with("libmemfs/include/")) return room_of(path.substr(17));
  std::string best;
  for (const auto& [room, floor] : kFloors)
    if (path.starts_with(room + "/") && room.size() > best.size()) best = room;
  return best;
}

struct Include {
  std::string file;
  std::string included;
};

std::vector<Include> includes() {
  std::vector<Include> found;
  const std::regex pattern("^\\s*#include [<\"]([^>\"]+)[>\"]");
  for (const char* top : {"libmemfs", "index", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(MEM_SOURCE_DIR) / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h") continue;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, match, pattern))
          found.push_back({fs::relative(entry.path(), MEM_SOURCE_DIR).string(), match[1]});
    }
  }
  return found;
}

TEST(Architecture, EveryIncludePointsDownward) {
  int arrows = 0;
  for (const auto& [file, included] : includes()) {
    const std::string from = room_of(file);
    const std::string to = room_of(included);
    ASSERT_FALSE(from.empty()) << file << " stands in no room";
    if (to.empty()) continue;
    ++arrows;
    if (from == to) continue;
    EXPECT_GT(kFloors.at(from), kFloors.at(to)) << file << " includes " << included;
  }
  EXPECT_GT(arrows, 100) << "the includes were not found";
}

TEST(Architecture, EachThirdPartyHeaderHasFewUsers) {
  const std::map<std::string, std::size_t> limits = {{"yaml-cpp/", 1}, {"nlohmann/", 3},
                                                     {"CLI/", 1},      {"cmark-gfm", 2},
                                                     {"xxhash.h", 2},  {"re2/", 1}};
  for (const auto& [prefix, limit] : limits) {
    std::map<std::string, int> users;
    for (const auto& [file, included] : includes())
      if (included.starts_with(prefix)) ++users[file];
    EXPECT_GE(users.size(), 1U) << prefix;
    EXPECT_LE(users.size(), limit) << prefix;
  }
}

TEST(Architecture, OnlyCliReadsTheEnvironmentOrPrints) {
  const std::regex forbidden("std::(cout|cerr)|\\bgetenv\\(|\\bexit\\(|\\bprintf\\(");
  for (const char* top : {"libmemfs", "index"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(MEM_SOURCE_DIR) / top)) {
      if (entry.path().extension() != ".cc") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        EXPECT_FALSE(std::regex_search(line, forbidden)) << entry.path() << ": " << line;
    }
  }
}

}  // namespace
