// Trouble that people had with the links of other memory stores, each with its right result.
#include <gtest/gtest.h>
#include <memfs/check.h>
#include <memfs/links.h>

#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

using Refs = std::vector<std::string>;

class LinkCases : public StoreFixture {
 protected:
  void write(const std::string& rel, const std::string& bytes) {
    memory->plant("/m/" + rel, bytes);
  }
  void rename(const std::string& from, const std::string& to) {
    const std::string bytes = file(from);
    ASSERT_TRUE((*memory->open("/m"))->remove(from));
    write(to, bytes);
  }

  // "line:column text -> where" of each link of a memory.
  Refs out_of(const std::string& reference) {
    Refs refs;
    const auto report = links_of(open(), reference);
    EXPECT_TRUE(report) << report.error().message;
    for (const TextLink& link : report->out)
      refs.push_back(std::to_string(link.line) + ":" + std::to_string(link.column) + " " +
                     link.text + " -> " + (link.state == LinkState::kBroken ? "?" : link.ref));
    return refs;
  }
  Refs back_of(const std::string& reference) {
    Refs refs;
    const auto report = links_of(open(), reference);
    EXPECT_TRUE(report) << report.error().message;
    for (const Backlink& link : report->back)
      refs.push_back(link.from.ref() + " " + link.link.text);
    return refs;
  }
  std::size_t broken_links() {
    Store store = open();
    const auto report = check_store(store);
    std::size_t count = 0;
    for (const Problem& problem : report->problems) count += problem.code == "broken-link" ? 1 : 0;
    return count;
  }
};

TEST_F(LinkCases, TheEscapedBarOfATableStaysThroughARename) {
  write("shared/a.md", "| A | B |\n|---|---|\n| [[note\\|alias]] | x |\n");
  write("shared/note.md", "x\n");
  EXPECT_EQ(out_of("a"), (Refs{"3:3 [[note\\|alias]] -> shared/note"}));
  EXPECT_EQ(back_of("note"), (Refs{"shared/a [[note\\|alias]]"}));
  EXPECT_EQ(broken_links(), 0U);
  ASSERT_TRUE(open().move({.from = "note", .to = "memo"}));
  EXPECT_EQ(file("shared/a.md"), "| A | B |\n|---|---|\n| [[memo\\|alias]] | x |\n");
}

TEST_F(LinkCases, WhatMovedByHandIsLinkedByItsNewNameAndWhatIsGoneByNone) {
  write("shared/a.md", "---\nid: a1\nrevision: 1\n---\n[[c]] [[d]]\n");
  write("shared/c.md", "x\n");
  write("shared/d.md", "x\n");
  write("shared/from.md", "[[a]] [[a1]] [[b]]\n");
  EXPECT_EQ(out_of("from"),
            (Refs{"1:1 [[a]] -> shared/a", "1:7 [[a1]] -> shared/a", "1:14 [[b]] -> ?"}));
  rename("shared/a.md", "shared/b.md");
  rename("shared/d.md", "shared/sub/d.md");
  ASSERT_TRUE((*memory->open("/m"))->remove("shared/c.md"));
  EXPECT_EQ(out_of("from"),
            (Refs{"1:1 [[a]] -> ?", "1:7 [[a1]] -> shared/b", "1:14 [[b]] -> shared/b"}));
  EXPECT_EQ(out_of("a1"), (Refs{"5:1 [[c]] -> ?", "5:7 [[d]] -> shared/sub/d"}));
  EXPECT_EQ(back_of("d"), (Refs{"shared/b [[d]]"}));
  EXPECT_EQ(link_graph(open(), {})->memories.size(), 3U);
}

TEST_F(LinkCases, ALinkedFileStaysALinkWhenItsTextOrItsNameChanges) {
  write("shared/.real/a.txt", "see [[note]]\n");
  memory->plant_link("/m/shared/a.md", ".real/a.txt");
  write("shared/note.md", "x\n");
  EXPECT_EQ(back_of("note"), (Refs{"shared/a [[note]]"}));
  ASSERT_TRUE(open().move({.from = "note", .to = "memo"}));
  EXPECT_EQ(file("shared/a.md"), ".real/a.txt") << "still a link";
  EXPECT_EQ(file("shared/.real/a.txt"), "see [[memo]]\n");
}

