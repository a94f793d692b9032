#include "libmemfs/store/lost_id.h"

#include "libmemfs/format/front_matter.h"

namespace memfs {

bool lost_its_id(const Memory& memory, std::string_view bytes) {
  if (!memory.id.empty() || memory.revision == 0 || !memory.has_front_matter) return false;
  const FrontMatter front = read_front_matter(bytes);
  const YamlNode& root = front.yaml.root;
  return root.find("id") == nullptr && root.find("mem_id") == nullptr &&
         (root.find("created_at") != nullptr || root.find("updated_at") != nullptr);
}

}  // namespace memfs
