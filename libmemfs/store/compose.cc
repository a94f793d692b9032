#include "libmemfs/store/compose.h"

#include <algorithm>
#include <tuple>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/block_editor.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxFieldBytes = 4096;

Error bad_value(const FieldEdit& edit, std::string message, std::string hint) {
  return make_error(ErrorCode::kInvalid, edit.key + ": " + std::move(message))
      .with_hint(std::move(hint))
      .with("field", edit.key);
}

std::string spoken(std::string_view choices) {
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

Result<void> validate_text(const FieldEdit& edit, std::string_view text) {
  if (find_invalid_utf8(text)) return bad_value(edit, "the text is not UTF-8", "convert it first");
  if (text.find('\0') != std::string_view::npos)
    return bad_value(edit, "the text holds a NUL byte", "remove it");
  if (text.size() > kMaxFieldBytes) {
    return bad_value(edit, "longer than " + std::to_string(kMaxFieldBytes) + " bytes",
                     "put long text into the body");
  }
  return {};
}

Result<void> validate_one(const FieldEdit& edit, const Field& field) {
  MEMFS_TRY(validate_text(edit, edit.text));
  for (const std::string& item : edit.items) MEMFS_TRY(validate_text(edit, item));
  const bool list = field.type == FieldType::kTags;
  if (list ? !edit.text.empty() : !edit.items.empty()) {
    return make_error(ErrorCode::kUsage, edit.key + (list ? " takes a list" : " takes one text"))
        .with("field", edit.key);
  }
  const bool blank = list ? std::all_of(edit.items.begin(), edit.items.end(),
                                        [](const auto& item) { return trim(item).empty(); })
                          : trim(edit.text).empty();
  if (blank) return bad_value(edit, "the value is empty", "use --clear " + edit.key);
  switch (field.type) {
    case FieldType::kChoice:
      if (is_alternative(field.choices, edit.text)) return {};
      return bad_value(
          edit, "`" + escape_for_terminal(edit.text) + "` is none of " + spoken(field.choices),
          "choose one of them");
    case FieldType::kSubject:
      if (is_subject_key(edit.text)) return {};
      return bad_value(edit, "not a subject key: `" + escape_for_terminal(edit.text) + "`",
                       "dotted segments of a-z, 0-9, _ and -, such as project.release_branch");
    case FieldType::kDate:
      if (parse_date(edit.text)) return {};
      return bad_value(edit, "not a date: `" + escape_for_terminal(edit.text) + "`",
                       "write YYYY-MM-DD or an instant such as 2026-12-01T09:00:00Z");
    default:
      return {};
  }
}

NewValue value_of(const FieldEdit& edit, const Field& field) {
  NewValue value;
  if (field.type == FieldType::kTags) {
    value.form = NewValue::Form::kList;
    for (const std::string& item : edit.items)
      if (!trim(item).empty()) value.items.emplace_back(trim(item));
  } else if (field.type == FieldType::kDate) {
    value.form = NewValue::Form::kBare;
    value.text = edit.text;
  } else {
    value.text = trim(edit.text);
  }
  return value;
}

KeyEdit bare(const char* key, std::string text) {
  NewValue value;
  value.form = NewValue::Form::kBare;
  value.text = std::move(text);
  return {key, value};
}

KeyEdit text_edit(const char* key, std::string text) {
  NewValue value;
  value.text = std::move(text);
  return {key, value};
}

bool has_identity(const Memory& memory) { return !memory.id.empty() || memory.revision > 0; }

// `id` belongs to another tool if it is there and is no identity: ours then goes beside it.
const char* id_key(std::string_view file) {
  const FrontMatter front = read_front_matter(file);
  return front.yaml.root.find("id") != nullptr ? "mem_id" : "id";
}

// The edit that counts up. kInvalid behind the largest number: no reader would take the next one.
Result<KeyEdit> counted_up(const Memory& memory, std::uint64_t revision) {
  if (revision < kMaxRevision) return bare("revision", std::to_string(revision + 1));
  return make_error(ErrorCode::kInvalid, "its revision is the largest there can be")
      .at(memory.path)
      .with_hint("somebody set `revision` by hand: set it to a smaller number");
}

// Edits for the store's own keys on a write to a file that has, or gets, an identity.
Result<std::vector<KeyEdit>> owned_edits(std::string_view file, const Memory& memory,
                                         const std::string& new_id, bool meaning_changes,
                                         Instant now) {
  MEMFS_ASSIGN(KeyEdit revision, counted_up(memory, memory.revision));
  std::vector<KeyEdit> edits;
  if (memory.id.empty()) edits.push_back(text_edit(id_key(file), new_id));
  if (meaning_changes) edits.push_back(bare("updated_at", format_instant(now)));
  edits.push_back(std::move(revision));
  return edits;
}

// Whether two states of a memory say the same: see Field::changes_meaning.
bool same_meaning(const Memory& a, const Memory& b) {
  return std::tie(a.title, a.description, a.subject_key, a.keywords, a.body) ==
         std::tie(b.title, b.description, b.subject_key, b.keywords, b.body);
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string with_newlines_of(std::string_view file, std::string_view text) {
  const auto eol = file.find('\n');
  if (eol == std::string_view::npos || eol == 0 || file[eol - 1] != '\r') return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) out += '\r';
    out += text[i];
  }
  return out;
}

