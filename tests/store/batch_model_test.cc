// Random batches do all that they say or nothing, as a map that is copied, changed and looked at as
// a whole says. Memories are told apart by their ids, not by what a batch may touch.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/numbers.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {
namespace {

constexpr std::uint64_t kMostEntries = 6;
constexpr std::uint64_t kMostCharacters = 160;

struct Thing {
  Scope scope = Scope::kShared;
  std::string name, subject, body;
  bool live = true;
  bool operator==(const Thing&) const = default;
};
using World = std::map<std::string, Thing>;  // by id

class BatchModel : public StoreFixture, public ::testing::WithParamInterface<std::uint64_t> {
 protected:
  void SetUp() override {
    Layout layout = memory_layout(*memory);
    for (const Scope scope : {Scope::kPrivate, Scope::kShared})
      layout.settings.budget(scope) = Budget{kMostCharacters, kMostEntries, std::nullopt};
    Store::Services services;
    services.fs = memory;
    services.clock = clock;
    services.ids = ids;
    services.threads = 1;
    store.emplace(*Store::open(layout, services));
  }

  template <typename List>
  const auto& any(const List& list) {
    return list[numbers.below(list.size())];
  }
  Scope scope() { return numbers.below(3) == 0 ? Scope::kPrivate : Scope::kShared; }
  std::string words() {
    std::string text = "m" + std::to_string(++marks);
    for (std::size_t more = numbers.below(8); more > 0; --more) text += " word" + text;
    return text.substr(0, 60) + "\n";
  }
  // "" twice as often, so that not every batch fails for its subjects.
  std::string subject() {
    return any(std::vector<std::string>{"", "", "s.one", "s.two", "s.three"});
  }
  std::string some(bool live) {
    std::vector<std::string> fitting;
    for (const auto& [id, thing] : world)
      if (thing.live == live) fitting.push_back(id);
    return fitting.empty() || numbers.below(20) == 0 ? "nobody" : any(fitting);
  }

  // An item, and the model's part of it: what it makes of `next`; false if it cannot be.
  struct Plan {
    std::vector<BatchItem> items{};
    std::vector<std::string> meant{};
    std::vector<Thing> fresh{};
    std::vector<std::string> returning{};
    World next{};
    bool possible = true;
  };

  Thing* mean(Plan& plan, const std::string& id, bool live) {
    const auto found = plan.next.find(id);
    const bool again = std::find(plan.meant.begin(), plan.meant.end(), id) != plan.meant.end();
    plan.meant.push_back(id);
    if (again || found == plan.next.end() || found->second.live != live) {
      plan.possible = false;
      return nullptr;
    }
    return &found->second;
  }

  void plan_create(Plan& plan) {
    Thing thing;
    thing.scope = scope();
    thing.subject = subject();
    thing.body = words();
    NewMemory fresh = wish(any(std::vector<std::string>{"A", "B", "C"}), thing.body, thing.scope);
    if (!thing.subject.empty()) fresh.fields.push_back(field("subject_key", thing.subject));
    fresh.consent.near_duplicate = true;
    plan.items.emplace_back(fresh);
    plan.fresh.push_back(thing);
  }

  void plan_update(Plan& plan) {
    const std::string id = some(true);
    const std::string to = subject();
    BatchUpdate update{id, {}};
    update.change.body = {BodyEdit::Kind::kSet, words(), {}};
    FieldEdit edit = field("subject_key", to);
    edit.clear = to.empty();
    update.change.fields.push_back(edit);
    const auto now_there = store->read(id);
    const bool stale = numbers.below(12) == 0;
    if (now_there) update.change.expected_revision = now_there->memory.revision + (stale ? 1 : 0);
    plan.possible = plan.possible && !stale;
    plan.items.emplace_back(update);
    if (Thing* thing = mean(plan, id, true)) {
      thing->subject = to;
      thing->body = update.change.body.text;
    }
  }

  void plan_item(Plan& plan) {
    const std::size_t kind = numbers.below(8);
    // Where there is nothing to change nothing would ever succeed.
    if (world.empty()) return plan_create(plan);
    switch (kind) {
      case 0:
      case 1:
        return plan_create(plan);
      case 2:
      case 3:
        return plan_update(plan);
      case 4:
      case 5: {
        const std::string id = some(true);
        plan.items.emplace_back(BatchForget{id, ""});
        if (Thing* thing = mean(plan, id, true)) thing->live = false;
        return;
      }
      case 6: {
        const std::string id = some(false);
        plan.items.emplace_back(BatchRecover{id, {}});
        plan.returning.push_back(id);
        if (Thing* thing = mean(plan, id, false)) thing->live = true;
        return;
      }
      default: {
        const std::string id = some(true);
        plan.items.emplace_back(BatchVerify{id, {}});
        (void)mean(plan, id, true);
      }
    }
  }

