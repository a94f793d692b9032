// The JSON shapes of the git side.
#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

Json open_json(const OpenConflict& conflict) {
  return {{"key", or_null(conflict.key)},
          {"line", conflict.line},
          {"ours", conflict.ours},
          {"theirs", conflict.theirs}};
}

}  // namespace

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
                             {"problem", or_null(file.problem)},
                             {"other_ref", or_null(file.other_ref)},
                             {"written", file.written},
                             {"staged", file.staged}});
  }
  return print(json);
}

}  // namespace memfs::cli
