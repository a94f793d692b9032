// The JSON shapes of what was written, when, and what is to be looked at again.
#include <memfs/freshness.h>

#include <array>

#include "cli/json.h"
#include "cli/json_parts.h"

namespace memfs::cli {
namespace {

Json entry_json(const WriteEntry& entry) {
  return {{"at", format_instant(entry.at)},
          {"operation", name_of(entry.operation)},
          {"ref", entry.ref()},
          {"id", or_null(entry.id)},
          {"scope", name_of(entry.scope)},
          {"name", entry.name},
          {"revision", entry.revision},
          {"by", or_null(entry.by)},
          {"from", or_null(entry.origin)},
          {"before", or_null(entry.before)},
          {"after", or_null(entry.after)},
          {"undone", entry.undone},
          {"undo", !entry.takes_back.empty()}};
}

}  // namespace

Json revision_json(const Revision& revision) {
  return {{"revision", revision.number},
          {"label", revision.label},
          {"etag", revision.etag},
          {"size", revision.size},
          {"at", instant_json(revision.at)},
          {"by", or_null(revision.by)},
          {"operation", revision.operation ? Json(name_of(*revision.operation)) : Json()},
          {"commit", or_null(revision.commit)},
          {"author", or_null(revision.author)},
          {"subject", or_null(revision.subject)},
          {"current", revision.current}};
}

Json deletion_json(const Deletion& deletion) {
  return {{"commit", or_null(deletion.commit)},
          {"author", or_null(deletion.author)},
          {"at", instant_json(deletion.at)}};
}

Json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"rule", finding.rule},
                    {"kind", name_of(finding.kind)},
                    {"line", or_null(finding.line)},
                    {"column", or_null(finding.column)},
                    {"message", finding.message},
                    {"hint", finding.hint},
                    {"hash", finding.hash},
                    {"quoted", finding.quoted}});
  }
  return list;
}

std::string verify_json(const std::vector<WriteResult>& results) {
  // One reference has the shape of every write, several have a list of it.
  if (results.size() == 1) return write_json(results.front());
  Json json = document();
  json["verified"] = Json::array();
  for (const WriteResult& result : results) json["verified"].push_back(written_json(result));
  return print(json);
}

std::string stale_json(const std::vector<Memory>& memories, const std::vector<Problem>& problems,
                       Instant now) {
  Json json = document();
  json["memories"] = Json::array();
  for (const Memory& memory : memories) {
    const Age age = age_of(memory, now);
    Json one = memory_json(memory, now);
    one["since"] = instant_json(age.clock);
    one["overdue_days"] = std::chrono::duration_cast<std::chrono::days>(age.overdue).count();
    json["memories"].push_back(one);
  }
  json["problems"] = problems_json(problems);
  return print(json);
}

std::string history_json(const Memory& memory, const std::vector<Revision>& revisions) {
  Json json = document();
  json["ref"] = memory.ref();
  json["id"] = or_null(memory.id);
  json["revisions"] = Json::array();
  for (const Revision& revision : revisions) json["revisions"].push_back(revision_json(revision));
  return print(json);
}

std::string revision_json(const RevisionText& text, Instant now) {
  Json json = document();
  json.update(memory_json(text.memory, now));
  json["body"] = text.memory.body;
  json["of"] = revision_json(text.revision);
  return print(json);
}

std::string diff_json(const Memory& memory, const RevisionDiff& diff) {
  Json json = document();
  json["ref"] = memory.ref();
  json["from"] = revision_json(diff.from);
  json["to"] = revision_json(diff.to);
  json["diff"] = diff.text;
  return print(json);
}

std::string prune_json(const PruneReport& report, bool dry_run) {
  Json json = document();
  json.update({{"dry_run", dry_run},
               {"dropped", report.files},
               {"bytes", report.bytes},
               {"kept", report.kept}});
  return print(json);
}

std::string log_json(const std::vector<WriteEntry>& entries) {
  Json json = document();
  json["entries"] = Json::array();
  for (const WriteEntry& entry : entries) json["entries"].push_back(entry_json(entry));
  return print(json);
}

std::string trust_json(const Memory& memory, const Admission& admission) {
  Json json = document();
  json.update({{"ref", memory.ref()},
               {"id", or_null(memory.id)},
               {"etag", memory.etag},
               {"trusted", admission.held_back.empty()},
               {"findings", findings_json(admission.findings)}});
  return print(json);
}

std::string stats_json(const Stats& stats, Instant now) {
  Json json = document();
  json["scopes"] = Json::array();
  for (const ScopeStats& scope : stats.scopes) {
    json["scopes"].push_back({{"scope", name_of(scope.scope)},
                              {"memories", scope.usage.entries},
                              {"usage", usage_json(scope.usage)},
                              {"fresh", scope.by_freshness[0]},
                              {"current", scope.by_freshness[1]},
                              {"stale", scope.by_freshness[2]},
                              {"expired", scope.by_freshness[3]},
                              {"rules", scope.rules},
                              {"pinned", scope.pinned},
                              {"need_attention", scope.with_problems},
                              {"recalled", scope.recalled},
                              {"archived", scope.archived}});
  }
  json["most_used"] = Json::array();
  for (const RecalledMemory& used : stats.most_used) {
    json["most_used"].push_back({{"ref", used.memory.ref()},
                                 {"id", or_null(used.memory.id)},
                                 {"freshness", name_of(age_of(used.memory, now).freshness)},
                                 {"returned", used.returned},
                                 {"read", used.read},
                                 {"last", used.last_day}});
  }
  json["history"] = {{"states", stats.history_files}, {"bytes", stats.history_bytes}};
  json["writes_logged"] = stats.writes_logged;
  return print(json);
}

std::string undo_json(const UndoResult& result) {
  Json json = document();
  json["undone"] = entry_json(result.undone);
  json["others"] = Json::array();
  for (const WriteEntry& entry : result.others) json["others"].push_back(entry_json(entry));
  json["written"] = result.written ? written_json(*result.written) : Json();
  json["archived_as"] = or_null(result.archived_as);
  return print(json);
}

}  // namespace memfs::cli
