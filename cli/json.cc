#include "cli/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cli/json_parts.h"

namespace memfs::cli {

std::string print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json document() { return Json{{"format", 1}}; }

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json or_null(int number) { return number == 0 ? Json() : Json(number); }

Json instant_json(const std::optional<Instant>& at) {
  return at ? Json(format_instant(*at)) : Json();
}

namespace {

Json date_json(const std::optional<Date>& date) { return date ? Json(date->text) : Json(); }

Json problem_json(const Problem& problem) {
  return {{"code", problem.code},
          {"severity", name_of(problem.severity)},
          {"path", or_null(problem.path)},
          {"line", or_null(problem.line)},
          {"column", or_null(problem.column)},
          {"message", problem.message},
          {"hint", or_null(problem.hint)},
          {"ref", or_null(problem.ref)}};
}

}  // namespace

Json problems_json(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems) list.push_back(problem_json(problem));
  return list;
}

// Every field of the format page, without the body.
Json memory_json(const Memory& memory, Instant now) {
  Json extra = Json::object();
  for (const auto& [key, value] : memory.extra) extra[key] = value;
  return {{"ref", memory.ref()},
          {"id", or_null(memory.id)},
          {"scope", name_of(memory.scope)},
          {"name", memory.name},
          {"path", memory.path},
          {"title", memory.title},
          {"description", memory.description},
          {"type", or_null(memory.type)},
          {"kind", memory.kind},
          {"activation", memory.activation},
          {"volatility", or_null(memory.volatility)},
          {"subject_key", or_null(memory.subject_key)},
          {"keywords", or_null(memory.keywords)},
          {"tags", memory.tags},
          {"aliases", memory.aliases},
          {"expires_at", date_json(memory.expires_at)},
          {"source", or_null(memory.source)},
          {"created_at", date_json(memory.created_at)},
          {"updated_at", date_json(memory.updated_at)},
          {"last_verified_at", date_json(memory.last_verified_at)},
          {"revision", memory.revision},
          {"etag", memory.etag},
          {"freshness", name_of(age_of(memory, now).freshness)},
          {"problems", problems_json(memory.problems)},
          {"extra", extra}};
}

namespace {

Json limit_json(std::uint64_t used, const std::optional<std::uint64_t>& limit) {
  Json json = {{"used", used}, {"limit", nullptr}, {"percent", nullptr}};
  if (!limit) return json;
  json["limit"] = *limit;
  json["percent"] = *limit == 0 ? 100 : used * 100 / *limit;
  return json;
}

}  // namespace

Json usage_json(const Usage& usage) {
  Json json = limit_json(usage.used, usage.budget.characters);
  json["entries"] = limit_json(usage.entries, usage.budget.entries);
  json["pinned"] = limit_json(usage.pinned, usage.budget.pinned);
  return json;
}

namespace {

Json project_json(const KnownProject& project) {
  return {{"id", project.id},
          {"folder", project.folder},
          {"places", project.places},
          {"remotes", project.remotes},
          {"same_remote", project.same_remote}};
}

// Particulars are texts; those that count something are numbers in JSON.
Json particular(const std::string& key, const std::string& value) {
  constexpr std::array kNumbers = {"revision", "holder_revision", "used", "needed", "limit",
                                   "percent",  "characters",      "line", "column", "item",
                                   "left_out"};
  const bool number = std::find(kNumbers.begin(), kNumbers.end(), key) != kNumbers.end();
  std::uint64_t read = 0;
  const char* end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, read);
  return number && parsed.ec == std::errc{} && parsed.ptr == end ? Json(read) : Json(value);
}

}  // namespace

Json error_parts(const Error& error) {
  Json inner = {{"code", name_of(error.code)}, {"message", error.message},
                {"hint", or_null(error.hint)}, {"path", or_null(error.path)},
                {"line", or_null(error.line)}, {"column", or_null(error.column)}};
  Json candidates = Json::array();
  for (const auto& [key, value] : error.details) {
    if (key == "candidate") {
      candidates.push_back(value);
    } else if (key == "code") {
      inner["problem"] = value;
    } else {
      inner[key] = particular(key, value);
    }
  }
  for (const Error::Row& row : error.rows) {
    Json cells = Json::object();
    for (const auto& [key, value] : row.cells) cells[key] = particular(key, value);
    inner[row.list].push_back(cells);
  }
  if (!candidates.empty()) inner["candidates"] = candidates;
  return inner;
}

std::string error_json(const Error& error) {
  Json json = document();
  json["error"] = error_parts(error);
  return print(json);
}

Json written_json(const WriteResult& result) {
  const Memory& memory = result.memory;
  return {{"id", or_null(memory.id)},
          {"ref", memory.ref()},
          {"scope", name_of(memory.scope)},
          {"name", memory.name},
          {"path", memory.path},
          {"revision", memory.revision},
          {"etag", memory.etag},
          {"changed", result.changed},
          {"duplicate", result.duplicate},
          {"expires", or_null(result.expires)},
          {"usage", usage_json(result.usage)},
          {"warnings", result.warnings}};
}

std::string write_json(const WriteResult& result) {
  Json json = document();
  json.update(written_json(result));
  if (result.restored) json["restored"] = revision_json(*result.restored);
  if (result.deletion) json["deleted"] = deletion_json(*result.deletion);
  return print(json);
}

std::string forget_json(const ForgetResult& result) {
  Json json = document();
  json.update({{"id", or_null(result.id)},
               {"ref", result.ref},
               {"archived_as", or_null(result.archived_as)},
               {"usage", usage_json(result.usage)}});
  return print(json);
}