Result<std::string> new_body(std::string_view file, const Memory& memory, const BodyEdit& edit) {
  const std::string& body = memory.body;
  switch (edit.kind) {
    case BodyEdit::Kind::kKeep:
      return body;
    case BodyEdit::Kind::kSet:
      return edit.text;
    case BodyEdit::Kind::kAppend: {
      std::string text = body;
      if (!text.empty() && text.back() != '\n') text += with_newlines_of(file, "\n");
      text += with_newlines_of(file, edit.text);
      if (!text.ends_with('\n')) text += with_newlines_of(file, "\n");
      return text;
    }
    case BodyEdit::Kind::kReplace:
      break;
  }
  const auto count = edit.old.empty() ? 0 : count_of(body, edit.old);
  if (count != 1) {
    return make_error(ErrorCode::kInvalid,
                      count == 0 ? "the text to replace does not occur in the body"
                                 : "the text to replace occurs " + std::to_string(count) + " times")
        .at(memory.path)
        .with_hint("give text that occurs exactly once");
  }
  std::string text = body;
  return text.replace(text.find(edit.old), edit.old.size(), with_newlines_of(file, edit.text));
}

Result<std::string> checked_body(std::string file, const Memory& memory, const std::string& body) {
  const FrontMatter front = read_front_matter(file);
  if (std::string_view(file).substr(front.body_begin) == body) return file;
  return make_error(ErrorCode::kInvalid, "the new body starts like a front-matter block")
      .at(memory.path)
      .with_hint("start it with a blank line or a heading");
}

}  // namespace

Result<void> validate(const std::vector<FieldEdit>& fields, bool creating) {
  for (const FieldEdit& edit : fields) {
    const Field* field = find_field(edit.key);
    if (field == nullptr || field->owned) {
      return make_error(ErrorCode::kUsage,
                        field == nullptr ? "there is no field " + escape_for_terminal(edit.key)
                                         : "`" + edit.key + "` is kept by mem itself")
          .with("field", edit.key);
    }
    if (!edit.clear) MEMFS_TRY(validate_one(edit, *field));
  }
  const bool titled = std::any_of(fields.begin(), fields.end(), [](const FieldEdit& edit) {
    return edit.key == "title" && !edit.clear;
  });
  if (creating && !titled)
    return make_error(ErrorCode::kUsage, "a new memory needs a title").with("field", "title");
  return {};
}

namespace {

Result<void> check_body(std::string_view body) {
  if (find_invalid_utf8(body)) {
    return make_error(ErrorCode::kInvalid, "the body is not UTF-8 text")
        .with_hint("convert it to UTF-8 first");
  }
  if (body.find('\0') != std::string_view::npos) {
    return make_error(ErrorCode::kInvalid, "the body has a NUL character in it, which no text has")
        .with_hint("leave it out");
  }
  if (body.size() > kMaxBody)
    return make_error(ErrorCode::kInvalid, "the body is larger than 16 MiB");
  return {};
}

}  // namespace

Result<std::string> compose_new(const NewMemory& wish, const std::string& id, Instant now) {
  MEMFS_TRY(check_body(wish.body));
  std::vector<KeyEdit> edits;
  // In the table's order, whatever order the caller gave.
  for (const Field& field : kFields)
    for (const FieldEdit& edit : wish.fields)
      if (edit.key == field.key && !edit.clear) edits.push_back({edit.key, value_of(edit, field)});
  edits.push_back(text_edit("id", id));
  edits.push_back(bare("created_at", format_instant(now)));
  if (wish.verified) edits.push_back(bare("last_verified_at", format_instant(now)));
  edits.push_back(bare("updated_at", format_instant(now)));
  edits.push_back(bare("revision", "1"));
  MEMFS_ASSIGN(std::string head, edit_front_matter("---\n---\n", edits));
  return head + wish.body;
}

