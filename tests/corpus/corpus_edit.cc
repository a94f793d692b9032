// Edits every memory of a tree through the Store and hands each stage to its caller.
//
//   corpus_edit DIR < paths      (one path below DIR a line)
//
// For each file: set a title, add expires_at, then take both back (the person's own title is set
// again). Every file is the only one of a folder in memory, so that nothing depends on the others.
// Writes one record a file: `path NUL status NUL` and, if status is "edited", four blobs, each
// `decimal length NUL bytes`: the original and the three stages.
#include <memfs/store.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "libmemfs/base/clock.h"
#include "libmemfs/format/front_matter.h"
#include "tests/support/memory_fs.h"

namespace memfs::testing {
namespace {

FieldEdit set(const char* key, const std::string& text) {
  FieldEdit edit;
  edit.key = key;
  edit.text = text;
  return edit;
}

FieldEdit clear(const char* key) {
  FieldEdit edit;
  edit.key = key;
  edit.clear = true;
  return edit;
}

struct Stages {
  std::string status = "edited";
  std::vector<std::string> files;
};

Stages edit(const std::string& original) {
  Stages stages;
  stages.files.push_back(original);
  auto memory = std::make_shared<MemoryFs>();
  memory->plant("/m/shared/a.md", original);
  Environment environment;
  environment.working_directory = "/";
  environment.root = "/m";
  Store::Services services;
  services.fs = memory;
  services.clock = std::make_shared<FixedClock>(Instant(std::chrono::days(20000)));
  services.ids = std::make_shared<RepeatableIds>();
  services.threads = 1;
  auto store = Store::open(*discover_layout(*memory, environment), services);
  const FrontMatter front = read_front_matter(original);
  const YamlNode* title = front.yaml.root.find("title");
  const bool own_title = title != nullptr && title->kind == YamlNode::Kind::kScalar &&
                         title->text.find_first_not_of(' ') != std::string::npos;
  const std::vector<FieldEdit> steps[] = {
      {set("title", "A new title")},
      {set("expires_at", "2030-01-01")},
      {own_title ? set("title", title->text) : clear("title"), clear("expires_at")}};
  for (const auto& fields : steps) {
    Change change;
    change.fields = fields;
    const auto updated = store->update("shared/a", change);
    if (!updated) {
      stages.status = updated.error().message;
      return stages;
    }
    stages.files.push_back(memory->bytes_of("/m/shared/a.md"));
  }
  return stages;
}

void write_record(const std::string& path, const Stages& stages) {
  std::cout << path << '\0' << stages.status << '\0';
  if (stages.status != "edited") return;
  for (const std::string& file : stages.files) std::cout << file.size() << '\0' << file;
}

}  // namespace
}  // namespace memfs::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: corpus_edit DIR < paths\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  for (std::string path; std::getline(std::cin, path);) {
    std::ostringstream bytes;
    bytes << std::ifstream(std::string(argv[1]) + "/" + path, std::ios::binary).rdbuf();
    memfs::testing::write_record(path, memfs::testing::edit(bytes.str()));
  }
  return std::cout.flush() ? 0 : 1;
}
