#include "tests/store/lifecycle_model.h"

#include <algorithm>

#include "libmemfs/base/hash.h"

namespace memfs::testing {

void LifecycleModel::begin(std::uint64_t seed, bool by_hand) {
  memory = std::make_shared<MemoryFs>();
  clock = std::make_shared<MovingClock>(parse_date(now)->at);
  numbers = Numbers(seed * 0x9e3779b97f4a7c15ULL);
  lives.clear();
  entries.clear();
  hands = by_hand;
  for (auto& store : stores) store = std::make_unique<Store>(reopened());
}

bool LifecycleModel::clashes(const Life& wanted) const {
  if (wanted.subject.empty() || expired(wanted.expires)) return false;
  return std::any_of(lives.begin(), lives.end(), [&](const auto& other) {
    const Life& life = other.second;
    return life.live && life.mark != wanted.mark && life.scope == wanted.scope &&
           life.subject == wanted.subject && !expired(life.expires);
  });
}

bool LifecycleModel::name_taken(const Life& wanted) const {
  return std::any_of(lives.begin(), lives.end(), [&](const auto& other) {
    return other.second.live && other.second.ref() == wanted.ref() &&
           other.second.mark != wanted.mark;
  });
}

Life* LifecycleModel::some(bool live) {
  std::vector<Life*> fitting;
  for (auto& [mark, life] : lives)
    if (life.live == live) fitting.push_back(&life);
  return fitting.empty() ? nullptr : fitting[numbers.below(fitting.size())];
}

std::string LifecycleModel::sentence(const std::string& mark) {
  // One draw a statement: the order within one is the compiler's.
  const std::string what = pick({"The deploy key rotates", "Tests need Postgres 15", "Ask Ada"});
  const std::string when = pick({"now", "still", "again"});
  return what + " " + when + " " + mark + "\n";
}

bool LifecycleModel::check_write(const Result<WriteResult>& result, bool expected,
                                 const Life& life) {
  EXPECT_EQ(result.has_value(), expected)
      << life.ref() << ": " << (result ? "written" : result.error().message);
  return result.has_value() && expected;
}

void LifecycleModel::note(Operation operation, Life& life, const Life& before, bool was_there,
                          const WriteResult& written, bool undo) {
  const std::string bytes = memory->bytes_of("/m/" + written.ref() + ".md");
  if (!before.bytes.empty()) life.states.insert(before.bytes);
  life.bytes = bytes;
  life.states.insert(bytes);
  life.live = true;
  life.scope = written.memory.scope;
  life.name = written.memory.name;
  life.id = written.memory.id;
  if (!undo) life.point = ++points;
  entries.push_back(
      {operation, life.mark, content_hash(bytes), before, was_there, life.point, false, undo});
  same_as_read(written);
}

void LifecycleModel::same_as_read(const WriteResult& written) {
  const auto read = reopened().read(written.ref());
  ASSERT_TRUE(read) << written.ref();
  const Memory& a = written.memory;
  const Memory& b = read->memory;
  EXPECT_EQ(a.etag, b.etag);
  EXPECT_EQ(std::tie(a.name, a.rel, a.path, a.id, a.revision, a.body, a.characters),
            std::tie(b.name, b.rel, b.path, b.id, b.revision, b.body, b.characters));
  EXPECT_EQ(std::tie(a.title, a.description, a.type, a.kind, a.activation, a.volatility),
            std::tie(b.title, b.description, b.type, b.kind, b.activation, b.volatility));
  EXPECT_EQ(std::tie(a.subject_key, a.keywords, a.tags, a.source, a.extra),
            std::tie(b.subject_key, b.keywords, b.tags, b.source, b.extra));
  const auto dates = [](const Memory& m) {
    std::string texts;
    for (const auto* date : {&m.created_at, &m.updated_at, &m.last_verified_at, &m.expires_at})
      texts += (*date ? (*date)->text : "none") + " ";
    return texts;
  };
  EXPECT_EQ(dates(a), dates(b));
}

void LifecycleModel::create() {
  Life life;
  life.mark = "zq" + std::to_string(++marks) + "qz";
  life.scope = kScopes[numbers.below(3)];
  const std::string title = pick({"Deploys", "Tests", "Ada", "Other"});
  NewMemory asked = wish(title, sentence(life.mark), life.scope);
  if (numbers.below(2) == 0) life.subject = pick({"a.b", "c.d"});
  if (numbers.below(4) == 0) life.expires = day(static_cast<int>(numbers.below(3)) - 1);
  if (!life.subject.empty()) asked.fields.push_back(field("subject_key", life.subject));
  if (!life.expires.empty()) asked.fields.push_back(field("expires_at", life.expires));
  const auto made = store().create(asked);
  if (!check_write(made, !clashes(life), life)) return;
  note(Operation::kAdd, lives[life.mark] = life, {}, false, *made);
}

void LifecycleModel::plant() {
  Life life;
  life.mark = "zq" + std::to_string(++marks) + "qz";
  life.scope = kScopes[numbers.below(3)];
  life.name = "by-hand-" + std::to_string(marks);
  life.planted = pick({"", "---\ntitle: Hand # mine\nid: intro\ncolour: red\n---\n",
                       "---\n# why\ntags: [a, b]\n---\n\n"});
  life.planted += sentence(life.mark);
  life.bytes = life.planted;
  life.point = ++points;
  memory->plant(path_of(life), life.bytes);
  lives[life.mark] = life;
}

void LifecycleModel::repeat_exactly() {
  Life* life = some(true);
  if (life == nullptr || expired(life->expires)) return;
  const auto there = reopened().read(life->reference());
  ASSERT_TRUE(there);
  if (!there->memory.has_title) return;
  const auto same = store().create(wish(there->memory.title, there->memory.body, life->scope));
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(same->duplicate);
  EXPECT_FALSE(same->changed);
}

void LifecycleModel::update() {
  Life* life = some(true);
  if (life == nullptr) return;
  const Life before = *life;
  Life after = before;
  Change change;
  const auto set_or_clear = [&](const std::string& key, std::string& value, std::string text) {
    value = numbers.below(3) == 0 ? "" : std::move(text);
    change.fields.push_back(field(key, value));
    change.fields.back().clear = value.empty();
  };
  std::string ignored;
  if (numbers.below(3) == 0) set_or_clear("subject_key", after.subject, pick({"a.b", "c.d"}));
  if (numbers.below(3) == 0)
    set_or_clear("expires_at", after.expires, day(static_cast<int>(numbers.below(4)) - 2));
  if (numbers.below(3) == 0) set_or_clear("keywords", ignored, pick({"one", "two"}));
  if (numbers.below(3) == 0) set_or_clear("type", ignored, pick({"user", "project"}));
  if (numbers.below(2) == 0)
    change.body = {BodyEdit::Kind::kAppend, sentence(life->mark), {}};
  else if (numbers.below(2) == 0)
    change.body = {BodyEdit::Kind::kSet, sentence(life->mark), {}};
  const bool stale = numbers.below(8) == 0;
  if (stale) change.expected_revision = 1000;
  const auto written = store().update(life->reference(), change);
  if (!check_write(written, !stale && !clashes(after), after)) return;
  if (!written->changed) return;
  *life = after;
  note(Operation::kUpdate, *life, before, true, *written);
}

void LifecycleModel::edit() {
  Life* life = some(true);
  if (life == nullptr) return;
  const Life before = *life;
  Life after = before;
  after.subject = pick({"", "a.b", "c.d"});
  after.expires = "";
  const std::string bytes = "---\n# " + pick({"why", "because"}) +
                            "\ntitle: " + pick({"Edited", "Changed"}) + "  # here\n" +
                            (after.subject.empty() ? "" : "subject_key: " + after.subject + "\n") +
                            "shape: {round: yes}\n---\n" + sentence(life->mark);
  const auto written = store().edit(life->reference(), bytes, content_hash(life->bytes));
  if (!check_write(written, !clashes(after), after) || !written->changed) return;
  *life = after;
  note(Operation::kEdit, *life, before, true, *written);
  EXPECT_EQ(without_owned(life->bytes), bytes);
}

void LifecycleModel::restore() {
  Life* life = some(true);
  if (life == nullptr || life->states.empty()) return;
  const Life before = *life;
  Life after = before;
  auto wanted = life->states.begin();
  std::advance(wanted, static_cast<std::ptrdiff_t>(numbers.below(life->states.size())));
  const std::string bytes = *wanted;
  const auto text = reopened().revision(life->reference(), content_hash(bytes));
  ASSERT_TRUE(text) << text.error().message;
  after.subject = text->memory.subject_key;
  after.expires = text->memory.expires_at ? text->memory.expires_at->text : "";
  const auto written = store().restore(life->reference(), content_hash(bytes));
  if (!check_write(written, !clashes(after), after) || !written->changed) return;
  *life = after;
  note(Operation::kRestore, *life, before, true, *written);
  EXPECT_EQ(without_owned(life->bytes), without_owned(bytes));
  EXPECT_EQ(written->memory.body, text->memory.body);
}

void LifecycleModel::forget(bool purge) {
  Life* life = some(!purge || numbers.below(3) != 0);
  if (life == nullptr) return;
  const auto gone = store().forget(life->reference(), purge);
  ASSERT_TRUE(gone) << gone.error().message;
  if (purge) {
    const std::string mark = life->mark;
    std::erase_if(entries, [&](const Entry& entry) { return entry.mark == mark; });
    lives.erase(mark);
    entries.push_back({Operation::kPurge, "", "", {}, false, 0});
    for (const auto& [path, bytes] : files_below(*memory, "/m"))
      EXPECT_EQ(bytes.find(mark), std::string::npos) << path << " holds what was purged";
    return;
  }
  const Life before = *life;
  life->live = false;
  life->states.insert(life->bytes);
  life->point = ++points;
  entries.push_back({Operation::kForget, life->mark, "", before, true, life->point});
}

void LifecycleModel::recover() {
  Life* life = some(false);
  if (life == nullptr) return;
  const Life before = *life;
  const auto written = store().recover(life->reference());
  if (!check_write(written, !clashes(*life) && !name_taken(*life), *life)) return;
  note(Operation::kRecover, *life, before, false, *written);
  EXPECT_EQ(without_owned(life->bytes), without_owned(before.bytes));
}

void LifecycleModel::move() {
  Life* life = some(true);
  if (life == nullptr) return;
  const Life before = *life;
  Life after = before;
  after.scope = kScopes[(static_cast<std::size_t>(before.scope) + 1 + numbers.below(2)) % 3];
  auto moved =
      store().move({.from = life->reference(), .to = std::string(name_of(after.scope)) + "/"});
  Result<WriteResult> written =
      moved ? Result<WriteResult>(WriteResult{}) : Result<WriteResult>(std::move(moved).error());
  if (moved) {
    written->memory = moved->moved.front().after;
    written->changed = true;
  }
  if (!check_write(written, !clashes(after) && !name_taken(after), after)) return;
  *life = after;
  note(Operation::kMove, *life, before, true, *written);
  EXPECT_EQ(without_owned(life->bytes), without_owned(before.bytes));
}

void LifecycleModel::undo() {
  const auto last = std::find_if(entries.rbegin(), entries.rend(),
                                 [](const Entry& entry) { return !entry.undo && !entry.undone; });
  if (last == entries.rend()) {
    EXPECT_EQ(store().undo().error().code, ErrorCode::kNotFound);
    return;
  }
  if (last->operation == Operation::kPurge) {
    EXPECT_EQ(store().undo().error().code, ErrorCode::kRefused);
    return;
  }
  Entry& entry = *last;
  Life& life = lives.at(entry.mark);
  Life wanted = entry.before;
  wanted.mark = entry.mark;
  const bool gets_live = entry.was_there;
  const bool in_place = life.live && life.ref() == wanted.ref();
  const bool fits = !clashes(wanted) && (in_place || !name_taken(wanted));
  const bool expected = life.point == entry.point && (!gets_live || fits);
  const auto result = store().undo();
  ASSERT_EQ(result.has_value(), expected) << name_of(entry.operation) << " " << life.ref() << " "
                                          << (result ? "taken back" : result.error().message);
  if (!expected) return;
  entry.undone = true;
  const Life now_there = life;
  if (!gets_live) {
    life.live = false;
    life.states.insert(life.bytes);
    life.point = entry.before.point;
    entries.push_back(
        {Operation::kForget, life.mark, "", now_there, true, life.point, false, true});
    return;
  }
  ASSERT_TRUE(result->written);
  const Operation operation = entry.operation == Operation::kForget ? Operation::kRecover
                              : entry.operation == Operation::kMove ? Operation::kMove
                                                                    : Operation::kRestore;
  const std::string said = without_owned(entry.before.bytes);
  life.subject = wanted.subject;
  life.expires = wanted.expires;
  life.point = wanted.point;
  note(operation, life, now_there, true, *result->written, true);
  EXPECT_EQ(without_owned(life.bytes), said);
}

void LifecycleModel::hand_edit() {
  Life* life = some(true);
  if (life == nullptr || !hands) return;
  // Only what a later write meets is kept: what a second editor overwrites nobody has seen.
  if (memory->bytes_of(path_of(*life)) != life->bytes) return;
  memory->plant(path_of(*life), life->bytes + "by hand " + sentence(life->mark));
  life->bytes = memory->bytes_of(path_of(*life));
  life->point = ++points;
}

void LifecycleModel::simple(Operation operation) {
  Life* life = some(true);
  if (life == nullptr) return;
  const Life before = *life;
  const auto written = operation == Operation::kAdopt ? store().adopt(life->reference())
                                                      : store().verify(life->reference());
  if (!check_write(written, true, *life) || !written->changed) return;
  note(operation, *life, before, true, *written);
  EXPECT_EQ(without_owned(life->bytes), without_owned(before.bytes));
}

}  // namespace memfs::testing
