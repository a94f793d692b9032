#include <cmark-gfm_version.h>
#include <memfs/version.h>
#include <xxhash.h>

#include "libmemfs/base/unicode.h"

namespace memfs {

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"mem", MEM_VERSION},
          {"icu", unicode_library_version()},
          {"yaml-cpp", YAML_CPP_VERSION},
          {"cmark-gfm", CMARK_GFM_VERSION_STRING},
          {"xxhash", std::to_string(XXH_VERSION_MAJOR) + "." + std::to_string(XXH_VERSION_MINOR) +
                         "." + std::to_string(XXH_VERSION_RELEASE)}};
}

}  // namespace memfs
