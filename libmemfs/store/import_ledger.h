// What was imported into a scope, so that a second import knows it again and what was edited here
// since is left alone: a file beside the scope's other bookkeeping.
//
//   scopes/<scope key>/imports := { memory hash etag source "\n" }
//
// joined by tabs, with tab, newline, carriage return and backslash escaped as \t \n \r \\. `memory`
// is the memory's id, or "=" and its name where it has none; `hash` that of the item in its source;
// `etag` that of the file as the import wrote it; `source` what the item is there ("car:3"). The
// last line of a memory counts. It is a hint like a seal: without it an import compares texts. It
// holds no text of any memory; what names one, `purge` removes.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libmemfs/base/file_system.h"

namespace memfs {

struct ImportedItem {
  std::string memory{}, hash{}, etag{}, source{};
};

class ImportLedger {
 public:
  // How a memory is called in it.
  static std::string key_of(const Memory& memory);

  // A missing or damaged file is an empty ledger.
  static ImportLedger load(const std::shared_ptr<Directory>& state, const std::string& scope_key);

  const ImportedItem* of_memory(const std::string& key) const;
  // All with that hash, or that source, the latest last.
  std::vector<const ImportedItem*> with_hash(const std::string& hash) const;
  std::vector<const ImportedItem*> with_source(const std::string& source) const;

  // Adds lines, without a sync; REQUIRES the scope's lock. Writes the file anew when most of its
  // lines no longer count.
  Result<void> add(const std::vector<ImportedItem>& items);
  // Takes a memory out.
  static Result<void> erase(Directory& state, const std::string& scope_key, const Memory& memory);

 private:
  void take(ImportedItem item);

  std::shared_ptr<Directory> state_{};
  std::string file_{};
  std::size_t lines_ = 0;                                                      // in the file
  std::unordered_map<std::string, ImportedItem> items_{};                      // by memory
  std::unordered_multimap<std::string, std::string> by_hash_{}, by_source_{};  // to memories
};

}  // namespace memfs
