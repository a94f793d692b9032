// A scope as one run of the check sees it.
#pragma once

#include <memory>
#include <string>

#include "libmemfs/base/file_system.h"
#include "libmemfs/store/catalogue.h"

namespace memfs {

struct ScopeView {
  Scope scope = Scope::kPrivate;
  std::string key{};                 // scope_key()
  std::shared_ptr<Directory> dir{};  // nullptr: the folder is gone
  Catalogue catalogue{};

  // The path of a memory in the folder, under its own name and not that of a link's target.
  std::string name_rel(const Memory& memory) const {
    return memory.path.substr(std::min(dir->path().size() + 1, memory.path.size()));
  }
};

}  // namespace memfs
