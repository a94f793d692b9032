#include "cli/json_setup.h"

#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

Json steps_json(const std::vector<SetupStep>& steps) {
  Json json = Json::array();
  for (const SetupStep& step : steps)
    json.push_back({{"outcome", name_of(step.outcome)},
                    {"part", step.part},
                    {"path", step.path},
                    {"note", or_null(step.note)}});
  return json;
}

}  // namespace

std::string setup_json(const SetupReport& report, const std::string& program) {
  Json files = Json::array();
  for (const SetupFile& file : report.files)
    files.push_back({{"path", file.path},
                     {"made", file.made},
                     {"gone", file.gone},
                     {"kept", or_null(file.kept)},
                     {"diff", file.diff}});
  Json json = document();
  json.update({{"harness", report.harness},
               {"dry_run", report.dry_run},
               {"program", program},
               {"steps", steps_json(report.steps)},
               {"files", files}});
  return print(json);
}

std::string harnesses_json(const std::vector<HarnessState>& states) {
  Json list = Json::array();
  for (const HarnessState& state : states)
    list.push_back({{"name", state.name},
                    {"title", state.title},
                    {"found", state.found},
                    {"steps", steps_json(state.steps)},
                    {"problem", or_null(state.problem)}});
  Json json = document();
  json["harnesses"] = list;
  return print(json);
}

}  // namespace memfs::cli