TEST_F(LinkCases, APlaceIsCountedInTheBytesOfTheFile) {
  write("shared/u.md", "x\n");
  write("shared/a.md",
        "---\ntitle: T\n---\na\nb *c*\n  d [l](u.md) me@x.org [[u]]\n<!-- c\nd --> \n"
        "A [[u]]\n=====\n");
  EXPECT_EQ(out_of("a"),
            (Refs{"6:5 [l](u.md) -> shared/u", "6:24 [[u]] -> shared/u", "9:3 [[u]] -> shared/u"}));
}

TEST_F(LinkCases, MarkdownEatsNoWikiLink) {
  for (const char* name : {"foo", "^1", "a~b~c", "a *b* c", "AT&amp;T", "bob@ex.co"})
    write(std::string("shared/") + name + ".md", "x\n");
  write("shared/a.md",
        "[[foo]] [[^1]] [[a~b~c]] [[a *b* c]] [[AT&amp;T]] [[bob@ex.co]]\n[[foo]](bar)\n"
        "\\[[foo\\]] [[foo\nbar]]\n\n[foo]: /u\n[^1]: a note\n");
  Refs targets;
  for (const std::string& link : out_of("a"))
    if (link.find("[[") != std::string::npos) targets.push_back(link.substr(link.find("-> ") + 3));
  EXPECT_EQ(targets, (Refs{"shared/foo", "shared/^1", "shared/a~b~c", "shared/a *b* c",
                           "shared/AT&amp;T", "shared/bob@ex.co", "shared/foo"}));
}

// Long if each link were looked for from the beginning of its line, or to the end of it.
TEST_F(LinkCases, ALineOfVeryManyLinksIsReadOnce) {
  constexpr std::size_t kMany = 100000;
  std::string line;
  for (std::size_t i = 0; i < kMany; ++i) line += "[[a]] ";
  write("shared/long.md", line + "\n");
  const auto report = links_of(open(), "long");
  ASSERT_TRUE(report);
  ASSERT_EQ(report->out.size(), kMany);
  EXPECT_EQ(report->out.back().line, 1);
  EXPECT_EQ(report->out.back().column, static_cast<int>(kMany * 6 - 5));
}

TEST_F(LinkCases, AGraphEndsInCircles) {
  write("shared/a.md", "[[b]] [[a]] ![[a]]\n");
  write("shared/b.md", "[[a]]\n");
  GraphRequest request;
  for (const char* root : {"", "a", "b"}) {
    request.root = root;
    request.depth = 1000000;
    const auto graph = link_graph(open(), request);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->memories.size(), 2U);
    EXPECT_EQ(graph->edges.size(), 3U);
  }
}

TEST_F(LinkCases, ANameThatIsNotUtf8IsLinkedByItsPathAndSpoilsNothing) {
  write("shared/\xFF\xFE.md", "[[a]]\n");
  write("shared/a.md", "[[\xFF\xFE]] [[b]]\n");
  write("shared/b.md", "[y](%FF%FE.md)\n");
  EXPECT_EQ(link_graph(open(), {.broken = true})->memories.size(), 3U);
  EXPECT_EQ(out_of("b"), (Refs{"1:1 [y](%FF%FE.md) -> shared/\uFFFD\uFFFD"}));
  EXPECT_EQ(back_of("b"), (Refs{"shared/a [[b]]"}));
}

TEST_F(LinkCases, AConflictIsNotMergedByARename) {
  const std::string conflict =
      "---\ntitle: T\n<<<<<<< HEAD\nrevision: 4\n=======\nrevision: 5\n>>>>>>> topic\n---\n[[b]]\n";
  write("shared/a.md", conflict);
  write("shared/b.md", "x\n");
  const auto moved = open().move({.from = "b", .to = "c"});
  ASSERT_TRUE(moved);
  ASSERT_EQ(moved->left.size(), 1U);
  EXPECT_EQ(file("shared/a.md"), conflict);
}

TEST_F(LinkCases, AWideTableAndADeepQuoteAreReadAtOnce) {
  std::string wide;
  for (const char* cell : {"|[[a]]", "|-", "|[x](a.md)"}) {
    for (int i = 0; i < 30000; ++i) wide += cell;
    wide += "\n";
  }
  write("shared/wide.md", wide);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "> ";
  write("shared/deep.md", deep + "[[a]]\n\n[^1]\n\n[^1]: - list\n\n[^a:b]\n\n[^a:b]: [[a]]\n");
  write("shared/a.md", "x\n");
  EXPECT_EQ(out_of("wide").size(), 60000U);
  EXPECT_EQ(out_of("deep").size(), 2U);
  EXPECT_EQ(back_of("a").size(), 60002U);
}

}  // namespace
}  // namespace memfs::testing
