// Values that were surely meant as text are quoted; whatever may mean something else is not.
#include "libmemfs/format/quote_repair.h"

#include <gtest/gtest.h>

#include "libmemfs/format/key_spelling.h"

namespace memfs {
namespace {

std::string repaired(const std::string& block) {
  const auto repair = quote_broken_values("---\n" + block + "---\nbody: x\n");
  if (!repair) return "";
  EXPECT_TRUE(repair->file.starts_with("---\n") && repair->file.ends_with("---\nbody: x\n"));
  return repair->file.substr(4, repair->file.size() - 4 - 12);
}

TEST(QuoteRepair, QuotesTextThatYamlRefuses) {
  EXPECT_EQ(repaired("title: Fix: the parser\n"), "title: \"Fix: the parser\"\n");
  EXPECT_EQ(repaired("title: @home\ntags: [a]\n"), "title: \"@home\"\ntags: [a]\n");
  EXPECT_EQ(repaired("title: `x` is slow\n"), "title: \"`x` is slow\"\n");
  EXPECT_EQ(repaired("title: say \"hi\": now\n"), "title: \"say \\\"hi\\\": now\"\n");
  EXPECT_EQ(repaired("# note\ntitle: a: b\ndescription: c: d\nx: 1\n"),
            "# note\ntitle: \"a: b\"\ndescription: \"c: d\"\nx: 1\n");
  EXPECT_EQ(repaired("title:   a: b  \r\nx: 1\r\n"), "title:   \"a: b\"  \r\nx: 1\r\n");
}

TEST(QuoteRepair, LeavesAloneWhatIsNotSure) {
  for (const char* block :
       {"title: plain\n", "title: a: b # c\n", "tags: a: b\n", "weight: a: b\n", "title: [a: b\n",
        "title: 'a: b\n", "title: a: b\n  c: d\n", "title: a: b\n\tx\n",
        "title: a: b\nx: 1\nx: 2\n", "  title: a: b\n", "title: |a: b\n", "title: &a b: c\n"})
    EXPECT_EQ(repaired(block), "") << block;
}

TEST(KeySpelling, OursIsMeantByWhatLooksLikeIt) {
  for (const auto& [key, meant] : {std::pair("Title", "title"),
                                   {"expire_at", "expires_at"},
                                   {"expiresAt", "expires_at"},
                                   {"subject-key", "subject_key"},
                                   {"tag", "tags"},
                                   {"keyword", "keywords"},
                                   {"descripton", "description"},
                                   {"TAGS", "tags"},
                                   {"volatilty", "volatility"},
                                   {"created-at", "created_at"},
                                   {"update_at", "updated_at"},
                                   {"knid", "kind"}}) {
    const Field* field = misspelt_field(key);
    ASSERT_NE(field, nullptr) << key;
    EXPECT_EQ(field->key, meant);
  }
}

TEST(KeySpelling, OursAndOtherWordsAreNotMisspelt) {
  for (const char* key :
       {"title",     "name",    "date",    "created", "updated",  "modified", "lastmod",
        "expires",   "aliases", "version", "weight",  "author",   "layout",   "sidebar",
        "linkTitle", "sources", "types",   "x",       "category", "slug",     "draft",
        "issue",     "url",     "head",    "feature", "Date",     "Name"})
    EXPECT_EQ(misspelt_field(key), nullptr) << key;
}

}  // namespace
}  // namespace memfs
