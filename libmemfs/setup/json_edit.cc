#include "libmemfs/setup/json_edit.h"

#include <algorithm>
#include <optional>

#include "libmemfs/base/utf8.h"

namespace memfs::setup {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// How the text is laid out.
struct Style {
  std::string newline = "\n";
  std::string indent = "  ";
  std::string colon = ": ";
  std::string comma = ", ";
  bool lines = true;  // false: the text is one line
};

// The blanks with which the line of `pos` begins.
std::string line_indent(std::string_view text, std::size_t pos) {
  const std::size_t from = pos == 0 ? 0 : text.rfind('\n', pos - 1) + 1;
  std::size_t to = from;
  while (to < text.size() && is_blank(text[to])) ++to;
  return std::string(text.substr(from, to - from));
}

// Whether nothing but blanks stands before `pos` in its line.
bool begins_line(std::string_view text, std::size_t pos) {
  while (pos > 0 && is_blank(text[pos - 1])) --pos;
  return pos > 0 && text[pos - 1] == '\n';
}

Style style_of(std::string_view text, const JsonNode& root) {
  Style style;
  const std::size_t line = text.find('\n');
  if (line != std::string_view::npos && line > 0 && text[line - 1] == '\r') style.newline = "\r\n";
  style.lines = text.find('\n', root.begin) < root.end || root.items.empty();
  if (root.items.empty()) return style;
  const JsonItem& first = root.items.front();
  if (begins_line(text, first.begin)) {
    const std::string indent = line_indent(text, first.begin);
    if (!indent.empty()) style.indent = indent;
  }
  const std::string_view between = text.substr(first.begin, first.value.begin - first.begin);
  if (!between.empty() && between.ends_with(':')) style.colon = ":";
  if (!style.lines && style.colon == ":") style.comma = ",";
  return style;
}

bool holds_containers(const JsonNode& node) {
  return std::any_of(node.items.begin(), node.items.end(), [](const JsonItem& item) {
    return item.value.is_object() || item.value.is_array();
  });
}

// `in_line`: all in one line; else each member of an object, and what holds more than words, has a
// line of its own behind `indent`.
std::string render(const JsonNode& node, const Style& style, const std::string& indent,
                   bool in_line) {
  if (node.is_string()) return json_string(node.text);
  if (!node.is_object() && !node.is_array()) return node.text;
  const bool flat = in_line || (node.is_array() && !holds_containers(node)) || node.items.empty();
  const std::string inner = indent + style.indent;
  std::string out;
  for (const JsonItem& item : node.items) {
    if (!out.empty()) out += flat ? style.comma : ",";
    if (!flat) out += style.newline + inner;
    if (node.is_object()) out += json_string(item.key) + style.colon;
    out += render(item.value, style, inner, flat);
  }
  if (!flat) out += style.newline + indent;
  return (node.is_object() ? "{" : "[") + out + (node.is_object() ? "}" : "]");
}

// The end of the comments that stand behind `pos` in its line, `pos` if there are none.
std::size_t behind_comments(std::string_view text, std::size_t pos, bool& to_line_end) {
  std::size_t at = pos;
  std::size_t end = pos;
  while (true) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (text.substr(at).starts_with("//")) {
      end = std::min(text.find('\n', at), text.size());
      if (end > at && text[end - 1] == '\r') --end;
      to_line_end = true;
      return end;
    }
    const std::size_t close =
        text.substr(at).starts_with("/*") ? text.find("*/", at + 2) : text.npos;
    if (close == text.npos || text.substr(at, close - at).find('\n') != text.npos) return end;
    at = end = close + 2;
  }
}

// What goes in: at `pos`, `lead` before the item; and a comma at `comma`, if that is needed.
struct Place {
  std::size_t pos = 0;
  std::string lead{};
  std::string tail{};
  std::optional<std::size_t> comma{};
  std::string indent{};  // of the item's line
  bool in_line = false;
};

Place behind_last(std::string_view text, const JsonNode& container, const Style& style) {
  const JsonItem& last = container.items.back();
  const bool trailing = last.comma != JsonItem::kNone;
  Place place;
  bool to_line_end = false;
  place.pos = behind_comments(text, trailing ? last.comma + 1 : last.value.end, to_line_end);
  if (!trailing) place.comma = last.value.end;
  if (trailing) place.tail = ",";
  if (begins_line(text, last.begin)) {
    place.indent = line_indent(text, last.begin);
    place.lead = style.newline + place.indent;
  } else if (to_line_end) {
    place.indent = line_indent(text, container.begin) + style.indent;
    place.lead = style.newline + place.indent;
  } else {
    std::size_t from = last.begin;
    while (is_blank(text[from - 1])) --from;
    place.lead = text.substr(from, last.begin - from);
    if (place.lead.empty() && container.items.size() == 1) place.lead = style.comma.substr(1);
    place.in_line = true;
  }
  return place;
}