  static std::vector<Thing> living(const World& world, Scope scope) {
    std::vector<Thing> all;
    for (const auto& [id, thing] : world)
      if (thing.live && thing.scope == scope) all.push_back(thing);
    return all;
  }
  static std::uint64_t characters(const std::vector<Thing>& things) {
    std::uint64_t sum = 0;
    for (const Thing& thing : things) sum += thing.body.size();
    return sum;
  }
  // The rules, looked at in the state that the plan leads to.
  bool is_allowed(const Plan& plan) const {
    for (const Scope scope : {Scope::kPrivate, Scope::kShared}) {
      std::vector<Thing> then = living(plan.next, scope);
      std::set<std::string> names;
      for (const Thing& thing : then)
        if (!names.insert(thing.name).second) return false;
      for (const Thing& thing : plan.fresh)
        if (thing.scope == scope) then.push_back(thing);
      std::set<std::string> subjects;
      for (const Thing& thing : then)
        if (!thing.subject.empty() && !subjects.insert(thing.subject).second) return false;
      const std::vector<Thing> earlier = living(world, scope);
      if (then.size() > kMostEntries && then.size() > earlier.size()) return false;
      if (characters(then) > kMostCharacters && characters(then) > characters(earlier))
        return false;
    }
    return true;
  }

  World found() {
    World all;
    const auto archived = store->archived();
    for (const ArchivedMemory& copy : *archived) {
      const Memory& gone = copy.memory;
      all[gone.id] = {gone.scope, gone.name, gone.subject_key, gone.body, false};
    }
    const auto listing = store->list();
    EXPECT_TRUE(listing->problems.empty());
    for (const Memory& listed : listing->memories) {
      EXPECT_FALSE(all.contains(listed.id)) << "it is live and archived";
      all[listed.id] = {listed.scope, listed.name, listed.subject_key, store->load(listed)->body,
                        true};
    }
    return all;
  }

  void run_batch() {
    Plan plan;
    plan.next = world;
    for (std::size_t more = numbers.below(4) + 1; more > 0; --more) plan_item(plan);
    const bool expected = plan.possible && is_allowed(plan);
    const auto done = store->batch(plan.items);
    ASSERT_EQ(done.has_value(), expected) << (done ? "written" : done.error().message);
    if (!done) return;
    ++succeeded;
    bool changed = false;
    std::size_t fresh = 0;
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
      const auto& written = done->items[i].written;
      changed = changed || !written || written->changed;
      if (!std::holds_alternative<NewMemory>(plan.items[i])) continue;
      Thing thing = plan.fresh[fresh++];
      thing.name = written->memory.name;
      plan.next[written->memory.id] = thing;
    }
    if (changed) before.push_back(world);
    world = plan.next;
  }

  // What was new is archived by it; all else is as it was.
  void undo_batch() {
    const auto undone = store->undo();
    ASSERT_EQ(undone.has_value(), !before.empty()) << (undone ? "" : undone.error().message);
    if (!undone) return;
    ++taken_back;
    World then = before.back();
    before.pop_back();
    for (const auto& [id, thing] : world) {
      if (then.contains(id)) continue;
      then[id] = thing;
      then[id].live = false;
    }
    world = then;
  }

  std::shared_ptr<MovingClock> clock = std::make_shared<MovingClock>(parse_date(now)->at);
  std::shared_ptr<CountingIds> ids = std::make_shared<CountingIds>();
  Numbers numbers{GetParam() * 7919 + 1};
  std::optional<Store> store{};
  World world{};
  std::vector<World> before{};
  int marks = 0;
  int succeeded = 0;
  int taken_back = 0;
};

TEST_P(BatchModel, ABatchIsWhatACopiedMapSays) {
  for (int step = 0; step < 60 && !HasFatalFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    clock->advance(std::chrono::seconds(1));
    numbers.below(6) == 0 ? undo_batch() : run_batch();
    ASSERT_EQ(found(), world);
  }
  EXPECT_GE(succeeded, 8);
  EXPECT_GE(taken_back, 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BatchModel, ::testing::Range<std::uint64_t>(1, 31));

}  // namespace
}  // namespace memfs::testing
