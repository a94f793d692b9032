#include "cli/json_git.h"

#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

Json steps_json(const GitInstallReport& report) {
  Json steps = Json::array();
  for (const GitStep& step : report.steps)
    steps.push_back({{"outcome", name_of(step.outcome)},
                     {"part", step.part},
                     {"what", step.what},
                     {"note", or_null(step.note)}});
  return steps;
}

Json count_or_null(const std::optional<std::uint64_t>& count) {
  return count ? Json(*count) : Json();
}

Json open_json(const OpenConflict& conflict) {
  return {{"key", cli::or_null(conflict.key)},
          {"line", conflict.line},
          {"ours", conflict.ours},
          {"theirs", conflict.theirs}};
}

}  // namespace

std::string git_install_json(const GitInstallReport& report) {
  Json json = document();
  json.update({{"dry_run", report.dry_run},
               {"steps", steps_json(report)},
               {"to_commit", report.to_commit},
               {"hooks", cli::or_null(report.hooks)},
               {"program", report.program}});
  return print(json);
}

std::string git_status_json(const GitStatus& status) {
  Json json = document();
  json.update({{"branch", cli::or_null(status.branch)},
               {"upstream", cli::or_null(status.upstream)},
               {"ahead", count_or_null(status.ahead)},
               {"behind", count_or_null(status.behind)},
               {"operation", cli::or_null(status.operation)},
               {"staged", status.staged},
               {"changed", status.changed},
               {"untracked", status.untracked},
               {"unmerged", status.unmerged},
               {"markers", status.markers},
               {"merge_conflicts", status.merge_conflicts},
               {"set_up", steps_json(status.set_up)},
               {"to_commit", status.set_up.to_commit},
               {"hooks", cli::or_null(status.set_up.hooks)},
               {"program", status.set_up.program},
               {"seal", status.seal},
               {"next", status.next}});
  return print(json);
}

std::string commit_check_json(const CommitCheck& check) {
  Json json = document();
  json["memories"] = check.report.memories;
  json["problems"] = problems_json(check.report.problems);
  json["sealed"] = Json::array();
  for (const SealedMemory& memory : check.sealed)
    json["sealed"].push_back(
        {{"ref", memory.ref}, {"path", memory.path}, {"revision", memory.revision}});
  json["unsealed"] = Json::array();
  for (const UnsealedMemory& memory : check.unsealed)
    json["unsealed"].push_back({{"ref", memory.ref}, {"path", memory.path}, {"why", memory.why}});
  return print(json);
}

std::string resolve_json(const ResolveReport& report, bool dry_run) {
  Json json = document();
  json["dry_run"] = dry_run;
  json["settled"] = report.settled();
  json["files"] = Json::array();
  for (const ResolvedFile& file : report.files) {
    Json open = Json::array();
    for (const OpenConflict& conflict : file.open) open.push_back(open_json(conflict));
    json["files"].push_back({{"ref", file.ref},
                             {"path", file.path},
                             {"done", file.done},
                             {"open", open},
                             {"problem", cli::or_null(file.problem)},
                             {"other_ref", cli::or_null(file.other_ref)},
                             {"written", file.written},
                             {"staged", file.staged}});
  }
  return print(json);
}

}  // namespace memfs::cli
