// A store on MemoryFs and sources beside it, for the tests of single formats.
#pragma once

#include <gmock/gmock.h>
#include <memfs/exchange.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {

class ExchangeFixture : public StoreFixture {
 protected:
  // The bytes of a file of fixtures/exchange.
  static std::string fixture(const std::string& rel) {
    std::ifstream in(std::string(MEM_SOURCE_DIR) + "/fixtures/exchange/" + rel, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  Result<ImportReport> try_import(ImportFormat format, const std::string& path) {
    how.format = format;
    how.path = path;
    how.apply = true;
    Store store = open();
    return import_memories(store, how);
  }
  ImportReport import(ImportFormat format, const std::string& path) {
    auto report = try_import(format, path);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : ImportReport();
  }
  ExportReport exported(ExportFormat format, const std::string& path = {}) {
    ExportWish out;
    out.format = format;
    out.path = path;
    const auto report = export_memories(open(), out);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : ExportReport();
  }
  // "added private/a", "/source:3 why"
  static std::vector<std::string> told(const ImportReport& report) {
    std::vector<std::string> lines;
    for (const ImportItem& item : report.items)
      lines.push_back(item.outcome == ImportOutcome::kRefused
                          ? item.path + ":" + std::to_string(item.line) + " " + item.reason
                          : std::string(name_of(item.outcome)) + " " + item.ref);
    return lines;
  }
  // All files but caches: what a second import must leave as it is.
  std::map<std::string, std::string> kept() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files, [](const auto& f) { return f.first.starts_with("/m/.state/cache"); });
    return files;
  }
  // Of such files the memories alone.
  static std::map<std::string, std::string> memories_of(std::map<std::string, std::string> files) {
    std::erase_if(files, [](const auto& f) {
      return f.first.starts_with("/m/.state") || f.first.ends_with("INDEX.md");
    });
    return files;
  }
  // Forgets the store, as if on another machine.
  void other_machine() {
    const auto old = memory;
    memory = std::make_shared<MemoryFs>();
    for (const auto& [path, bytes] : files_below(*old, "/"))
      if (!path.starts_with("/m/")) memory->plant(path, bytes);
  }

  ImportWish how{};
};

}  // namespace memfs::testing
