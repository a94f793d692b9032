// The shapes of `links`, `graph` and `mv`.
#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

const char* name_of(LinkState state) {
  switch (state) {
    case LinkState::kMemory:
      return "memory";
    case LinkState::kBroken:
      return "broken";
    case LinkState::kElsewhere:
      return "elsewhere";
  }
  return "";
}

Json link_json(const TextLink& link) {
  return {{"text", link.text},        {"address", link.address},    {"line", link.line},
          {"column", link.column},    {"embed", link.embed},        {"state", name_of(link.state)},
          {"ref", or_null(link.ref)}, {"ambiguous", link.ambiguous}};
}

Json place_json(const Memory& memory) {
  return {
      {"ref", memory.ref()}, {"id", or_null(memory.id)}, {"scope", memfs::name_of(memory.scope)},
      {"name", memory.name}, {"path", memory.path},      {"title", memory.title}};
}

}  // namespace

Json backlinks_json(const std::vector<Backlink>& back) {
  Json list = Json::array();
  for (const Backlink& link : back) {
    Json entry = place_json(link.from);
    entry.update(link_json(link.link));
    entry["ref"] = link.from.ref();
    list.push_back(entry);
  }
  return list;
}

std::string links_json(const LinkReport& report) {
  Json json = document();
  json.update(place_json(report.memory));
  json["out"] = Json::array();
  for (const TextLink& link : report.out) json["out"].push_back(link_json(link));
  json["back"] = backlinks_json(report.back);
  json["problems"] = problems_json(report.problems);
  return print(json);
}

std::string graph_json(const LinkGraph& graph) {
  Json json = document();
  json["nodes"] = Json::array();
  for (const Memory& memory : graph.memories) json["nodes"].push_back(place_json(memory));
  json["edges"] = Json::array();
  for (const GraphEdge& edge : graph.edges)
    json["edges"].push_back({{"from", graph.memories[edge.from].ref()},
                             {"to", graph.memories[edge.to].ref()},
                             {"count", edge.count}});
  json["broken"] = Json::array();
  for (const BrokenEdge& edge : graph.broken)
    json["broken"].push_back(
        {{"from", graph.memories[edge.from].ref()}, {"address", edge.address}});
  return print(json);
}

std::string move_json(const MoveResult& result, bool dry_run) {
  Json json = document();
  const MovedMemory& first = result.moved.front();
  WriteResult written;
  written.memory = first.after;
  written.changed = !dry_run;
  written.usage = result.usage;
  written.warnings = result.warnings;
  json.update(written_json(written));
  json["dry_run"] = dry_run;
  json["moved"] = Json::array();
  for (const MovedMemory& moved : result.moved) {
    Json entry = place_json(moved.after);
    entry["from"] = moved.before.ref();
    entry["revision"] = moved.after.revision;
    entry["etag"] = moved.after.etag;
    json["moved"].push_back(entry);
  }
  json["links"] = Json::array();
  for (const RewrittenLink& link : result.links)
    json["links"].push_back({{"ref", link.ref},
                             {"path", link.path},
                             {"line", link.line},
                             {"before", link.before},
                             {"after", link.after}});
  json["left"] = Json::array();
  for (const LeftLink& link : result.left)
    json["left"].push_back({{"ref", link.ref},
                            {"path", link.path},
                            {"line", link.line},
                            {"text", link.text},
                            {"why", link.why}});
  return print(json);
}

}  // namespace memfs::cli