Result<std::string> compose_change(std::string_view file, const Memory& memory,
                                   const Change& change, const std::string& new_id, Instant now) {
  MEMFS_ASSIGN(const std::string body, new_body(file, memory, change.body));
  MEMFS_TRY(check_body(body));
  std::vector<KeyEdit> edits;
  bool meaning_changes = body != memory.body;
  for (const FieldEdit& edit : change.fields) {
    const Field& field = *find_field(edit.key);
    KeyEdit key_edit{edit.key, std::nullopt};
    if (!edit.clear) key_edit.value = value_of(edit, field);
    edits.push_back(std::move(key_edit));
  }
  const std::size_t given = edits.size();
  if (change.verified) edits.push_back(bare("last_verified_at", format_instant(now)));
  MEMFS_ASSIGN(std::string edited, edits.empty() ? Result<std::string>(std::string(file))
                                                 : edit_front_matter(file, edits));
  const bool fields_change = edited != file;
  if (!fields_change && !meaning_changes) return std::string(file);
  for (std::size_t i = 0; i < given && fields_change && !meaning_changes; ++i) {
    if (!find_field(edits[i].key)->changes_meaning) continue;
    const auto alone = edit_front_matter(file, {edits[i]});
    meaning_changes = alone && *alone != file;
  }
  if (fields_change || has_identity(memory)) {
    MEMFS_ASSIGN(const auto owned, owned_edits(edited, memory, new_id, meaning_changes, now));
    MEMFS_ASSIGN(edited, edit_front_matter(edited, owned));
  }
  const FrontMatter front = read_front_matter(edited);
  return checked_body(edited.substr(0, front.body_begin) + body, memory, body);
}

Result<std::string> compose_bump(std::string_view file, const Memory& memory) {
  if (!has_identity(memory)) return std::string(file);
  MEMFS_ASSIGN(const KeyEdit revision, counted_up(memory, memory.revision));
  return edit_front_matter(file, {revision});
}

Result<std::string> compose_verification(std::string_view file, const Memory& memory,
                                         const std::string& new_id, Instant now) {
  std::vector<KeyEdit> edits = {bare("last_verified_at", format_instant(now))};
  MEMFS_ASSIGN(std::string edited, edit_front_matter(file, edits));
  if (edited == file) return edited;  // verified this very moment
  MEMFS_ASSIGN(const auto owned, owned_edits(edited, memory, new_id, false, now));
  return edit_front_matter(edited, owned);
}

Result<std::string> compose_whole(std::string_view wanted, const Memory& next,
                                  std::string_view current_file, const Memory& current,
                                  Instant now) {
  for (const Problem& problem : next.problems) {
    if (!problem.blocks_writes || !problem.key.empty()) continue;
    return make_error(ErrorCode::kInvalid, problem.message)
        .at(problem.path, problem.line, problem.column)
        .with_hint(problem.hint);
  }
  if (!has_identity(next) && !has_identity(current)) return std::string(wanted);
  std::vector<KeyEdit> edits;
  if (!current.id.empty() && next.id != current.id) {
    const bool theirs =
        next.id.empty() && read_front_matter(wanted).yaml.root.find("id") != nullptr;
    edits.push_back(text_edit(theirs ? "mem_id" : "id", current.id));
  }
  // With the revision and date of the present file: is there any other difference?
  std::vector<KeyEdit> same = edits;
  same.push_back(bare("revision", std::to_string(current.revision)));
  same.push_back({"updated_at", std::nullopt});
  if (current.updated_at) same.back() = bare("updated_at", current.updated_at->text);
  MEMFS_ASSIGN(const std::string as_now, edit_front_matter(wanted, same));
  if (as_now == current_file) return as_now;
  if (!same_meaning(next, current)) edits.push_back(bare("updated_at", format_instant(now)));
  MEMFS_ASSIGN(KeyEdit revision, counted_up(current, std::max(current.revision, next.revision)));
  edits.push_back(std::move(revision));
  return edit_front_matter(wanted, edits);
}

Result<std::string> compose_adoption(std::string_view file, const Memory& memory,
                                     const std::string& new_id, Instant created,
                                     const std::string& source) {
  std::vector<KeyEdit> edits;
  if (!source.empty() && memory.source.empty()) edits.push_back(text_edit("source", source));
  if (memory.id.empty()) edits.push_back(text_edit(id_key(file), new_id));
  if (!memory.created_at) edits.push_back(bare("created_at", format_instant(created)));
  if (memory.revision == 0) edits.push_back(bare("revision", "1"));
  if (edits.empty()) return std::string(file);
  return edit_front_matter(file, edits);
}

}  // namespace memfs
