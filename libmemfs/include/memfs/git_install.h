// Sets a clone up so that git merges memories by mem and checks what is committed, and takes that
// out again. See docs/git.md.
#pragma once

#include <memfs/layout.h>
#include <memfs/result.h>

#include <string>
#include <vector>

namespace memfs {

struct GitInstallOptions {
  // How hooks and the merge driver call mem: its name, which is looked up in PATH, or an absolute
  // path. The library reads no environment, so the caller knows what PATH would give.
  std::string program = "mem";
  bool global = false;   // only the driver, in the person's own configuration, for all clones
  bool seal = false;     // the pre-commit hook also gives hand-edited memories their next revision
  bool dry_run = false;  // nothing is written
};

// One thing that was looked at and, if that was needed and allowed, done.
struct GitStep {
  enum class Outcome : std::uint8_t {
    kMade,
    kChanged,
    kKept,     // it was as it should be
    kLeft,     // somebody else's: `note` says why and what a person can do
    kRemoved,  // by an uninstall
  };
  Outcome outcome = Outcome::kKept;
  std::string part{};  // "attributes", "driver", "hook", "sealing"
  std::string what{};  // a path in the work tree, a key of the configuration, the name of a hook
  std::string note{};  // may be empty
};
std::string_view name_of(GitStep::Outcome outcome);

struct GitInstallReport {
  std::vector<GitStep> steps{};
  std::vector<std::string> to_commit{};  // files, for `git add`; as git knows them
  std::string hooks{};                   // the folder of the hooks; empty: not looked at
  std::string program{};                 // how they call mem
  bool dry_run = false;
};

// Safe to repeat. kRefused outside git and where there are no shared memories (unless `global`).
// A hook, a driver or an attribute that somebody else made stays as it is: see GitStep::kLeft.
Result<GitInstallReport> install_git(FileSystem& fs, const Layout& layout,
                                     const GitInstallOptions& options);
// Takes out what install_git() made and nothing else; attributes stay, they are the team's.
Result<GitInstallReport> uninstall_git(FileSystem& fs, const Layout& layout,
                                       const GitInstallOptions& options);

}  // namespace memfs
