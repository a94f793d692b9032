#include "libmemfs/format/memory_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "libmemfs/base/clock.h"

namespace memfs {
namespace {

Memory read(const std::string& bytes, const std::string& rel = "a.md") {
  Problem empty;
  auto memory = read_memory({Scope::kShared, rel, "/s/" + rel}, bytes, &empty);
  EXPECT_TRUE(memory.has_value()) << empty.message;
  return memory.value_or(Memory{});
}
Memory block(const std::string& lines, const std::string& body = "b\n") {
  return read("---\n" + lines + "---\n" + body);
}
std::string codes(const Memory& memory) {
  std::string out;
  for (const Problem& problem : memory.problems) out += problem.code + " ";
  return out;
}

TEST(MemoryReader, TextFieldsAreTextWhateverTheyLookLike) {
  for (const char* title :
       {"2024", "007", "1.10", "1e3", "0x1F", "1_000", "no", "yes", "true", "20260517_131712"})
    EXPECT_EQ(block("id: a1\ntitle: " + std::string(title) + "\nrevision: 1\n").title, title);
}

TEST(MemoryReader, AnEmptyValueIsAbsentAndNeverTheWordNull) {
  const Memory memory =
      block("id: a1\ntitle:\nsubject_key: ~\nexpires_at:\nrevision: 1\n", "# Real heading\n");
  EXPECT_EQ(memory.title, "Real heading");
  EXPECT_EQ(memory.subject_key, "");
  EXPECT_FALSE(memory.expires_at);
  EXPECT_EQ(codes(memory), "");
}

TEST(MemoryReader, ATwoLineFileIsAMemoryWithoutComplaint) {
  const Memory memory = read("# Deploy steps\nrun it\n", "notes.md");
  EXPECT_EQ(memory.title, "Deploy steps");
  EXPECT_EQ(memory.description, "run it");
  EXPECT_EQ(memory.name, "notes");
  EXPECT_EQ(codes(memory), "");
  EXPECT_EQ(read("just text\n", "Some File.md").title, "Some File");
}

TEST(MemoryReader, TheTitleOfABomFileHasNoBom) {
  EXPECT_EQ(read("\xEF\xBB\xBF# Only body\n").title, "Only body");
  EXPECT_EQ(read("\xEF\xBB\xBF---\ntitle: T\n---\n# H\n").title, "T");
}

struct RevisionCase {
  const char* text;
  std::uint64_t value;  // 0: a problem that blocks writes
};

TEST(MemoryReader, RevisionIsPlainDecimalDigitsAndNothingElse) {
  for (const RevisionCase& c : {RevisionCase{"3", 3},
                                {"\"3\"", 3},
                                {"4294967296", 4294967296},
                                {"9007199254740991", 9007199254740991},
                                {"010", 0},
                                {"08", 0},
                                {"3.0", 0},
                                {"-1", 0},
                                {"3abc", 0},
                                {"1e2", 0},
                                {"[3]", 0},
                                {"18446744073709551616", 0},
                                {"9007199254740992", 0},
                                {"12:30:45", 0},
                                {"null", 0},
                                {"0x1F", 0},
                                {"", 0}}) {
    const Memory memory = block("id: a1\nrevision: " + std::string(c.text) + "\n");
    EXPECT_EQ(memory.revision, c.value) << c.text;
    EXPECT_EQ(codes(memory), c.value == 0 ? "bad-revision " : "") << c.text;
    if (c.value == 0) {
      EXPECT_TRUE(memory.problems.front().blocks_writes);
    }
  }
  EXPECT_EQ(codes(block("id: a1\n")), "") << "an absent revision is no problem";
}

TEST(MemoryReader, TagsComeInEveryShape) {
  using Tags = std::vector<std::string>;
  EXPECT_EQ(block("tags: a, b\n").tags, (Tags{"a", "b"}));
  EXPECT_EQ(block("tags: [a,b,]\n").tags, (Tags{"a", "b"}));
  EXPECT_EQ(block("tags: [a, , b]\n").tags, (Tags{"a", "b"}));
  EXPECT_EQ(codes(block("tags: [a, ~, b]\n")), "bad-item ");
  EXPECT_EQ(block("tags:\n- a\n- b c\n").tags, (Tags{"a", "b c"}));
  EXPECT_EQ(block("tags: \"#a\"\n").tags, (Tags{"#a"}));
  EXPECT_EQ(block("tags: [no, yes, on, off, y, n, true, null]\n").tags,
            (Tags{"no", "yes", "on", "off", "y", "n", "true", "null"}));
  EXPECT_EQ(codes(block("tags: {a: 1}\n")), "bad-value ");
  EXPECT_EQ(block("tags: 5\n").tags, (Tags{"5"}));
}

TEST(MemoryReader, AHashThatCutsAValueIsPointedAt) {
  const Memory memory =
      block("id: a1\ntitle: Fix issue #12 today\ntags: #foo #bar\nlang: C# tips\nrevision: 1\n");
  EXPECT_EQ(codes(memory), "comment-cuts comment-cuts ");
  EXPECT_EQ(memory.problems[0].line, 3);
  EXPECT_EQ(memory.problems[1].line, 4);
  EXPECT_EQ(codes(block("title: T # an ordinary comment\n")), "");
}

TEST(MemoryReader, OddDatesAreFlaggedAndNeverExpire) {
  const auto now = Instant(std::chrono::sys_days(std::chrono::year(2027) / 1 / 1));
  for (const char* date : {"2026-02-30", "2026-13-01", "10/03/2026", "tomorrow", "2026-03-10Z"}) {
    const Memory memory = block("expires_at: " + std::string(date) + "\n");
    EXPECT_EQ(codes(memory), "bad-date ") << date;
    EXPECT_FALSE(is_expired(memory, now));
    EXPECT_EQ(memory.expires_at->text, date);
  }
  EXPECT_TRUE(is_expired(block("expires_at: \"2026-03-10\"\n"), now));
  EXPECT_TRUE(is_expired(block("expires: 2026-03-10\n"), now)) << "a foreign key";
  EXPECT_FALSE(is_expired(block("expires_at: ''\n"), now));
}

TEST(MemoryReader, TheLastGoodMomentOfADayIsItsEndInUtc) {
  const Memory memory = block("expires_at: 2026-03-10\n");
  const auto day = Instant(std::chrono::sys_days(std::chrono::year(2026) / 3 / 10));
  EXPECT_FALSE(is_expired(memory, day));
  EXPECT_FALSE(is_expired(memory, day + std::chrono::seconds(86399)));
  EXPECT_TRUE(is_expired(memory, day + std::chrono::hours(24)));
}

TEST(MemoryReader, ListsAndMappingsInTextFieldsAreNamed) {
  const Memory memory = block("title: [a, b]\nid: 1e5\nsubject_key: true\nexpires_at: [1]\n");
  EXPECT_EQ(memory.title, "a") << "falls back to the file's name";
  EXPECT_EQ(codes(memory), "bad-value bad-value ");
  EXPECT_EQ(memory.aliases, std::vector<std::string>{"1e5"});
  EXPECT_EQ(memory.subject_key, "true");
  EXPECT_EQ(block("id: 1e5\nrevision: 1\n").id, "1e5");
}

TEST(MemoryReader, ForeignFilesAreReadAsTheyAre) {
  const Memory claude = block("name: prefers-tabs\ndescription: d\nmetadata:\n  type: feedback\n");
  EXPECT_EQ(claude.title, "prefers-tabs");
  EXPECT_EQ(claude.type, "feedback");
  const Memory hugo = block("title: Post\ndate: 2020-01-02\ntype: docs\nid: intro\nweight: 3\n");
  EXPECT_EQ(hugo.type, "");
  EXPECT_EQ(hugo.id, "") << "an id without a revision is another tool's";
  EXPECT_EQ(hugo.aliases, std::vector<std::string>{"intro"});
  EXPECT_EQ(hugo.created_at->text, "2020-01-02");
  EXPECT_EQ(codes(hugo), "");
  EXPECT_EQ(block("id: intro\nmem_id: mem-1\nrevision: 2\n").id, "mem-1");
}

TEST(MemoryReader, UnknownKeysAreKeptAsText) {
  const Memory memory = block("aliases:\n- A\n- B\nobsidian: {pos: [1, 2]}\n\"weird key\": 5\n");
  ASSERT_EQ(memory.extra.size(), 3U);
  EXPECT_EQ(memory.extra[1].second, "{pos: [1, 2]}");
  EXPECT_EQ(memory.extra[2], (std::pair<std::string, std::string>{"weird key", "5"}));
  EXPECT_EQ(memory.aliases, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(codes(block("Title: x\n")), "misspelt-key ");
}

TEST(MemoryReader, ABrokenBlockLeavesTheBodyReadable) {
  const Memory memory = block("title: Fix: the parser\n", "walrus body\n");
  EXPECT_TRUE(memory.needs_attention());
  EXPECT_EQ(memory.body, "walrus body\n");
  EXPECT_EQ(memory.problems.front().line, 2);
  EXPECT_EQ(memory.problems.front().column, 11);
  EXPECT_EQ(memory.title, "a");
}

TEST(MemoryReader, NulAndInvalidBytesInTheBodyAreNamedWithTheirLine) {
  const Memory nul = read(std::string("---\ntitle: T\n---\nbo\0dy\n", 23));
  EXPECT_EQ(codes(nul), "nul ");
  EXPECT_EQ(nul.problems.front().line, 4);
  EXPECT_EQ(codes(read("text\n\xFF\n")), "utf8 ");
  EXPECT_EQ(codes(read("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n")), "conflict-marker ");
  for (const char* text : {"<<<<<<<<<< HEAD\nb\n==========\nc\n>>>>>>>>>> x\n",
                           "<<<<<<< a\nb\n||||||| base\n<<<<<<<<< i\nx\n=========\ny\n"
                           ">>>>>>>>> j\n=======\nc\n>>>>>>> d\n"}) {
    const Memory marked = read(text);
    ASSERT_EQ(codes(marked), "conflict-marker ") << text;
    EXPECT_EQ(marked.problems.front().severity, Severity::kError)
        << "whatever conflict-marker-size says";
  }
}

TEST(MemoryReader, ControlCharactersAreFlagged) {
  EXPECT_EQ(codes(block("title: \"a\x01"
                        "b\"\n")),
            "control-character ");
  EXPECT_EQ(codes(read("a\n\x04\n")), "control-character ");
  EXPECT_EQ(read("a\n\x04\n").problems.front().line, 2);
}

TEST(MemoryReader, CharactersThatReadersDisagreeAboutAreFlagged) {
  EXPECT_EQ(codes(block("title: a\u2028b\n")), "odd-character ");
  EXPECT_EQ(codes(block("title: a\u0085b\n")), "odd-character ");
  EXPECT_EQ(codes(block("title: a\uFEFFb\n")), "odd-character ");
  EXPECT_EQ(codes(block("title: a\u00A0b\n")), "");
}

TEST(MemoryReader, DotsThatEndTheBlockTooSoonAreFlagged) {
  const Memory memory =
      read("---\nid: a1\ntitle: T\n...\nexpires: 2020-01-01\nrevision: 3\n---\nb\n");
  EXPECT_EQ(codes(memory), "dots-close-block ");
  EXPECT_EQ(memory.problems.front().line, 4);
  EXPECT_EQ(codes(read("---\nid: b1\n...\nbody walrus\n")), "");
}

TEST(MemoryReader, TheScopeKeyIsOnlyCheckedAgainstTheFolder) {
  EXPECT_EQ(codes(block("scope: private\n")), "scope-mismatch ");
  EXPECT_EQ(codes(block("scope: shared\n")), "");
}

TEST(MemoryReader, AHugeBodyIsReadAndSaysHowMuchIsSearched) {
  EXPECT_EQ(codes(read(std::string(kMaxIndexedBody + 1, 'x'))), "large-body ");
}

}  // namespace
}  // namespace memfs
