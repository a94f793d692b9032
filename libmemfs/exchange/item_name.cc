#include "libmemfs/exchange/item_name.h"

#include <algorithm>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/format/link_address.h"
#include "libmemfs/format/name.h"

namespace memfs {

std::string name_of_path(std::string_view given, std::vector<std::string>& warnings) {
  std::string path = to_nfc(given);
  if (is_linkable_name(path)) return path;
  std::string name;
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto slash = std::min(rest.find('/'), rest.size());
    const std::string part(rest.substr(0, slash));
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    const bool fits = is_linkable_name("x/" + part);
    std::string kept = fits ? part : slug_of(part);
    if (kept.empty()) kept = "memory";
    name = join_path(name, kept);
  }
  if (!is_linkable_name(name)) name += "-page";
  warnings.push_back("its path cannot be a name here: it is called " + name);
  return name;
}

}  // namespace memfs
