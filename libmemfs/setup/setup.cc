#include <memfs/setup.h>

#include <algorithm>
#include <functional>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/line_diff.h"
#include "libmemfs/setup/config_file.h"
#include "libmemfs/setup/entry_text.h"
#include "libmemfs/setup/harness.h"

namespace memfs {
namespace setup {
namespace {

using Outcome = SetupStep::Outcome;
using State = FoundEntry::State;

// What becomes of one file. All files are planned before the first is written.
struct Plan {
  ConfigFile file{};
  Receipt receipt{};
  std::string text{};
  std::vector<SetupStep> steps{};
  bool changes() const { return text != file.text; }
};

SetupStep step(const Plan& plan, const Entry& entry, Outcome outcome, std::string note = {}) {
  return {outcome, entry.part, plan.file.path, std::move(note)};
}

std::string by_hand(const FoundEntry& found, const char* what) {
  return "line " + std::to_string(found.line) + " is not as mem writes it" + what;
}

bool is_there(FileSystem& fs, const std::string& program) {
  // A bare name is looked up in a PATH that is not known here.
  return !program.starts_with('/') || fs.stat(program).has_value();
}

Result<SetupStep> put_in(FileSystem& fs, Plan& plan, const Entry& entry,
                         const std::string& program) {
  MEMFS_ASSIGN(const FoundEntry found, find_entry(plan.text, entry, program));
  if (found.state == State::kOurs) return step(plan, entry, Outcome::kKept);
  if (found.state == State::kEdited)
    return step(plan, entry, Outcome::kLeft,
                by_hand(found, ", so it stays; take it out by hand to have it made anew"));
  if (found.state == State::kOtherProgram) {
    if (is_there(fs, found.program))
      return step(plan, entry, Outcome::kLeft,
                  "line " + std::to_string(found.line) + " starts " + found.program +
                      ", which is there as well; `--remove` first to have it start " + program);
    MEMFS_ASSIGN(plan.text, replace_program(plan.text, entry, found, program));
    return step(plan, entry, Outcome::kChanged, found.program + " is gone");
  }
  MEMFS_ASSIGN(EntryInsertion made, insert_entry(plan.text, entry, program));
  plan.text = std::move(made.text);
  plan.receipt.entries[entry_key(entry)] = made.footprint;
  return step(plan, entry, Outcome::kMade);
}

Result<SetupStep> pull_out(Plan& plan, const Entry& entry, const std::string& program) {
  MEMFS_ASSIGN(const FoundEntry found, find_entry(plan.text, entry, program));
  if (found.state == State::kAbsent) {
    plan.receipt.entries.erase(entry_key(entry));
    return step(plan, entry, Outcome::kAbsent);
  }
  if (found.state == State::kEdited)
    return step(plan, entry, Outcome::kLeft, by_hand(found, "; take it out by hand"));
  const auto print = plan.receipt.entries.find(entry_key(entry));
  const bool known = print != plan.receipt.entries.end();
  // A number that belongs to the file goes only with a file that setup made.
  if (entry.form == Form::kVersion && (!known || plan.receipt.entries.size() > 1))
    return step(plan, entry, Outcome::kKept);
  MEMFS_ASSIGN(plan.text,
               remove_entry(plan.text, entry, found, known ? print->second : EntryFootprint()));
  if (known) plan.receipt.entries.erase(print);
  return step(plan, entry, Outcome::kRemoved);
}

// A file that was merged by hand may have it twice.
Result<SetupStep> pull_all_out(Plan& plan, const Entry& entry, const std::string& program) {
  MEMFS_ASSIGN(const SetupStep first, pull_out(plan, entry, program));
  for (SetupStep last = first; last.outcome == Outcome::kRemoved;) {
    MEMFS_ASSIGN(last, pull_out(plan, entry, program));
  }
  return first;
}

Result<Plan> plan_of(FileSystem& fs, const SetupPlaces& places, const EntryFile& entries,
                     const std::string& program, bool remove) {
  Plan plan;
  MEMFS_ASSIGN(plan.file, read_config_file(fs, entries.path));
  plan.receipt = read_receipt(fs, places.state, plan.file.real);
  plan.text = plan.file.text;
  const std::size_t count = entries.entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    // In the other order, since the later ones stand in containers of the earlier ones.
    const Entry& entry = entries.entries[remove ? count - 1 - i : i];
    auto done = remove ? pull_all_out(plan, entry, program) : put_in(fs, plan, entry, program);
    if (!done) {
      Error error = std::move(done).error();
      error.path = plan.file.path;
      return error;
    }
    const bool unasked = entry.form == Form::kLine && done->outcome == Outcome::kAbsent;
    if (!entry.part.empty() && !unasked) plan.steps.push_back(std::move(*done));
  }
  return plan;
}

SetupFile file_of(const Plan& plan) {
  SetupFile file;
  file.path = plan.file.path;
  file.made = !plan.file.exists;
  file.gone = plan.receipt.made_file && plan.text.empty();
  file.diff = unified_diff(plan.file.text, plan.text, file.made ? "/dev/null" : plan.file.path,
                           file.gone ? "/dev/null" : plan.file.path);
  return file;
}

// The files to look at: a removal looks for the line of instructions unasked.
Result<std::vector<EntryFile>> chosen_files(std::string_view harness, const SetupPlaces& places,
                                            const SetupOptions& options, bool remove) {
  std::vector<EntryFile> files = files_of(harness, places, options.project);
  if (!options.instructions && !remove) return files;
  auto instructions = instructions_of(harness, places, options.project);
  if (instructions) {
    files.push_back(std::move(*instructions));
  } else if (options.instructions) {
    return make_error(ErrorCode::kUsage, "this program reads no file of a person's instructions")
        .with_hint("with --project the line goes into the project's AGENTS.md");
  }
  // A folder was made for the first file in it, and can go when the last one has gone.
  if (remove) std::reverse(files.begin(), files.end());
  return files;
}

Result<std::vector<Plan>> plans_of(FileSystem& fs, const SetupPlaces& places,
                                   const std::vector<EntryFile>& files, const SetupOptions& options,
                                   bool remove) {
  std::vector<Plan> plans;
  for (const EntryFile& file : files) {
    MEMFS_ASSIGN(Plan plan, plan_of(fs, places, file, options.program, remove));
    if (plan.changes()) MEMFS_TRY(check_writable(fs, plan.file));
    plans.push_back(std::move(plan));
  }
  return plans;
}

Result<SetupReport> run(FileSystem& fs, const SetupPlaces& places, std::string_view harness,
                        const SetupOptions& options, bool remove) {
  MEMFS_ASSIGN(const auto files, chosen_files(harness, places, options, remove));
  MEMFS_ASSIGN(auto plans, plans_of(fs, places, files, options, remove));
  const bool changes = std::any_of(plans.begin(), plans.end(), std::mem_fn(&Plan::changes));
  std::unique_ptr<HeldLock> lock;
  if (changes && !options.dry_run) {
    // Planned anew: another may have been at it meanwhile.
    MEMFS_ASSIGN(lock, lock_setup(fs, places.state));
    MEMFS_ASSIGN(plans, plans_of(fs, places, files, options, remove));
  }
  SetupReport report;
  report.harness = harness;
  report.dry_run = options.dry_run;
  for (Plan& plan : plans) {
    report.steps.insert(report.steps.end(), plan.steps.begin(), plan.steps.end());
    if (!plan.changes()) continue;
    SetupFile file = file_of(plan);
    if (!options.dry_run) {
      MEMFS_ASSIGN(file.kept, file.gone
                                  ? remove_config_file(fs, places.state, plan.file, plan.receipt)
                                  : write_config_file(fs, places.state, plan.file, plan.text,
                                                      options.project ? 0666 : 0600, plan.receipt));
    }
    report.files.push_back(std::move(file));
  }
  return report;
}

Result<void> check_name(std::string_view harness) {
  if (find_harness(harness) != nullptr) return {};
  std::string names;
  for (const Harness& known : harnesses())
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  return make_error(ErrorCode::kUsage, "mem does not know `" + std::string(harness) + "`")
      .with_hint("it knows " + names);
}

Result<std::vector<SetupStep>> states_of(FileSystem& fs, const SetupPlaces& places,
                                         std::string_view harness, const SetupOptions& options) {
  std::vector<SetupStep> steps;
  for (const EntryFile& file : files_of(harness, places, options.project)) {
    MEMFS_ASSIGN(Plan plan, plan_of(fs, places, file, options.program, false));
    for (SetupStep& step : plan.steps) {
      if (step.outcome == Outcome::kMade) step.outcome = Outcome::kAbsent;
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

}  // namespace
}  // namespace setup

std::string_view name_of(SetupStep::Outcome outcome) {
  using Outcome = SetupStep::Outcome;
  switch (outcome) {
    case Outcome::kMade:
      return "made";
    case Outcome::kChanged:
      return "changed";
    case Outcome::kKept:
      return "kept";
    case Outcome::kLeft:
      return "left";
    case Outcome::kRemoved:
      return "removed";
    case Outcome::kAbsent:
      return "absent";
  }
  return "kept";
}

std::vector<std::string> setup_harnesses() {
  std::vector<std::string> names;
  for (const setup::Harness& harness : setup::harnesses()) names.emplace_back(harness.name);
  return names;
}

Result<SetupReport> set_up(FileSystem& fs, const SetupPlaces& places, std::string_view harness,
                           const SetupOptions& options) {
  MEMFS_TRY(setup::check_name(harness));
  return setup::run(fs, places, harness, options, false);
}

Result<SetupReport> take_out(FileSystem& fs, const SetupPlaces& places, std::string_view harness,
                             const SetupOptions& options) {
  MEMFS_TRY(setup::check_name(harness));
  return setup::run(fs, places, harness, options, true);
}

std::vector<HarnessState> harness_states(FileSystem& fs, const SetupPlaces& places,
                                         const SetupOptions& options) {
  std::vector<HarnessState> states;
  for (const setup::Harness& harness : setup::harnesses()) {
    HarnessState state;
    state.name = harness.name;
    state.title = harness.title;
    for (const std::string& trace : setup::traces_of(harness.name, places))
      state.found = state.found || fs.stat(trace).has_value();
    auto steps = setup::states_of(fs, places, harness.name, options);
    if (steps) {
      state.steps = std::move(*steps);
    } else {
      const Error& error = steps.error();
      state.problem = error.path + (error.line > 0 ? ":" + std::to_string(error.line) : "") + ": " +
                      error.message;
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace memfs
