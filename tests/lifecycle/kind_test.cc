#include <gtest/gtest.h>
#include <memfs/lifecycle.h>

namespace memfs {
namespace {

TEST(Kind, CarKindsAreReadStrictlyFromAModelsInput) {
  EXPECT_EQ(parse_kind("fact").value(), Kind::kFact);
  EXPECT_EQ(parse_kind(" preference\n").value(), Kind::kPreference);
  EXPECT_EQ(parse_kind("procedure").value(), Kind::kProcedure);
}

TEST(Kind, CarNotesFromBeforeKindsAreFacts) {
  EXPECT_EQ(parse_kind("").value(), Kind::kFact);
  EXPECT_EQ(parse_kind(" \t").value(), Kind::kFact);
  EXPECT_EQ(kind_or_fact(""), Kind::kFact);
}

TEST(Kind, CarAnUnknownKindIsAnErrorThatNamesTheThreeKinds) {
  const auto kind = parse_kind("nonsense");
  ASSERT_FALSE(kind);
  EXPECT_EQ(kind.error().code, ErrorCode::kUsage);
  for (const char* word : {"nonsense", "fact", "preference", "procedure"})
    EXPECT_NE(kind.error().message.find(word), std::string::npos) << word;
}

TEST(Kind, AnErrorShowsLittleOfALongWordAndNoControlCharacters) {
  const auto kind = parse_kind("\x1b[31m" + std::string(5000, 'x'));
  ASSERT_FALSE(kind);
  EXPECT_LT(kind.error().message.size(), 200U);
  EXPECT_EQ(kind.error().message.find('\x1b'), std::string::npos);
}

TEST(Kind, KindsAreSpeltInLowerCase) {
  EXPECT_FALSE(parse_kind("Fact"));
  EXPECT_FALSE(parse_kind("constraint"));
  EXPECT_FALSE(parse_kind("preferences"));
}

TEST(Kind, CarStoredKindsAreReadLenientlyAndUnknownOnesAreFacts) {
  EXPECT_EQ(kind_or_fact("nonsense"), Kind::kFact);
  EXPECT_EQ(kind_or_fact("preference"), Kind::kPreference);
  EXPECT_EQ(kind_or_fact(" procedure "), Kind::kProcedure);
}

// The fault of CAR's dialect: a standing rule that went in as a constraint came back as a fact and
// was shown now and then only.
TEST(Kind, CarARuleInTheConstraintDialectComesBackAsAPreference) {
  const Kind kind = kind_of_constraint_dialect("constraint");
  EXPECT_EQ(kind, Kind::kPreference);
  EXPECT_EQ(parse_kind(name_of(kind)).value(), Kind::kPreference);
}

TEST(Kind, CarAllElseInTheConstraintDialectIsAFactButAProcedure) {
  EXPECT_EQ(kind_of_constraint_dialect(" constraint "), Kind::kPreference);
  EXPECT_EQ(kind_of_constraint_dialect("procedure"), Kind::kProcedure);
  for (const char* word : {"", "pattern", "fact", "preference", "nonsense"})
    EXPECT_EQ(kind_of_constraint_dialect(word), Kind::kFact) << word;
}

TEST(Kind, EveryKindIsReadBackFromItsName) {
  for (const Kind kind : {Kind::kFact, Kind::kPreference, Kind::kProcedure}) {
    EXPECT_EQ(parse_kind(name_of(kind)).value(), kind);
    EXPECT_EQ(kind_or_fact(name_of(kind)), kind);
  }
}

}  // namespace
}  // namespace memfs
