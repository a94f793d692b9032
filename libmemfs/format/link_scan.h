// The links of a markdown text, found on its bytes: code, comments and escaped signs are no links,
// and every span can be replaced in place. In linear time.
#pragma once

#include <string_view>
#include <vector>

#include "libmemfs/format/markdown_scan.h"

namespace memfs {

// [[address|shown]]  ![[address]]  [shown](address "title")  ![shown](address)  [shown]: address
struct Link {
  enum class Form : unsigned char { kWiki, kEmbed, kInline, kImage, kDefinition };

  Form form = Form::kWiki;
  Span whole{};         // from the first bracket (or "!") to the last sign
  Span address{};       // as typed, without blanks and angle brackets around it
  Span shown{};         // empty if a wiki link has none
  bool angled = false;  // the address stands in <…>
  bool cites =
      false;  // a wiki link with a target behind it, [[14]](https://…), may be no wiki link

  bool is_wiki() const { return form == Form::kWiki || form == Form::kEmbed; }
};

// In the order of the text. A wiki link is taken before any other markup that its signs could be,
// and lies within one line. In a block of HTML there are wiki links only.
std::vector<Link> scan_links(std::string_view body);

}  // namespace memfs
