// Whether two addresses lead to one repository, however they are spelled.
#pragma once

#include <string>

#include "libmemfs/base/file_system.h"

namespace memfs {

// What is the same for all spellings: "github.com/me/app" for https, ssh and user@host: alike, with
// and without port and ".git"; the real path of a folder, relative ones from `base`. Letters' case
// is dropped: hosts ignore it, and to take two for one is the safe side.
std::string remote_place(FileSystem& fs, const std::string& url, const std::string& base);

}  // namespace memfs
