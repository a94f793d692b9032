#include "libmemfs/store/renew_file.h"

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"

namespace memfs {

Result<bool> renew_file(Directory& project, const std::string& rel, const FileContent& old,
                        std::string_view wanted) {
  WriteOptions options;
  options.exact_mode = old.stat.mode;
  MEMFS_ASSIGN(const CheckedWrite outcome,
               swap_file(project, rel, wanted, content_hash(old.bytes), options));
  return outcome.done;
}

}  // namespace memfs
