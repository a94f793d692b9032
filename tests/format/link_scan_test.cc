#include "libmemfs/format/link_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace memfs {
namespace {

using Texts = std::vector<std::string>;

std::string text_of(std::string_view body, Span span) {
  return std::string(body.substr(span.begin, span.end - span.begin));
}

// "address" of each link, "address|shown" where something is shown.
Texts links_in(std::string_view body) {
  Texts found;
  for (const Link& link : scan_links(body)) {
    found.push_back(text_of(body, link.address));
    if (const auto shown = text_of(body, link.shown); !shown.empty()) found.back() += "|" + shown;
  }
  return found;
}

TEST(LinkScan, FindsEveryFormOfAWikiLink) {
  EXPECT_EQ(links_in("[[Old]] [[old]] [[Old|x]] [[Old#Part 1]] [[Old#Part 1|x]] ![[Old]]"),
            (Texts{"Old", "old", "Old|x", "Old#Part 1", "Old#Part 1|x", "Old"}));
  EXPECT_EQ(links_in("[[Old Two]], [[Sprint #4]]; [[dir/Old]] [[Old.md]] [[ café ]]"),
            (Texts{"Old Two", "Sprint #4", "dir/Old", "Old.md", "café"}));
  EXPECT_EQ(links_in("# See [[a]]\n\n> [[b]]\n> [[c]]\n\n- [[d]]\n  - [[e]]\n\n<div>[[f]]</div>\n"),
            (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(scan_links("![[a]]").front().form, Link::Form::kEmbed);
  EXPECT_EQ(scan_links("![[a]]").front().whole.begin, 0U);
}

TEST(LinkScan, GivenATableTheEscapedBarSeparates) {
  const std::string body = "| A | B |\n|---|---|\n| [[note\\|alias]] | x |\n";
  EXPECT_EQ(links_in(body), Texts{"note|alias"});
}

TEST(LinkScan, SeesNoLinkInCode) {
  const std::string body =
      "`[[a]]` ``[[b`]]``\n\n    [[c]]\n\n```\n[[d]]\n```\n\n~~~\n```\n[[e]]\n~~~\n\n"
      "if [[ -f x ]]; then [[ $a == b ]] [[ ! -e y ]] [[ a =~ b ]]\n\n<!-- [[g]] [g](g.md) -->\n"
      "`[h](h.md)`\n\n[[f]]\n";
  EXPECT_EQ(links_in(body), Texts{"f"});
}

TEST(LinkScan, TakesATomlTableForCode) {
  EXPECT_EQ(links_in("{{< code >}}\n[[module.mounts]]\n  source = 'x'\n[[menus.main]]\n\n"
                     "  [menus.params]\n[[redirects]] # last\nfrom = '/'\n"
                     "inline = [['a', 'b']]\n{{< /code >}}\n\n[[note]]\n"),
            Texts{"note"});
  EXPECT_EQ(links_in("[[note]]\nis what we want\n\n[[a]]\n[[b]]\n[c](d)\n"),
            (Texts{"note", "a", "b", "d|c"}));
}

TEST(LinkScan, TakesWikiTextForALinkWhateverMarkdownSeesInIt) {
  EXPECT_EQ(links_in("[[foo]]\n\n[foo]: /u\n"), (Texts{"foo", "/u|foo"}));
  EXPECT_EQ(links_in("[[foo]](bar)"), Texts{"foo"});
  EXPECT_EQ(links_in("[[^1]]\n\n[^1]: a note\n"), Texts{"^1"});
  EXPECT_EQ(links_in("[[a~b~c]] [[a *b* c]] [[AT&amp;T]] [[bob@ex.co]]"),
            (Texts{"a~b~c", "a *b* c", "AT&amp;T", "bob@ex.co"}));
  EXPECT_EQ(links_in("[[C:\\dir\\_x]] [[<b>x</b>]]"), (Texts{"C:\\dir\\_x", "<b>x</b>"}));
  EXPECT_EQ(links_in("\\[\\[d]] \\[[d]] [\\[d]]"), Texts{});
  EXPECT_EQ(links_in("\\\\[[d]]"), Texts{"d"});
  EXPECT_EQ(links_in("[[foo\nbar]]"), Texts{});
  EXPECT_EQ(links_in("[[]] [[ ]] [[|x]] [[a]b]] [[x [[c]]"), Texts{"c"});
}

TEST(LinkScan, FindsEveryFormOfAMarkdownLink) {
  EXPECT_EQ(links_in("[text](../deploy/rollback.md)"), Texts{"../deploy/rollback.md|text"});
  EXPECT_EQ(links_in("[a](b.md \"title\") [c](<d e.md> 'x') [f]( g.md (x) ) [h]()"),
            (Texts{"b.md|a", "d e.md|c", "g.md|f", "|h"}));
  EXPECT_EQ(links_in("[a](b(c).md) [d](e\\).md) [f](g%20h.md#part)"),
            (Texts{"b(c).md|a", "e\\).md|d", "g%20h.md#part|f"}));
  EXPECT_EQ(links_in("![i](p.png) [![j](q.png)](r.md)"),
            (Texts{"p.png|i", "r.md|![j](q.png)", "q.png|j"}));
  EXPECT_EQ(links_in("[a\nb](c.md) and [see [x] and *y*](z.md)"),
            (Texts{"c.md|a\nb", "z.md|see [x] and *y*"}));
  EXPECT_EQ(links_in("[a](\nb.md) [c](d.md\n'x') [e](\r\n f.md\r\n ) [g](\n\nh.md)"),
            (Texts{"b.md|a", "d.md|c", "f.md|e"}));
  EXPECT_TRUE(scan_links("[[14]](\nhttps://a.b)").front().cites);
  EXPECT_EQ(links_in("[a]: b.md\n[c d]: <e f.md> \"t\"\ntext\n[g]: h.md\n"),
            (Texts{"b.md|a", "e f.md|c d"}));
  EXPECT_EQ(links_in("[a]:\n  b.md\n[c]: d.md\n  'title'\n[e]:\r\nf.md \"t\"\r\n[g]: h.md\n[i]:\n"),
            (Texts{"b.md|a", "d.md|c", "f.md|e", "h.md|g"}));
  EXPECT_EQ(links_in("> [a]:\n> b.md\n> [c]: <d.md>\n\n[e]:\n\nf.md\n\n[g]:\nh.md and more\n"),
            (Texts{"b.md|a", "d.md|c"}));
  EXPECT_TRUE(scan_links("[a](<b c.md>)").front().angled);
}

TEST(LinkScan, LeavesAloneWhatOnlyLooksLikeAMarkdownLink) {
  EXPECT_EQ(links_in("a](b.md) \\[a](b.md) [a\\](b.md) [a] (b.md) [a](b c.md) [a](<b\nc.md>)"),
            Texts{});
  EXPECT_EQ(links_in("[a\n\nb](c.md)\n\n<div>\n[d](e.md)\n</div>\n"), Texts{});
  EXPECT_EQ(links_in("[^1]: see.md\n\n[]: x.md\n"), Texts{});
  // A link holds no link: the outer brackets are text.
  EXPECT_EQ(links_in("[a [b](c.md) d](e.md)"), Texts{"c.md|b"});
}

TEST(LinkScan, SpansPointAtTheBytes) {
  const std::string body = "\xEF\xBB\xBFé [[ née | x]] [t]( <u v.md> 'w') end\r\n";
  const auto links = scan_links(body);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(text_of(body, links[0].whole), "[[ née | x]]");
  EXPECT_EQ(text_of(body, links[0].address), "née");
  EXPECT_EQ(text_of(body, links[0].shown), " x");
  EXPECT_EQ(text_of(body, links[1].whole), "[t]( <u v.md> 'w')");
  EXPECT_EQ(text_of(body, links[1].address), "u v.md");
}

TEST(LinkScan, IntricateTextsTakeLinearTime) {
  const std::size_t n = 50000;
  const auto repeated = [&](std::string_view part) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += part;
    return text;
  };
  // Minutes if any of them were quadratic.
  for (const char* part : {"[a](<b", "a<!--", "![l", "[[a", "[a](b (", "[a](b \"", "[[a]](", "]",
                           "[a](", "![a](b)[c](d)", "[`", "\\[["})
    (void)scan_links(repeated(part) + "]]");
  (void)scan_links(repeated("![") + repeated("](b)"));
  (void)scan_links(repeated("![") + repeated("[a](b)"));
  EXPECT_EQ(scan_links(repeated("[[x]] ")).size(), n);
}

}  // namespace
}  // namespace memfs
