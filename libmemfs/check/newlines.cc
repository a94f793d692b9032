#include "libmemfs/check/newlines.h"

#include <map>
#include <string>

#include "libmemfs/check/problem.h"
#include "libmemfs/store/git_question.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// The attributes that decide of the newlines of a memory; empty where git does not tell.
std::map<std::string, std::string> newline_attributes(const std::string& folder) {
  std::map<std::string, std::string> attributes;
  const auto answer = ask_git(folder, {"check-attr", "-z", "text", "eol", "--", "memory.md"});
  if (!answer || answer->stopped || answer->exit_code != 0) return attributes;
  // path NUL attribute NUL value NUL …
  std::vector<std::string> words(1);
  for (const char c : answer->out) {
    if (c != '\0') words.back() += c;
    if (c == '\0') words.emplace_back();
  }
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) attributes[words[i + 1]] = words[i + 2];
  return attributes;
}

}  // namespace

void check_newlines(const StoreInside::Impl& store, const ScopeView& view,
                    std::vector<Problem>& problems) {
  if (view.scope != Scope::kShared || !view.dir || store.layout.git_top.empty()) return;
  if (view.catalogue.memories.empty()) return;
  auto attributes = newline_attributes(view.dir->path());
  // With eol=lf every checkout has the bytes of the commit, too.
  if (attributes.empty() || attributes["text"] == "unset" || attributes["eol"] == "lf") return;
  problems.push_back(
      problem_at("newlines", view.dir->path(),
                 "git may change the newlines of memories here: no attribute keeps it from that",
                 "a line `*.md -text` in .mem/.gitattributes, committed (`mem init` makes it)"));
}

}  // namespace memfs
