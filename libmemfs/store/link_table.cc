#include "libmemfs/store/link_table.h"

#include <algorithm>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kUriScheme = "mem://";

// Each part of the path as the name that mem would give to such a title.
std::string slug_path(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const auto slash = name.find('/');
    const std::string slug = slug_of(name.substr(0, slash));
    if (slug.empty()) return {};
    out = join_path(out, slug);
    name = slash == kNone ? std::string_view() : name.substr(slash + 1);
  }
  return out;
}

std::vector<Scope> scopes_from(Scope own) {
  std::vector<Scope> order = {own};
  for (const Scope scope : kScopes)
    if (scope != own) order.push_back(scope);
  return order;
}

std::string folded_leaf(std::string_view name) { return fold_name(leaf_of(std::string(name))); }

// "mem://shared/deploy/rollback#part" → "shared/deploy/rollback".
std::string path_of_uri(std::string_view address) {
  return to_nfc(decode_path(split_address(address.substr(kUriScheme.size())).path));
}

// A folder may be called "shared", too; but the scope is meant first.
std::optional<Scope> scope_in(std::string_view name, std::string_view& rest) {
  const auto slash = name.find('/');
  if (slash == kNone || slash + 1 == name.size()) return std::nullopt;
  const auto scope = scope_named(name.substr(0, slash));
  if (scope) rest = name.substr(slash + 1);
  return scope;
}

void add_word(std::vector<std::string>& words, std::string word) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
    words.push_back(std::move(word));
}

}  // namespace

LinkTable::LinkTable(const std::vector<Memory>& memories, const ScopeFolders& folders,
                     FileTest exists)
    : memories_(memories), folders_(folders), exists_(std::move(exists)) {
  for (std::uint32_t i = 0; i < memories.size(); ++i) {
    const Memory& memory = memories[i];
    const std::string folded = fold_name(memory.name);
    whole_[folded].push_back(i);
    note_ends(folded, i);
    if (!memory.id.empty()) ids_[fold_name(memory.id)].push_back(i);
    for (const std::string& alias : memory.aliases) aliases_[fold_name(alias)].push_back(i);
    titles_[fold_name(memory.title)].push_back(i);
  }
}

// "a/b/c" ends with "c" and "b/c".
void LinkTable::note_ends(const std::string& name, std::uint32_t i) {
  const auto parts = static_cast<std::size_t>(std::count(name.begin(), name.end(), '/'));
  for (auto slash = name.find('/'); slash != kNone; slash = name.find('/', slash + 1)) {
    End& end = ends_.at(static_cast<std::size_t>(memories_[i].scope))[name.substr(slash + 1)];
    if (end.fits == 0 || parts < end.parts) {
      end.memory = i;
      end.parts = parts;
    }
    ++end.fits;
  }
}

LinkTarget LinkTable::resolve(const LinkSource& from, const Link& link,
                              std::string_view address) const {
  LinkTarget target = link.is_wiki() ? wiki(from, address) : path(from, address);
  const bool doubtful = target.state == LinkState::kBroken || target.ambiguous;
  if (link.cites && doubtful) target.state = LinkState::kElsewhere;
  return target;
}

LinkTarget LinkTable::wiki(const LinkSource& from, std::string_view address) const {
  LinkTarget target;
  target.state = LinkState::kElsewhere;
  if (address.starts_with('#') || address.find("://") != kNone) return target;
  const auto names = names_in(address);
  target.state = LinkState::kMemory;
  const auto found = [&](std::string_view name) {
    target.name_size = static_cast<std::size_t>(name.data() - address.data()) + name.size();
    return target;
  };
  for (const std::string_view name : names)
    if (by_name(from, name, target)) return found(name);
  for (const std::string_view name : names) {
    const std::string slug = slug_path(without_md(name));
    target.by = LinkBy::kSlug;
    if (!slug.empty() && by_spelling(from, slug, target)) return found(name);
    const std::string word = fold_name(name);
    if (nearest(from, aliases_, word, LinkBy::kAlias, target)) return found(name);
    if (nearest(from, titles_, word, LinkBy::kTitle, target)) return found(name);
  }
  target.state = std::any_of(names.begin(), names.end(), is_other_file) ? LinkState::kElsewhere
                                                                        : LinkState::kBroken;
  return target;
}

bool LinkTable::by_name(const LinkSource& from, std::string_view name, LinkTarget& target) const {
  if (nearest(from, ids_, fold_name(name), LinkBy::kId, target)) return true;
  target.by = LinkBy::kName;
  if (name.starts_with("./") || name.starts_with("../")) {
    const auto whole = normal_path(join_path(parent_of(std::string(from.name)), name));
    return whole && (whole_name(from.scope, to_nfc(*whole), target) ||
                     whole_name(from.scope, to_nfc(without_md(*whole)), target));
  }
  if (name.starts_with('/')) name.remove_prefix(1);
  const std::string exact = to_nfc(name);
  if (by_spelling(from, exact, target)) return true;
  const std::string_view stem = without_md(exact);
  return stem.size() != exact.size() && by_spelling(from, std::string(stem), target);
}

