#include "libmemfs/store/link_rewrite.h"

#include <algorithm>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/format/link_address.h"

namespace memfs {
namespace {

// The last `count` parts of the path, or all of it.
std::string last_parts(const std::string& path, std::size_t count) {
  std::size_t at = path.size();
  while (count-- > 0) {
    if (at == 0) return path;
    const auto slash = path.rfind('/', at - 1);
    if (slash == std::string::npos) return path;
    at = slash;
  }
  return path.substr(at + 1);
}

std::size_t parts_of(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
}

// A path as an address in the style of the old one.
std::string as_address(const std::string& path, const Link& link, std::string_view old) {
  std::string shown = path;
  if (old.starts_with("./") && !path.starts_with("../")) shown = "./" + path;
  const bool plain =
      decode_path(shown) == shown && shown.find_first_of("<>?#\n") == std::string::npos;
  return link.angled && plain ? shown : encode_path(shown);
}

// Without the slash at the beginning, as relative_path() takes it.
std::string_view rootless(std::string_view absolute) {
  return absolute.starts_with('/') ? absolute.substr(1) : absolute;
}

std::string edited(const std::string& body, const std::vector<LinkEdit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const LinkEdit& edit : edits) {
    out.append(body, at, edit.span.begin - at);
    out += edit.after;
    at = edit.span.end;
  }
  return out.append(body, at);
}

}  // namespace

LinkRewriter::LinkRewriter(const LinkTable& before, const LinkTable& after, const NewPlaces& places,
                           const ScopeFolders& folders,
                           std::function<bool(const std::string&)> exists)
    : before_(before),
      after_(after),
      places_(places),
      folders_(folders),
      exists_(std::move(exists)) {}

NewPlace LinkRewriter::place_of(const Memory& memory) const {
  const auto moved = places_.find(memory.path);
  if (moved != places_.end()) return moved->second;
  return {memory.scope, memory.name, memory.rel};
}

LinkRewriter::Source LinkRewriter::source_of(const Memory& memory) const {
  const auto moved = places_.find(memory.path);
  Source source;
  source.before = {memory.scope, memory.name};
  source.after =
      moved == places_.end() ? source.before : LinkSource{moved->second.scope, moved->second.name};
  // As the disk spells it, which may be another normal form than the name's.
  const auto folder_of = [&](Scope scope, const std::string& file) {
    return join_path(folders_.at(static_cast<std::size_t>(scope)), parent_of(file));
  };
  source.folder_before = folder_of(memory.scope, memory.rel);
  source.folder_after = moved == places_.end() ? source.folder_before
                                               : folder_of(moved->second.scope, moved->second.file);
  return source;
}

RewrittenLinks LinkRewriter::rewrite(const LinkingMemory& from) const {
  RewrittenLinks out;
  const Source source = source_of(from.memory);
  const auto resolved = resolve_links(from, before_);
  for (std::size_t i = 0; i < from.links.size(); ++i) {
    const Link& link = from.links[i];
    const LinkTarget& was = resolved[i].target;
    const std::string address(from.address_of(link));
    std::string next = address;
    std::string why;
    if (was.state == LinkState::kMemory) {
      next = new_address(source, link, address, was);
      if (next.empty()) why = "no way to write it leads to the same memory";
      out.hidden += is_hidden(source, before_.memories()[was.memory]) ? 1 : 0;
    } else if (!link.is_wiki()) {
      bool lost = false;
      next = moved_file_address(source, link, address, lost);
      if (lost) why = "it leads to a file that stays where it is";
    }
    const int line = resolved[i].shown.line;
    if (!why.empty()) {
      out.left.push_back({resolved[i].shown.text, line, why});
    } else if (next != address) {
      out.edits.push_back({link.address, address, next, line});
    }
  }
  out.body = edited(from.memory.body, out.edits);
  if (holds(from, resolved, out)) return out;
  for (const LinkEdit& edit : out.edits)
    out.left.push_back({edit.before, edit.line, "the text around it would read differently"});
  out.edits.clear();
  out.body = from.memory.body;
  return out;
}

// Whether the move lets a shared memory link to what not everyone sees.
bool LinkRewriter::is_hidden(const Source& from, const Memory& memory) const {
  if (from.after.scope != Scope::kShared || place_of(memory).scope == Scope::kShared) return false;
  return from.before.scope != Scope::kShared || memory.scope == Scope::kShared;
}

// The new text has the same links, and they lead where they led.
bool LinkRewriter::holds(const LinkingMemory& from, const std::vector<ResolvedLink>& were,
                         const RewrittenLinks& out) const {
  if (out.edits.empty()) return true;
  LinkingMemory next;
  next.memory.body = out.body;
  next.links = scan_links(next.memory.body);
  if (next.links.size() != from.links.size()) return false;
  const Source source = source_of(from.memory);
  std::size_t edit = 0;
  for (std::size_t i = 0; i < next.links.size(); ++i) {
    const std::string address(next.address_of(next.links[i]));
    const bool changed =
        edit < out.edits.size() && out.edits[edit].span.begin == from.links[i].address.begin;
    if (address != (changed ? out.edits[edit].after : std::string(from.address_of(from.links[i]))))
      return false;
    edit += changed ? 1 : 0;
    if (!changed || were[i].target.state != LinkState::kMemory) continue;
    const Memory& memory = before_.memories()[were[i].target.memory];
    if (!leads_to(source, next.links[i], address, memory)) return false;
  }
  return true;
}

