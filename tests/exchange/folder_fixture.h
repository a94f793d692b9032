// Folders of another system, in a MemoryFs beside a store.
#pragma once

#include <gmock/gmock.h>
#include <memfs/exchange.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "libmemfs/exchange/formats.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_world.h"

namespace memfs::testing {

class FolderTest : public StoreFixture {
 protected:
  explicit FolderTest(ImportFormat format) : format_(format) {}

  void plant(const std::string& rel, std::string bytes) {
    memory->plant("/src/" + rel, std::move(bytes));
  }
  // fixtures/exchange/<name of the format>, below /src.
  void plant_fixture() {
    namespace fs = std::filesystem;
    const fs::path root =
        fs::path(MEM_SOURCE_DIR) / "fixtures/exchange" / std::string(name_of(format_));
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file()) continue;
      std::ostringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      plant(fs::relative(entry.path(), root).string(), bytes.str());
    }
  }

  Result<ImportSource> try_read(const std::string& path = "/src") {
    const auto stat = memory->stat(path);
    return reader_of(format_)(ImportPlace{*memory, path, *stat});
  }
  ImportSource read() {
    auto source = try_read();
    EXPECT_TRUE(source) << source.error().message;
    return std::move(*source);
  }
  // The item with that `source`, without the format in front of it.
  Incoming item(const std::string& source) {
    for (Incoming& one : read().items)
      if (one.source == std::string(name_of(format_)) + ":" + source) return std::move(one);
    ADD_FAILURE() << "no item " << source;
    return {};
  }
  // "x.md:3:1: what is wrong"
  static std::vector<std::string> told(const std::vector<BadItem>& bad) {
    std::vector<std::string> lines;
    for (const BadItem& one : bad) {
      const std::string path = one.error.path.substr(std::string("/src/").size());
      lines.push_back(path + ":" + std::to_string(one.error.line) + ":" +
                      std::to_string(one.error.column) + ": " + one.error.message);
      EXPECT_FALSE(one.error.hint.empty()) << one.error.message;
    }
    return lines;
  }

  ImportReport import(ImportFormat format, const std::string& path) {
    ImportWish wish;
    wish.format = format;
    wish.path = path;
    wish.apply = true;
    Store store = open();
    auto report = import_memories(store, wish);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : ImportReport{};
  }
  ImportReport import() { return import(format_, "/src"); }
  ExportReport export_folder(const std::string& path) {
    ExportWish wish;
    wish.format = ExportFormat::kClaudeCode;
    wish.path = path;
    auto report = export_memories(open(), wish);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : ExportReport{};
  }
  Memory found(const std::string& reference) {
    auto found = open().read(reference);
    EXPECT_TRUE(found) << found.error().message;
    return found ? std::move(found->memory) : Memory{};
  }
  // All memories of the store with what they say, without what tells one store from another.
  std::map<std::string, std::string> meanings(bool with_scope = true) {
    std::map<std::string, std::string> all;
    const Store store = open();
    const auto listing = store.list({});
    if (!listing) return all;
    for (const Memory& listed : listing->memories) {
      const auto whole = store.load(listed);
      if (!whole) continue;
      std::string said = whole->title + "|" + whole->description + "|" + whole->type + "|" +
                         whole->kind + "|" + whole->activation + "|" + whole->volatility + "|" +
                         whole->subject_key + "|" + whole->keywords;
      for (const std::string& tag : whole->tags) said += "|" + tag;
      if (whole->expires_at) said += "|until " + whole->expires_at->text;
      for (const auto& [key, value] : whole->extra) said += "|" + key + "=" + value;
      all[with_scope ? whole->ref() : whole->name] = said + "|" + whole->body;
    }
    return all;
  }
  // What the store holds, without caches.
  std::map<std::string, std::string> kept() {
    auto files = files_below(*memory, "/m");
    std::erase_if(files, [](const auto& f) { return f.first.starts_with("/m/.state/cache"); });
    return files;
  }
  // Another machine: only what lies below `path` goes along.
  void move_to_new_store(const std::string& path) {
    const auto files = files_below(*memory, path);
    memory = std::make_shared<MemoryFs>();
    for (const auto& [file, bytes] : files) memory->plant(file, bytes);
  }

 private:
  ImportFormat format_;
};

}  // namespace memfs::testing
