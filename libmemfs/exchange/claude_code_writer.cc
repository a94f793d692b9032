// A memory folder for Claude Code: a file for each memory, and MEMORY.md within what is read of it
// when a session begins.
#include <algorithm>
#include <set>
#include <tuple>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/exchange/claude_code_file.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/index_entries.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/store/index_page.h"

namespace memfs {
namespace {

// The first 200 lines or 25 KB, whichever ends first (Claude Code's page on memory). KB may mean
// 1000 bytes.
constexpr std::size_t kMaxLines = 200;
constexpr std::size_t kMaxBytes = 25'000;
constexpr std::size_t kMaxTitle = 80;         // graphemes
constexpr std::size_t kMaxDescription = 150;  // graphemes
constexpr std::string_view kHead = "# Memory\n\n";

// Names differ by more than letter case on every file system.
class FileNames {
 public:
  std::string take(const Memory& memory) {
    const std::string scope = "-" + std::string(name_of(memory.scope));
    std::string name = memory.name;
    while (!taken_.insert(fold_name(name)).second) name += scope;
    return name + ".md";
  }

 private:
  // The page's own name, whatever a file system thinks of letter case.
  std::set<std::string> taken_{fold_name("memory")};
};

struct Listed {
  const Memory* memory;
  std::string rel;
};

// What must be seen first: what is always in the context, then standing rules.
auto rank_of(const Listed& listed) {
  return std::tuple(listed.memory->activation != "pinned", listed.memory->kind != "preference",
                    std::string_view(listed.rel));
}

// Readable as long as nothing in it is a link or a tag.
std::string hook_of(const Memory& memory) {
  if (memory.description.empty() || memory.description == memory.title) return {};
  const bool plain = memory.description.find_first_of("[<") == std::string::npos;
  return " — " + inline_text(memory.description, kMaxDescription, plain);
}

std::string line_of(const Listed& listed) {
  const Memory& memory = *listed.memory;
  return "- [" + inline_text(memory.title, kMaxTitle) + "](" + encode_path(listed.rel) + ")" +
         hook_of(memory) + "\n";
}

// Whole lines only; the last one says how many files it does not name.
std::string index_of(std::vector<Listed> listed) {
  std::sort(listed.begin(), listed.end(),
            [](const Listed& a, const Listed& b) { return rank_of(a) < rank_of(b); });
  const std::size_t reserve = line_of_rest(listed.size()).size() + 1;
  std::string page(kHead);
  std::size_t lines = 2;
  std::size_t told = 0;
  for (; told < listed.size(); ++told) {
    const std::string line = line_of(listed[told]);
    const std::size_t last = told + 1 == listed.size() ? 0 : 1;  // a line for the rest
    if (lines + 1 + last > kMaxLines || page.size() + line.size() + last * reserve > kMaxBytes)
      break;
    page += line;
    ++lines;
  }
  if (told < listed.size()) page += line_of_rest(listed.size() - told) + "\n";
  return page;
}

bool in_several_scopes(const std::vector<ExportedMemory>& memories) {
  return std::any_of(memories.begin(), memories.end(), [&](const ExportedMemory& one) {
    return one.memory.scope != memories.front().memory.scope;
  });
}

}  // namespace

Result<ExportOutput> write_claude_code(const ExportInput& input) {
  ExportOutput output;
  FileNames names;
  std::vector<Listed> listed;
  for (const ExportedMemory& one : input.memories) {
    std::string rel = names.take(one.memory);
    output.files.push_back({rel, claude_file(one.memory, one.bytes, rel)});
    listed.push_back({&one.memory, std::move(rel)});
  }
  output.memories = input.memories.size();
  output.files.push_back({std::string(kClaudeIndex), index_of(std::move(listed))});
  if (in_several_scopes(input.memories))
    output.notes.emplace_back("the folder does not tell which scope a memory is of");
  return output;
}

}  // namespace memfs