std::string show_json(const Found& found, const Admission& admission,
                      const std::vector<Backlink>& backlinks, Instant now) {
  Json json = document();
  json.update(memory_json(found.memory, now));
  json["body"] = found.memory.body;
  json["shadows"] = found.shadows;
  json["backlinks"] = backlinks_json(backlinks);
  json["guard"] = {{"findings", findings_json(admission.findings)},
                   {"held_back", !admission.held_back.empty()},
                   {"trusted", admission.trusted}};
  return print(json);
}

std::string list_json(const std::vector<Memory>& memories, const std::vector<Problem>& problems,
                      Instant now) {
  Json json = document();
  json["memories"] = Json::array();
  for (const Memory& memory : memories) json["memories"].push_back(memory_json(memory, now));
  json["problems"] = problems_json(problems);
  return print(json);
}

std::string archived_json(const std::vector<ArchivedMemory>& archived, Instant now) {
  Json json = document();
  json["archived"] = Json::array();
  for (const ArchivedMemory& copy : archived) {
    Json entry = memory_json(copy.memory, now);
    entry["archived_as"] = copy.file;
    entry["archived_at"] = copy.archived;
    json["archived"].push_back(entry);
  }
  return print(json);
}

std::string search_json(const SearchResult& result, std::string_view query) {
  Json json = document();
  json["query"] = query;
  json["total"] = result.total;
  json["hits"] = Json::array();
  for (const Hit& hit : result.hits) {
    Json marks = Json::array();
    for (const auto& [begin, end] : hit.highlights) marks.push_back({begin, end});
    const Memory& memory = hit.memory;
    json["hits"].push_back({{"ref", memory.ref()},
                            {"id", or_null(memory.id)},
                            {"scope", name_of(memory.scope)},
                            {"name", memory.name},
                            {"path", memory.path},
                            {"line", hit.line},
                            {"title", memory.title},
                            {"description", memory.description},
                            {"score", std::round(hit.score * 1e6) / 1e6},
                            {"snippet", hit.snippet},
                            {"highlights", marks},
                            {"freshness", name_of(hit.age.freshness)},
                            {"revision", memory.revision},
                            {"etag", memory.etag},
                            {"why", hit.why},
                            {"explanation", hit.explanation},
                            {"needs_attention", memory.needs_attention()}});
  }
  json["index"] = {{"fresh", result.complete}};
  json["suggestions"] = result.suggestions;
  json["notes"] = result.notes;
  json["problems"] = problems_json(result.problems);
  return print(json);
}

std::string check_json(const CheckReport& report) {
  Json json = document();
  json["memories"] = report.memories;
  json["fixed"] = Json::array();
  for (const Mended& mended : report.mended)
    json["fixed"].push_back(
        {{"what", mended.what}, {"path", mended.path}, {"ref", or_null(mended.ref)}});
  json["problems"] = problems_json(report.problems);
  return print(json);
}

std::string index_json(const std::vector<IndexReport>& reports) {
  Json json = document();
  json["pages"] = Json::array();
  for (const IndexReport& report : reports) {
    json["pages"].push_back({{"scope", name_of(report.scope)},
                             {"path", report.path},
                             {"memories", report.memories},
                             {"current", report.current},
                             {"written", report.written},
                             {"skipped", or_null(report.skipped)}});
  }
  return print(json);
}

std::string compact_index_json(const CompactIndex& index) {
  Json json = document();
  json["lines"] = Json::array();
  for (const IndexEntry& entry : index.entries)
    json["lines"].push_back({{"ref", entry.ref}, {"text", entry.text}});
  json["left_out"] = index.left_out;
  json["problems"] = problems_json(index.problems);
  return print(json);
}

std::string where_json(const Layout& layout) {
  Json json = document();
  Json scopes = Json::array();
  for (const ScopeFolder& folder : layout.scopes) {
    scopes.push_back({{"scope", name_of(folder.scope)},
                      {"path", or_null(folder.path)},
                      {"exists", folder.exists},
                      {"usable", folder.usable},
                      {"why", folder.why}});
  }
  json.update({{"project", or_null(layout.project_root)},
               {"project_id", or_null(layout.project_id)},
               {"git_common_dir", or_null(layout.git_common_dir)},
               {"scopes", scopes},
               {"mem_home", or_null(layout.mem_home)},
               {"state", layout.state},
               {"cache", layout.cache},
               {"notes", problems_json(layout.notes)}});
  return print(json);
}

std::string init_json(const Layout& layout, const InitReport& report) {
  Json json = document();
  json.update({{"project", layout.project_root},
               {"made", report.made},
               {"kept", report.kept},
               {"changed", report.changed},
               {"renewed", report.renewed},
               {"advice", report.advice}});
  return print(json);
}

std::string link_json(const std::vector<KnownProject>& projects) {
  Json json = document();
  json["projects"] = Json::array();
  for (const KnownProject& project : projects) json["projects"].push_back(project_json(project));
  return print(json);
}

std::string version_json(const std::vector<std::pair<std::string, std::string>>& versions) {
  Json json = document();
  for (const auto& [name, version] : versions) json[name] = version;
  return print(json);
}

std::string overview_json(const Layout& layout, const std::vector<Memory>& memories,
                          std::size_t problems) {
  Json json = document();
  json["project"] = or_null(layout.project_root);
  Json counts = Json::object();
  for (const Scope scope : kScopes) counts[std::string(name_of(scope))] = 0;
  for (const Memory& memory : memories) {
    auto& count = counts[std::string(name_of(memory.scope))];
    count = count.get<int>() + 1;
  }
  json["memories"] = counts;
  json["problems"] = problems;
  return print(json);
}

}  // namespace memfs::cli