Place into_empty(std::string_view text, const JsonNode& container, const Style& style) {
  const std::string_view inside =
      text.substr(container.begin + 1, container.end - container.begin - 2);
  const std::string outer = line_indent(text, container.begin);
  Place place;
  place.pos = container.begin + 1;
  place.indent = outer + style.indent;
  place.lead = style.newline + place.indent;
  if (inside.empty() && style.lines) {
    place.tail = style.newline + outer;
  } else if (inside.find_first_not_of(" \t") == inside.npos) {
    place.lead = inside;
    place.in_line = true;
  } else {
    // Behind the last comment; its line ends where the blanks behind it begin.
    std::size_t end = inside.size();
    while (end > 0 && std::string_view(" \t\r\n").find(inside[end - 1]) != inside.npos) --end;
    const std::size_t line = inside.find('\n', end);
    place.in_line = line == inside.npos;
    if (place.in_line) place.lead = " ";
    // The blanks behind a comment to the end of its line are the comment's.
    if (!place.in_line) end = line > 0 && inside[line - 1] == '\r' ? line - 1 : line;
    place.pos += end;
  }
  return place;
}

Error other_kind(const JsonPath& path, std::size_t depth, bool array) {
  std::string name;
  for (std::size_t i = 0; i < depth; ++i) name += (i == 0 ? "" : ".") + path[i];
  return make_error(ErrorCode::kRefused, (name.empty() ? "the text" : "`" + name + "`") +
                                             " is not " + (array ? "a list" : "an object"))
      .with_hint("mend it by hand, then try again: nothing was changed");
}

// "{"inner": [value]}" for what is missing of the path.
std::string wrapped(const JsonPath& path, std::size_t from, const std::string& key,
                    std::string_view value) {
  std::string out(value);
  out = key.empty() ? "[" + out + "]" : "{" + json_string(key) + ":" + out + "}";
  for (std::size_t i = path.size(); i > from + 1; --i)
    out = "{" + json_string(path[i - 1]) + ":" + out + "}";
  return out;
}

Result<JsonInsertion> insert_into_nothing(std::string_view text, const JsonPath& path,
                                          const std::string& key, std::string_view value) {
  const std::string whole =
      path.empty() ? wrapped(path, 0, key, value)
                   : "{" + json_string(path.front()) + ":" + wrapped(path, 0, key, value) + "}";
  MEMFS_ASSIGN(const JsonNode node, parse_json(whole));
  Style style;
  if (text.find("\r\n") != text.npos) style.newline = "\r\n";
  JsonInsertion made;
  made.text = std::string(text) + render(node, style, "", false) + style.newline;
  made.footprint = {path.size(), false, true};
  return made;
}

std::string splice(std::string_view text, const Place& place, const std::string& item) {
  std::string out(text.substr(0, place.comma.value_or(place.pos)));
  if (place.comma) {
    out += ',';
    out += text.substr(*place.comma, place.pos - *place.comma);
  }
  out += place.lead + item + place.tail;
  out += text.substr(place.pos);
  return out;
}

// The deepest container of the path that is there.
Result<const JsonNode*> deepest(const JsonNode& root, const JsonPath& path, bool array,
                                std::size_t& depth) {
  const JsonNode* node = &root;
  for (depth = 0;; ++depth) {
    const bool last = depth == path.size();
    if (last && array ? !node->is_array() : !node->is_object())
      return other_kind(path, depth, last && array);
    if (last) return node;
    const JsonNode* next = node->find(path[depth]);
    if (next == nullptr) return node;
    node = next;
  }
}

// Where the blanks before an item begin that came with it: those of its line and the line's end, or
// those behind what stands before it.
std::size_t lead_begin(std::string_view text, std::size_t item) {
  std::size_t from = item;
  while (from > 0 && is_blank(text[from - 1])) --from;
  if (from > 0 && text[from - 1] == '\n') --from;
  if (from > 0 && text[from - 1] == '\r' && text[from] == '\n') --from;
  return from;
}

