// Random lives of memories, and a model of maps of what must have become of them.
//
// A state of a memory is a "point": what was said, whatever identity, number and dates the store
// gave it. An undo leads back to the point before.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "tests/support/numbers.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {

struct Life {
  std::string mark;  // in each of its bodies, and nowhere else
  Scope scope = Scope::kPrivate;
  std::string name, id;
  bool live = true;
  std::string bytes;  // of the file, or of the archived copy
  std::string subject, expires;
  int point = 0;
  std::set<std::string> states;  // bytes that must stay readable
  std::string planted;           // as a person wrote it first; empty: made by the store
  std::string ref() const { return std::string(name_of(scope)) + "/" + name; }
  std::string reference() const { return id.empty() ? ref() : id; }
};

struct Entry {
  Operation operation = Operation::kAdd;
  std::string mark, after;  // etag
  Life before;
  bool was_there = false;
  int point = 0;  // that it led to
  bool undone = false, undo = false;
};

class LifecycleModel : public StoreFixture {
 protected:
  // An empty folder; without `by_hand` nobody but the stores touches it.
  void begin(std::uint64_t seed, bool by_hand);
  Store reopened() {
    Store::Services services;
    services.fs = memory;
    services.clock = clock;
    services.ids = ids;
    services.threads = 1;
    return *Store::open(memory_layout(*memory), services);
  }
  // Two processes that both keep their store open.
  Store& store() { return *stores.at(numbers.below(2)); }

  bool expired(const std::string& date) const {
    return !date.empty() && last_good_instant(*parse_date(date)) < clock->now();
  }
  // Another live memory of its scope has its subject.
  bool clashes(const Life& wanted) const;
  bool name_taken(const Life& wanted) const;
  std::string path_of(const Life& life) const { return "/m/" + life.ref() + ".md"; }

  // Any one that is live, or archived.
  Life* some(bool live);
  std::string pick(const std::vector<std::string>& choices) {
    return choices[numbers.below(choices.size())];
  }
  std::string sentence(const std::string& mark);
  std::string day(int days) const {
    return format_instant(clock->now() + std::chrono::days(days)).substr(0, 10);
  }

  // Whether a write succeeded that must, or must not.
  static bool check_write(const Result<WriteResult>& result, bool expected, const Life& life);
  // Keeps in the model what a write did.
  void note(Operation operation, Life& life, const Life& before, bool was_there,
            const WriteResult& written, bool undo = false);
  void same_as_read(const WriteResult& written);

  void create();
  void plant();
  void repeat_exactly();
  void update();
  void edit();
  void restore();
  void forget(bool purge);
  void recover();
  void move();
  void undo();
  void hand_edit();
  void simple(Operation operation);
  // The next step of the sequence.
  enum class Kind : std::uint8_t {
    kCreate,
    kRepeat,  // the same again
    kUpdate,
    kEdit,
    kRestore,
    kForget,
    kRecover,
    kMove,
    kUndo,
    kVerify,
    kAdopt,
    kHandEdit,
    kPlant,
    kPurge,
  };
  void step();
  void do_step(Kind kind);
  // Every promise about the present, and about the log.
  void check_all();
  // Every state that ever stood in its file can be read.
  void check_states(const Life& life);
  std::map<std::string, std::string> files_of_scopes() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files, [](const auto& f) { return f.first.starts_with("/m/.state/"); });
    return files;
  }

  std::shared_ptr<MovingClock> clock{};
  std::shared_ptr<CountingIds> ids = std::make_shared<CountingIds>();
  std::array<std::unique_ptr<Store>, 2> stores{};
  Numbers numbers{};
  std::map<std::string, Life> lives{};
  std::vector<Entry> entries{};
  int points = 0;
  int marks = 0;
  bool hands = true;
};

}  // namespace memfs::testing
