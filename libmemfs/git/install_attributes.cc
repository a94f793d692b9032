// .gitattributes of the shared folder: who merges its files is the team's word, so it is committed.
#include <algorithm>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/git/install_parts.h"
#include "libmemfs/store/attributes.h"
#include "libmemfs/store/renew_file.h"

namespace memfs {
namespace {

constexpr std::uint64_t kMaxAttributes = 1U << 20U;

// What git does with a memory of the shared folder.
struct Effective {
  std::string merge{}, text{};
  bool right() const { return merge == "mem" && text == "unset"; }
};

std::string real_shared(const InstallRun& run) {
  const std::string& path = run.layout.folder(Scope::kShared).path;
  const auto real = run.fs.real_path(path);
  return real ? *real : path;
}

Result<Effective> ask(const InstallRun& run) {
  const std::string probe =
      join_path(path_below(run.layout.git_top, real_shared(run)), "memory.md");
  MEMFS_ASSIGN(const std::string answer,
               run.git.output({"check-attr", "-z", "merge", "text", "--", probe}));
  const auto words = split_nul(answer);  // path, attribute, value, and again
  Effective found;
  if (words.size() >= 6) found = {words[2], words[5]};
  return found;
}

// What the lines of the file say of files that may be memories.
struct Said {
  bool ours = false;
  bool text = false;
  std::string merge{};  // of another kind than ours
};

// Not "*.png" and its like.
bool may_be_memories(std::string_view pattern) {
  const auto slash = pattern.rfind('/');
  const auto leaf = slash == std::string_view::npos ? pattern : pattern.substr(slash + 1);
  return leaf.find('.') == std::string_view::npos || leaf.ends_with(".md") || leaf.ends_with('*');
}

void note_attribute(std::string_view word, Said& said) {
  const std::string_view name = word.substr(std::min(word.find_first_not_of("-!"), word.size()));
  said.ours = said.ours || word == "merge=mem";
  said.text = said.text || name == "text" || name.starts_with("text=") || name == "binary";
  const bool merge = name == "merge" || name.starts_with("merge=") || name == "binary";
  if (merge && word != "merge=mem") said.merge = word;
}

std::string_view next_word(std::string_view& line) {
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line = trim(line.substr(end));
  return word;
}

Said said_in(std::string_view file) {
  Said said;
  while (!file.empty()) {
    const auto eol = std::min(file.find('\n'), file.size());
    std::string_view line = trim(file.substr(0, eol));
    file.remove_prefix(std::min(eol + 1, file.size()));
    if (line.starts_with('#')) continue;
    if (!may_be_memories(next_word(line))) continue;
    while (!line.empty()) note_attribute(next_word(line), said);
  }
  return said;
}

std::string with_line(const std::string& file, bool text) {
  return file + (file.empty() || file.ends_with('\n') ? "" : "\n") +
         (text ? "*.md merge=mem\n" : "*.md -text merge=mem\n");
}

// The file's own part; afterwards it says what it should, or why it does not.
Result<void> write_attributes(InstallRun& run, Directory& project, const std::string& rel) {
  using Outcome = GitStep::Outcome;
  const bool write = !run.options.dry_run;
  const auto there = project.read(rel, kMaxAttributes);
  if (!there && there.error().code == ErrorCode::kNotFound) {
    if (write) MEMFS_TRY(make_parents(project, rel, 0777));
    if (write) MEMFS_TRY(create_file(project, rel, kAttributes));
    run.tell(Outcome::kMade, "attributes", rel);
    return {};
  }
  if (!there) {
    run.tell(Outcome::kLeft, "attributes", rel,
             there.error().message + ": add the line `*.md -text merge=mem`");
    return {};
  }
  const Said said = said_in(there->bytes);
  if (!said.merge.empty()) {
    run.tell(Outcome::kLeft, "attributes", rel,
             "it says `" + escape_for_terminal(said.merge) +
                 "`: take that out, so that memories can be merged by mem");
    return {};
  }
  if (said.ours) {
    run.tell(Outcome::kKept, "attributes", rel);
    return {};
  }
  const std::string wanted = is_older_attributes(there->bytes) ? std::string(kAttributes)
                                                               : with_line(there->bytes, said.text);
  if (write) {
    MEMFS_ASSIGN(const bool done, renew_file(project, rel, *there, wanted));
    if (!done) return make_error(ErrorCode::kConflict, "the file changed meanwhile").at(rel);
  }
  run.tell(Outcome::kChanged, "attributes", rel);
  return {};
}

// What git does with the files afterwards may be decided elsewhere.
Result<void> tell_if_overruled(InstallRun& run) {
  GitStep& step = run.report.steps.back();
  if (run.options.dry_run || step.outcome == GitStep::Outcome::kLeft) return {};
  MEMFS_ASSIGN(const Effective now, ask(run));
  if (now.merge == "mem") return {};
  step.note = "another attributes file of git says `merge: " + escape_for_terminal(now.merge) +
              "` and counts more: `git check-attr -a` shows it";
  return {};
}

// git reads it from there as long as it is not in the work tree.
bool is_only_in_index(const InstallRun& run, Directory& project, const std::string& rel,
                      const std::string& known) {
  return !project.stat(rel) && run.git.holds({"ls-files", "--error-unmatch", "--", known});
}

}  // namespace

Result<void> install_attributes(InstallRun& run) {
  const std::string& top = run.layout.project_root;
  const std::string shared = path_below(top, real_shared(run));
  const std::string rel = (shared.starts_with(".mem/") ? ".mem" : shared) + "/.gitattributes";
  const std::string known = path_below(run.layout.git_top, join_path(top, rel));
  MEMFS_ASSIGN(const auto project, run.fs.open(top));
  MEMFS_ASSIGN(const Effective before, ask(run));
  if (before.right() && is_only_in_index(run, *project, rel, known)) {
    run.tell(
        GitStep::Outcome::kLeft, "attributes", rel,
        "it was removed here: `git checkout -- " + escape_for_terminal(known) + "` brings it back");
  } else if (before.right()) {
    run.tell(GitStep::Outcome::kKept, "attributes", rel);
  } else {
    MEMFS_TRY(write_attributes(run, *project, rel));
    MEMFS_TRY(tell_if_overruled(run));
  }
  if (run.report.steps.back().outcome == GitStep::Outcome::kLeft) return {};
  const auto state = run.git.run({"status", "--porcelain", "-uall", "--", known});
  if (state && state->exit_code == 0 && !state->out.empty()) run.report.to_commit.push_back(known);
  return {};
}

}  // namespace memfs
