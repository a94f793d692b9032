#include "libmemfs/store/git_dir.h"

#include <algorithm>

#include "libmemfs/base/process.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::uint64_t kMaxConfig = 64U << 20U;

std::optional<std::string> read_small(FileSystem& fs, const std::string& folder,
                                      const std::string& name) {
  auto dir = fs.open(folder);
  if (!dir) return std::nullopt;
  auto content = (*dir)->read(name, kMaxConfig);
  if (!content) return std::nullopt;
  return std::move(content->bytes);
}

std::string absolute_from(const std::string& base, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : join_path(base, path);
}

// The repository folder of the work tree `top`, which for a worktree is not the common one.
std::optional<std::string> repository_of(FileSystem& fs, const std::string& top) {
  const auto pointer = read_small(fs, top, ".git");
  if (!pointer) return join_path(top, ".git");
  const auto line = trim(*pointer);
  if (!line.starts_with("gitdir:")) return std::nullopt;
  return absolute_from(top, trim(line.substr(7)));
}

bool is_object_name(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The commit of a reference in packed-refs: "<commit> <name>\n".
std::string packed_reference(const std::string& packed, const std::string& name) {
  const auto at = packed.find(" " + name + "\n");
  if (at == std::string::npos) return {};
  const auto begin = packed.rfind('\n', at);
  const std::string commit = packed.substr(begin == std::string::npos ? 0 : begin + 1, at);
  return commit.substr(0, commit.find(' '));
}

// Calls `use(section, key, value)` for each setting of a git configuration file. Enough for what
// git itself writes: one setting a line, optional quotes.
template <typename Use>
void each_setting(std::string_view config, Use use) {
  std::string section;
  while (!config.empty()) {
    const auto eol = config.find('\n');
    const auto line = trim(config.substr(0, eol));
    config.remove_prefix(eol == std::string_view::npos ? config.size() : eol + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      section = ascii_lower(line.substr(1, line.find(']') - 1));
      continue;
    }
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    auto value = trim(line.substr(equals + 1));
    if (!value.starts_with('"')) value = trim(value.substr(0, value.find_first_of("#;")));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    use(section, ascii_lower(trim(line.substr(0, equals))), value);
  }
}

// "https://user:token@host/x" without the credentials.
std::string without_credentials(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const auto host = scheme + 3;
  const auto at = url.substr(host, url.find('/', host) - host).rfind('@');
  if (at == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, host)) + std::string(url.substr(host + at + 1));
}

bool same_place(FileSystem& fs, const std::string& a, const std::string& b) {
  const auto real_a = fs.real_path(a);
  const auto real_b = fs.real_path(b);
  return real_a && real_b && *real_a == *real_b;
}

// Whether the repository with the common directory `common`, reached through `git`, points back at
// `top`: the `gitdir` file of a worktree, which lies in `<common>/worktrees`, or core.worktree of a
// submodule.
bool knows_work_tree(FileSystem& fs, const std::string& git, const std::string& common,
                     const std::string& top) {
  const auto real_git = fs.real_path(git);
  if (!real_git) return false;
  if (*real_git != common) {
    const auto back = read_small(fs, *real_git, "gitdir");
    return back && real_git->starts_with(common + "/worktrees/") &&
           same_place(fs, absolute_from(*real_git, trim(*back)), join_path(top, ".git"));
  }
  const auto config = read_small(fs, git, "config");
  bool knows = false;
  if (config) {
    each_setting(*config,
                 [&](std::string_view section, std::string_view key, std::string_view value) {
                   if (section == "core" && key == "worktree")
                     knows = same_place(fs, absolute_from(git, value), top);
                 });
  }
  return knows;
}

}  // namespace