bool only_blanks(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

std::string cut(std::string_view text, const JsonNode& container, std::size_t index, bool spread) {
  const JsonItem& item = container.items[index];
  const std::size_t from = lead_begin(text, item.begin);
  std::string out(text.substr(0, from));
  std::size_t to = item.value.end;
  if (item.comma != JsonItem::kNone) {
    to = item.comma + 1;
  } else if (index > 0) {
    out.erase(container.items[index - 1].comma, 1);
  }
  if (spread && container.items.size() == 1 &&
      only_blanks(text.substr(to, container.end - 1 - to)) && from == container.begin + 1)
    to = container.end - 1;
  out += text.substr(to);
  return out;
}

// The containers along the path, the outermost first.
std::vector<const JsonNode*> along(const JsonNode& root, const JsonPath& path) {
  std::vector<const JsonNode*> nodes = {&root};
  for (const std::string& key : path) {
    const JsonNode* next = nodes.back()->find(key);
    if (next == nullptr) return {};
    nodes.push_back(next);
  }
  return nodes;
}

std::size_t index_of(const JsonNode& container, const JsonNode* value) {
  std::size_t index = 0;
  while (&container.items[index].value != value) ++index;
  return index;
}

Error no_such_item() { return make_error(ErrorCode::kNotFound, "there is no such entry"); }

}  // namespace

const JsonNode* container_at(const JsonNode& root, const JsonPath& path) {
  const auto nodes = along(root, path);
  return nodes.empty() ? nullptr : nodes.back();
}

Result<JsonInsertion> insert_json(std::string_view text, const JsonPath& path,
                                  const std::string& key, std::string_view value) {
  const std::size_t bom = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (only_blanks(text.substr(bom))) return insert_into_nothing(text, path, key, value);
  MEMFS_ASSIGN(const JsonNode root, parse_json(text));
  std::size_t depth = 0;
  MEMFS_ASSIGN(const JsonNode* container, deepest(root, path, key.empty(), depth));
  const bool whole_path = depth == path.size();
  MEMFS_ASSIGN(const JsonNode node,
               parse_json(whole_path ? std::string(value) : wrapped(path, depth, key, value)));
  const Style style = style_of(text, root);
  const bool empty = container->items.empty();
  const Place place =
      empty ? into_empty(text, *container, style) : behind_last(text, *container, style);
  const std::string& name = whole_path ? key : path[depth];
  const std::string item = (name.empty() ? "" : json_string(name) + style.colon) +
                           render(node, style, place.indent, place.in_line);
  JsonInsertion made;
  made.text = splice(text, place, item);
  made.footprint = {path.size() - depth, empty && !place.tail.empty(), false};
  return made;
}

Result<std::string> remove_json(std::string_view text, const JsonPath& path, std::size_t index,
                                const Footprint& footprint) {
  MEMFS_ASSIGN(const JsonNode root, parse_json(text));
  const std::vector<const JsonNode*> nodes = along(root, path);
  if (nodes.empty() || index >= nodes.back()->items.size()) return no_such_item();
  // Up through the containers that were made with it and hold nothing else.
  std::size_t depth = path.size();
  const auto alone = [&] {
    const JsonNode& node = *nodes[depth];
    return node.items.size() == 1 &&
           only_blanks(text.substr(node.begin + 1, node.items.front().begin - node.begin - 1)) &&
           only_blanks(text.substr(node.items.front().value.end,
                                   node.end - 1 - node.items.front().value.end));
  };
  std::size_t left = footprint.containers;
  for (; left > 0 && depth > 0 && alone(); --left, --depth)
    index = index_of(*nodes[depth - 1], nodes[depth]);
  if (footprint.whole && left == 0 && depth == 0 && alone()) {
    std::size_t end = root.end;
    if (text.substr(end).starts_with('\r')) ++end;
    if (text.substr(end).starts_with('\n')) ++end;
    return std::string(text.substr(0, root.begin)) + std::string(text.substr(end));
  }
  return cut(text, *nodes[depth], index, footprint.spread && left == 0);
}

Result<std::string> replace_json(std::string_view text, const JsonPath& path, std::size_t index,
                                 std::string_view value) {
  MEMFS_ASSIGN(const JsonNode root, parse_json(text));
  const JsonNode* container = container_at(root, path);
  if (container == nullptr || index >= container->items.size()) return no_such_item();
  const JsonItem& item = container->items[index];
  MEMFS_ASSIGN(const JsonNode node, parse_json(value));
  const bool in_line =
      text.substr(item.value.begin, item.value.end - item.value.begin).find('\n') ==
      std::string_view::npos;
  return std::string(text.substr(0, item.value.begin)) +
         render(node, style_of(text, root), line_indent(text, item.begin), in_line) +
         std::string(text.substr(item.value.end));
}

}  // namespace memfs::setup
