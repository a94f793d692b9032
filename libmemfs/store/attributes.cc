#include "libmemfs/store/attributes.h"

namespace memfs {

bool is_older_attributes(std::string_view text) {
  return text ==
         "# Written by `mem init`: memories keep their bytes on every system.\n"
         "*.md -text\n";
}

}  // namespace memfs
