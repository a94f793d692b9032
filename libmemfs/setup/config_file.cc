#include "libmemfs/setup/config_file.h"

#include <unistd.h>

#include <sstream>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/hash.h"

namespace memfs::setup {
namespace {

constexpr std::uint64_t kMaxConfig = 64U << 20U;
constexpr std::string_view kHead = "mem-setup 1";

Error refused(const std::string& path, const std::string& what, const std::string& hint) {
  return make_error(ErrorCode::kRefused, what).at(path).with_hint(hint);
}

// Of an absolute path.
std::string folder_of(const std::string& path) {
  const std::string folder = parent_of(path);
  return folder.empty() ? "/" : folder;
}

// For a path that leads to no file.
Result<ConfigFile> missing(FileSystem& fs, ConfigFile file) {
  const auto folder = fs.real_path(folder_of(file.path));
  if (!folder) return file;  // the folder is missing, too
  MEMFS_ASSIGN(const auto dir, fs.open(*folder));
  if (const auto stat = dir->stat(leaf_of(file.path)); stat)
    return refused(file.path, "the file is a link that leads nowhere", "remove or mend the link");
  file.real = join_path(*folder, leaf_of(file.path));
  return file;
}

// Whether a file can be made in `folder`, or the folder itself, without trying.
Result<void> check_folder(FileSystem& fs, const std::string& folder) {
  const auto dir = fs.open(folder);
  if (dir) return (*dir)->check_writable();
  if (dir.error().code != ErrorCode::kNotFound || folder == "/") return dir.error();
  const std::string outer = folder_of(folder);
  if (const auto holder = fs.open(outer); holder && (*holder)->stat(leaf_of(folder)))
    return refused(folder, "the folder is a link that leads nowhere", "remove or mend the link");
  return check_folder(fs, outer);
}

std::string receipt_name(const std::string& real) { return "setup/" + short_hash(real); }

Result<std::shared_ptr<Directory>> open_state(FileSystem& fs, const std::string& state) {
  MEMFS_TRY(fs.make_directories(join_path(state, "setup/kept"), 0700));
  return fs.open(state);
}

// The name holds the hash of the bytes: what is there already is the same.
Result<std::string> keep(FileSystem& fs, const std::string& state, const ConfigFile& file) {
  if (!file.exists || file.text.empty()) return std::string();
  MEMFS_ASSIGN(const auto dir, open_state(fs, state));
  const std::string rel = "setup/kept/" + content_hash(file.text) + "-" + leaf_of(file.path);
  WriteOptions options;
  options.mode = 0600;  // there may be tokens in it
  MEMFS_TRY(replace_file(*dir, rel, file.text, options));
  return join_path(dir->path(), rel);
}

Error changed_meanwhile(const std::string& path) {
  return make_error(ErrorCode::kConflict, "the file was changed meanwhile, and was left as it is")
      .at(path)
      .with_hint("try again");
}

std::size_t missing_folders(FileSystem& fs, std::string folder) {
  std::size_t count = 0;
  for (; !fs.stat(folder) && folder != "/"; folder = folder_of(folder)) ++count;
  return count;
}

}  // namespace

Result<std::unique_ptr<HeldLock>> lock_setup(FileSystem& fs, const std::string& state) {
  MEMFS_ASSIGN(const auto dir, open_state(fs, state));
  return acquire_lock(*dir, "setup/.lock", 0600, LockWait{});
}

Result<ConfigFile> read_config_file(FileSystem& fs, const std::string& path) {
  ConfigFile file;
  file.path = file.real = path;
  const auto real = fs.real_path(path);
  if (!real && real.error().code == ErrorCode::kNotFound) return missing(fs, std::move(file));
  if (!real) return real.error();
  file.real = *real;
  MEMFS_ASSIGN(const auto dir, fs.open(folder_of(*real)));
  MEMFS_ASSIGN(FileContent content, dir->read(leaf_of(*real), kMaxConfig));
  file.exists = true;
  file.stat = content.stat;
  file.text = std::move(content.bytes);
  return file;
}

Result<void> check_writable(FileSystem& fs, const ConfigFile& file) {
  MEMFS_TRY(check_folder(fs, folder_of(file.real)));
  if (!file.exists) return {};
  if (file.stat.owner != ::geteuid())
    return refused(file.path, "the file belongs to somebody else", "run mem as its owner");
  if ((file.stat.mode & 0200U) == 0)
    return refused(file.path, "the file is read-only", "`chmod u+w` lets it be written");
  return {};
}

std::string entry_key(const Entry& entry) {
  std::string key;
  for (const std::string& part : entry.path) key += part + "/";
  key += entry.key.empty() ? entry.part : entry.key;
  return key;
}

Receipt read_receipt(FileSystem& fs, const std::string& state, const std::string& real) {
  Receipt receipt;
  const auto dir = fs.open(state);
  if (!dir) return receipt;
  const auto content = (*dir)->read(receipt_name(real), kMaxConfig);
  if (!content) return receipt;
  std::istringstream in(content->bytes);
  std::string line;
  if (!std::getline(in, line) || line != kHead) return receipt;
  in >> receipt.made_file >> receipt.made_folders;
  EntryFootprint print;
  while (in >> print.json.containers >> print.json.spread >> print.json.whole >>
             print.block.newline >> print.block.blank &&
         std::getline(in >> std::ws, line))
    receipt.entries[line] = print;
  return receipt;
}

Result<void> write_receipt(FileSystem& fs, const std::string& state, const std::string& real,
                           const Receipt& receipt) {
  MEMFS_ASSIGN(const auto dir, open_state(fs, state));
  if (receipt.entries.empty()) {
    const auto removed = dir->remove(receipt_name(real));
    if (!removed && removed.error().code != ErrorCode::kNotFound) return removed.error();
    return {};
  }
  std::ostringstream out;
  out << kHead << "\n" << receipt.made_file << " " << receipt.made_folders << "\n";
  for (const auto& [key, print] : receipt.entries)
    out << print.json.containers << " " << print.json.spread << " " << print.json.whole << " "
        << print.block.newline << " " << print.block.blank << " " << key << "\n";
  WriteOptions options;
  options.mode = 0600;
  return replace_file(*dir, receipt_name(real), out.str(), options);
}

Result<std::string> write_config_file(FileSystem& fs, const std::string& state,
                                      const ConfigFile& file, std::string_view text,
                                      std::uint32_t mode, Receipt& receipt) {
  MEMFS_ASSIGN(std::string kept, keep(fs, state, file));
  if (!file.exists) {
    receipt.made_file = true;
    receipt.made_folders = missing_folders(fs, folder_of(file.real));
  }
  // Before the file: what it tells of and is not there harms nobody.
  MEMFS_TRY(write_receipt(fs, state, file.real, receipt));
  WriteOptions options;
  options.mode = mode;
  if (!file.exists) {
    MEMFS_TRY(fs.make_directories(folder_of(file.real), 0755));
    MEMFS_ASSIGN(const auto made, fs.open(folder_of(file.real)));
    const auto created = create_file(*made, leaf_of(file.real), text, options);
    if (created) return kept;
    if (created.error().code == ErrorCode::kConflict) return changed_meanwhile(file.path);
    return created.error();
  }
  options.exact_mode = file.stat.mode;
  MEMFS_ASSIGN(const auto dir, fs.open(folder_of(file.real)));
  MEMFS_ASSIGN(const CheckedWrite write,
               swap_file(*dir, leaf_of(file.real), text, content_hash(file.text), options));
  if (!write.done) return changed_meanwhile(file.path);
  return kept;
}

Result<std::string> remove_config_file(FileSystem& fs, const std::string& state,
                                       const ConfigFile& file, const Receipt& receipt) {
  MEMFS_ASSIGN(std::string kept, keep(fs, state, file));
  MEMFS_ASSIGN(const auto dir, fs.open(folder_of(file.real)));
  MEMFS_ASSIGN(const CheckedWrite write,
               remove_file(*dir, leaf_of(file.real), content_hash(file.text)));
  if (!write.done) return changed_meanwhile(file.path);
  MEMFS_TRY(write_receipt(fs, state, file.real, {}));
  std::string folder = folder_of(file.real);
  for (std::size_t i = 0; i < receipt.made_folders; ++i, folder = folder_of(folder)) {
    const auto parent = fs.open(folder_of(folder));
    if (!parent || !(*parent)->remove_directory(leaf_of(folder))) break;  // others moved in
  }
  return kept;
}

}  // namespace memfs::setup
