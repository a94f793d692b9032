#include "libmemfs/exchange/export_target.h"

#include <algorithm>
#include <set>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/formats.h"
#include "libmemfs/exchange/source_files.h"
#include "libmemfs/format/front_matter.h"

namespace memfs {
namespace {

constexpr char kFolder[] = "exports/";

bool has_folder(ExportFormat format) { return format == ExportFormat::kClaudeCode; }

// Which reader understands what is there.
std::optional<ImportFormat> reader_for(ExportFormat format) {
  switch (format) {
    case ExportFormat::kJsonLines:
      return ImportFormat::kJsonLines;
    case ExportFormat::kCar:
      return ImportFormat::kCar;
    case ExportFormat::kNewt:
      return ImportFormat::kNewt;
    case ExportFormat::kClaudeCode:
      return ImportFormat::kClaudeCode;
    case ExportFormat::kBlock:
    case ExportFormat::kMarkdown:
      break;
  }
  return std::nullopt;
}

std::string text_of_item(const Incoming& item) { return item.name + "\n" + item.bytes; }

Error would_lose(const std::string& path, std::string what) {
  return make_error(ErrorCode::kRefused,
                    "it would lose what is there: " + std::move(what) + "; nothing was written")
      .at(path)
      .with_hint(
          "import it first (mem import), or choose another target; `--force` replaces it and "
          "keeps the old bytes");
}

}  // namespace

Result<ExportTarget> ExportTarget::open(FileSystem& fs, const Layout& layout,
                                        const ExportWish& wish) {
  ExportTarget target;
  target.fs_ = &fs;
  target.wish_ = &wish;
  const auto real = fs.real_path(wish.path);
  if (!real && real.error().code != ErrorCode::kNotFound) return real.error();
  std::string path = real ? *real : wish.path;
  if (!real && !has_folder(wish.format)) {
    const auto parent = fs.real_path(parent_of(path).empty() ? "/" : parent_of(path));
    if (!parent)
      return make_error(ErrorCode::kNotFound, "the folder of the target is missing")
          .at(parent_of(path))
          .with_hint("make it first");
    path = join_path(*parent == "/" ? "" : *parent, leaf_of(path));
    if (!path.starts_with('/')) path = "/" + path;
  }
  for (const ScopeFolder& folder : layout.scopes) {
    const auto scope = fs.real_path(folder.path);
    if (scope && (path + "/").starts_with(*scope + "/"))
      return make_error(ErrorCode::kUsage, "the target lies in a folder of memories").at(path);
  }
  if (has_folder(wish.format)) {
    MEMFS_TRY(fs.make_directories(path, 0700));
    MEMFS_ASSIGN(target.dir_, fs.open(path));
  } else {
    target.leaf_ = leaf_of(path);
    const std::string parent = parent_of(path);
    MEMFS_ASSIGN(target.dir_, fs.open(parent.empty() ? "/" : parent));
  }
  MEMFS_TRY(fs.make_directories(layout.state, 0700));
  MEMFS_ASSIGN(target.state_, fs.open(layout.state));
  return target;
}

Result<std::optional<std::string>> ExportTarget::read(const std::string& rel) const {
  auto content = dir_->read(rel, kMaxSourceFile);
  if (content) return std::optional(std::move(content->bytes));
  if (content.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  return std::move(content).error();
}

std::string ExportTarget::note_of(const std::string& rel) const {
  return kFolder + short_hash(join_path(dir_->path(), rel));
}

bool ExportTarget::is_as_written(const std::string& rel, std::string_view bytes) const {
  const auto note = state_->read(note_of(rel), 4096);
  return note && note->bytes == content_hash(bytes) + "\n";
}

Result<void> ExportTarget::write(const ExportOutput& output, const std::set<std::string>& imported,
                                 ExportReport& report) {
  imported_ = imported;
  std::vector<std::optional<std::string>> present;
  for (const ExportFile& file : output.files) {
    const std::string rel = file.rel.empty() ? leaf_ : file.rel;
    MEMFS_ASSIGN(auto there, read(rel));
    if (!wish_->force) MEMFS_TRY(check(file, rel, there, output));
    present.push_back(std::move(there));
  }
  for (std::size_t i = 0; i < output.files.size(); ++i) {
    const ExportFile& file = output.files[i];
    const std::string rel = file.rel.empty() ? leaf_ : file.rel;
    if (present[i] && *present[i] == file.bytes) {
      ++report.unchanged;
      continue;
    }
    if (present[i] && !is_as_written(rel, *present[i])) MEMFS_TRY(keep(rel, *present[i], report));
    MEMFS_TRY(put(rel, file, present[i]));
    report.files.push_back(join_path(dir_->path(), rel));
  }
  return {};
}

// Whether a file may get its new bytes.
Result<void> ExportTarget::check(const ExportFile& file, const std::string& rel,
                                 const std::optional<std::string>& present,
                                 const ExportOutput& output) const {
  if (!present || *present == file.bytes) return {};
  if (wish_->format == ExportFormat::kBlock) return {};  // it keeps all that is not its own
  if (is_as_written(rel, *present)) return {};
  const std::string path = join_path(dir_->path(), rel);
  // Where a format has a reader, that knows whether an empty file is an empty store or a lost one.
  const bool has_reader = reader_for(wish_->format) && !has_folder(wish_->format);
  if (present->empty() && !has_reader) return {};
  if (has_folder(wish_->format)) {
    if (leaf_of(rel) != "MEMORY.md") return would_lose(path, "another text of that name");
    MEMFS_ASSIGN(const bool all, holds_all_of_index(output));
    if (!all) return would_lose(path, "lines that are no memory of this export");
    return {};
  }
  if (!has_reader) return would_lose(path, "a file that no export wrote");
  MEMFS_ASSIGN(const bool all, holds_all(rel, file));
  if (!all) return would_lose(path, "items that are not among the exported memories");
  return {};
}

// Whether each item of the target is among those of the new bytes, as their reader sees both, or
// became one of the exported memories, which may say more by now.
Result<bool> ExportTarget::holds_all(const std::string& rel, const ExportFile& file) const {
  const ImportReader reader = reader_of(*reader_for(wish_->format));
  const auto read_at = [&](const std::string& path) -> Result<ImportSource> {
    MEMFS_ASSIGN(const FileStat stat, fs_->stat(path));
    return reader(ImportPlace{*fs_, path, stat, leaf_of(rel)});
  };
  const std::string path = join_path(dir_->path(), rel);
  auto there = read_at(path);
  if (!there) {
    Error error = would_lose(path, "it cannot be read as " + std::string(name_of(wish_->format)));
    error.message += " (" + there.error().message + ")";
    error.line = there.error().line;
    return error;
  }
  if (!there->bad.empty()) return false;
  const std::string beside =
      join_path(parent_of(rel), std::string(kTemporaryPrefix) + "export-" + short_hash(file.bytes));
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  MEMFS_TRY(replace_file(*dir_, beside, file.bytes, options));
  const auto next = read_at(join_path(dir_->path(), beside));
  (void)dir_->remove(beside);
  if (!next) return next.error();
  std::multiset<std::string> texts;
  for (const Incoming& item : next->items) texts.insert(text_of_item(item));
  return std::all_of(there->items.begin(), there->items.end(), [&](const Incoming& item) {
    if (imported_.contains(content_hash(item.bytes))) return true;
    const auto same = texts.find(text_of_item(item));
    if (same != texts.end()) texts.erase(same);
    return same != texts.end();
  });
}

// The index of a folder may hold entries without a file.
Result<bool> ExportTarget::holds_all_of_index(const ExportOutput& output) const {
  MEMFS_ASSIGN(const FileStat stat, fs_->stat(dir_->path()));
  MEMFS_ASSIGN(const ImportSource there,
               reader_of(ImportFormat::kClaudeCode)(ImportPlace{*fs_, dir_->path(), stat}));
  for (const Incoming& item : there.items) {
    if (leaf_of(item.path) != "MEMORY.md") continue;
    const std::string_view bytes = item.bytes;
    const std::string_view text = trim(bytes.substr(read_front_matter(bytes).body_begin));
    const bool known =
        std::any_of(output.files.begin(), output.files.end(), [&](const ExportFile& file) {
          return file.rel != "MEMORY.md" && file.bytes.find(text) != std::string::npos;
        });
    if (!known) return false;
  }
  return true;
}

Result<void> ExportTarget::keep(const std::string& rel, const std::string& bytes,
                                ExportReport& report) {
  const std::string file = kFolder + ("kept/" + short_hash(bytes)) + "-" + leaf_of(rel);
  MEMFS_TRY(make_parents(*state_, file, 0700));
  WriteOptions options;
  options.mode = 0600;
  MEMFS_TRY(replace_file(*state_, file, bytes, options));
  report.kept = join_path(state_->path(), file);
  return {};
}

Result<void> ExportTarget::put(const std::string& rel, const ExportFile& file,
                               const std::optional<std::string>& present) {
  const bool shared = wish_->format == ExportFormat::kBlock;
  WriteOptions options;
  options.mode = shared ? 0666 : 0600;
  MEMFS_TRY(make_parents(*dir_, rel, shared ? 0777 : 0700));
  if (present) {
    MEMFS_ASSIGN(const FileStat stat, dir_->stat(rel));
    options.exact_mode = stat.mode;
    MEMFS_ASSIGN(const CheckedWrite done,
                 swap_file(*dir_, rel, file.bytes, content_hash(*present), options));
    if (!done.done)
      return make_error(ErrorCode::kConflict, "the file changed while it was being written")
          .at(join_path(dir_->path(), rel))
          .with_hint("export again");
  } else {
    MEMFS_TRY(create_file(*dir_, rel, file.bytes, options));
  }
  MEMFS_TRY(make_parents(*state_, note_of(rel), 0700));
  WriteOptions hint;
  hint.mode = 0600;
  hint.durable = false;
  (void)replace_file(*state_, note_of(rel), content_hash(file.bytes) + "\n", hint);
  return {};
}

}  // namespace memfs
