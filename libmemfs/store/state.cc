#include "libmemfs/store/state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <tuple>
#include <utility>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

// The absolute path up to the memory's name.
std::string scope_folder(const Memory& memory) {
  const auto tail = std::min(memory.path.size(), memory.name.size() + 4);  // "/name.md"
  return memory.path.substr(0, memory.path.size() - tail);
}

// Ids come from hand-written files: only harmless ones name a folder.
std::string memory_key(const Memory& memory) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  const std::string& id = memory.id;
  // Other ids repeat between projects: the scope's folder is part of their key.
  if (is_own_id(id)) return id;
  if (!id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), harmless))
    return "x-" + id + "-" + short_hash(scope_folder(memory));
  if (!id.empty()) return "id-" + short_hash(scope_folder(memory) + id);
  return "file-" + short_hash(memory.path);
}

std::string history_folder(const Memory& memory) { return "history/" + memory_key(memory); }

std::string archive_folder(const std::string& scope_key) {
  return "scopes/" + scope_key + "/archive";
}

std::string sealed_file(const Memory& memory, const std::string& scope_key) {
  return "scopes/" + scope_key + "/sealed/" + memory_key(memory);
}

// 2026-11-30T01:58:20Z → 20261130T015820Z
std::string compact(std::string stamp) {
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return stamp;
}

std::string_view stem_of(std::string_view name) { return name.substr(0, name.rfind('.')); }

// The second and the number in it of an archived copy: "20261130T015820Z-2" is the second one.
std::pair<std::string_view, std::uint64_t> moment_of(std::string_view stamp) {
  const std::size_t dash = stamp.find('-');
  std::uint64_t number = 1;
  if (dash != std::string_view::npos)
    std::from_chars(stamp.data() + dash + 1, stamp.data() + stamp.size(), number);
  return {stamp.substr(0, dash), number};
}

std::string kept_file(const Memory& memory, std::string_view bytes) {
  std::array<char, 24> revision{};
  std::snprintf(revision.data(), revision.size(), "%010llu",
                static_cast<unsigned long long>(memory.revision));
  return history_folder(memory) + "/" + revision.data() + "-" + content_hash(bytes) + ".md";
}

constexpr std::uint64_t kSmall = 4096;
constexpr char kStrays[] = "history/strays";
constexpr char kPages[] = "history/pages";

}  // namespace

std::string ArchiveEntry::instant() const {
  constexpr std::string_view kShape = "dddddddd-dddddd-";
  std::string out;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = i < stamp.size() && stamp[i] >= '0' && stamp[i] <= '9';
    const char letter = i == 8 ? 'T' : 'Z';
    if (kShape[i] == 'd' ? !digit : i >= stamp.size() || stamp[i] != letter) return {};
    if (i == 4 || i == 6) out += '-';
    if (i == 11 || i == 13) out += ':';
    out += stamp[i];
  }
  return out;
}

std::string scope_key(Scope scope, const std::string& directory) {
  return std::string(name_of(scope)) + "-" + short_hash(directory);
}

// The name holds the hash of the bytes. What stands there already may be a copy that was never
// synced, so it counts only for a copy that need not be durable either.
Result<void> State::put(const std::string& rel, std::string_view bytes, bool durable) {
  MEMFS_TRY(make_parents(*dir_, rel, 0700));
  WriteOptions options;
  options.mode = 0600;
  options.durable = durable;
  if (durable) return replace_file(*dir_, rel, bytes, options);
  auto made = create_file(*dir_, rel, bytes, options);
  if (!made && made.error().code == ErrorCode::kConflict) return {};
  return made;
}

Result<void> State::keep(const Memory& memory, std::string_view bytes) {
  return put(kept_file(memory, bytes), bytes, true);
}

Result<void> State::keep_new(const Memory& memory, std::string_view bytes) {
  return put(kept_file(memory, bytes), bytes, false);
}

Result<void> State::keep_staged(const Memory& memory, std::string_view bytes,
                                const std::string& key) {
  const std::string kept = kept_file(memory, bytes);
  MEMFS_TRY(make_parents(*dir_, kept, 0700, false));
  auto made = write_in_place(*dir_, kept, bytes, 0600);
  if (!made && made.error().code != ErrorCode::kConflict) return made;
  const std::string sealed = sealed_file(memory, key);
  MEMFS_TRY(make_parents(*dir_, sealed, 0700, false));
  const std::string seal = std::to_string(memory.revision) + " " + memory.etag + "\n";
  if (write_in_place(*dir_, sealed, seal, 0600)) return {};
  return this->seal(memory, key);
}

