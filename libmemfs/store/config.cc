#include "libmemfs/store/config.h"

#include <charconv>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/yaml_diagnosis.h"
#include "libmemfs/format/yaml_reader.h"

namespace memfs {
namespace {

// A configuration file while it is read: its keys one by one, and what is wrong with them.
class ConfigReader {
 public:
  // `own`: the person's, which may be a link to where they keep such files.
  ConfigReader(FileSystem& fs, const std::string& folder, bool own)
      : path_(join_path(folder, "config.yaml")) {
    const auto real = own ? fs.real_path(path_) : Result<std::string>(path_);
    if (!real) return;
    auto dir = fs.open(parent_of(*real));
    if (!dir) return;
    auto content = (*dir)->read(leaf_of(*real), kMaxYamlBlock);
    if (content) {
      text_ = std::move(content->bytes);
      if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    } else if (content.error().code != ErrorCode::kNotFound) {
      problem(Severity::kError, 0, content.error().message, content.error().hint);
    }
  }

  std::vector<Problem> problems{};

  // Calls `use(key, value)` for each key but `version`; false says that the key is not known.
  template <typename Use>
  void read(Use use) {
    auto yaml = read_yaml(text_);
    if (!yaml) {
      problem(Severity::kError, yaml.error().line, yaml.error().message, yaml.error().hint);
      return;
    }
    each(yaml->root, [&](const YamlNode& key, const YamlNode& value) {
      if (key.text != "version") return use(key, value);
      std::uint64_t version = 0;
      const std::size_t before = problems.size();
      number(key, value, version);
      if (problems.size() > before || version == 1) return true;
      warn(key, version == 0 ? "`version` is 1" : "this configuration is of a newer version",
           version == 0 ? "write version: 1" : "update mem");
      return true;
    });
  }

  // The same for the keys of a mapping.
  template <typename Use>
  void each(const YamlNode& mapping, Use use) {
    for (std::size_t i = 0; i + 1 < mapping.items.size() && mapping.is_mapping(); i += 2) {
      const YamlNode& key = mapping.items[i];
      if (!use(key, mapping.items[i + 1]))
        warn(key, "unknown key `" + escape_for_terminal(key.text) + "`", "remove it");
    }
  }

  // For a key whose value is a mapping.
  template <typename Use>
  bool section(const YamlNode& key, const YamlNode& value, Use use) {
    if (!value.is_mapping()) {
      warn(key, "`" + key.text + "` takes keys of its own", "docs/format.md shows an example");
    } else {
      each(value, use);
    }
    return true;
  }

  bool number(const YamlNode& key, const YamlNode& value, std::uint64_t& number) {
    const std::string& text = value.text;
    std::uint64_t read = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), read);
    if (value.kind == YamlNode::Kind::kScalar && parsed.ec == std::errc{} &&
        parsed.ptr == text.data() + text.size()) {
      number = read;
    } else {
      warn(key, "`" + key.text + "` takes a whole number", "write digits only");
    }
    return true;
  }

  // A number, or `none`.
  bool limit(const YamlNode& key, const YamlNode& value, std::optional<std::uint64_t>& limit) {
    if (value.text == "none") {
      limit.reset();
      return true;
    }
    std::uint64_t read = limit.value_or(0);
    const std::size_t before = problems.size();
    number(key, value, read);
    if (problems.size() == before) limit = read;
    return true;
  }

  void warn(const YamlNode& key, std::string message, std::string hint) {
    problem(Severity::kWarning, line_of(key), std::move(message), std::move(hint));
  }
  void fail(const YamlNode& key, std::string message, std::string hint) {
    problem(Severity::kError, line_of(key), std::move(message), std::move(hint));
  }

 private:
  int line_of(const YamlNode& node) const { return position_of(text_, node.offset).line; }

  void problem(Severity severity, int line, std::string message, std::string hint) {
    Problem problem;
    problem.code = "config";
    problem.severity = severity;
    problem.path = path_;
    problem.line = line;
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    problems.push_back(std::move(problem));
  }

  std::string path_;
  std::string text_{};
};

bool read_budget(ConfigReader& reader, const YamlNode& key, const YamlNode& value, Budget& budget) {
  return reader.section(key, value, [&](const YamlNode& name, const YamlNode& limit) {
    if (name.text == "characters") return reader.limit(name, limit, budget.characters);
    if (name.text == "entries") return reader.limit(name, limit, budget.entries);
    if (name.text == "pinned") return reader.limit(name, limit, budget.pinned);
    return false;
  });
}

bool read_exceptions(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
                     std::vector<GuardException>& exceptions) {
  if (value.kind != YamlNode::Kind::kSequence) {
    reader.warn(key, "`allow` takes a list", "- rule: ignore-previous");
    return true;
  }
  for (const YamlNode& item : value.items) {
    GuardException exception;
    reader.each(item, [&](const YamlNode& name, const YamlNode& text) {
      if (name.text == "rule") exception.rule = text.text;
      if (name.text == "path") exception.path = text.text;
      if (name.text == "hash") exception.hash = text.text;
      return name.text == "rule" || name.text == "path" || name.text == "hash";
    });
    // An exception from everything would be no guard at all.
    if (exception.rule.empty()) {
      reader.warn(key, "an exception needs a rule", "- rule: ignore-previous");
    } else {
      exceptions.push_back(std::move(exception));
    }
  }
  return true;
}

std::optional<GuardAction> action_named(std::string_view name) {
  if (name == "refuse") return GuardAction::kRefuse;
  if (name == "warn") return GuardAction::kWarn;
  if (name == "ignore") return GuardAction::kIgnore;
  return std::nullopt;
}

