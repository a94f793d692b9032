// A Reasonix memory folder: `<name>.md` for each fact, MEMORY.md with a line for each, forgotten
// facts in .archive, earlier revisions in .revisions/<id>. A project's folder and the global one
// are alike; what is global says so, or lies in a folder `global`.
#include <algorithm>
#include <array>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/flat_block.h"
#include "libmemfs/exchange/topic_folder.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr char kReasonix[] = "reasonix";
constexpr char kIndexPage[] = "MEMORY.md";
constexpr char kForeignSubject[] = "reasonix_subject_key";

bool is_kept_folder(std::string_view rel) {
  return leaf_of(rel) == ".archive" || leaf_of(rel) == ".revisions";
}

bool lies_in(std::string_view rel, std::string_view folder) {
  return ("/" + std::string(rel)).find("/" + std::string(folder) + "/") != std::string::npos;
}

// ~/.reasonix as a whole: facts of several projects, which belong to several private scopes.
Result<void> check_one_project(const ImportPlace& place, const TopicFolder& folder) {
  const auto of_projects = [](const TreeFile& file) { return file.rel.starts_with("projects/"); };
  if (std::none_of(folder.files.begin(), folder.files.end(), of_projects)) return {};
  return make_error(ErrorCode::kUsage, "this folder holds the memories of several projects")
      .at(place.path)
      .with_hint("name one: mem import reasonix " + place.path + "/projects/PROJECT/memory");
}

// "project/x.md" and "global/x.md" are what such a fact is called there: "x.md".
std::string rel_without_scope(std::string rel) {
  for (const std::string_view folder : {"memory/", "project/", "global/"})
    if (rel.starts_with(folder)) rel.erase(0, folder.size());
  return rel;
}

struct Fact {
  std::string bytes;
  std::vector<std::string> warnings{};
  std::vector<std::string> quoted{};
};

// Files of old Windows versions are in the system's encoding.
Result<Fact> fact_of(const TopicFolder& folder, const std::string& rel) {
  const std::string path = folder.path_of(rel);
  Fact fact;
  MEMFS_ASSIGN(fact.bytes, folder.read_raw(rel));
  if (find_invalid_utf8(fact.bytes)) {
    if (auto text = utf8_of_gb18030(fact.bytes)) {
      fact.bytes = std::move(*text);
      fact.warnings.emplace_back("it was no UTF-8 and was read as GB18030: look at its text");
    }
  }
  MEMFS_TRY(check_topic_bytes(path, fact.bytes));
  MendedBlock mended = mend_flat_block(fact.bytes);
  fact.bytes = std::move(mended.file);
  fact.quoted = std::move(mended.keys);
  return fact;
}

std::string text_at(const YamlNode& root, std::string_view key) {
  const YamlNode* node = root.find(key);
  const bool text = node != nullptr && node->kind == YamlNode::Kind::kScalar;
  return text ? std::string(trim(node->text)) : std::string();
}

// A key that stands in `metadata`, and in old files beside it.
std::string metadata_at(const YamlNode& root, std::string_view key) {
  const YamlNode* metadata = root.find("metadata");
  std::string inside = metadata == nullptr ? std::string() : text_at(*metadata, key);
  return inside.empty() ? text_at(root, key) : inside;
}

Scope scope_of(const YamlNode& root, const std::string& path) {
  const std::string stated = ascii_lower(metadata_at(root, "scope"));
  if (stated == "global") return Scope::kGlobal;
  if (stated == "project") return Scope::kPrivate;
  return leaf_of(parent_of(path)) == "global" ? Scope::kGlobal : Scope::kPrivate;
}

// What such a file means, in our words: where ours would read it otherwise.
class Translation {
 public:
  Translation(const YamlNode& root, Scope scope, std::vector<std::string>& warnings)
      : root_(root), scope_(scope), warnings_(warnings) {
    translate_type();
    translate_activation();
    translate_subject();
    translate_end();
  }
  std::vector<KeyEdit> edits{};
  bool was_pinned = false;  // without saying so

 private:
  // metadata.type only tells old versions which folder it is; the type is beside it then.
  void translate_type() {
    type_ = ascii_lower(metadata_at(root_, "fact_type"));
    const bool known = is_alternative(find_field("type")->choices, type_);
    if (known && root_.find("type") == nullptr) edits.push_back(text_key("type", type_));
    if (!known) type_ = ascii_lower(metadata_at(root_, "type"));
  }

