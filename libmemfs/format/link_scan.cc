#include "libmemfs/format/link_scan.h"

#include <algorithm>
#include <optional>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_blocks.h"

namespace memfs {
namespace {

// The test of a shell, which is written often enough without a code mark: [[ -f x ]], [[ $a == b
// ]].
bool is_shell_test(std::string_view content) {
  if (!content.starts_with(' ') || !content.ends_with(' ')) return false;
  const auto text = trim(content);
  if (text.starts_with('-') || text.starts_with("! ")) return true;
  for (const std::string_view sign : {"$", " == ", " != ", " =~ ", " && ", " || ", " -eq ", " -ne ",
                                      " -lt ", " -le ", " -gt ", " -ge "})
    if (text.find(sign) != kNowhere) return true;
  return false;
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.'\"").find(c) != kNowhere;
  });
}

// The table header of a TOML file, alone in its line, with `key = value` or another header in the
// next one: some site generators have code in marks of their own.
bool is_toml_table(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] != '\n') return false;
  const auto rest = text.find_first_not_of(" \t", end);
  if (rest != kNowhere && text[rest] == '#') end = std::min(text.find('\n', rest), text.size());
  const auto next_text = text.find_first_not_of(" \t\r\n", end);
  if (next_text == kNowhere || text.substr(end, next_text - end).find('\n') == kNowhere)
    return false;
  const auto next = trim(text.substr(next_text, text.find('\n', next_text) - next_text));
  if (next.starts_with('['))
    return next.ends_with(']') && is_bare_key(next.substr(1, next.size() - 2));
  const auto sign = next.find('=');
  return sign != kNowhere && is_bare_key(trim(next.substr(0, sign)));
}

// A list in a list: [['a', 'b']].
bool is_quoted_list(std::string_view content) {
  const auto text = trim(content);
  const char quote = text.empty() ? ' ' : text.front();
  return text.size() > 1 && (quote == '\'' || quote == '"') && text.back() == quote;
}