Result<void> State::keep_stray(std::string_view bytes) {
  return put(std::string(kStrays) + "/" + content_hash(bytes) + ".md", bytes, true);
}

Result<void> State::keep_page(std::string_view bytes) {
  return put(std::string(kPages) + "/" + content_hash(bytes) + ".md", bytes, true);
}

std::string State::page_seal(const std::string& key) {
  auto content = dir_->read("scopes/" + key + "/page", kSmall);
  return content ? std::move(content->bytes) : std::string();
}

Result<void> State::seal_page(const std::string& key, const std::string& hash) {
  const std::string rel = "scopes/" + key + "/page";
  MEMFS_TRY(make_parents(*dir_, rel, 0700));
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  return replace_file(*dir_, rel, hash, options);
}

std::string State::history_of(const Memory& memory) { return history_folder(memory); }

Result<void> State::erase_strays(const std::function<bool(const std::string&)>& gone) {
  return erase_in(kStrays, gone);
}

Result<void> State::erase_pages(const std::function<bool(const std::string&)>& gone) {
  return erase_in(kPages, gone);
}

Result<void> State::erase_in(const std::string& folder,
                             const std::function<bool(const std::string&)>& gone) {
  constexpr std::uint64_t kMaxStray = 64U << 20U;
  const auto entries = dir_->list(folder);
  if (!entries) return {};  // there are none
  for (const DirEntry& entry : *entries) {
    const std::string file = join_path(folder, entry.name);
    const auto content = dir_->read(file, kMaxStray);
    if (content && gone(content->bytes)) MEMFS_TRY(dir_->remove(file));
  }
  return {};
}

Result<std::vector<KeptBytes>> State::kept(const Memory& memory) {
  return kept_in(history_folder(memory));
}

Result<std::vector<std::string>> State::histories() {
  std::vector<std::string> found;
  const auto entries = dir_->list("history");
  if (!entries) {
    if (entries.error().code == ErrorCode::kNotFound) return found;
    return entries.error();
  }
  for (const DirEntry& entry : *entries)
    if (const std::string folder = "history/" + entry.name;
        entry.kind == FileKind::kDirectory && folder != kStrays && folder != kPages)
      found.push_back(folder);
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::vector<KeptBytes>> State::kept_in(const std::string& history) {
  std::vector<KeptBytes> found;
  const auto entries = dir_->list(history);
  if (!entries) {
    if (entries.error().code == ErrorCode::kNotFound) return found;
    return entries.error();
  }
  MEMFS_ASSIGN(const auto stats, dir_->stat_entries(history, *entries));
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const std::string& name = (*entries)[i].name;
    KeptBytes kept;
    const auto number = std::from_chars(name.data(), name.data() + name.size(), kept.revision);
    const auto dash = static_cast<std::size_t>(number.ptr - name.data());
    if (!stats[i] || number.ec != std::errc{} || name.size() != dash + 36 || name[dash] != '-')
      continue;
    kept.hash = name.substr(dash + 1, 32);
    kept.file = join_path(history, name);
    kept.size = stats[i]->size;
    kept.kept_ns = stats[i]->mtime_ns;
    kept.kept = Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::nanoseconds(stats[i]->mtime_ns)));
    found.push_back(std::move(kept));
  }
  std::sort(found.begin(), found.end(), [](const KeptBytes& a, const KeptBytes& b) {
    // By the time at which they were last what the file held: branches may give lower numbers
    // later.
    return std::tie(a.kept_ns, a.revision, a.hash) < std::tie(b.kept_ns, b.revision, b.hash);
  });
  return found;
}

Result<void> State::drop_kept(const std::string& file) {
  MEMFS_TRY(dir_->remove(file));
  (void)dir_->remove_directory(parent_of(file));  // if it was the last
  return {};
}

Result<void> State::erase_history(const Memory& memory) {
  const std::string folder = history_folder(memory);
  auto entries = dir_->list(folder);
  if (!entries) {
    if (entries.error().code == ErrorCode::kNotFound) return {};
    return std::move(entries).error();
  }
  for (const DirEntry& entry : *entries) MEMFS_TRY(dir_->remove(join_path(folder, entry.name)));
  MEMFS_TRY(dir_->remove_directory(folder));
  return dir_->sync_directory("history");
}

