#include "libmemfs/git/staged.h"

#include <algorithm>
#include <charconv>

#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/git/install_parts.h"

namespace memfs {
namespace {

std::vector<std::string> literal(std::vector<std::string> environment) {
  // Paths are names, whatever signs they hold.
  environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  return environment;
}

bool is_plain_file(std::string_view mode) { return mode == "100644" || mode == "100755"; }

bool is_no_blob(std::string_view blob) {
  return blob.find_first_not_of('0') == std::string_view::npos;
}

// "a b c" → {"a", "b", "c"}
std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

StagedShared::StagedShared(FileSystem& fs, const Layout& layout,
                           std::vector<std::string> environment)
    : layout_(layout), git_(layout.git_top, literal(std::move(environment))) {
  const std::string& shared = layout.folder(Scope::kShared).path;
  const auto real = fs.real_path(shared);
  folder_ = path_below(layout.git_top, real ? *real : shared);
}

// No dot-files, dot-folders and pages, as in the walk.
bool StagedShared::is_memory(std::string_view path) const {
  const std::string rel = rel_of(std::string(path));
  return is_memory_file(leaf_of(rel)) && !rel.starts_with('.') &&
         rel.find("/.") == std::string::npos;
}

Result<std::vector<StagedFile>> StagedShared::changed() const {
  // Without HEAD, in a new repository, everything is new.
  MEMFS_ASSIGN(const std::string raw,
               git_.output({"diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z",
                            "--diff-filter=AMT", "--", folder_}));
  const auto words = split_nul(raw);  // ":mode mode blob blob status", path, and again
  std::vector<StagedFile> files;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const auto parts = split_words(words[i]);
    if (parts.size() < 5 || !is_plain_file(parts[1]) || !is_memory(words[i + 1])) continue;
    files.push_back({words[i + 1], parts[1], parts[3], is_no_blob(parts[2]) ? "" : parts[2]});
  }
  return files;
}

Result<std::vector<StagedFile>> StagedShared::removed() const {
  MEMFS_ASSIGN(const std::string raw,
               git_.output({"diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z",
                            "--diff-filter=D", "--", folder_}));
  const auto words = split_nul(raw);
  std::vector<StagedFile> files;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const auto parts = split_words(words[i]);
    if (parts.size() < 5 || !is_memory(words[i + 1])) continue;
    files.push_back({words[i + 1], parts[1], {}, parts[2]});
  }
  return files;
}

Result<std::vector<IndexedFile>> StagedShared::entries(
    const std::vector<std::string>& paths) const {
  std::vector<std::string> command = {"ls-files", "--stage", "-z", "--"};
  command.insert(command.end(), paths.begin(), paths.end());
  MEMFS_ASSIGN(const std::string raw, git_.output(command));
  std::vector<IndexedFile> found;
  for (const std::string& line : split_nul(raw)) {  // "mode blob stage\tpath"
    const auto tab = line.find('\t');
    const auto parts = split_words(line.substr(0, tab));
    if (tab == std::string::npos || parts.size() != 3 || !is_plain_file(parts[0])) continue;
    const std::string path = line.substr(tab + 1);
    if (is_memory(path)) found.push_back({path, rel_of(path), parts[1]});
  }
  return found;
}

Result<std::vector<IndexedFile>> StagedShared::with_words(
    const std::vector<std::string>& words) const {
  constexpr std::size_t kFew = 16;      // git grep looks for one after the other
  constexpr std::size_t kPaths = 2000;  // that a command line surely takes
  if (words.size() > kFew) return entries({folder_});
  std::vector<std::string> command = {
      "grep", "--cached",    "-l",         "-z",          "-F",
      "-a",   "--full-name", "--no-color", "--threads=1", "--no-recurse-submodules"};
  for (const std::string& word : words) {
    command.emplace_back("-e");
    command.push_back(word);
  }
  command.insert(command.end(), {"--", folder_});
  MEMFS_ASSIGN(const ProcessOutput answer, git_.run(command));
  if (answer.exit_code == 1) return std::vector<IndexedFile>();
  const auto paths = split_nul(answer.out);
  return answer.exit_code != 0 || paths.size() > kPaths ? entries({folder_}) : entries(paths);
}

Result<std::map<std::string, std::string>> StagedShared::blobs(
    const std::vector<std::string>& names) const {
  std::map<std::string, std::string> found;
  std::string input;
  for (const std::string& name : names)
    if (!name.empty()) input += name + "\n";
  if (input.empty()) return found;
  MEMFS_ASSIGN(const std::string out, git_.output({"cat-file", "--batch"}, input));
  // "name type size\n" and the bytes and "\n", or "name missing\n".
  for (std::size_t at = 0; at < out.size();) {
    const auto eol = std::min(out.find('\n', at), out.size());
    const auto parts = split_words(std::string_view(out).substr(at, eol - at));
    at = eol + 1;
    if (parts.size() != 3) continue;
    std::size_t size = 0;
    std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), size);
    if (at + size > out.size()) break;
    if (parts[1] == "blob") found.emplace(parts[0], out.substr(at, size));
    at += size + 1;
  }
  return found;
}

std::optional<Memory> StagedShared::read(const std::string& path, std::string_view bytes,
                                         Problem* empty) const {
  const std::string rel = rel_of(path);
  const std::string place = join_path(layout_.folder(Scope::kShared).path, rel);
  Problem ignored;
  return read_memory({Scope::kShared, rel, place}, bytes, empty == nullptr ? &ignored : empty);
}

}  // namespace memfs
