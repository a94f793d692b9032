#include <memfs/links.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/index_page.h"
#include "libmemfs/store/link_lookup.h"

namespace memfs {
namespace {

using Edges = std::map<std::pair<std::size_t, std::size_t>, std::size_t>;

struct Links {
  Edges edges{};
  std::set<std::pair<std::size_t, std::string>> broken{};
};

Links read_links(const Store& store, const std::vector<Memory>& memories) {
  Links found;
  const LinkTable table(memories, folders_of(store.layout()),
                        [&](const std::string& path) { return StoreInside::exists(store, path); });
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const auto bytes = store.read_bytes(memories[i]);
    if (!bytes || bytes->size() < memories[i].body_offset) continue;
    LinkingMemory from{memories[i], {}};
    from.memory.body = bytes->substr(memories[i].body_offset);
    from.links = scan_links(from.memory.body);
    const LinkSource source{memories[i].scope, memories[i].name};
    for (const Link& link : from.links) {
      const auto address = from.address_of(link);
      const LinkTarget target = table.resolve(source, link, address);
      if (target.state == LinkState::kMemory) ++found.edges[{i, target.memory}];
      if (target.state == LinkState::kBroken) found.broken.emplace(i, std::string(address));
    }
  }
  return found;
}

// The places that are at most `depth` links away, either way.
std::set<std::size_t> around(std::size_t root, const Edges& edges, std::size_t depth) {
  std::map<std::size_t, std::vector<std::size_t>> next;
  for (const auto& [ends, count] : edges) {
    next[ends.first].push_back(ends.second);
    next[ends.second].push_back(ends.first);
  }
  std::set<std::size_t> seen = {root};
  std::deque<std::pair<std::size_t, std::size_t>> open = {{root, 0}};
  while (!open.empty()) {
    const auto [place, distance] = open.front();
    open.pop_front();
    if (distance == depth) continue;
    for (const std::size_t neighbour : next[place])
      if (seen.insert(neighbour).second) open.emplace_back(neighbour, distance + 1);
  }
  return seen;
}

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : escape_for_terminal(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Mermaid reads entities in its labels, and ends them at quotes and some other signs.
std::string mermaid_label(std::string_view text) {
  std::string out = "\"";
  for (const char c : escape_for_terminal(text)) {
    if (std::string_view("\"#&<>`[]{}|\\").find(c) != std::string_view::npos) {
      out += "#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string node(std::size_t number) { return "n" + std::to_string(number); }

}  // namespace

Result<LinkGraph> link_graph(const Store& store, const GraphRequest& request) {
  MEMFS_ASSIGN(Listing everything, store.list());
  const std::vector<Memory>& memories = everything.memories;
  std::set<std::size_t> shown;
  const auto place_of = [&](const Memory& memory) {
    const auto at = std::find_if(memories.begin(), memories.end(),
                                 [&](const Memory& m) { return m.path == memory.path; });
    return static_cast<std::size_t>(at - memories.begin());
  };
  std::size_t root = memories.size();
  if (!request.root.empty()) {
    MEMFS_ASSIGN(const Found found, store.read(request.root));
    root = place_of(found.memory);
  }
  const Links links = read_links(store, memories);
  for (std::size_t i = 0; i < memories.size(); ++i) shown.insert(i);
  if (root < memories.size()) shown = around(root, links.edges, request.depth);
  std::erase_if(shown, [&](std::size_t i) {
    return !request.scopes.empty() && std::find(request.scopes.begin(), request.scopes.end(),
                                                memories[i].scope) == request.scopes.end();
  });
  LinkGraph graph;
  graph.problems = std::move(everything.problems);
  std::map<std::size_t, std::size_t> places;
  for (const std::size_t i : shown) {
    places[i] = graph.memories.size();
    graph.memories.push_back(memories[i]);
    // Nothing that tells a model what to do gets out as a label.
    if (!telling_rule(memories[i]).empty()) graph.memories.back().title = leaf_of(memories[i].name);
  }
  for (const auto& [ends, count] : links.edges)
    if (shown.contains(ends.first) && shown.contains(ends.second))
      graph.edges.push_back({places[ends.first], places[ends.second], count});
  for (const auto& [from, address] : links.broken)
    if (request.broken && shown.contains(from)) graph.broken.push_back({places[from], address});
  return graph;
}

std::string render_dot(const LinkGraph& graph) {
  std::string out = "digraph mem {\n  rankdir=LR;\n  node [shape=box];\n";
  for (std::size_t i = 0; i < graph.memories.size(); ++i)
    out += "  " + node(i) + " [label=" + dot_string(graph.memories[i].title) +
           ", tooltip=" + dot_string(graph.memories[i].ref()) + "];\n";
  for (const GraphEdge& edge : graph.edges)
    out += "  " + node(edge.from) + " -> " + node(edge.to) + ";\n";
  for (std::size_t i = 0; i < graph.broken.size(); ++i) {
    out += "  b" + std::to_string(i) + " [label=" + dot_string(graph.broken[i].address) +
           ", style=dashed];\n";
    out += "  " + node(graph.broken[i].from) + " -> b" + std::to_string(i) + " [style=dashed];\n";
  }
  return out + "}\n";
}

std::string render_mermaid(const LinkGraph& graph) {
  std::string out = "flowchart LR\n";
  for (std::size_t i = 0; i < graph.memories.size(); ++i)
    out += "  " + node(i) + "[" + mermaid_label(graph.memories[i].title) + "]\n";
  for (const GraphEdge& edge : graph.edges)
    out += "  " + node(edge.from) + " --> " + node(edge.to) + "\n";
  for (std::size_t i = 0; i < graph.broken.size(); ++i)
    out += "  " + node(graph.broken[i].from) + " -.-> b" + std::to_string(i) + "[" +
           mermaid_label(graph.broken[i].address) + "]\n";
  return out;
}

}  // namespace memfs
