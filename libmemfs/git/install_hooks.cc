// Hooks of the clone: made, or lines put into somebody's own script and taken out again.
#include <algorithm>
#include <optional>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/git/hook_text.h"
#include "libmemfs/git/install_parts.h"

namespace memfs {
namespace {

using Outcome = GitStep::Outcome;

constexpr std::uint64_t kMaxHook = 4U << 20U;
constexpr std::uint32_t kExecutable = 0111;

// The folder that git looks for hooks in.
struct HooksFolder {
  std::string path{};                // absolute
  std::shared_ptr<Directory> dir{};  // the git directory; nullptr: the hooks lie elsewhere …
  std::string rel{};                 // … or here in it
};

// The nearest folder on the way to `path` that is there, with links resolved, and the rest.
std::string resolved(FileSystem& fs, const std::string& path) {
  const auto real = fs.real_path(path);
  if (real || parent_of(path).empty()) return real ? *real : path;
  return join_path(resolved(fs, parent_of(path)), leaf_of(path));
}

Result<HooksFolder> find_hooks(const InstallRun& run) {
  MEMFS_ASSIGN(const std::string said, run.git.line({"rev-parse", "--git-path", "hooks"}));
  HooksFolder hooks;
  hooks.path = said.starts_with('/') ? said : join_path(run.layout.git_top, said);
  const std::string real = resolved(run.fs, hooks.path);
  hooks.rel = path_below(run.layout.git_common_dir, real);
  if (!is_safe_relative(hooks.rel)) return hooks;
  MEMFS_ASSIGN(hooks.dir, run.fs.open(run.layout.git_common_dir));
  return hooks;
}

HookCall call_of(const InstallRun& run) {
  return {run.options.program, path_below(run.layout.git_top, run.layout.project_root)};
}

// A name with line ends or the like cannot stand in a comment.
bool is_plain(const std::string& path) {
  return std::none_of(path.begin(), path.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

class HookFile {
 public:
  HookFile(InstallRun& run, const HooksFolder& hooks, std::string_view name)
      : run_(run),
        dir_(*hooks.dir),
        name_(name),
        rel_(join_path(hooks.rel, name)),
        call_(call_of(run)) {}

  Result<void> install() {
    const auto there = dir_.read(rel_, kMaxHook);
    if (!there && there.error().code == ErrorCode::kNotFound) return make();
    if (!there) return leave("cannot be read (" + there.error().message + ")");
    const auto block = find_hook_block(there->bytes, call_.project);
    if (block) return renew(*there, *block);
    if (!is_shell_script(there->bytes)) return leave("is no script of a shell");
    if (there->bytes.find('\n') == std::string::npos) return leave("has no line end");
    if ((there->stat.mode & kExecutable) == 0)
      return leave("is not executable, so git does not run it");
    const std::string lines = hook_block(name_, call_, is_made(there->bytes));
    MEMFS_TRY(put(*there, with_hook_block(there->bytes, lines)));
    run_.tell(Outcome::kChanged, "hook", std::string(name_), "your script runs after it");
    return {};
  }

  Result<void> uninstall() {
    const auto there = dir_.read(rel_, kMaxHook);
    if (!there) return {};
    const auto block = find_hook_block(there->bytes, call_.project);
    if (!block) return {};
    if (block->end == std::string::npos) return leave_torn();
    const std::string rest = without_hook_block(there->bytes, *block);
    if (!rest.empty()) {
      MEMFS_TRY(put(*there, rest));
      run_.tell(Outcome::kChanged, "hook", std::string(name_), "mem's lines are out");
      return {};
    }
    if (!run_.options.dry_run) MEMFS_TRY(done(remove_file(dir_, rel_, content_hash(there->bytes))));
    run_.tell(Outcome::kRemoved, "hook", std::string(name_));
    return {};
  }

 private:
  Result<void> make() {
    WriteOptions options;
    options.mode = 0777;
    if (!run_.options.dry_run) {
      MEMFS_TRY(make_parents(dir_, rel_, 0777));
      MEMFS_TRY(create_file(dir_, rel_, hook_script(name_, call_), options));
    }
    run_.tell(Outcome::kMade, "hook", std::string(name_));
    return {};
  }

  Result<void> renew(const FileContent& there, const HookBlock& block) {
    if (block.end == std::string::npos) return leave_torn();
    const std::string& old = there.bytes;
    const std::string now =
        old.substr(0, block.begin) + hook_block(name_, call_, is_made(old)) + old.substr(block.end);
    if (now != old) MEMFS_TRY(put(there, now));
    run_.tell(now == old ? Outcome::kKept : Outcome::kChanged, "hook", std::string(name_));
    return {};
  }

  Result<void> put(const FileContent& old, const std::string& bytes) {
    if (run_.options.dry_run) return {};
    WriteOptions options;
    options.exact_mode = old.stat.mode;
    return done(swap_file(dir_, rel_, bytes, content_hash(old.bytes), options));
  }

  Result<void> done(const Result<CheckedWrite>& outcome) {
    if (!outcome) return outcome.error();
    if (outcome->done) return {};
    return make_error(ErrorCode::kConflict, "the hook changed meanwhile")
        .at(join_path(dir_.path(), rel_))
        .with_hint("repeat it");
  }

  Result<void> leave(const std::string& why) {
    run_.tell(Outcome::kLeft, "hook", std::string(name_),
              "the present one " + why + ": `" + hook_line(name_, call_) + "` is to be done there");
    return {};
  }
  Result<void> leave_torn() {
    run_.tell(Outcome::kLeft, "hook", std::string(name_),
              "mem's lines have no end any more: take them out and repeat it");
    return {};
  }

  InstallRun& run_;
  Directory& dir_;
  std::string_view name_;
  std::string rel_;
  HookCall call_;
};

// Hooks that are kept elsewhere (by another program, for all clones) are looked at only.
void tell_elsewhere(InstallRun& run, const HooksFolder& hooks, std::string_view name) {
  const auto dir = run.fs.open(hooks.path);
  const auto there = dir ? (*dir)->read(std::string(name), kMaxHook) : Result<FileContent>(Error{});
  if (there && there->bytes.find("git hook " + std::string(name)) != std::string::npos) {
    run.tell(Outcome::kKept, "hook", std::string(name));
    return;
  }
  run.tell(Outcome::kLeft, "hook", std::string(name),
           "hooks lie in " + hooks.path + ", outside of git's own folder: add the line `" +
               hook_line(name, call_of(run)) + "` there");
}

}  // namespace

Result<void> install_hooks(InstallRun& run) {
  MEMFS_ASSIGN(const HooksFolder hooks, find_hooks(run));
  run.report.hooks = hooks.path;
  if (!is_plain(call_of(run).project)) {
    run.tell(Outcome::kLeft, "hook", "all of them", "the project's path has odd characters");
    return {};
  }
  for (const std::string_view name : kHooks) {
    if (hooks.dir) {
      MEMFS_TRY(HookFile(run, hooks, name).install());
    } else {
      tell_elsewhere(run, hooks, name);
    }
  }
  return {};
}

Result<void> uninstall_hooks(InstallRun& run) {
  MEMFS_ASSIGN(HooksFolder hooks, find_hooks(run));
  run.report.hooks = hooks.path;
  std::vector<std::string> folders;
  if (hooks.dir) folders.push_back(hooks.rel);
  // An install may have been before core.hooksPath was set.
  if (hooks.rel != "hooks") folders.emplace_back("hooks");
  MEMFS_ASSIGN(hooks.dir, run.fs.open(run.layout.git_common_dir));
  for (const std::string& folder : folders) {
    hooks.rel = folder;
    for (const std::string_view name : kHooks) MEMFS_TRY(HookFile(run, hooks, name).uninstall());
  }
  return {};
}

}  // namespace memfs
