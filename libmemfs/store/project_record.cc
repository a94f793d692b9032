#include "libmemfs/store/project_record.h"

#include <algorithm>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/format/yaml_reader.h"
#include "libmemfs/format/yaml_writer.h"
#include "libmemfs/store/git_dir.h"

namespace memfs {
namespace {

constexpr char kRecord[] = "project.yaml";

std::vector<std::string> texts_of(const YamlNode* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  for (const YamlNode& item : list->items) texts.push_back(item.text);
  return texts;
}

std::string list_lines(const char* key, const std::vector<std::string>& items) {
  std::string out = std::string(key) + ":" + (items.empty() ? " []\n" : "\n");
  for (const std::string& item : items) out += "  - " + yaml_scalar(item, false) + "\n";
  return out;
}

}  // namespace

std::vector<KnownProject> read_project_records(FileSystem& fs, const std::string& mem_home) {
  std::vector<KnownProject> projects;
  const std::string base = join_path(mem_home, "projects");
  auto dir = fs.open(base);
  if (!dir) return projects;
  auto entries = (*dir)->list("");
  if (!entries) return projects;
  for (const DirEntry& entry : *entries) {
    KnownProject project;
    // The folder's name ends in the id, so that a damaged record does not hide the memories.
    const auto dash = entry.name.rfind('-');
    if (entry.kind != FileKind::kDirectory || dash == std::string::npos) continue;
    project.id = entry.name.substr(dash + 1);
    if (!is_project_id(project.id)) continue;
    auto record = (*dir)->read(join_path(entry.name, kRecord), kMaxYamlBlock);
    auto yaml = record ? read_yaml(record->bytes) : Result<YamlBlock>(record.error());
    const YamlNode* id = yaml ? yaml->root.find("id") : nullptr;
    if (id == nullptr || id->text != project.id) {
      project.damaged = true;
      project.folder = join_path(base, entry.name);
      projects.push_back(std::move(project));
      continue;
    }
    project.folder = join_path(base, entry.name);
    project.places = texts_of(yaml->root.find("places"));
    project.remotes = texts_of(yaml->root.find("remotes"));
    projects.push_back(std::move(project));
  }
  std::sort(projects.begin(), projects.end(),
            [](const auto& a, const auto& b) { return a.folder < b.folder; });
  return projects;
}

Result<void> write_project_record(FileSystem& fs, const KnownProject& project) {
  MEMFS_TRY(fs.make_directories(project.folder, 0700));
  MEMFS_ASSIGN(const auto dir, fs.open(project.folder));
  WriteOptions options;
  options.mode = 0600;
  const std::string text =
      "# Which places these private memories belong to. Written by mem.\n"
      "version: 1\nid: " +
      project.id + "\n" + list_lines("places", project.places) +
      list_lines("remotes", project.remotes);
  return replace_file(*dir, kRecord, text, options);
}

}  // namespace memfs
