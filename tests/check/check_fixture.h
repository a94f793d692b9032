// A store in memory, and what the check says of it.
#pragma once

#include <memfs/check.h>

#include <algorithm>
#include <string>
#include <vector>

#include "libmemfs/format/problem_table.h"
#include "tests/support/store_fixture.h"

namespace memfs::testing {

class CheckFixture : public StoreFixture {
 protected:
  CheckReport check(bool fix = false) {
    Store store = open();
    auto report = check_store(store, {fix});
    EXPECT_TRUE(report) << report.error().message;
    return std::move(*report);
  }

  // "code ref" of each problem with the code, or its place where it is no memory's; one a line.
  static std::vector<Problem> with_code(const CheckReport& report, const std::string& code) {
    std::vector<Problem> found;
    for (const Problem& problem : report.problems)
      if (problem.code == code) found.push_back(problem);
    return found;
  }
  std::vector<Problem> problems(const std::string& code) { return with_code(check(), code); }

  static std::string codes_of(const CheckReport& report) {
    std::string codes;
    for (const Problem& problem : report.problems) codes += problem.code + " ";
    return codes;
  }
  std::string codes() { return codes_of(check()); }

  static std::string mended_of(const CheckReport& report) {
    std::string what;
    for (const Mended& mended : report.mended)
      what += mended.what + " (" + leaf_of(mended.path) + ")\n";
    return what;
  }

  void remove(const std::string& rel) {
    const auto dir = *memory->open("/m");
    ASSERT_TRUE(dir->remove(rel));
  }
  void write(const std::string& rel, const std::string& bytes) {
    memory->plant("/m/" + rel, bytes);
  }
  void add(const std::string& title, const std::string& body = "b\n",
           Scope scope = Scope::kShared) {
    Store store = open();
    const auto made = store.create(wish(title, body, scope));
    ASSERT_TRUE(made) << made.error().message;
  }
};

}  // namespace memfs::testing