bool may_hold_links(std::string_view text) {
  for (auto at = text.find_first_of("[]"); at != kNowhere; at = text.find_first_of("[]", at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (text[at] == '[' ? next == '[' : next == '(' || next == ':') return true;
  }
  return false;
}

// A link definition may only stand at the beginning of its paragraph.
class DefinitionReader {
 public:
  explicit DefinitionReader(std::string_view body) : body_(body) {}

  // The definition that the line begins. The address is the rest of the line: with its brackets,
  // or empty where it stands in the next one.
  std::optional<Link> read(std::string_view line) const {
    if (!line.starts_with('[') || line.starts_with("[^")) return std::nullopt;
    std::size_t close = 1;
    while (close < line.size() && line[close] != ']') {
      if (line[close] == '[') return std::nullopt;
      close += line[close] == '\\' ? 2 : 1;
    }
    if (close + 1 >= line.size() || line[close + 1] != ':') return std::nullopt;
    if (trim(line.substr(1, close - 1)).empty()) return std::nullopt;
    const auto begin = std::min(line.find_first_not_of(" \t\r", close + 2), line.size());
    const auto offset = static_cast<std::size_t>(line.data() - body_.data());
    Link link;
    link.form = Link::Form::kDefinition;
    link.whole = {offset, offset + trim(line).size()};
    link.shown = {offset + 1, offset + close};
    link.address = {offset + begin, offset + line.size()};
    return link;
  }

 private:
  std::string_view body_;
};

// The links of one block, from left to right.
class BlockLinks {
 public:
  BlockLinks(std::string_view body, std::vector<Link>& links) : body_(body), links_(links) {}

  void add(const MarkdownBlock& block) {
    html_ = block.kind == MarkdownBlock::Kind::kHtml;
    const Span range = span_of(body_, block);
    if (!may_hold_links(body_.substr(range.begin, range.end - range.begin))) return;
    end_ = range.end;
    mask_.clear();
    masked_ = 0;
    mask_block(body_, block, mask_);
    brackets_.clear();
    dead_ = 0;
    std::size_t at = range.begin;
    if (block.kind == MarkdownBlock::Kind::kParagraph) at = add_definitions(block, at);
    while (at < end_) at = step(at);
  }

 private:
  struct Bracket {
    std::size_t at;
    bool image;
  };

  char sign(std::size_t at) const { return at < end_ ? body_[at] : '\n'; }

  std::size_t place_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - body_.data());
  }

  std::size_t add_definitions(const MarkdownBlock& block, std::size_t begin) {
    const DefinitionReader reader(body_);
    const auto& lines = block.lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      auto link = reader.read(lines[i]);
      if (!link) break;
      if (link->address.begin == link->address.end) {
        if (++i == lines.size()) break;
        const auto address = trim(lines[i]);
        link->address.begin = place_of(address);
        link->whole.end = link->address.begin + address.size();
      }
      const auto start = link->address.begin;
      const auto address = read_address(start, *link);
      const auto eol = end_of(lines[i]);
      if (address == kNowhere || address == start || !ends_line(address, eol)) break;
      links_.push_back(*link);
      begin = eol;
      if (i + 1 < lines.size() && is_title(address, lines[i + 1])) begin = end_of(lines[++i]);
    }
    return begin;
  }

  std::size_t end_of(std::string_view line) const { return place_of(line) + line.size(); }

  // Whether the line behind the place is the title of the definition that ends there.
  bool is_title(std::size_t at, std::string_view line) const {
    const auto title = skip_title(at);
    return title > place_of(line) && ends_line(title, end_of(line));
  }

  // Whether nothing but a title stands between the places.
  bool ends_line(std::size_t at, std::size_t eol) const {
    const auto blank = [&](std::size_t from) {
      return from <= eol && trim(body_.substr(from, eol - from)).empty();
    };
    return blank(at) || blank(skip_title(at));
  }

  std::size_t step(std::size_t at) {
    while (masked_ < mask_.size() && mask_[masked_].end <= at) ++masked_;
    if (masked_ < mask_.size() && mask_[masked_].begin <= at) return mask_[masked_].end;
    switch (body_[at]) {
      case '\\':
        return at + (is_ascii_punctuation(sign(at + 1)) ? 2 : 1);
      case '!':
        if (sign(at + 1) != '[') return at + 1;
        if (const auto end = wiki_link(at, at + 1); end != at) return end;
        brackets_.push_back({at + 1, true});
        return at + 2;
      case '[':
        if (const auto end = wiki_link(at, at); end != at) return end;
        brackets_.push_back({at, false});
        return at + 1;
      case ']':
        return html_ ? at + 1 : close_bracket(at);
      default:
        return next_sign(at);
    }
  }

  // What is looked at next: signs with a meaning, or the end of what is not masked.
  std::size_t next_sign(std::size_t at) const {
    const auto limit = masked_ < mask_.size() ? std::min(mask_[masked_].begin, end_) : end_;
    const auto found = body_.substr(0, limit).find_first_of("\\![]", at + 1);
    return found == kNowhere ? std::max(limit, at + 1) : found;
  }

  bool is_masked(std::size_t begin, std::size_t end) const {
    return masked_ < mask_.size() && mask_[masked_].begin < end && mask_[masked_].end > begin;
  }

  // Where the wiki link whose brackets open at `open` ends, or `begin` if it is none.
  std::size_t wiki_link(std::size_t begin, std::size_t open) {
    if (sign(open + 1) != '[') return begin;
    const auto first = open + 2;
    const auto stop = body_.substr(0, end_).find_first_of("[]\n\r", first);
    if (stop == kNowhere || body_[stop] != ']' || sign(stop + 1) != ']') return begin;
    const auto content = body_.substr(first, stop - first);
    if (is_masked(begin, stop + 2) || is_shell_test(content) || is_quoted_list(content))
      return begin;
    if (begin == open && is_toml_table(body_, begin, stop + 2)) return begin;
    // In a table the bar is escaped.
    const auto bar = content.find('|');
    auto address_end = bar == kNowhere ? content.size() : bar;
    if (bar != kNowhere && bar > 0 && content[bar - 1] == '\\') --address_end;
    const auto address = trim(content.substr(0, address_end));
    if (address.empty()) return begin;
    Link link;
    link.form = begin == open ? Link::Form::kWiki : Link::Form::kEmbed;
    link.whole = {begin, stop + 2};
    link.address.begin = static_cast<std::size_t>(address.data() - body_.data());
    link.address.end = link.address.begin + address.size();
    link.shown = bar == kNowhere ? Span{stop, stop} : Span{first + bar + 1, stop};
    Link ignored;
    link.cites = sign(stop + 2) == '(' && read_target(stop + 3, ignored) != kNowhere;
    links_.push_back(link);
    return stop + 2;
  }

  std::size_t close_bracket(std::size_t at) {
    if (brackets_.empty()) return at + 1;
    const Bracket open = brackets_.back();
    brackets_.pop_back();
    const bool dead = !open.image && brackets_.size() < dead_;
    dead_ = std::min(dead_, brackets_.size());
    if (dead || sign(at + 1) != '(') return at + 1;
    Link link;
    link.form = open.image ? Link::Form::kImage : Link::Form::kInline;
    const auto end = read_target(at + 2, link);
    if (end == kNowhere || is_masked(at, end)) return at + 1;
    link.whole = {open.at - (open.image ? 1U : 0U), end};
    link.shown = {open.at + 1, at};
    links_.push_back(link);
    if (!open.image) dead_ = brackets_.size();
    return end;
  }

  // `address "title")`: where it ends.
  std::size_t read_target(std::size_t at, Link& link) const {
    at = read_address(skip_line_end(at), link);
    if (at == kNowhere) return kNowhere;
    at = skip_line_end(skip_title(at));
    return sign(at) == ')' ? at + 1 : kNowhere;
  }

  std::size_t skip_blanks(std::size_t at) const {
    while (sign(at) == ' ' || sign(at) == '\t') ++at;
    return at;
  }

  // Blanks with at most one end of a line among them.
  std::size_t skip_line_end(std::size_t at) const {
    at = skip_blanks(at);
    if (at >= end_) return at;
    if (sign(at) == '\r' && sign(at + 1) == '\n') ++at;
    return at < end_ && sign(at) == '\n' ? skip_blanks(at + 1) : at;
  }

  bool opens_wiki(std::size_t at) const { return sign(at) == '[' && sign(at + 1) == '['; }

  // Sets the address; where it ends, with its angle brackets.
  std::size_t read_address(std::size_t at, Link& link) const {
    if (sign(at) == '<') {
      auto end = at + 1;
      while (sign(end) != '>') {
        if (sign(end) == '<' || sign(end) == '\n' || opens_wiki(end)) return kNowhere;
        end += sign(end) == '\\' && is_ascii_punctuation(sign(end + 1)) ? 2 : 1;
      }
      link.angled = true;
      link.address = {at + 1, end};
      return end + 1;
    }
    std::size_t depth = 0;
    auto end = at;
    for (; static_cast<unsigned char>(sign(end)) > ' ' && sign(end) != '\x7F'; ++end) {
      if (sign(end) == '\\' && is_ascii_punctuation(sign(end + 1))) {
        ++end;
      } else if (opens_wiki(end)) {
        return kNowhere;
      } else if (sign(end) == '(') {
        if (++depth > 32) return kNowhere;
      } else if (sign(end) == ')' && depth-- == 0) {
        depth = 0;
        break;
      }
    }
    if (depth != 0) return kNowhere;
    link.address = {at, end};
    return end;
  }

  // Behind the title, if one stands there after a blank; `at` otherwise.
  std::size_t skip_title(std::size_t at) const {
    const auto open = skip_line_end(at);
    if (open == at || open >= end_) return at;
    const char close = body_[open] == '(' ? ')' : body_[open];
    if (close != '"' && close != '\'' && close != ')') return at;
    if (close == ')' && body_[open] != '(') return at;
    auto end = open + 1;
    while (end < end_ && body_[end] != close) {
      if (close == ')' && body_[end] == '(') return at;
      end += body_[end] == '\\' ? 2 : 1;
    }
    return end < end_ ? end + 1 : at;
  }

  std::string_view body_;
  std::vector<Link>& links_;
  std::vector<Span> mask_{};  // of the block
  std::size_t masked_ = 0;    // the first one that does not end before the place
  std::size_t end_ = 0;       // of the block
  bool html_ = false;
  std::vector<Bracket> brackets_{};  // open ones
  std::size_t dead_ = 0;  // so many of them hold a link already, and become none unless images
};

}  // namespace

std::vector<Link> scan_links(std::string_view body) {
  std::vector<Link> links;
  if (!may_hold_links(body)) return links;
  BlockLinks reader(body, links);
  scan_blocks(body, [&](const MarkdownBlock& block) {
    if (block.kind != MarkdownBlock::Kind::kCode) reader.add(block);
    return true;
  });
  // What lies inside the brackets of a link was found before it.
  std::stable_sort(links.begin(), links.end(),
                   [](const Link& a, const Link& b) { return a.whole.begin < b.whole.begin; });
  return links;
}

}  // namespace memfs
