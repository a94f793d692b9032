#include "cli/mcp/resources.h"

#include <memfs/context.h>

#include <algorithm>
#include <set>

#include "cli/mcp/percent.h"
#include "cli/mcp/untrusted.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/recall/compact_index.h"

namespace memfs::cli {
namespace {

constexpr char kMarkdown[] = "text/markdown";
constexpr std::string_view kScheme = "mem://";
constexpr std::string_view kIndex = "index/";
constexpr std::size_t kMostCompletions = 100;  // what the protocol sends

Error no_resource(const std::string& uri) {
  return make_error(ErrorCode::kNotFound, "there is no resource " + visible(uri))
      .with_hint("mem://context, mem://index/SCOPE and mem://SCOPE/NAME");
}

std::vector<mcp::ResourceText> markdown(const std::string& uri, std::string text) {
  return {{uri, kMarkdown, std::move(text)}};
}

Result<std::vector<mcp::ResourceText>> read_context(const Store& store, Instant now) {
  MEMFS_ASSIGN(const AssembledContext context, assemble_context(store, {}, now));
  return markdown(kContextUri, context.text);
}

Result<std::vector<mcp::ResourceText>> read_index(const Store& store, const std::string& uri,
                                                  Scope scope, Instant now) {
  CompactIndexRequest request;
  request.scopes = {scope};
  MEMFS_ASSIGN(const CompactIndex index, compact_index(store, request, now));
  return markdown(uri, index.text);
}

// A person's own memory as its file is; a shared one between tags that say whose text it is.
Result<std::vector<mcp::ResourceText>> read_memory(const Store& store, const std::string& uri,
                                                   const std::string& reference) {
  const auto found = store.read(reference);
  const bool no_name = !found && found.error().code == ErrorCode::kUsage;
  if (no_name || (found && found->memory.ref() != reference)) return no_resource(uri);
  if (!found) return found.error();
  MEMFS_ASSIGN(const Admission admission, store.admit(found->memory));
  const Memory& memory = admission.memory;
  store.note_read(memory);
  if (memory.scope == Scope::kShared) {
    const bool held_back = !admission.held_back.empty();
    return markdown(uri, std::string(kSharedOrigin) + "\n\n" +
                             enclosed_memory(memory, visible(memory.body), held_back));
  }
  MEMFS_ASSIGN(std::string bytes, store.read_bytes(memory));
  return markdown(uri, std::move(bytes));
}

mcp::Resource resource(std::string uri, std::string name, std::string title, std::string about) {
  return {std::move(uri), std::move(name), std::move(title), std::move(about), kMarkdown, {}};
}

mcp::Completion completion_of(std::vector<std::string> values, std::size_t total) {
  mcp::Completion completion;
  completion.total = total;
  completion.has_more = values.size() < total;
  completion.values = std::move(values);
  return completion;
}

mcp::Completion complete_scope(const std::string& typed) {
  std::vector<std::string> values;
  for (const Scope scope : kScopes)
    if (name_of(scope).starts_with(typed)) values.emplace_back(name_of(scope));
  const std::size_t total = values.size();
  return completion_of(std::move(values), total);
}

Result<mcp::Completion> complete_name(const Store& store, const std::string& typed,
                                      const std::vector<Scope>& scopes) {
  MEMFS_ASSIGN(const Listing listing, store.list(scopes));
  const std::string wanted = fold_name(typed);
  std::vector<std::pair<std::size_t, std::string>> found;  // by where it begins
  for (const Memory& memory : listing.memories) {
    const auto at = fold_name(memory.name).find(wanted);
    if (at != std::string::npos && shown_reference(memory) == memory.ref())
      found.emplace_back(at, memory.name);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> values;
  for (std::size_t i = 0; i < std::min(found.size(), kMostCompletions); ++i)
    values.push_back(std::move(found[i].second));
  return completion_of(std::move(values), found.size());
}

}  // namespace

const char* const kContextUri = "mem://context";

std::string index_uri(Scope scope) { return "mem://index/" + std::string(name_of(scope)); }

std::string resource_uri(const std::string& ref) {
  return std::string(kScheme) + percent_encoded(ref);
}

std::vector<std::string> changed_uris(const std::vector<std::string>& refs) {
  if (refs.empty()) return {};
  std::set<std::string> uris = {kContextUri};
  for (const std::string& ref : refs) {
    const auto slash = ref.find('/');
    const std::string scope = ref.substr(0, slash);
    uris.insert(resource_uri(ref));
    uris.insert(std::string(kScheme) + ref);
    uris.insert(std::string(kScheme) + scope + "/" +
                percent_encoded(ref.substr(slash + 1), /*slashes=*/true));
    if (const auto known = scope_named(scope)) uris.insert(index_uri(*known));
  }
  return {uris.begin(), uris.end()};
}

std::vector<mcp::Resource> memory_resources(const Layout& layout) {
  std::vector<mcp::Resource> all = {
      resource(kContextUri, "context", "Memory context",
               "Rules, pinned memories and an index, as a session should begin with them")};
  for (const Scope scope : kScopes) {
    if (!layout.folder(scope).usable) continue;
    const std::string name(name_of(scope));
    all.push_back(resource(index_uri(scope), name + " index", "Index of the " + name + " memories",
                           "One line for each memory"));
  }
  return all;
}

std::vector<mcp::ResourceTemplate> memory_templates() {
  return {
      {"mem://{scope}/{+name}", "memory", "A memory", "A memory by its scope and name", kMarkdown}};
}

Result<std::vector<mcp::ResourceText>> read_resource(const Store& store, const std::string& uri,
                                                     Instant now) {
  if (uri == kContextUri) return read_context(store, now);
  if (!uri.starts_with(kScheme)) return no_resource(uri);
  const auto path = percent_decoded(std::string_view(uri).substr(kScheme.size()));
  if (!path) return no_resource(uri);
  if (path->starts_with(kIndex)) {
    const auto scope = scope_named(path->substr(kIndex.size()));
    return scope ? read_index(store, uri, *scope, now) : no_resource(uri);
  }
  const auto slash = path->find('/');
  if (slash == std::string::npos || !scope_named(path->substr(0, slash))) return no_resource(uri);
  return read_memory(store, uri, *path);
}

Result<mcp::Completion> complete_resource(const Store& store,
                                          const mcp::CompletionRequest& request) {
  if (request.argument == "scope") return complete_scope(request.value);
  std::vector<Scope> scopes;
  if (const auto given = request.given.find("scope"); given != request.given.end())
    if (const auto scope = scope_named(given->second)) scopes = {*scope};
  return complete_name(store, request.value, scopes);
}

}  // namespace memfs::cli