bool is_project_id(std::string_view text) {
  return text.size() == 26 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

std::optional<std::string> git_common_dir(FileSystem& fs, const std::string& top) {
  const std::string own = join_path(top, ".git");
  const auto repository = repository_of(fs, top);
  if (!repository) return std::nullopt;
  const std::string& git = *repository;
  if (!fs.stat(join_path(git, "HEAD"))) return std::nullopt;
  std::string common = git;
  if (const auto link = read_small(fs, git, "commondir")) common = absolute_from(git, trim(*link));
  auto real = fs.real_path(common);
  if (!real) return std::nullopt;
  // Anything but the folder `.git` itself must be known to the repository that it leads to: files
  // and links like these can come in an archive.
  if (*real != own && !knows_work_tree(fs, git, *real, top)) return std::nullopt;
  return *real;
}

std::string git_branch(FileSystem& fs, const std::string& top) {
  const auto git = repository_of(fs, top);
  const auto head = git ? read_small(fs, *git, "HEAD") : std::nullopt;
  if (!head || !head->starts_with("ref: ")) return {};
  std::string name(trim(head->substr(5)));
  return is_safe_relative(name) && name.starts_with("refs/") ? name : std::string();
}

std::string git_head(FileSystem& fs, const std::string& top, const std::string& common_dir) {
  const auto git = repository_of(fs, top);
  auto head = git ? read_small(fs, *git, "HEAD") : std::nullopt;
  constexpr int kMostLinks = 5;  // references that name references, as git bounds them
  for (int i = 0; head && i < kMostLinks; ++i) {
    std::string text(trim(*head));
    if (is_object_name(text)) return text;
    const std::string name = text.starts_with("ref: ") ? text.substr(5) : std::string();
    if (!is_safe_relative(name)) return {};
    head = read_small(fs, *git, name);
    if (!head) head = read_small(fs, common_dir, name);
    if (head) continue;
    if (const auto packed = read_small(fs, common_dir, "packed-refs"))
      head = packed_reference(*packed, name);
  }
  return {};
}

std::set<std::string> shallow_commits(FileSystem& fs, const std::string& common_dir) {
  std::set<std::string> commits;
  const auto list = read_small(fs, common_dir, "shallow");
  std::string_view rest = list ? std::string_view(*list) : std::string_view();
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    if (const auto name = trim(rest.substr(0, end)); is_object_name(name)) commits.emplace(name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return commits;
}

Result<std::string> read_project_id(FileSystem& fs, const std::string& common_dir) {
  std::string id;
  // The configuration may be a link (several work trees over one repository).
  auto path = fs.real_path(join_path(common_dir, "config"));
  if (!path) {
    if (path.error().code == ErrorCode::kNotFound) return id;
    return std::move(path).error();
  }
  MEMFS_ASSIGN(const auto dir, fs.open(parent_of(*path)));
  MEMFS_ASSIGN(const FileContent config, dir->read(leaf_of(*path), kMaxConfig));
  each_setting(config.bytes,
               [&](std::string_view section, std::string_view key, std::string_view value) {
                 if (section == "mem" && key == "project" && is_project_id(value)) id = value;
               });
  return id;
}

std::string linked_config(FileSystem& fs, const std::string& common_dir) {
  const std::string own = join_path(common_dir, "config");
  const auto real = fs.real_path(own);
  return real && *real != own ? *real : std::string();
}

Result<void> write_project_id(const std::string& common_dir, const std::string& id) {
  const std::string file = join_path(common_dir, "config");
  auto done = run_process({"git", "config", "--file", file, "--replace-all", "mem.project", id});
  if (!done) return std::move(done).error().with_hint("install git, or use --root");
  if (done->exit_code == 0) return {};
  return make_error(ErrorCode::kIo,
                    "git could not store the project's id: " + std::string(trim(done->out)))
      .at(file)
      .with_hint("check that the repository's configuration can be written");
}

std::vector<std::string> git_remotes(FileSystem& fs, const std::string& common_dir) {
  std::vector<std::string> urls;
  const auto config = read_small(fs, common_dir, "config");
  if (!config) return urls;
  each_setting(*config,
               [&](std::string_view section, std::string_view key, std::string_view value) {
                 if (section.starts_with("remote ") && key == "url")
                   urls.push_back(without_credentials(value));
               });
  return urls;
}

}  // namespace memfs