// One word for all scopes, or one for each.
bool read_actions(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
                  GuardPolicy::Actions& actions) {
  const auto set = [&](const YamlNode& at, const YamlNode& word, auto begin, auto end) {
    const auto action = action_named(word.text);
    if (action) {
      std::fill(begin, end, *action);
    } else {
      reader.warn(at, "`" + at.text + "` takes refuse, warn or ignore", "choose one");
    }
    return true;
  };
  if (!value.is_mapping()) return set(key, value, actions.begin(), actions.end());
  reader.each(value, [&](const YamlNode& name, const YamlNode& word) {
    const auto scope = scope_named(name.text);
    if (!scope) return false;
    const auto at = actions.begin() + static_cast<std::ptrdiff_t>(*scope);
    return set(name, word, at, at + 1);
  });
  return true;
}

bool read_own_guard(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
                    GuardPolicy& guard) {
  return reader.section(key, value, [&](const YamlNode& name, const YamlNode& what) {
    if (name.text == "secrets") return read_actions(reader, name, what, guard.secrets);
    if (name.text == "instructions") return read_actions(reader, name, what, guard.instructions);
    if (name.text == "hidden_text") return read_actions(reader, name, what, guard.hidden_text);
    if (name.text == "allow") return read_exceptions(reader, name, what, guard.own_exceptions);
    return false;
  });
}

bool not_the_projects(ConfigReader& reader, const YamlNode& key) {
  reader.warn(key, "a project cannot set `" + key.text + "`", "set it in your own config.yaml");
  return true;
}

bool read_sync(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
               Settings& settings) {
  return reader.section(key, value, [&](const YamlNode& name, const YamlNode& word) {
    if (name.text != "push") return false;
    if (word.text == "direct" || word.text == "branch") {
      settings.push_direct = word.text == "direct";
    } else {
      reader.warn(name, "`push` is `direct` or `branch`", "choose one");
    }
    return true;
  });
}

bool read_project_key(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
                      Settings& settings) {
  if (key.text == "budget") {
    return reader.section(key, value, [&](const YamlNode& scope, const YamlNode& limits) {
      if (scope.text == "notes") return not_the_projects(reader, scope);
      if (!scope_named(scope.text)) return false;
      if (scope.text != "shared") return not_the_projects(reader, scope);
      return read_budget(reader, scope, limits, settings.budget(Scope::kShared));
    });
  }
  if (key.text == "guard") {
    return reader.section(key, value, [&](const YamlNode& name, const YamlNode& what) {
      if (name.text != "allow") return not_the_projects(reader, name);
      return read_exceptions(reader, name, what, settings.guard.project_exceptions);
    });
  }
  if (key.text == "sync") return read_sync(reader, key, value, settings);
  if (key.text == "history" || key.text == "count_recalls" || key.text == "nudge")
    return not_the_projects(reader, key);
  return false;
}

bool read_own_key(ConfigReader& reader, const YamlNode& key, const YamlNode& value,
                  Settings& settings) {
  if (key.text == "budget") {
    return reader.section(key, value, [&](const YamlNode& scope, const YamlNode& limits) {
      if (scope.text == "notes") return reader.limit(scope, limits, settings.notes);
      const auto named = scope_named(scope.text);
      return named && read_budget(reader, scope, limits, settings.budget(*named));
    });
  }
  if (key.text == "history") {
    return reader.section(key, value, [&](const YamlNode& name, const YamlNode& number) {
      if (name.text == "keep") return reader.number(name, number, settings.history.keep);
      if (name.text == "days") return reader.number(name, number, settings.history.days);
      return false;
    });
  }
  if (key.text == "guard") return read_own_guard(reader, key, value, settings.guard);
  if (key.text == "sync") return read_sync(reader, key, value, settings);
  if (key.text == "nudge") return reader.number(key, value, settings.nudge);
  if (key.text != "count_recalls") return false;
  settings.count_recalls = value.text != "false";
  if (value.text != "true" && value.text != "false")
    reader.warn(key, "`count_recalls` is true or false", "choose one");
  return true;
}

}  // namespace

bool stays_inside(FileSystem& fs, const std::string& root, std::string rel) {
  if (!is_safe_relative(rel)) return false;
  for (; !rel.empty(); rel = parent_of(rel)) {
    if (auto real = fs.real_path(join_path(root, rel))) return real->starts_with(root + "/");
  }
  return true;
}

ProjectConfig read_project_config(FileSystem& fs, const std::string& project_root,
                                  Settings& settings) {
  ProjectConfig config;
  ConfigReader reader(fs, join_path(project_root, ".mem"), false);
  reader.read([&](const YamlNode& key, const YamlNode& value) {
    if (key.text == "index") {
      config.index_committed = value.text == "committed";
      if (value.text != "committed" && value.text != "ignored")
        reader.warn(key, "`index` is `committed` or `ignored`", "choose one");
      return true;
    }
    if (key.text != "shared") return read_project_key(reader, key, value, settings);
    std::string rel = value.text;
    while (rel.ends_with('/')) rel.pop_back();
    const bool in_git = rel == ".git" || rel.starts_with(".git/") || rel.find("/.git") != rel.npos;
    if (stays_inside(fs, project_root, rel) && !in_git) {
      config.shared = rel;
    } else {
      reader.fail(key, "`shared` must be a folder inside the project",
                  ".mem/shared is used instead");
    }
    return true;
  });
  config.problems = std::move(reader.problems);
  return config;
}

std::vector<Problem> read_own_config(FileSystem& fs, const std::string& folder,
                                     Settings& settings) {
  ConfigReader reader(fs, folder, true);
  reader.read([&](const YamlNode& key, const YamlNode& value) {
    return read_own_key(reader, key, value, settings);
  });
  settings.doubtful = !reader.problems.empty();
  return std::move(reader.problems);
}

}  // namespace memfs
