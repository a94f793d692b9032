// The JSON shapes that `--json` prints; docs/cli.md describes them. Each is one document with a
// newline, valid UTF-8 always.
#pragma once

#include <memfs/check.h>
#include <memfs/context.h>
#include <memfs/exchange.h>
#include <memfs/freshness.h>
#include <memfs/layout.h>
#include <memfs/links.h>
#include <memfs/resolve.h>
#include <memfs/search.h>
#include <memfs/stats.h>
#include <memfs/store.h>
#include <memfs/sync.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs::cli {

std::string error_json(const Error& error);
std::string write_json(const WriteResult& result);
std::string forget_json(const ForgetResult& result);
std::string show_json(const Found& found, const Admission& admission,
                      const std::vector<Backlink>& backlinks, Instant now);
std::string resolve_json(const ResolveReport& report, bool dry_run);
std::string move_json(const MoveResult& result, bool dry_run);
std::string links_json(const LinkReport& report);
std::string graph_json(const LinkGraph& graph);
std::string list_json(const std::vector<Memory>& memories, const std::vector<Problem>& problems,
                      Instant now);
std::string archived_json(const std::vector<ArchivedMemory>& archived, Instant now);
std::string search_json(const SearchResult& result, std::string_view query);
std::string verify_json(const std::vector<WriteResult>& results);
std::string stale_json(const std::vector<Memory>& memories, const std::vector<Problem>& problems,
                       Instant now);
std::string history_json(const Memory& memory, const std::vector<Revision>& revisions);
std::string revision_json(const RevisionText& text, Instant now);
std::string diff_json(const Memory& memory, const RevisionDiff& diff);
std::string prune_json(const PruneReport& report, bool dry_run);
std::string log_json(const std::vector<WriteEntry>& entries);
std::string undo_json(const UndoResult& result);
std::string trust_json(const Memory& memory, const Admission& admission);
std::string stats_json(const Stats& stats, Instant now);
std::string check_json(const CheckReport& report);
std::string index_json(const std::vector<IndexReport>& reports);
std::string compact_index_json(const CompactIndex& index);
std::string where_json(const Layout& layout);
std::string init_json(const Layout& layout, const InitReport& report);
std::string link_json(const std::vector<KnownProject>& projects);
std::string sync_json(const SyncReport& report);
std::string import_json(const ImportReport& report);
std::string export_json(const ExportReport& report, std::string_view format);
std::string version_json(const std::vector<std::pair<std::string, std::string>>& versions);
std::string overview_json(const Layout& layout, const std::vector<Memory>& memories,
                          std::size_t problems);

}  // namespace memfs::cli
