#include "libmemfs/format/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <cstdlib>
#include <memory>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_scan.h"

namespace memfs {
namespace {

struct NodeFree {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, NodeFree>;

Document parse(std::string_view body, bool with_tables) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser* parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  for (const char* name : {"strikethrough", "tasklist", "autolink", "table"}) {
    // The table extension takes quadratic time in the number of columns.
    if (!with_tables && std::string_view(name) == "table") continue;
    if (auto* extension = cmark_find_syntax_extension(name))
      cmark_parser_attach_syntax_extension(parser, extension);
  }
  cmark_parser_feed(parser, body.data(), body.size());
  Document document(cmark_parser_finish(parser));
  cmark_parser_free(parser);
  return document;
}

// Text of a heading node, gathered without recursion.
std::string text_below(cmark_node* heading) {
  std::string text;
  cmark_iter* iter = cmark_iter_new(heading);
  while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
    cmark_node* node = cmark_iter_get_node(iter);
    if (cmark_iter_get_event_type(iter) != CMARK_EVENT_ENTER) continue;
    const auto type = cmark_node_get_type(node);
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) {
      text += cmark_node_get_literal(node);
    } else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
      text += ' ';
    }
  }
  cmark_iter_free(iter);
  return std::string(trim(text));
}

// The text of a line in a heading; the closing mark keeps `#` signs at its end.
std::string inline_text(std::string_view line) {
  return text_below(parse("# " + std::string(line) + " #", false).get());
}

std::vector<std::string> find_headings(std::string_view body, std::size_t limit) {
  if (body.size() > kMaxParsedMarkdown) return {};
  auto headings = scan_headings(body, limit, inline_text);
  return headings ? std::move(*headings) : parse_headings(body, limit);
}

}  // namespace

std::vector<std::string> parse_headings(std::string_view body, std::size_t limit) {
  std::vector<std::string> headings;
  const Document document = parse(body, false);
  cmark_iter* iter = cmark_iter_new(document.get());
  for (auto event = cmark_iter_next(iter); event != CMARK_EVENT_DONE && headings.size() < limit;
       event = cmark_iter_next(iter)) {
    cmark_node* node = cmark_iter_get_node(iter);
    if (event != CMARK_EVENT_ENTER || cmark_node_get_type(node) != CMARK_NODE_HEADING) continue;
    std::string text = text_below(node);
    if (!text.empty()) headings.push_back(std::move(text));
  }
  cmark_iter_free(iter);
  return headings;
}

namespace {

bool is_frame(std::string_view line) {
  return line.find_first_not_of("-=*_|:+ \t") == std::string_view::npos;
}

std::string_view without_marks(std::string_view line) {
  while (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("> ") ||
         line.starts_with("+ "))
    line = trim(line.substr(2));
  return line;
}

}  // namespace

std::vector<std::string> headings_of(std::string_view body) {
  return find_headings(body, body.size());
}

std::string first_heading(std::string_view body) {
  const auto headings = find_headings(body, 1);
  return headings.empty() ? std::string() : headings.front();
}

std::string first_text_line(std::string_view body) {
  bool in_comment = false;
  std::string_view fence;
  while (!body.empty()) {
    const auto end = body.find('\n');
    const auto line = trim(body.substr(0, end));
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
    if (!fence.empty()) {
      if (line.starts_with(fence)) fence = {};
      continue;
    }
    if (line.starts_with("```") || line.starts_with("~~~")) {
      fence = line.substr(0, 3);
      continue;
    }
    in_comment = in_comment || line.starts_with("<!--");
    if (in_comment) {
      in_comment = line.find("-->") == std::string_view::npos;
      continue;
    }
    if (line.empty() || line.front() == '#' || is_frame(line)) continue;
    return std::string(without_marks(line));
  }
  return {};
}

std::string to_html(std::string_view body) {
  const Document document = parse(body, body.size() <= kMaxParsedMarkdown / 16);
  char* html = cmark_render_html(document.get(), CMARK_OPT_DEFAULT, nullptr);
  std::string out = html;
  std::free(html);
  return out;
}

}  // namespace memfs