bool LinkRewriter::reads_same(const Memory& memory, const std::string& a,
                              const std::string& b) const {
  const Source source = source_of(memory);
  const auto links_a = scan_links(a);
  const auto links_b = scan_links(b);
  if (links_a.size() != links_b.size()) return false;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  for (std::size_t i = 0; i < links_a.size(); ++i) {
    const Span& span_a = links_a[i].address;
    const Span& span_b = links_b[i].address;
    if (a.substr(at_a, span_a.begin - at_a) != b.substr(at_b, span_b.begin - at_b)) return false;
    const std::string address_a = a.substr(span_a.begin, span_a.end - span_a.begin);
    const std::string address_b = b.substr(span_b.begin, span_b.end - span_b.begin);
    at_a = span_a.end;
    at_b = span_b.end;
    if (address_a == address_b) continue;
    const LinkTarget target = after_.resolve(source.after, links_a[i], address_a);
    if (target.state != LinkState::kMemory ||
        !leads_to(source, links_b[i], address_b, after_.memories()[target.memory]))
      return false;
  }
  return a.substr(at_a) == b.substr(at_b);
}

bool LinkRewriter::leads_to(const Source& from, const Link& link, const std::string& address,
                            const Memory& memory) const {
  const LinkTarget target = after_.resolve(from.after, link, address);
  return target.state == LinkState::kMemory && after_.memories()[target.memory].path == memory.path;
}

// The address as it is if it still leads there and does not spell an old name; "" if none does.
std::string LinkRewriter::new_address(const Source& from, const Link& link,
                                      std::string_view address, const LinkTarget& was) const {
  const Memory& memory = before_.memories()[was.memory];
  std::string old(address);
  const bool spelt = was.by == LinkBy::kName || was.by == LinkBy::kPath || was.by == LinkBy::kUri;
  // Also one that differs in case alone, which would still lead there, spells the new name: the
  // parts of it that were typed, and of a path all of them, which the file system looks for.
  const std::size_t parts =
      was.by == LinkBy::kName ? parts_of(address.substr(0, was.name_size)) : std::string::npos;
  const std::string name = place_of(memory).name;
  const bool other_case = fold_name(name) == fold_name(memory.name) &&
                          last_parts(name, parts) != last_parts(memory.name, parts);
  const bool renamed = spelt && (leaf_of(name) != leaf_of(memory.name) || other_case);
  if (!renamed && leads_to(from, link, old, memory)) return old;
  const auto choices = link.is_wiki() ? spellings(address, was) : paths(link, address, was, from);
  for (const std::string& choice : choices)
    if (leads_to(from, link, choice, memory)) return choice;
  return {};
}

// Names for a wiki link: as many parts as were written, then more, then with the scope, then the
// id.
std::vector<std::string> LinkRewriter::spellings(std::string_view address,
                                                 const LinkTarget& was) const {
  const Memory& memory = before_.memories()[was.memory];
  const NewPlace place = place_of(memory);
  const std::string_view typed = address.substr(0, was.name_size);
  const std::string rest(address.substr(was.name_size));
  const bool suffix = has_md(typed) && !has_md(memory.name);
  const auto slash = typed.find('/');
  const bool scoped = slash != std::string::npos && scope_named(typed.substr(0, slash)) &&
                      !memory.name.starts_with(typed.substr(0, slash + 1));
  std::vector<std::string> names;
  const std::string full = std::string(name_of(place.scope)) + "/" + place.name;
  if (scoped) {
    names.push_back(full);
  } else {
    // The whole name stays the whole name.
    const bool whole = parts_of(typed) >= parts_of(memory.name) && parts_of(typed) > 1;
    for (auto parts = whole ? parts_of(place.name) : parts_of(typed); parts <= parts_of(place.name);
         ++parts)
      names.push_back(last_parts(place.name, parts));
    names.push_back(place.name);
    names.push_back(full);
  }
  if (suffix)
    for (std::string& name : names) name += ".md";
  names.push_back(memory.id);
  std::erase_if(names, [](const std::string& name) { return !fits_wiki_link(name); });
  for (std::string& name : names) name += rest;
  return names;
}

// Addresses for a markdown link: the way from its file, or the name that holds from everywhere.
std::vector<std::string> LinkRewriter::paths(const Link& link, std::string_view address,
                                             const LinkTarget& was, const Source& from) const {
  const Memory& memory = before_.memories()[was.memory];
  const NewPlace place = place_of(memory);
  const std::string rest(split_address(address).rest);
  std::vector<std::string> choices;
  const bool moved_apart =
      place.scope != from.after.scope &&
      !(was.across && place.scope == memory.scope && from.before.scope == from.after.scope);
  if (was.by == LinkBy::kPath && !moved_apart) {
    const std::string target =
        join_path(folders_.at(static_cast<std::size_t>(place.scope)), place.file);
    choices.push_back(
        as_address(relative_path(rootless(from.folder_after), rootless(target)), link, address) +
        rest);
  }
  choices.push_back("mem://" + encode_path(std::string(name_of(place.scope)) + "/" + place.name) +
                    rest);
  return choices;
}

// Of a link to a file that is no memory, in a memory that goes to another folder.
std::string LinkRewriter::moved_file_address(const Source& from, const Link& link,
                                             std::string_view address, bool& lost) const {
  std::string old(address);
  const std::string path = decode_path(split_address(address).path);
  if (from.folder_before == from.folder_after || path.empty() || path.starts_with('/') ||
      has_scheme(address))
    return old;
  const auto file = normal_path(join_path(from.folder_before, path));
  if (!file || !exists_("/" + *file)) return old;
  if (from.before.scope != from.after.scope) {
    lost = true;
    return old;
  }
  std::string way = relative_path(rootless(from.folder_after), *file);
  if (path.ends_with('/')) way += '/';
  return as_address(way, link, address) + std::string(split_address(address).rest);
}

}  // namespace memfs
