// The way in: the place, its reader, the intake, one report.
#include <algorithm>
#include <tuple>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/formats.h"
#include "libmemfs/exchange/intake.h"
#include "libmemfs/format/link_address.h"

namespace memfs {
namespace {

Result<ImportPlace> place_of(FileSystem& fs, const ImportWish& wish) {
  const auto real = fs.real_path(wish.path);
  if (!real) {
    if (real.error().code != ErrorCode::kNotFound) return real.error();
    return make_error(ErrorCode::kNotFound, "there is nothing to import: no such file or folder")
        .at(wish.path);
  }
  MEMFS_ASSIGN(const FileStat stat, fs.stat(*real));
  if (stat.kind != FileKind::kRegular && stat.kind != FileKind::kDirectory)
    return make_error(ErrorCode::kRefused, "neither a file nor a folder").at(*real);
  return ImportPlace{fs, *real, stat};
}

Result<std::string> folder_of(std::string folder) {
  while (folder.ends_with('/')) folder.pop_back();
  if (folder.empty()) return folder;
  if (is_linkable_name(folder)) return folder;
  return make_error(ErrorCode::kUsage,
                    "a folder of memories cannot be called " + escape_for_terminal(folder))
      .with_hint("names joined by single slashes: notes/old");
}

// What lies in a scope of this store is a memory already.
void drop_own(FileSystem& fs, const Layout& layout, ImportSource& source) {
  std::vector<std::string> own;
  for (const ScopeFolder& folder : layout.scopes)
    if (const auto real = fs.real_path(folder.path); real) own.push_back(*real + "/");
  const std::size_t dropped = std::erase_if(source.items, [&](const Incoming& item) {
    return std::any_of(own.begin(), own.end(),
                       [&](const std::string& folder) { return item.path.starts_with(folder); });
  });
  if (dropped > 0)
    source.notes.push_back(
        count_of(dropped, "file lies", "files lie") +
        " in a folder of this store and was left out: it holds memories already");
}

ImportItem refused(const BadItem& bad) {
  ImportItem item;
  item.outcome = ImportOutcome::kRefused;
  item.title = bad.title;
  item.path = bad.error.path;
  item.line = bad.error.line;
  item.reason = bad.error.message;
  item.hint = bad.error.hint;
  return item;
}

// Where they stand in the source.
void put_among(std::vector<ImportItem>& items, const std::vector<BadItem>& bad) {
  if (bad.empty()) return;
  for (const BadItem& one : bad) items.push_back(refused(one));
  std::stable_sort(items.begin(), items.end(), [](const ImportItem& a, const ImportItem& b) {
    return std::tie(a.path, a.line) < std::tie(b.path, b.line);
  });
}

void count_outcomes(ImportReport& report) {
  for (const ImportItem& item : report.items) {
    std::size_t* const counts[] = {&report.added, &report.updated, &report.same, &report.refused};
    ++*counts[static_cast<std::size_t>(item.outcome)];
  }
}

}  // namespace

std::string_view name_of(ImportOutcome outcome) {
  constexpr std::string_view kNames[] = {"added", "updated", "same", "refused"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Result<ImportReport> import_memories(Store& store, const ImportWish& wanted,
                                     const ImportProgress& go_on) {
  StoreInside::Impl& impl = StoreInside::of(store);
  ImportWish wish = wanted;
  MEMFS_ASSIGN(wish.folder, folder_of(wanted.folder));
  MEMFS_ASSIGN(const ImportPlace place, place_of(impl.fs(), wish));
  MEMFS_ASSIGN(ImportSource source, reader_of(wish.format)(place));
  drop_own(impl.fs(), impl.layout, source);
  ImportReport report;
  report.applied = wish.apply;
  report.notes = std::move(source.notes);
  MEMFS_TRY(Intake(impl, wish).run(source.items, go_on, report));
  if (!report.interrupted && !report.failure) put_among(report.items, source.bad);
  count_outcomes(report);
  return report;
}

}  // namespace memfs