bool LinkTable::by_spelling(const LinkSource& from, const std::string& name,
                            LinkTarget& target) const {
  std::string_view rest;
  if (const auto scope = scope_in(name, rest))
    if (in_scope(from, *scope, std::string(rest), target)) return true;
  for (const Scope scope : scopes_from(from.scope))
    if (in_scope(from, scope, name, target)) return true;
  return false;
}

// The whole name in the scope, then beside the link's own memory, then as the end of a name.
bool LinkTable::in_scope(const LinkSource& from, Scope scope, const std::string& name,
                         LinkTarget& target) const {
  if (whole_name(scope, name, target)) return true;
  const std::string folder = parent_of(std::string(from.name));
  if (scope == from.scope && !folder.empty() && whole_name(scope, join_path(folder, name), target))
    return true;
  const auto& ends = ends_.at(static_cast<std::size_t>(scope));
  const auto end = ends.find(fold_name(name));
  if (end == ends.end()) return false;
  target.memory = end->second.memory;
  target.ambiguous = end->second.fits > 1;
  return true;
}

bool LinkTable::whole_name(Scope scope, const std::string& name, LinkTarget& target) const {
  const auto named = whole_.find(fold_name(name));
  if (named == whole_.end()) return false;
  bool found = false;
  for (const std::uint32_t i : named->second) {
    if (memories_[i].scope != scope) continue;
    const bool exact = memories_[i].name == name;
    if (!found || exact) target.memory = i;
    found = true;
    if (exact) break;
  }
  if (found) target.ambiguous = false;
  return found;
}

bool LinkTable::nearest(const LinkSource& from, const std::unordered_map<std::string, Places>& map,
                        const std::string& word, LinkBy by, LinkTarget& target) const {
  const auto places = map.find(word);
  if (places == map.end()) return false;
  for (const Scope scope : scopes_from(from.scope)) {
    for (const std::uint32_t i : places->second) {
      if (memories_[i].scope != scope) continue;
      target.memory = i;
      target.by = by;
      target.ambiguous = places->second.size() > 1;
      return true;
    }
  }
  return false;
}

LinkTarget LinkTable::path(const LinkSource& from, std::string_view address) const {
  LinkTarget target;
  target.state = LinkState::kElsewhere;
  if (address.starts_with(kUriScheme)) {
    const std::string uri = path_of_uri(address);
    std::string_view rest;
    const auto scope = scope_in(uri, rest);
    target.state = LinkState::kBroken;
    target.by = LinkBy::kUri;
    if (scope && whole_name(*scope, std::string(rest), target)) target.state = LinkState::kMemory;
    return target;
  }
  const std::string path = decode_path(split_address(address).path);
  if (has_scheme(address) || path.starts_with('/') || !has_md(path)) return target;
  const std::string& root = folders_.at(static_cast<std::size_t>(from.scope));
  const auto absolute =
      normal_path(join_path(join_path(root, parent_of(std::string(from.name))), path));
  return absolute ? in_folders(from, "/" + *absolute) : target;
}

LinkTarget LinkTable::in_folders(const LinkSource& from, const std::string& absolute) const {
  LinkTarget target;
  target.state = LinkState::kElsewhere;
  for (const Scope scope : scopes_from(from.scope)) {
    const std::string& folder = folders_.at(static_cast<std::size_t>(scope));
    if (folder.empty() || !absolute.starts_with(folder + "/")) continue;
    const std::string rel = absolute.substr(folder.size() + 1);
    if (is_page_file(leaf_of(rel))) return target;
    target.by = LinkBy::kPath;
    target.across = scope != from.scope;
    target.state = LinkState::kBroken;
    if (whole_name(scope, to_nfc(without_md(rel)), target)) {
      target.state = LinkState::kMemory;
    } else if (exists_ && exists_(absolute)) {
      target.state = LinkState::kElsewhere;
    }
    return target;
  }
  return target;
}

std::vector<std::string> words_of_memory(const Memory& memory) {
  std::vector<std::string> words;
  add_word(words, folded_leaf(memory.name));
  if (!memory.id.empty()) add_word(words, fold_name(memory.id));
  for (const std::string& alias : memory.aliases) add_word(words, fold_name(alias));
  add_word(words, fold_name(memory.title));
  return words;
}

std::vector<std::string> words_of_link(const Link& link, std::string_view address) {
  std::vector<std::string> words;
  if (!link.is_wiki()) {
    const bool uri = address.starts_with(kUriScheme);
    const std::string path = uri ? path_of_uri(address) : decode_path(split_address(address).path);
    if (uri) add_word(words, folded_leaf(path));
    if (!uri && !has_scheme(address) && has_md(path))
      add_word(words, folded_leaf(without_md(path)));
    return words;
  }
  if (address.starts_with('#') || address.find("://") != kNone) return words;
  for (const std::string_view name : names_in(address)) {
    add_word(words, fold_name(name));
    add_word(words, folded_leaf(name));
    add_word(words, folded_leaf(without_md(name)));
    add_word(words, folded_leaf(slug_path(without_md(name))));
  }
  return words;
}

}  // namespace memfs
