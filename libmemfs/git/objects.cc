#include "libmemfs/git/objects.h"

#include <algorithm>
#include <charconv>

#include "libmemfs/base/file_system.h"

namespace memfs {
namespace {

Error misread(const Git& git, const std::string& command) {
  return make_error(ErrorCode::kIo, "`git " + command + "` said something unexpected")
      .at(git.folder());
}

// The line that begins at `at`, which moves behind it.
std::string_view take_line(std::string_view text, std::size_t& at) {
  const auto end = std::min(text.find('\n', at), text.size());
  const auto line = text.substr(at, end - at);
  at = std::min(end + 1, text.size());
  return line;
}

bool is_nothing(std::string_view object) {
  return object.find_first_not_of('0') == std::string_view::npos;
}

// "100644" and the object's name; nothing for "000000".
TreeEntry entry_of(std::string_view mode, std::string_view object) {
  if (is_nothing(mode)) return {};
  return {std::string(mode), std::string(object)};
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Result<std::string> empty_tree(const Git& git) { return git.line({"mktree"}); }

}  // namespace

std::string no_object_like(const std::string& object) {
  constexpr std::size_t kUsual = 40;
  return std::string(object.empty() ? kUsual : object.size(), '0');
}

Result<std::vector<std::string>> resolve_objects(const Git& git,
                                                 const std::vector<std::string>& names) {
  std::string input;
  for (const std::string& name : names) input += name + "\n";
  MEMFS_ASSIGN(const std::string said,
               git.output({"cat-file", "--batch-check=%(objectname)"}, std::move(input)));
  std::vector<std::string> objects;
  for (std::size_t at = 0; at < said.size();) {
    const std::string_view line = take_line(said, at);
    objects.emplace_back(line.find(' ') == std::string_view::npos ? line : std::string_view());
  }
  if (objects.size() != names.size()) return misread(git, "cat-file");
  return objects;
}

Result<std::map<std::string, std::string>> read_blobs(const Git& git,
                                                      const std::vector<std::string>& objects) {
  std::map<std::string, std::string> blobs;
  if (objects.empty()) return blobs;
  std::string input;
  for (const std::string& object : objects) input += object + "\n";
  MEMFS_ASSIGN(const std::string said, git.output({"cat-file", "--batch"}, std::move(input)));
  for (std::size_t at = 0; at < said.size();) {
    const auto words = words_of(take_line(said, at));
    std::size_t size = 0;
    if (words.size() != 3) return misread(git, "cat-file");
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), size);
    if (at + size >= said.size()) return misread(git, "cat-file");
    blobs.emplace(words[0], said.substr(at, size));
    at += size + 1;
  }
  return blobs;
}

Result<std::string> write_blob(const Git& git, std::string bytes) {
  MEMFS_ASSIGN(std::string object,
               git.output({"hash-object", "-w", "--no-filters", "--stdin"}, std::move(bytes)));
  object.resize(object.find('\n'));
  return object;
}

Result<TreeChanges> diff_trees(const Git& git, const std::string& from, const std::string& to) {
  TreeChanges changes;
  if (from == to) return changes;
  std::string before = from;
  std::string after = to;
  for (std::string* tree : {&before, &after}) {
    if (!tree->empty()) continue;
    MEMFS_ASSIGN(*tree, empty_tree(git));
  }
  MEMFS_ASSIGN(const std::string said,
               git.output({"diff-tree", "-r", "-z", "--raw", "--no-renames", before, after}));
  const auto words = split_nul(said);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const auto parts = words_of(std::string_view(words[i]).substr(1));  // without the colon
    if (parts.size() != 5) return misread(git, "diff-tree");
    changes[words[i + 1]] = {entry_of(parts[0], parts[2]), entry_of(parts[1], parts[3])};
  }
  return changes;
}

Result<std::string> edit_tree(const Git& git, const std::string& tree,
                              const std::map<std::string, TreeEntry>& edits,
                              const std::string& scratch) {
  const Git apart = git.with({"GIT_INDEX_FILE=" + scratch});
  MEMFS_TRY(apart.output(tree.empty() ? std::vector<std::string>{"read-tree", "--empty"}
                                      : std::vector<std::string>{"read-tree", tree}));
  std::string input;
  std::string object = tree;
  for (const auto& [path, entry] : edits)
    if (object.empty()) object = entry.object;
  const std::string nothing = no_object_like(object);
  // A file may take the place of a folder: what goes away goes first.
  for (const bool there : {false, true}) {
    for (const auto& [path, entry] : edits) {
      if (entry.is_there() != there) continue;
      input += there ? entry.mode + " " + entry.object : "0 " + nothing;
      input += "\t" + path + '\0';
    }
  }
  if (!input.empty())
    MEMFS_TRY(apart.output({"update-index", "-z", "--index-info"}, std::move(input)));
  return apart.line({"write-tree"});
}

Result<std::string> put_folder(const Git& git, const std::string& tree, std::string_view rel,
                               const std::string& folder) {
  if (rel.empty()) return folder;
  const std::string_view name = rel.substr(0, rel.find('/'));
  const std::string_view below = name.size() < rel.size() ? rel.substr(name.size() + 1) : "";
  std::string listed;
  if (!tree.empty()) {
    MEMFS_ASSIGN(listed, git.output({"ls-tree", "-z", tree}));
  }
  std::string inner;
  std::string entries;
  for (const std::string& line : split_nul(listed)) {
    const auto tab = line.find('\t');
    if (line.substr(tab + 1) != name) {
      entries += line + '\0';
    } else if (line.find(" tree ") < tab) {
      inner = line.substr(line.rfind(' ', tab) + 1, tab - line.rfind(' ', tab) - 1);
    }
  }
  MEMFS_ASSIGN(const std::string made, put_folder(git, inner, below, folder));
  MEMFS_ASSIGN(const std::string nothing, empty_tree(git));
  // git keeps no empty folders.
  if (made != nothing) entries += "040000 tree " + made + "\t" + std::string(name) + '\0';
  MEMFS_ASSIGN(std::string object, git.output({"mktree", "-z", "--missing"}, std::move(entries)));
  object.resize(object.find('\n'));
  return object;
}

}  // namespace memfs
