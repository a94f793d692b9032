#include "libmemfs/lifecycle/duplicate_candidates.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "tests/lifecycle/statement_pairs.h"
#include "tests/support/index_fixture.h"

namespace memfs::testing {
namespace {

const std::vector<index::FieldSpec> kFields = {
    {"title", 5.0, 0.3}, {"description", 2.5, 0.3}, {"body", 1.0, 0.6}};

std::size_t number_of(const index::Snapshot& snapshot, index::DocumentId id) {
  return std::stoul(std::string(snapshot.key(id))) - 100000;
}

bool is_candidate(const index::Snapshot& snapshot, const Statement& statement, std::size_t number) {
  for (const index::DocumentId id : duplicate_candidates(snapshot, statement))
    if (number_of(snapshot, id) == number) return true;
  return false;
}

// Many memories with the same common words, so that a search has something to choose from.
std::vector<std::vector<std::string>> crowd(std::size_t size) {
  std::vector<std::vector<std::string>> documents;
  for (std::size_t i = 0; i < size; ++i)
    documents.push_back({"The policy of service " + std::to_string(i), "Owner and contact",
                         "The release of the service is done by the team, see the branch policy."});
  return documents;
}

TEST(DuplicateCandidates, EveryPairThatIsTheSameIsFoundInACrowd) {
  auto documents = crowd(2000);
  const std::size_t first = documents.size();
  for (const StatementPair& pair : kSamePairs)
    documents.push_back({pair.a.title, pair.a.description, pair.a.body});
  const index::Snapshot snapshot = snapshot_of(kFields, documents);
  for (std::size_t i = 0; i < std::size(kSamePairs); ++i) {
    const StatementText& text = kSamePairs[i].b;
    EXPECT_TRUE(is_candidate(snapshot, {text.title, text.description, text.body}, first + i))
        << text.title;
  }
}

TEST(DuplicateCandidates, AWordThatNoDocumentHasHidesNothing) {
  auto documents = crowd(500);
  documents.push_back({"Heron migration", "", "x"});
  const index::Snapshot snapshot = snapshot_of(kFields, documents);
  EXPECT_TRUE(is_candidate(snapshot, {"Heron migratoin qzx", "", ""}, 500));
}

TEST(DuplicateCandidates, ThereAreFewAndNoneTwice) {
  const index::Snapshot snapshot = snapshot_of(kFields, crowd(500));
  const Statement statement{"The policy of service", "Owner and contact", "release branch policy"};
  const auto found = duplicate_candidates(snapshot, statement);
  EXPECT_FALSE(found.empty());
  EXPECT_LE(found.size(), 3 * kCandidatesEach);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size(); ++j) EXPECT_FALSE(found[i] == found[j]);
}

TEST(DuplicateCandidates, NothingIsFoundForNothingOrInAnEmptyIndex) {
  EXPECT_TRUE(duplicate_candidates(snapshot_of(kFields, crowd(5)), {"", "", "…!"}).empty());
  EXPECT_TRUE(duplicate_candidates(index::Snapshot(kFields), {"Release policy", "", "x"}).empty());
}

}  // namespace
}  // namespace memfs::testing
