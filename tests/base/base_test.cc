#include <gtest/gtest.h>

#include "libmemfs/base/clock.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/process.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

TEST(Hash, IsTheCanonicalXxh3) {
  // Value of the empty input from the xxHash test vectors.
  EXPECT_EQ(content_hash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_NE(content_hash("a"), content_hash("b"));
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_FALSE(find_invalid_utf8("plain, höher, 发布, 😀"));
  EXPECT_EQ(find_invalid_utf8("ab\xFF"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xC0\xAF"), 0U) << "overlong";
  EXPECT_EQ(find_invalid_utf8("a\xED\xA0\x80"), 1U) << "surrogate";
  EXPECT_EQ(find_invalid_utf8("\xE5\x8F"), 0U) << "cut";
}

TEST(Utf8, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(escape_for_terminal("a\x1b[31mb\n\xFF"), "a\\x1b[31mb\\n\\xff");
  EXPECT_EQ(escape_for_terminal("a\u202Eb\u200Bc\U000E0069"), "a\\u{202e}b\\u{200b}c\\u{e0069}");
  EXPECT_EQ(escape_for_terminal("two\nlines\t", true), "two\nlines\t");
  EXPECT_EQ(escape_for_terminal("发布 😀"), "发布 😀");
}

TEST(Clock, UlidsSortByTimeAndHaveTheirAlphabet) {
  RandomIds ids;
  const Instant early{std::chrono::milliseconds(1)};
  const Instant late{std::chrono::milliseconds(1790000000000)};
  const std::string a = ids.ulid(early, "", 0);
  const std::string b = ids.ulid(late, "", 0);
  EXPECT_EQ(a.size(), 26U);
  EXPECT_LT(a, b);
  EXPECT_NE(ids.ulid(late, "", 0), b);
  EXPECT_EQ(b.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz"), std::string::npos);
  // From the ULID specification's example: 01ARYZ6S41 is 1469918176385.
  EXPECT_EQ(ids.ulid(Instant{std::chrono::milliseconds(1469918176385)}, "", 0).substr(0, 10),
            "01aryz6s41");
}

TEST(Clock, FormatsInstantsInUtc) {
  EXPECT_EQ(format_instant(Instant{std::chrono::milliseconds(1796003900123)}),
            "2026-11-30T01:58:20Z");
}

TEST(Unicode, FoldsNamesCanonically) {
  EXPECT_EQ(fold_name("Cafe\u0301"), fold_name("CAFÉ"));
  EXPECT_EQ(fold_name("STRASSE"), fold_name("Straße"));
  EXPECT_NE(fold_name("ข้าว"), fold_name("ขาว"));
}

TEST(Unicode, CutsOnGraphemes) {
  EXPECT_EQ(cut_graphemes("e\u0301e\u0301", 4), "e\u0301");
  EXPECT_EQ(take_graphemes("ก้าว", 1), "ก้");
  EXPECT_EQ(take_graphemes("👩‍👩‍👧x", 1), "👩‍👩‍👧");
}

TEST(Unicode, ReadsTextOfChineseSystems) {
  EXPECT_EQ(utf8_of_gb18030("abc \xB7\xA2\xB2\xBC\n"), "abc 发布\n");
  EXPECT_EQ(utf8_of_gb18030("\x95\x32\x82\x36"), "𠀀");  // four bytes
  EXPECT_EQ(utf8_of_gb18030(""), "");
  EXPECT_EQ(utf8_of_gb18030("\x80\xFF"), std::nullopt);
  EXPECT_EQ(utf8_of_gb18030("cut \xB7"), std::nullopt);
  EXPECT_EQ(utf8_of_gb18030("\xAA\xA1"), std::nullopt);  // private use
}

TEST(Unicode, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("发布"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(Process, RunsAProgramWithoutAShell) {
  const auto output = run_process({"printf", "%s|", "a b", "$HOME"});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "a b|$HOME|");
  EXPECT_EQ(run_process({"false"})->exit_code, 1);
  EXPECT_EQ(run_process({"no-such-program-here"}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace memfs