Result<void> State::move_history(const Memory& before, const Memory& after) {
  const std::string from = history_folder(before);
  const std::string to = history_folder(after);
  if (from == to) return {};
  auto entries = dir_->list(from);
  if (!entries) return {};  // there is none
  for (const DirEntry& entry : *entries) {
    MEMFS_TRY(make_parents(*dir_, join_path(to, entry.name), 0700));
    auto moved = dir_->rename_exclusive(join_path(from, entry.name), join_path(to, entry.name));
    // The name holds a hash of the bytes: what is there already is the same.
    if (!moved && moved.error().code == ErrorCode::kConflict)
      moved = dir_->remove(join_path(from, entry.name));
    MEMFS_TRY(moved);
  }
  MEMFS_TRY(dir_->sync_directory(to));
  MEMFS_TRY(dir_->remove_directory(from));
  return dir_->sync_directory("history");
}

std::optional<Seal> State::seal_of(const Memory& memory, const std::string& key) {
  auto content = dir_->read(sealed_file(memory, key), kSmall);
  if (!content) return std::nullopt;
  Seal seal;
  const std::string& text = content->bytes;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seal.revision);
  if (parsed.ec != std::errc{}) return std::nullopt;
  const auto behind = static_cast<std::size_t>(parsed.ptr - text.data());
  if (text.size() < behind + 33) return std::nullopt;
  seal.hash = text.substr(behind + 1, 32);
  return seal;
}

Result<void> State::seal(const Memory& memory, const std::string& key) {
  const std::string rel = sealed_file(memory, key);
  MEMFS_TRY(make_parents(*dir_, rel, 0700));
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  return replace_file(*dir_, rel, std::to_string(memory.revision) + " " + memory.etag + "\n",
                      options);
}

void State::unseal(const Memory& memory, const std::string& key) {
  (void)dir_->remove(sealed_file(memory, key));
}

Result<void> State::trust(const std::string& etag, const std::string& key) {
  return put("scopes/" + key + "/trusted/" + etag, "", true);
}

bool State::trusts(const std::string& etag, const std::string& key) {
  return dir_->stat("scopes/" + key + "/trusted/" + etag).has_value();
}

Result<State::ArchivePlace> State::archive_place(const std::string& key, const std::string& rel,
                                                 std::string_view bytes, Instant now) {
  const std::string folder = archive_folder(key) + "/" + rel;
  const std::string stamp = compact(format_instant(now));
  const auto file_of = [&](std::uint64_t number) {
    return folder + "/" + stamp + (number == 1 ? "" : "-" + std::to_string(number)) + ".md";
  };
  const auto entries = dir_->list(folder);
  if (!entries && entries.error().code != ErrorCode::kNotFound) return entries.error();
  if (!entries) return ArchivePlace{file_of(1), false};
  std::uint64_t last = 0;  // of this second
  for (const DirEntry& entry : *entries) {
    const auto [second, number] = moment_of(stem_of(entry.name));
    if (second == stamp) last = std::max(last, number);
  }
  // A forget that was cut off before it removed the memory left the same bytes here.
  if (last > 0) {
    const auto there = dir_->read(file_of(last), bytes.size());
    if (there && there->bytes == bytes) return ArchivePlace{file_of(last), true};
  }
  return ArchivePlace{file_of(last + 1), false};
}

Result<std::string> State::archive(const std::string& key, const std::string& rel,
                                   std::string_view bytes, Instant now) {
  MEMFS_ASSIGN(const ArchivePlace place, archive_place(key, rel, bytes, now));
  if (place.there) return place.file;
  MEMFS_TRY(make_parents(*dir_, place.file, 0700));
  WriteOptions options;
  options.mode = 0600;
  MEMFS_TRY(create_file(*dir_, place.file, bytes, options));
  return place.file;
}

Result<std::vector<ArchiveEntry>> State::archived(const std::string& key) {
  std::vector<ArchiveEntry> found;
  std::vector<std::string> folders = {""};
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    auto entries = dir_->list(join_path(archive_folder(key), folder));
    if (!entries) {
      if (entries.error().code == ErrorCode::kNotFound) continue;
      return std::move(entries).error();
    }
    for (const DirEntry& entry : *entries) {
      const std::string rel = join_path(folder, entry.name);
      if (entry.kind == FileKind::kDirectory) {
        folders.push_back(rel);
      } else if (!entry.name.starts_with('.')) {
        found.push_back(
            {folder, join_path(archive_folder(key), rel), std::string(stem_of(entry.name))});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const ArchiveEntry& a, const ArchiveEntry& b) {
    return std::pair(a.rel, moment_of(a.stamp)) < std::pair(b.rel, moment_of(b.stamp));
  });
  return found;
}

Result<void> State::drop_archived(const std::string& file) {
  MEMFS_TRY(dir_->remove(file));
  MEMFS_TRY(dir_->sync_directory(parent_of(file)));
  // The folder that bears the memory's name, if it was the last copy.
  (void)dir_->remove_directory(parent_of(file));
  return {};
}

}  // namespace memfs
