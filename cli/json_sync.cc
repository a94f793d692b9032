// The shape of `sync`.
#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

Json items_json(const std::vector<SyncItem>& items) {
  Json list = Json::array();
  for (const SyncItem& item : items)
    list.push_back({{"ref", item.ref}, {"what", item.what}, {"path", item.path}});
  return list;
}

}  // namespace

std::string sync_json(const SyncReport& report) {
  Json json = document();
  json["dry_run"] = report.dry_run;
  json["branch"] = report.branch;
  json["committed"] = items_json(report.committed);
  json["merged"] = items_json(report.merged);
  json["kept"] = items_json(report.kept);
  json["undecided"] = items_json(report.undecided);
  json["waiting"] = items_json(report.waiting);
  json["pushed_to"] = or_null(report.pushed_to);
  json["url"] = or_null(report.url);
  json["notes"] = report.notes;
  return print(json);
}

}  // namespace memfs::cli
