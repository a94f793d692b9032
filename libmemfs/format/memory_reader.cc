#include "libmemfs/format/memory_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/body_check.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/key_spelling.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/name.h"
#include "libmemfs/format/yaml_diagnosis.h"

namespace memfs {
namespace {

using Kind = YamlNode::Kind;

std::string one_line(std::string_view text) {
  std::string out(trim(text));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return out;
}

bool is_absent(const YamlNode& node) {
  if (node.kind == Kind::kNull) return true;
  return node.kind == Kind::kScalar && trim(node.text).empty();
}

// Any value as one piece of text, for keys that are not ours. Walks with a stack: no recursion.
std::string as_text(const YamlNode& node) {
  if (node.kind == Kind::kScalar || node.kind == Kind::kNull) return node.text;
  if (node.kind == Kind::kAlias) return node.text;
  std::string out = node.is_mapping() ? "{" : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += node.is_mapping() && i % 2 == 1 ? ": " : ", ";
    out += as_text(node.items[i]);  // depth is at most kMaxYamlDepth
  }
  return out + (node.is_mapping() ? "}" : "]");
}

// The first character that some YAML reader takes for a line end or refuses.
std::optional<std::size_t> find_odd_in_block(std::string_view block) {
  for (std::size_t pos = 0; pos < block.size();) {
    const auto begin = pos;
    const char32_t c = decode_utf8(block, pos);
    if ((c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF) return begin;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(Memory& memory, std::string_view file, const FrontMatter& front)
      : memory_(memory), file_(file), front_(front), block_(block_of(file, front)) {}

  void read_fields() {
    const YamlNode& root = front_.yaml.root;
    read_identity(root);
    read_texts(root);
    read_choices(root);
    read_dates(root);
    read_lists(root);
    read_unknown(root);
    check_comments(root);
    if (const auto odd = find_odd_in_block(block_)) {
      add("odd-character", Severity::kWarning, *odd, "",
          "a character that other readers take for a line end or refuse",
          "remove it, or write it as an escape in double quotes", false);
    }
    if (front_.yaml.has_alias_or_anchor) {
      add("yaml-alias", Severity::kWarning, front_.yaml.root.offset, "",
          "the front matter has anchors or aliases: it is read but never written",
          "write the values out", true);
    }
  }

  void add(std::string code, Severity severity, std::size_t block_offset, std::string_view key,
           std::string message, std::string hint, bool blocks) {
    const Position at = position_of(block_, block_offset);
    Problem problem;
    problem.code = std::move(code);
    problem.severity = severity;
    problem.path = escape_for_terminal(memory_.path);
    problem.line = at.line + 1;
    problem.column = at.column;
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    problem.ref = memory_.ref();
    problem.key = key;
    problem.blocks_writes = blocks;
    memory_.problems.push_back(std::move(problem));
  }

 private:
  // The text of a single value; a list or mapping is a problem of that key.
  std::optional<std::string> text_of(const YamlNode& node, std::string_view key) {
    if (is_absent(node)) return std::nullopt;
    if (node.kind == Kind::kScalar) return node.text;
    add("bad-value", Severity::kError, node.offset, key,
        "`" + std::string(key) + "` must be a single value", "write one value", true);
    return std::nullopt;
  }

  std::optional<std::string> text_at(const YamlNode& root, std::string_view key) {
    const YamlNode* node = root.find(key);
    return node == nullptr ? std::nullopt : text_of(*node, key);
  }

  // A foreign key that stands in for ours: never a problem, "a.b" looks into a mapping.
  static const YamlNode* fallback(const YamlNode& root, std::string_view keys) {
    while (!keys.empty()) {
      const auto bar = keys.find('|');
      const auto key = keys.substr(0, bar);
      const auto dot = key.find('.');
      const YamlNode* node = root.find(key.substr(0, dot));
      if (node != nullptr && dot != std::string_view::npos) node = node->find(key.substr(dot + 1));
      if (node != nullptr && node->kind == Kind::kScalar && !is_absent(*node)) return node;
      keys = bar == std::string_view::npos ? std::string_view() : keys.substr(bar + 1);
    }
    return nullptr;
  }

  void read_identity(const YamlNode& root) {
    if (const YamlNode* node = root.find("revision")) read_revision(*node);
    const auto own = text_at(root, "mem_id");
    const auto id = text_at(root, "id");
    const bool is_identity = id && (id->starts_with("mem-") || root.find("revision") != nullptr);
    if (own) {
      memory_.id = *own;
      if (id) memory_.aliases.push_back(*id);
    } else if (is_identity) {
      memory_.id = *id;
    } else if (id) {
      memory_.aliases.push_back(*id);
    }
  }

  void read_revision(const YamlNode& node) {
    const std::string& text = node.text;
    const auto parsed =
        std::from_chars(text.data(), text.data() + text.size(), memory_.revision, 10);
    const bool digits = node.kind == Kind::kScalar && parsed.ec == std::errc{} &&
                        parsed.ptr == text.data() + text.size() && text.front() != '0';
    if (digits && memory_.revision <= kMaxRevision) return;
    memory_.revision = 0;
    add("bad-revision", Severity::kError, node.offset, "",
        "`revision` is not a whole number from 1 to 2^53-1: `" + as_text(node) + "`",
        "write plain decimal digits without leading zeros", true);
  }

  void read_texts(const YamlNode& root) {
    auto title = text_at(root, "title");
    if (!title) {
      if (const YamlNode* node = fallback(root, find_field("title")->fallbacks)) title = node->text;
    }
    memory_.has_title = title.has_value();
    if (title) memory_.title = one_line(*title);
    const auto description = text_at(root, "description");
    memory_.has_description = description.has_value();
    if (description) memory_.description = one_line(*description);
    if (const YamlNode* node = root.find("source")) memory_.source = as_text(*node);
    const auto subject = text_at(root, "subject_key");
    if (subject && is_subject_key(*subject)) {
      memory_.subject_key = *subject;
    } else if (subject) {
      add("bad-subject", Severity::kError, root.find("subject_key")->offset, "subject_key",
          "`subject_key` must be dotted segments of a-z, 0-9, _ and -",
          "for example project.release_branch", true);
    }
    const auto scope = text_at(root, "scope");
    if (scope && *scope != name_of(memory_.scope) && scope_named(*scope)) {
      add("scope-mismatch", Severity::kWarning, root.find("scope")->offset, "scope",
          "`scope: " + *scope + "` but the file lies in " + std::string(name_of(memory_.scope)),
          "the folder decides: remove the key or move the file", false);
    }
  }

  void read_choice(const YamlNode& root, std::string_view key, std::string& into) {
    const Field& field = *find_field(key);
    const auto own = text_at(root, key);
    if (own && is_alternative(field.choices, *own)) {
      into = *own;
      return;
    }
    if (own) {
      add("bad-choice", Severity::kWarning, root.find(key)->offset, key,
          "`" + std::string(key) + ": " + *own + "` is none of " + spaced(field.choices),
          "it counts as not given", false);
      return;
    }
    const YamlNode* node = fallback(root, field.fallbacks);
    if (node != nullptr && is_alternative(field.choices, node->text)) into = node->text;
  }

  static std::string spaced(std::string_view choices) {
    std::string out;
    for (const char c : choices) {
      if (c == '|') {
        out += ", ";
      } else {
        out += c;
      }
    }
    return out;
  }

  void read_choices(const YamlNode& root) {
    // Other tools use `type` for things of their own ("post", "docs"): kept, and no complaint.
    const auto type = root.find("type");
    if (type != nullptr && is_alternative(find_field("type")->choices, type->text)) {
      memory_.type = type->text;
    } else if (const YamlNode* node = fallback(root, find_field("type")->fallbacks)) {
      if (is_alternative(find_field("type")->choices, node->text)) memory_.type = node->text;
    }
    read_choice(root, "kind", memory_.kind);
    read_choice(root, "activation", memory_.activation);
    read_choice(root, "volatility", memory_.volatility);
  }

  std::optional<Date> read_date(const YamlNode& root, std::string_view key, bool until) {
    const auto text = text_at(root, key);
    if (text) {
      Date date{*text, std::nullopt};
      if (const auto parsed = parse_date(*text)) {
        date.at = until ? last_good_instant(*parsed) : parsed->at;
      } else {
        add("bad-date", Severity::kError, root.find(key)->offset, key,
            "`" + std::string(key) + ": " + *text + "` is not a date",
            "write YYYY-MM-DD or an instant such as 2026-12-01T09:00:00Z", true);
      }
      return date;
    }
    const YamlNode* node = fallback(root, find_field(key)->fallbacks);
    if (node == nullptr) return std::nullopt;
    const auto parsed = parse_date(node->text);
    if (!parsed && key != "expires_at") return std::nullopt;
    Date date{node->text, std::nullopt};
    if (parsed) {
      date.at = until ? last_good_instant(*parsed) : parsed->at;
    } else {
      add("bad-date", Severity::kWarning, node->offset, "expires",
          "`expires: " + node->text + "` is not a date", "write YYYY-MM-DD", false);
    }
    return date;
  }

  void read_dates(const YamlNode& root) {
    memory_.created_at = read_date(root, "created_at", false);
    memory_.updated_at = read_date(root, "updated_at", false);
    memory_.last_verified_at = read_date(root, "last_verified_at", false);
    memory_.expires_at = read_date(root, "expires_at", true);
  }

  // A list of words, or text cut at commas ("" separator: not cut).
  std::vector<std::string> words_at(const YamlNode& root, std::string_view key, bool cut) {
    std::vector<std::string> words;
    const YamlNode* node = root.find(key);
    if (node == nullptr || is_absent(*node)) return words;
    if (node->kind == Kind::kScalar) {
      std::string_view rest = node->text;
      while (cut && rest.find(',') != std::string_view::npos) {
        push_word(words, rest.substr(0, rest.find(',')));
        rest.remove_prefix(rest.find(',') + 1);
      }
      push_word(words, rest);
      return words;
    }
    if (node->kind != Kind::kSequence) {
      add("bad-value", Severity::kError, node->offset, key,
          "`" + std::string(key) + "` must be a list", "write [a, b]", true);
      return words;
    }
    bool told = false;
    for (const YamlNode& item : node->items) {
      if (item.kind == Kind::kScalar || (item.kind == Kind::kNull && item.text.size() > 1)) {
        push_word(words, item.text);
      } else if (!std::exchange(told, true)) {
        // Once for the list: a damaged one may have thousands.
        add("bad-item", Severity::kWarning, item.offset, key,
            "an item of `" + std::string(key) + "` is empty or no text", "it is left out", false);
      }
    }
    return words;
  }

  static void push_word(std::vector<std::string>& words, std::string_view word) {
    word = trim(word);
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
      words.emplace_back(word);
  }

  void read_lists(const YamlNode& root) {
    memory_.tags = words_at(root, "tags", true);
    for (const std::string& word : words_at(root, "keywords", false)) {
      if (!memory_.keywords.empty()) memory_.keywords += ' ';
      memory_.keywords += word;
    }
    for (const char* key : {"aliases", "permalink"}) {
      const YamlNode* node = root.find(key);
      if (node == nullptr) continue;
      if (node->kind == Kind::kScalar && !is_absent(*node)) memory_.aliases.push_back(node->text);
      for (const YamlNode& item : node->items)
        if (item.kind == Kind::kScalar && !node->is_mapping()) memory_.aliases.push_back(item.text);
    }
  }

  void read_unknown(const YamlNode& root) {
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      const std::string& key = root.items[i].text;
      if (find_field(key) != nullptr) continue;
      memory_.extra.emplace_back(key, as_text(root.items[i + 1]));
      if (key == kMergeConflictKey) note_undecided(root.items[i], root.items[i + 1]);
      const Field* meant = misspelt_field(key);
      if (meant == nullptr || root.find(meant->key) != nullptr) continue;
      add("misspelt-key", Severity::kWarning, root.items[i].offset, key,
          "`" + escape_for_terminal(key) + "` is no key of mem's: did you mean `" +
              std::string(meant->key) + "`?",
          "rename the key; another tool's may stay as it is", false);
    }
  }

  // Values that a merge kept beside those that stand.
  void note_undecided(const YamlNode& key, const YamlNode& list) {
    std::vector<std::string> names;
    bool only_noted = true;
    for (const YamlNode& item : list.items) {
      if (item.items.empty()) continue;
      const std::string name = "`" + escape_for_terminal(item.items.front().text) + "`";
      // Of two ends the earlier holds, which is safe.
      only_noted = only_noted && item.items.front().text.starts_with("expires");
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    add("merge-undecided", only_noted ? Severity::kInfo : Severity::kWarning, key.offset, key.text,
        "a merge found two values of " + (all.empty() ? "a key" : all),
        "`mem resolve` shows both and takes one", false);
  }

  // `title: Fix issue #12` reads as "Fix issue": YAML takes the rest for a comment.
  void check_comments(const YamlNode& root) {
    for (const std::string_view key : {"title", "description", "tags", "keywords"}) {
      const YamlNode* node = root.find(key);
      if (node == nullptr || node->quoted || (node->kind != Kind::kScalar && !is_absent(*node)))
        continue;
      const auto line = block_.substr(node->offset, block_.find('\n', node->offset) - node->offset);
      const auto hash = is_absent(*node) ? hash_behind_key(root, key) : line.find(" #");
      if (hash == std::string_view::npos) continue;
      const auto at = is_absent(*node) ? hash : node->offset + hash + 1;
      if (at + 1 >= block_.size() ||
          std::string_view(" #\r\n").find(block_[at + 1]) != std::string_view::npos)
        continue;
      add("comment-cuts", Severity::kWarning, at, key,
          "an unquoted # starts a comment: the rest of `" + std::string(key) + "` is not read",
          "quote the value", false);
    }
  }

  std::size_t hash_behind_key(const YamlNode& root, std::string_view key) const {
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      if (root.items[i].text != key) continue;
      const auto colon = block_.find(':', root.items[i].offset);
      const auto next = block_.find_first_not_of(" \t", std::min(colon, block_.size() - 1) + 1);
      if (next != std::string_view::npos && block_[next] == '#') return next;
    }
    return std::string_view::npos;
  }

  Memory& memory_;
  std::string_view file_;
  const FrontMatter& front_;
  std::string_view block_;
};

void note_broken_block(Memory& memory, const Error& error) {
  Problem problem;
  problem.code = "yaml";
  for (const auto& [key, value] : error.details)
    if (key == "code") problem.code = value;
  problem.severity = Severity::kError;
  problem.path = escape_for_terminal(memory.path);
  problem.line = error.line;
  problem.column = error.column;
  problem.message = error.message;
  problem.hint = error.hint;
  problem.ref = memory.ref();
  problem.blocks_writes = true;
  memory.problems.push_back(std::move(problem));
}

void fall_back_texts(Memory& memory) {
  if (memory.title.empty()) memory.title = one_line(first_heading(memory.body));
  if (memory.title.empty()) memory.title = to_valid_utf8(leaf_of(memory.name));
  if (!memory.has_description)
    memory.description = take_graphemes(one_line(first_text_line(memory.body)), 160);
}

}  // namespace

std::string memory_name(std::string_view rel) {
  if (rel.ends_with(".md") || rel.ends_with(".MD")) rel.remove_suffix(3);
  return to_nfc(to_valid_utf8(rel));
}

std::optional<Memory> read_memory(const FileId& file, std::string_view bytes, Problem* empty) {
  const FrontMatter front = read_front_matter(bytes);
  if (front.state == BlockState::kEmptyFile) {
    const bool nul = bytes.find('\0') != std::string_view::npos;
    *empty = file_problem(file, nul ? "nul-filled" : "empty-file", Severity::kError,
                          nul ? "the file holds nothing but NUL bytes" : "the file is empty",
                          "a write may have been lost: restore it or remove the file");
    return std::nullopt;
  }
  Memory memory;
  memory.scope = file.scope;
  memory.rel = file.rel;
  memory.name = memory_name(file.rel);
  memory.path = file.path;
  memory.etag = content_hash(bytes);
  memory.body_offset = front.body_begin;
  memory.body_line = position_of(bytes, front.body_begin).line;
  memory.body = bytes.substr(front.body_begin);
  memory.characters =
      static_cast<std::uint64_t>(std::count_if(memory.body.begin(), memory.body.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
      }));
  memory.has_front_matter = front.state == BlockState::kReadable;
  if (front.state == BlockState::kBroken) note_broken_block(memory, front.error);
  if (front.state == BlockState::kReadable) Reader(memory, bytes, front).read_fields();
  check_body(memory, file, bytes);
  if (front.closed_by_dots) check_dots(memory, file);
  fall_back_texts(memory);
  return memory;
}

}  // namespace memfs
