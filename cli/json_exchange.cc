// The shapes of `import` and `export`.
#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {

std::string import_json(const ImportReport& report) {
  Json json = document();
  json["applied"] = report.applied;
  json["interrupted"] = report.interrupted || report.failure.has_value();
  json["counts"] = {{"added", report.added},
                    {"updated", report.updated},
                    {"same", report.same},
                    {"refused", report.refused}};
  json["items"] = Json::array();
  for (const ImportItem& item : report.items)
    json["items"].push_back({{"outcome", name_of(item.outcome)},
                             {"ref", or_null(item.ref)},
                             {"title", item.title},
                             {"path", item.path},
                             {"line", or_null(item.line)},
                             {"reason", or_null(item.reason)},
                             {"hint", or_null(item.hint)},
                             {"warnings", item.warnings}});
  json["notes"] = report.notes;
  json["failure"] = report.failure ? error_parts(*report.failure) : Json();
  return print(json);
}

std::string export_json(const ExportReport& report, std::string_view format) {
  Json json = document();
  json["format"] = format;
  json["memories"] = report.memories;
  json["files"] = report.files;
  json["unchanged"] = report.unchanged;
  json["kept"] = or_null(report.kept);
  json["notes"] = report.notes;
  json["text"] = or_null(report.text);
  return print(json);
}

}  // namespace memfs::cli
