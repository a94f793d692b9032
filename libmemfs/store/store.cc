#include <memfs/store.h>

#include <algorithm>
#include <thread>

#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {

Result<Layout> layout_at(const std::string& directory) {
  PosixFileSystem fs;
  Environment environment;
  environment.root = directory;
  environment.working_directory = "/";
  if (!directory.starts_with('/'))
    return make_error(ErrorCode::kUsage, "the folder's path must be absolute").at(directory);
  return discover_layout(fs, environment);
}

Result<Store> Store::open(Layout layout) { return open(std::move(layout), Services{}); }

Result<Store> Store::open(Layout layout, Services services) {
  if (!services.fs) services.fs = std::make_shared<PosixFileSystem>();
  if (!services.clock) services.clock = std::make_shared<SystemClock>();
  if (!services.ids) services.ids = std::make_shared<RandomIds>();
  if (services.threads == 0) services.threads = std::max(1U, std::thread::hardware_concurrency());
  auto impl = std::make_unique<Impl>();
  impl->layout = std::move(layout);
  impl->services = std::move(services);
  return Store(std::move(impl));
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const Layout& Store::layout() const { return impl_->layout; }

Problem scope_problem(const Error& error) {
  Problem problem;
  problem.code = "unreadable";
  problem.severity = Severity::kError;
  problem.path = escape_for_terminal(error.path);
  problem.message = error.message;
  problem.hint = error.hint;
  return problem;
}

Result<std::shared_ptr<Directory>> Store::Impl::scope_dir(Scope scope) const {
  const ScopeFolder& folder = layout.folder(scope);
  if (folder.path.empty()) return make_error(ErrorCode::kNotFound, folder.why);
  return fs().open(folder.path);
}

Result<std::shared_ptr<Directory>> Store::Impl::open_state() const {
  MEMFS_TRY(fs().make_directories(layout.state, 0700));
  return fs().open(layout.state);
}

Result<Listing> Store::Impl::list(const std::vector<Scope>& scopes) const {
  Listing listing;
  for (const Scope scope : kScopes) {
    const bool wanted =
        scopes.empty() || std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
    if (!wanted) continue;
    auto dir = scope_dir(scope);
    if (!dir) {
      if (dir.error().code == ErrorCode::kNotFound) continue;  // nothing there yet
      listing.problems.push_back(scope_problem(dir.error()));
      continue;
    }
    auto loaded = load_catalogue(**dir, scope, services.threads);
    if (!loaded) {
      listing.problems.push_back(scope_problem(loaded.error()));
      continue;
    }
    Catalogue catalogue = std::move(*loaded);
    for (Problem& problem : catalogue.problems) listing.problems.push_back(std::move(problem));
    for (Memory& memory : catalogue.memories) {
      listing.problems.insert(listing.problems.end(), memory.problems.begin(),
                              memory.problems.end());
      listing.memories.push_back(std::move(memory));
    }
  }
  return listing;
}

Result<Listing> Store::list(const std::vector<Scope>& scopes) const { return impl_->list(scopes); }

Result<Found> Store::read(std::string_view reference) const {
  MEMFS_ASSIGN(const Reference parsed, parse_reference(reference));
  std::vector<Scope> scopes;
  if (parsed.scope) scopes.push_back(*parsed.scope);
  MEMFS_ASSIGN(const Listing listing, impl_->list(scopes));
  return resolve(listing.memories, reference, false);
}

Result<std::string> Store::reference_of_path(const std::string& path) const {
  MEMFS_ASSIGN(const std::string real, impl_->fs().real_path(path));
  for (const Scope scope : kScopes) {
    const auto folder = impl_->fs().real_path(impl_->layout.folder(scope).path);
    if (!folder || !real.starts_with(*folder + "/")) continue;
    return std::string(name_of(scope)) + "/" + memory_name(real.substr(folder->size() + 1));
  }
  return make_error(ErrorCode::kNotFound, "the file lies in no scope")
      .at(path)
      .with_hint("`mem where` shows the folders of the scopes");
}

Result<std::string> Store::read_bytes(const Memory& memory) const {
  MEMFS_ASSIGN(const auto dir, impl_->scope_dir(memory.scope));
  MEMFS_ASSIGN(FileContent content, dir->read(memory.rel, kMaxFile));
  return std::move(content.bytes);
}

std::string title_from_text(std::string_view text) {
  constexpr std::size_t kWords = 8;
  constexpr std::size_t kGraphemes = 60;
  text = trim(text);
  auto line = trim(text.substr(0, text.find('\n')));
  // A heading or a list item without its mark.
  const auto mark = line.substr(0, line.find(' '));
  if (mark.size() < line.size() && mark.find_first_not_of("#-*>") == std::string_view::npos)
    line = trim(line.substr(mark.size()));
  std::size_t end = 0;
  for (std::size_t words = 0; words < kWords && end < line.size(); ++words) {
    const auto begin = line.find_first_not_of(" \t", end);
    if (begin == std::string_view::npos) break;
    end = std::min(line.find_first_of(" \t", begin), line.size());
  }
  const auto title = trim(take_graphemes(line.substr(0, end), kGraphemes));
  return std::string(title) + (title.size() < line.size() ? "…" : "");
}

Usage usage_of(const Catalogue& catalogue) {
  Usage usage;
  for (const Memory& memory : catalogue.memories) {
    usage.used += static_cast<std::uint64_t>(
        std::count_if(memory.body.begin(), memory.body.end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
  }
  return usage;
}

}  // namespace memfs
