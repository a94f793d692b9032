#include "libmemfs/format/name.h"

#include <gtest/gtest.h>

#include <set>

namespace memfs {
namespace {

TEST(Name, KeepsLettersMarksAndDigitsOfEveryScript) {
  EXPECT_EQ(slug_of("Release branch"), "release-branch");
  EXPECT_EQ(slug_of("记忆"), "记忆");
  EXPECT_EQ(slug_of("物語"), "物語");
  EXPECT_EQ(slug_of("Иван"), "иван");
  EXPECT_EQ(slug_of("ทดสอบไทยล้วน"), "ทดสอบไทยล้วน") << "Thai keeps its tone marks";
  EXPECT_EQ(slug_of("مرحبا"), "مرحبا");
  EXPECT_EQ(slug_of("Cafe\u0301 Olé!"), "café-olé");
}

TEST(Name, NothingDangerousSurvives) {
  EXPECT_EQ(slug_of("../../etc/cron"), "etc-cron");
  EXPECT_EQ(slug_of("-rf"), "rf");
  EXPECT_EQ(slug_of(".git"), "git");
  EXPECT_EQ(slug_of("a\nb"), "a-b");
  EXPECT_EQ(slug_of("%2e%2e%2fx"), "2e-2e-2fx");
  EXPECT_EQ(slug_of("C:\\x"), "c-x");
  EXPECT_EQ(slug_of("a:b what? x."), "a-b-what-x");
  for (const char* title : {"🚀", "!!!", "..", "   "}) EXPECT_EQ(slug_of(title), "");
}

TEST(Name, IsCutOnAGraphemeWithinItsLimit) {
  std::string title;
  for (int i = 0; i < 60; ++i) title += "ก้";
  const std::string slug = slug_of(title);
  EXPECT_LE(slug.size(), kMaxNameBytes);
  EXPECT_EQ(slug.size() % std::string("ก้").size(), 0U);
}

TEST(Name, ASuffixTellsEqualSlugsApart) {
  EXPECT_EQ(name_with_suffix("c", "mem-01m8n2sak0tn2v5x9yb6c0dehj"), "c-c0dehj");
  EXPECT_EQ(name_with_suffix("", "mem-01m8n2sak0tn2v5x9yb6c0dehj"), "memory-c0dehj");
  EXPECT_LE(name_with_suffix(std::string(100, 'x'), "mem-01m8n2sak0tn2v5x9yb6c0dehj").size(), 100U);
}

TEST(Name, WindowsAndPagesKeepTheirNames) {
  for (const char* name : {"con",  "AUX",    "nul", "com1",  "LPT9",   "CONIN$", "con.txt",
                           "COM¹", "lpt³.x", "a:b", "what?", "x.",     "x ",     "...",
                           ".git", "-rf",    "",    "index", "README", "Claude", "a\tb"})
    EXPECT_FALSE(is_portable_name(name)) << name;
  for (const char* name : {"com10", "console", "release-branch", "记忆", "x.y"})
    EXPECT_TRUE(is_portable_name(name)) << name;
}

TEST(Name, PagesAreNoMemoriesInTheirExactSpellingOnly) {
  for (const char* file : {"INDEX.md", "README.md", "MEMORY.md", "CLAUDE.md", "AGENTS.md",
                           "GEMINI.md", ".hidden.md", "x.markdown", "x.txt", ".md"})
    EXPECT_FALSE(is_memory_file(file)) << file;
  for (const char* file : {"index.md", "Readme.md", "x.MD", "a.md"})
    EXPECT_TRUE(is_memory_file(file)) << file;
}

TEST(Name, SubjectKeysAreDottedSegments) {
  for (const char* key : {"a", "project.release_branch", "user-1.x"})
    EXPECT_TRUE(is_subject_key(key)) << key;
  for (const char* key : {"", ".", "a.", ".a", "a..b", "A.b", "数据", "a b"})
    EXPECT_FALSE(is_subject_key(key)) << key;
}

TEST(Name, ReferencesAreParsedAndNeverLeadOut) {
  EXPECT_EQ(parse_reference("subject:db.host")->kind, Reference::Kind::kSubject);
  EXPECT_EQ(parse_reference("shared/deploy/rollback.md")->text, "deploy/rollback");
  EXPECT_EQ(parse_reference("shared/deploy/rollback")->scope, Scope::kShared);
  EXPECT_EQ(parse_reference("deploy/rollback")->kind, Reference::Kind::kAny);
  EXPECT_EQ(parse_reference("cafe\u0301")->text, "café");
  for (const char* text : {"", "  ", "../../../etc/passwd", "/etc/passwd", "shared/../x", "a//b",
                           "subject:", "subject:A B"})
    EXPECT_EQ(parse_reference(text).error().code, ErrorCode::kUsage) << text;
}

}  // namespace
}  // namespace memfs
