// A store on MemoryFs with a fixed clock and repeatable ids.
#pragma once

#include <gtest/gtest.h>
#include <memfs/store.h>

#include <memory>

#include "libmemfs/base/clock.h"
#include "libmemfs/format/date.h"
#include "tests/support/memory_fs.h"

namespace memfs::testing {

inline Layout memory_layout(FileSystem& fs) {
  Environment environment;
  environment.working_directory = "/";
  environment.root = "/m";
  return *discover_layout(fs, environment);
}

class StoreFixture : public ::testing::Test {
 protected:
  Store open(std::shared_ptr<FileSystem> fs) {
    Store::Services services;
    services.fs = fs;
    services.clock = std::make_shared<FixedClock>(parse_date(now)->at);
    services.ids = std::make_shared<RepeatableIds>();
    services.threads = 1;
    services.lock_wait = std::chrono::milliseconds(0);
    return *Store::open(memory_layout(*fs), services);
  }
  Store open() { return open(memory); }

  static NewMemory wish(const std::string& title, const std::string& body = "b\n",
                        Scope scope = Scope::kShared) {
    NewMemory memory;
    memory.scope = scope;
    FieldEdit edit;
    edit.key = "title";
    edit.text = title;
    memory.fields.push_back(edit);
    memory.body = body;
    return memory;
  }
  static FieldEdit field(const std::string& key, const std::string& text) {
    FieldEdit edit;
    edit.key = key;
    edit.text = text;
    return edit;
  }
  static Change set(const std::string& key, const std::string& text) {
    Change change;
    change.fields.push_back(field(key, text));
    return change;
  }
  static Change append(const std::string& text) {
    Change change;
    change.body = {BodyEdit::Kind::kAppend, text, {}};
    return change;
  }
  std::string file(const std::string& rel) { return memory->bytes_of("/m/" + rel); }

  std::string now = "2026-11-30T09:00:00Z";
  std::shared_ptr<MemoryFs> memory = std::make_shared<MemoryFs>();
};

}  // namespace memfs::testing