  // Global facts about the user from before there was a choice are always loaded there.
  void translate_activation() {
    if (scope_ != Scope::kGlobal || !text_at(root_, "activation").empty()) return;
    if (type_ != "user" && type_ != "feedback") return;
    edits.push_back(text_key("activation", "pinned"));
    was_pinned = true;
  }

  void translate_subject() {
    const std::string subject = text_at(root_, "subject_key");
    if (subject.empty() || is_subject_key(subject)) return;
    if (const std::string lower = ascii_lower(subject); is_subject_key(lower))
      return edits.push_back(text_key("subject_key", lower));
    edits.push_back({"subject_key", std::nullopt});
    edits.push_back(text_key(kForeignSubject, subject));
    warnings_.push_back("its subject key is none here, and is kept as " +
                        std::string(kForeignSubject));
  }

  // A day there ends when it begins; `never` clears the end.
  void translate_end() {
    const std::string end = text_at(root_, "expires_at");
    const std::string word = ascii_lower(end);
    if (word == "never" || word == "none") edits.push_back({"expires_at", std::nullopt});
    const auto date = parse_date(end);
    if (!date || !date->date_only) return;
    edits.push_back(bare_key("expires_at", end + "T00:00:00Z"));
    warnings_.push_back("it ends where that day begins, as it did there: " + end + "T00:00:00Z");
  }

  const YamlNode& root_;
  Scope scope_;
  std::vector<std::string>& warnings_;
  std::string type_{};
};

class Reader {
 public:
  Reader(TopicFolder& folder) : folder_(folder) {}

  void run() {
    for (const TreeFile& file : folder_.files) {
      if (lies_in(file.rel, ".archive")) {
        ++archived_;
      } else if (lies_in(file.rel, ".revisions")) {
        ++revisions_;
      } else if (leaf_of(file.rel) == kIndexPage) {
        add_page(file.rel);
      } else {
        folder_.add(file.rel, item_of(file));
      }
    }
    tell();
  }

 private:
  void add_page(const std::string& rel) {
    auto page = fact_of(folder_, rel);
    if (!page) return folder_.refuse(rel, std::move(page).error());
    const std::size_t before = folder_.source.items.size();
    add_index_entries(folder_, kReasonix, rel, page->bytes);
    const Scope scope = scope_of({}, folder_.path_of(rel));
    for (std::size_t i = before; i < folder_.source.items.size(); ++i)
      folder_.source.items[i].scope = scope;
  }

  Result<Incoming> item_of(const TreeFile& file) {
    const std::string path = folder_.path_of(file.rel);
    MEMFS_ASSIGN(Fact fact, fact_of(folder_, file.rel));
    const FrontMatter front = read_front_matter(fact.bytes);
    const Scope scope = scope_of(front.yaml.root, path);
    if (front.state == BlockState::kReadable && !front.yaml.has_alias_or_anchor) {
      const Translation translation(front.yaml.root, scope, fact.warnings);
      MEMFS_ASSIGN(fact.bytes, edit_front_matter(fact.bytes, translation.edits));
      if (translation.was_pinned) ++pinned_;
    }
    MEMFS_TRY(check_topic(path, fact.bytes));
    Incoming item =
        topic_item(kReasonix, folder_, file, std::move(fact.bytes), rel_without_scope(file.rel));
    item.scope = scope;
    item.warnings.insert(item.warnings.begin(), fact.warnings.begin(), fact.warnings.end());
    warn_of_quotes(item, fact.quoted);
    return item;
  }

  void tell() {
    const std::string& root = folder_.root->path();
    std::vector<std::string>& notes = folder_.source.notes;
    if (archived_ > 0)
      notes.push_back(count_of(archived_, "forgotten fact was", "forgotten facts were") +
                      " not brought back; to have one, copy its file out of .archive in " + root +
                      " and import again");
    if (revisions_ > 0)
      notes.push_back(count_of(revisions_, "earlier revision stays", "earlier revisions stay") +
                      " in .revisions in " + root + ": the history here begins with the import");
    if (pinned_ > 0)
      notes.push_back(count_of(pinned_, "global fact", "global facts") +
                      " about the user had no activation, which means always loaded there: "
                      "pinned");
  }

  TopicFolder& folder_;
  std::size_t archived_ = 0, revisions_ = 0, pinned_ = 0;
};

}  // namespace

Result<ImportSource> read_reasonix(const ImportPlace& place) {
  MEMFS_ASSIGN(TopicFolder folder, TopicFolder::open(place, kReasonix, is_kept_folder));
  MEMFS_TRY(check_one_project(place, folder));
  Reader(folder).run();
  return std::move(folder.source);
}

}  // namespace memfs
