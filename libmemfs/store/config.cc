#include "libmemfs/store/config.h"

#include "libmemfs/format/yaml_diagnosis.h"
#include "libmemfs/format/yaml_reader.h"

namespace memfs {
namespace {

class ConfigReader {
 public:
  ConfigReader(std::string path, std::string text)
      : path_(std::move(path)), text_(std::move(text)) {}

  std::vector<Problem> problems{};

  // Calls `use(key, value)` for each key but `version`; `use` returns false for unknown keys.
  template <typename Use>
  void read(Use use) {
    auto yaml = read_yaml(text_);
    if (!yaml) {
      note(Severity::kError, yaml.error().line, yaml.error().message, yaml.error().hint);
      return;
    }
    const auto& items = yaml->root.items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const int line = position_of(text_, items[i].offset).line;
      if (items[i].text == "version") {
        if (items[i + 1].text != "1")
          note(Severity::kWarning, line, "this configuration is of a newer version", "update mem");
      } else if (!use(items[i].text, items[i + 1], line)) {
        note(Severity::kWarning, line, "unknown key `" + items[i].text + "`", "remove it");
      }
    }
  }

  void note(Severity severity, int line, std::string message, std::string hint) {
    Problem problem;
    problem.code = "config";
    problem.severity = severity;
    problem.path = path_;
    problem.line = line;
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    problems.push_back(std::move(problem));
  }

 private:
  std::string path_;
  std::string text_;
};

}  // namespace

bool stays_inside(FileSystem& fs, const std::string& root, std::string rel) {
  if (!is_safe_relative(rel)) return false;
  for (; !rel.empty(); rel = parent_of(rel)) {
    if (auto real = fs.real_path(join_path(root, rel))) return real->starts_with(root + "/");
  }
  return true;
}

ProjectConfig read_project_config(FileSystem& fs, const std::string& project_root) {
  ProjectConfig config;
  const std::string folder = join_path(project_root, ".mem");
  auto dir = fs.open(folder);
  if (!dir) return config;
  auto content = (*dir)->read("config.yaml", kMaxYamlBlock);
  ConfigReader reader(join_path(folder, "config.yaml"), content ? content->bytes : std::string());
  if (!content) {
    if (content.error().code != ErrorCode::kNotFound)
      reader.note(Severity::kError, 0, content.error().message, content.error().hint);
    config.problems = std::move(reader.problems);
    return config;
  }
  reader.read([&](const std::string& key, const YamlNode& value, int line) {
    if (key == "index") {
      config.index_committed = value.text == "committed";
      if (value.text != "committed" && value.text != "ignored")
        reader.note(Severity::kWarning, line, "`index` is `committed` or `ignored`", "choose one");
      return true;
    }
    if (key != "shared") return false;
    std::string rel = value.text;
    while (rel.ends_with('/')) rel.pop_back();
    if (stays_inside(fs, project_root, rel)) {
      config.shared = rel;
    } else {
      reader.note(Severity::kError, line, "`shared` must be a folder inside the project",
                  ".mem/shared is used instead");
    }
    return true;
  });
  config.problems = std::move(reader.problems);
  return config;
}

std::vector<Problem> read_user_config(FileSystem& fs, const std::string& mem_home) {
  auto dir = fs.open(mem_home);
  if (!dir) return {};
  auto content = (*dir)->read("config.yaml", kMaxYamlBlock);
  if (!content) return {};
  ConfigReader reader(join_path(mem_home, "config.yaml"), content->bytes);
  reader.read([](const std::string&, const YamlNode&, int) { return false; });
  return std::move(reader.problems);
}

}  // namespace memfs
