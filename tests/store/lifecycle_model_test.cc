// Random lives of memories, compared with the model after every step.
#include <gtest/gtest.h>

#include "libmemfs/base/hash.h"
#include "tests/store/lifecycle_model.h"

namespace memfs::testing {
void LifecycleModel::check_states(const Life& life) {
  for (const std::string& bytes : life.states) {
    const auto text = reopened().revision(life.reference(), content_hash(bytes));
    ASSERT_TRUE(text) << life.ref() << ": " << text.error().message << "\n" << bytes;
    EXPECT_EQ(text->bytes, bytes);
  }
}

void LifecycleModel::check_all() {
  Store fresh = reopened();
  const auto listing = fresh.list();
  std::set<std::string> subjects, refs, expected, seen_ids;
  for (const Memory& found : listing->memories) {
    refs.insert(found.ref());
    EXPECT_TRUE(found.id.empty() || seen_ids.insert(found.id).second) << found.id << " twice";
    if (found.subject_key.empty() || is_expired(found, clock->now())) continue;
    EXPECT_TRUE(subjects.insert(std::string(name_of(found.scope)) + found.subject_key).second)
        << found.ref() << " is a second holder of " << found.subject_key;
  }
  for (const auto& [mark, life] : lives) {
    if (!life.live) continue;
    expected.insert(life.ref());
    EXPECT_EQ(memory->bytes_of(path_of(life)), life.bytes);
  }
  EXPECT_EQ(refs, expected);
  std::vector<std::string> told, modelled;
  const auto log = fresh.log({});
  for (const WriteEntry& entry : *log)
    if (entry.operation != Operation::kByHand)
      told.push_back(std::string(name_of(entry.operation)) + " " + entry.after);
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    modelled.push_back(std::string(name_of(entry->operation)) + " " + entry->after);
  EXPECT_EQ(told, modelled);
}

void LifecycleModel::do_step(Kind kind) {
  switch (kind) {
    case Kind::kCreate:
      return create();
    case Kind::kRepeat:
      return repeat_exactly();
    case Kind::kUpdate:
      return update();
    case Kind::kEdit:
      return edit();
    case Kind::kRestore:
      return restore();
    case Kind::kForget:
      return forget(false);
    case Kind::kRecover:
      return recover();
    case Kind::kMove:
      return move();
    case Kind::kUndo:
      return undo();
    case Kind::kVerify:
      return simple(Operation::kVerify);
    case Kind::kAdopt:
      return simple(Operation::kAdopt);
    case Kind::kHandEdit:
      return hand_edit();
    case Kind::kPlant:
      return plant();
    case Kind::kPurge:
      return forget(true);
  }
}

void LifecycleModel::step() {
  std::vector<Kind> kinds = {Kind::kCreate,  Kind::kCreate, Kind::kRepeat,  Kind::kUpdate,
                             Kind::kUpdate,  Kind::kEdit,   Kind::kRestore, Kind::kForget,
                             Kind::kRecover, Kind::kMove,   Kind::kUndo,    Kind::kVerify,
                             Kind::kAdopt};
  const std::size_t of_stores = kinds.size();
  if (hands) kinds.insert(kinds.end(), {Kind::kHandEdit, Kind::kPlant, Kind::kPurge});
  const std::size_t kind = numbers.below(kinds.size());
  const auto before = files_of_scopes();
  const std::size_t written = entries.size();
  do_step(kinds[kind]);
  if (entries.size() == written && kind < of_stores) {
    EXPECT_EQ(files_of_scopes(), before) << "what is refused, or changes nothing, touches no file";
  }
  if (numbers.below(3) == 0) clock->advance(std::chrono::hours(numbers.below(40)));
  if (numbers.below(2) == 0) clock->advance(std::chrono::seconds(1));
}

TEST_F(LifecycleModel, AnySequenceOfWritesKeepsItsPromises) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    begin(seed, true);
    for (int i = 0; i < 50 && !HasFailure(); ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      step();
      check_all();
    }
    for (const auto& [mark, life] : lives) check_states(life);
    if (HasFailure()) return;
  }
}

TEST_F(LifecycleModel, UndoRepeatedLeadsBackToTheBeginning) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    begin(seed, false);
    for (int i = 0; i < 3; ++i) plant();
    for (int i = 0; i < 30 && !HasFailure(); ++i) step();
    for (int i = 0; i < 100; ++i) {
      SCOPED_TRACE("undo " + std::to_string(i));
      if (HasFailure() || !store().log({})) break;
      const std::size_t before = entries.size();
      undo();
      check_all();
      if (entries.size() == before) break;
    }
    EXPECT_EQ(store().undo().error().code, ErrorCode::kNotFound);
    for (const auto& [mark, life] : lives) {
      EXPECT_EQ(life.live, !life.planted.empty()) << life.ref();
      EXPECT_EQ(life.live ? without_owned(life.bytes) : "", without_owned(life.planted));
    }
    if (HasFailure()) return;
  }
}

}  // namespace memfs::testing
