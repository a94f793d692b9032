// Links between memories: where they lead, what leads to a memory, and the whole as a graph. See
// docs/links.md.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>
#include <memfs/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace memfs {

enum class LinkState : std::uint8_t {
  kMemory,     // leads to a memory
  kBroken,     // names a memory that is not there
  kElsewhere,  // an address of the web, a file that is no memory, a heading of the same text
};

// By what a link names its memory.
enum class LinkBy : std::uint8_t { kName, kPath, kUri, kId, kSlug, kAlias, kTitle };

// A link as it stands in a memory's text.
struct TextLink {
  std::string text{};     // whole, as typed
  std::string address{};  // as typed
  int line = 0;           // 1-based, of the file
  int column = 0;         // 1-based, bytes
  bool embed = false;     // an embed or an image
  LinkState state = LinkState::kBroken;
  std::string ref{};       // kMemory: the reference of the memory
  bool ambiguous = false;  // other memories fit as well
};

struct Backlink {
  Memory from{};  // without its body
  TextLink link{};
};

struct LinkReport {
  Memory memory{};  // without its body
  std::vector<TextLink> out{};
  std::vector<Backlink> back{};  // by scope and name of their memories, in the order of the text
  std::vector<Problem> problems{};
};

// The links of one memory and those that lead to it. Errors as Store::read().
Result<LinkReport> links_of(const Store& store, std::string_view reference);

struct LinkedMemory {
  Found found{};
  std::vector<Backlink> back{};
};

// As Store::read(), with what leads to it; one look at the folders does for both.
Result<LinkedMemory> read_with_backlinks(const Store& store, std::string_view reference);

struct GraphRequest {
  std::vector<Scope> scopes{};  // all usable ones by default
  std::string root{};           // a reference: only what is linked with it, either way …
  std::size_t depth = 1;        // … over so many links
  bool broken = false;          // also links that lead nowhere
};

struct GraphEdge {
  std::size_t from = 0;  // places in LinkGraph::memories
  std::size_t to = 0;
  std::size_t count = 1;  // links between them
};

struct BrokenEdge {
  std::size_t from = 0;
  std::string address{};
};

// Each memory once, sorted by scope and name; edges by their ends.
struct LinkGraph {
  std::vector<Memory> memories{};  // without bodies
  std::vector<GraphEdge> edges{};
  std::vector<BrokenEdge> broken{};
  std::vector<Problem> problems{};
};

Result<LinkGraph> link_graph(const Store& store, const GraphRequest& request);

// Texts for Graphviz and for Mermaid, deterministic; any title is one line in them.
std::string render_dot(const LinkGraph& graph);
std::string render_mermaid(const LinkGraph& graph);

}  // namespace memfs
