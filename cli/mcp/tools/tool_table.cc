#include <algorithm>
#include <string>
#include <vector>

#include "cli/mcp/tools/tools.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

constexpr ToolEntry (*kEntries[])() = {
    remember_tool,       recall_tool,        read_memory_tool,  forget_tool, memory_context_tool,
    recover_memory_tool, verify_memory_tool, memory_batch_tool, memory_tool, save_note_tool,
};

std::vector<std::string> names_of(std::string_view choice) {
  std::vector<std::string> names;
  while (!choice.empty()) {
    const auto comma = std::min(choice.find(','), choice.size());
    std::string name(trim(choice.substr(0, comma)));
    if (!name.empty()) names.push_back(std::move(name));
    choice.remove_prefix(std::min(comma + 1, choice.size()));
  }
  return names;
}

Error no_tool(const std::string& name, const std::vector<ToolEntry>& all) {
  std::string known;
  for (const ToolEntry& entry : all) known += " " + entry.tool.name;
  return make_error(ErrorCode::kUsage, "there is no tool `" + escape_for_terminal(name) + "`")
      .with_hint("all, usual, or some of:" + known);
}

}  // namespace

Result<std::vector<ToolEntry>> chosen_tools(std::string_view choice, bool read_only) {
  std::vector<ToolEntry> all;
  for (const auto make : kEntries) all.push_back(make());
  std::vector<std::string> names = names_of(choice);
  if (names.empty()) names = {"usual"};
  const auto is_named = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names) {
    const bool known = name == "all" || name == "usual" ||
                       std::any_of(all.begin(), all.end(),
                                   [&](const ToolEntry& e) { return e.tool.name == name; });
    if (!known) return no_tool(name, all);
  }
  std::erase_if(all, [&](const ToolEntry& entry) {
    const bool wanted =
        is_named("all") || is_named(entry.tool.name) || (is_named("usual") && entry.usual);
    return !wanted || (read_only && !entry.reads);
  });
  return all;
}

}  // namespace memfs::cli
