// Which memory an item of the source is, if it is there already, and what becomes of it then.
#include <algorithm>

#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/intake.h"
#include "libmemfs/format/block_editor.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/compose.h"

namespace memfs {
namespace {

constexpr char kTakeSource[] =
    "`--force` takes what the source says; what stands here stays in its history";

Error differs(const Memory& memory, std::string message, const char* hint = kTakeSource) {
  return make_error(ErrorCode::kConflict, std::move(message))
      .with_hint(hint)
      .with("ref", memory.ref());
}

// A memory may be called so on disk.
bool is_file_name(const std::string& name) {
  const std::string rel = name + ".md";
  return is_safe_relative(rel) && !find_invalid_utf8(rel) && is_memory_file(leaf_of(rel)) &&
         !rel.starts_with('.') && rel.find("/.") == std::string::npos;
}

// nullopt: the key is not there.
std::optional<NewValue> value_of(const YamlNode* node) {
  if (node == nullptr || node->kind == YamlNode::Kind::kNull) return std::nullopt;
  if (node->kind == YamlNode::Kind::kScalar) return NewValue{NewValue::Form::kText, node->text, {}};
  NewValue list{NewValue::Form::kList, {}, {}};
  for (const YamlNode& item : node->items) list.items.push_back(item.text);
  return list;
}

Statement statement_of(const Memory& memory) {
  return {memory.title, memory.has_description ? memory.description : std::string_view(),
          memory.body};
}

}  // namespace

void Intake::place(Arrival& arrival) {
  if (arrival.settled) return;
  Known how = Known::kIdentity;
  arrival.here = recognise(arrival, how);
  if (arrival.here) {
    arrival.room->claim(*arrival.here);
    return meet(arrival, how);
  }
  if (const std::string ref = elsewhere(arrival); !ref.empty()) {
    told(arrival).ref = ref;
    told(arrival).warnings.push_back("it is in another scope by now: " + ref);
    arrival.settled = true;  // the same
    return;
  }
  if (!wish_.force && was_forgotten(arrival)) {
    return refuse(
        arrival,
        make_error(ErrorCode::kConflict, "it was imported before and forgotten since")
            .with_hint("`--force` imports it again; `mem recover` brings the old one back"));
  }
  if (auto named = name_new(arrival); !named) refuse(arrival, named.error());
}

// From what tells most surely to what tells least.
std::optional<std::size_t> Intake::recognise(const Arrival& arrival, Known& how) const {
  const IntakeRoom& room = *arrival.room;
  how = Known::kIdentity;
  if (is_own_id(arrival.said->id))
    if (const auto there = room.with_id(arrival.said->id); there && room.is_free(*there))
      return there;
  how = Known::kSource;
  if (const auto there = by_ledger(arrival)) return there;
  if (const auto there = by_source(arrival)) return there;
  how = Known::kName;
  if (!arrival.item->name.empty()) {
    const auto there = room.with_name(join_path(wish_.folder, arrival.item->name));
    return there && room.is_free(*there) ? there : std::nullopt;
  }
  how = arrival.item->entry.empty() ? Known::kText : Known::kEntry;
  return how == Known::kText ? by_text(arrival) : by_entry(arrival);
}

// The very same item was imported before.
std::optional<std::size_t> Intake::by_ledger(const Arrival& arrival) const {
  const Incoming& item = *arrival.item;
  for (const ImportedItem* before : arrival.room->ledger().with_hash(arrival.hash)) {
    if (!item.positional && before->source != item.source) continue;
    const auto there = before->memory.starts_with('=')
                           ? arrival.room->with_name(before->memory.substr(1))
                           : arrival.room->with_id(before->memory);
    if (there && arrival.room->is_free(*there)) return there;
  }
  return std::nullopt;
}

std::optional<std::size_t> Intake::by_source(const Arrival& arrival) const {
  const Incoming& item = *arrival.item;
  if (item.source.empty()) return std::nullopt;
  const IntakeRoom& room = *arrival.room;
  std::vector<std::size_t> candidates;
  for (const ImportedItem* before : room.ledger().with_source(item.source))
    if (const auto there = room.with_id(before->memory)) candidates.push_back(*there);
  for (const std::size_t number : room.with_source(item.source)) candidates.push_back(number);
  for (const std::size_t number : candidates)
    if (room.is_free(number) && (!item.positional || says_nearly(arrival, number))) return number;
  return std::nullopt;
}

bool Intake::says_nearly(const Arrival& arrival, std::size_t number) const {
  const Memory& listed = arrival.room->memory(number);
  if (listed.title == arrival.said->title) return true;
  const auto there = load_memory(*arrival.room->locked().dir, listed);
  if (!there) return false;
  return likeness(StatementSketch(statement_of(*there)),
                  StatementSketch(statement_of(*arrival.said)))
      .has_value();
}

// Title and text are the same.
std::optional<std::size_t> Intake::by_text(const Arrival& arrival) const {
  const IntakeRoom& room = *arrival.room;
  for (const std::size_t number : room.with_title(arrival.said->title)) {
    if (!room.is_free(number)) continue;
    const auto there = load_memory(*room.locked().dir, room.memory(number));
    if (there && there->body == arrival.said->body) return number;
  }
  return std::nullopt;
}

std::optional<std::size_t> Intake::by_entry(const Arrival& arrival) const {
  for (const std::size_t number : arrival.room->with_entry(arrival.item->entry))
    if (arrival.room->is_free(number)) return number;
  return std::nullopt;
}

// Where the memory is that the item became, if that is another scope.
std::string Intake::elsewhere(const Arrival& arrival) const {
  const auto look = [&](const std::string& id) -> std::string {
    for (const auto& [scope, room] : rooms_) {
      const auto there = room.get() == arrival.room ? std::nullopt : room->with_id(id);
      if (there) return room->memory(*there).ref();
    }
    const auto there = outside_.find(id);
    return there == outside_.end() ? std::string() : there->second;
  };
  if (is_own_id(arrival.said->id))
    if (std::string ref = look(arrival.said->id); !ref.empty()) return ref;
  for (const ImportedItem* before : arrival.room->ledger().with_hash(arrival.hash)) {
    if (!arrival.item->positional && before->source != arrival.item->source) continue;
    if (std::string ref = look(before->memory); !ref.empty()) return ref;
  }
  return {};
}

// An import that was taken back as a whole was not forgotten; nor was anything where a whole scope
// was emptied.
bool Intake::was_forgotten(const Arrival& arrival) const {
  const IntakeRoom& room = *arrival.room;
  if (room.was_empty()) return false;
  std::vector<const ImportedItem*> before = room.ledger().with_hash(arrival.hash);
  if (arrival.item->positional) {
    std::erase_if(before, [&](const ImportedItem* i) { return i->source != arrival.item->source; });
  } else if (!arrival.item->source.empty()) {
    before = room.ledger().with_source(arrival.item->source);
  }
  if (before.empty() || room.with_id(before.back()->memory)) return false;
  if (!last_writes_) {
    last_writes_.emplace();
    if (const auto state = impl_.open_state())
      for (const LoggedWrite& write : WriteLog(*state).read())
        last_writes_->insert_or_assign(write.entry.id, write.entry);
  }
  const auto last = last_writes_->find(before.back()->memory);
  return last != last_writes_->end() && last->second.takes_back.empty();
}

// The memory says what the entry says, and more. One that was such an entry itself may have got
// another type: by another file.
bool Intake::is_same_entry(const Arrival& arrival, const Memory& memory) const {
  const std::string& source = arrival.item->source;
  const std::string format = source.substr(0, source.find(':') + 1);
  return !memory.source.starts_with(format) || memory.title != arrival.said->title;
}

// The item is a memory that is there.
void Intake::meet(Arrival& arrival, Known how) {
  IntakeRoom& room = *arrival.room;
  const Memory listed = room.memory(*arrival.here);
  told(arrival).ref = listed.ref();
  const ImportedItem* before = room.ledger().of_memory(ImportLedger::key_of(listed));
  if (before != nullptr && before->hash == arrival.hash) return same(arrival, listed);
  if (how == Known::kEntry && is_same_entry(arrival, listed)) return same(arrival, listed);
  auto content = room.locked().dir->read(listed.rel, kMaxFile);
  if (!content) return refuse(arrival, content.error());
  arrival.old_bytes = std::move(content->bytes);
  auto memory = load_memory(*room.locked().dir, listed);
  if (!memory || content_hash(arrival.old_bytes) != memory->etag)
    return refuse(arrival, differs(listed, "the file changed while it was being read"));
  auto next = composed_update(arrival, *memory);
  if (!next) return refuse(arrival, next.error());
  if (*next == arrival.old_bytes) return same(arrival, listed);
  if (auto may = may_update(arrival, *memory, how); !may) return refuse(arrival, may.error());
  arrival.next = std::move(*next);
}

// The memory's own file with what the item says: these keys, and its text.
Result<std::string> Intake::with_what_it_says(const Arrival& arrival) const {
  const FrontMatter front = read_front_matter(arrival.bytes);
  std::vector<KeyEdit> edits;
  for (const std::string& key : arrival.item->says)
    edits.push_back({key, value_of(front.yaml.root.find(key))});
  MEMFS_ASSIGN(std::string file, edit_front_matter(arrival.old_bytes, edits));
  file.resize(read_front_matter(file).body_begin);
  return file + arrival.said->body;
}

// The present bytes if there is nothing new in the item.
Result<std::string> Intake::composed_update(const Arrival& arrival, const Memory& memory) const {
  const bool whole = arrival.item->verbatim;
  if (arrival.bytes == arrival.old_bytes) return arrival.bytes;
  if (whole && arrival.said->revision > memory.revision) return arrival.bytes;
  std::string wanted = arrival.bytes;
  if (!arrival.item->says.empty()) {
    MEMFS_ASSIGN(wanted, with_what_it_says(arrival));
  } else if (!whole && !memory.id.empty()) {
    const auto made = memory.created_at ? memory.created_at->at : arrival.item->created;
    MEMFS_ASSIGN(wanted, compose_adoption(wanted, *arrival.said, memory.id,
                                          made.value_or(memory.modified), memory.source));
  }
  Problem empty;
  const auto next = read_memory({memory.scope, memory.rel, memory.path}, wanted, &empty);
  if (!next) return make_error(ErrorCode::kInvalid, empty.message).at(arrival.item->path);
  return compose_whole(wanted, *next, arrival.old_bytes, memory, impl_.now());
}

Result<void> Intake::may_update(const Arrival& arrival, const Memory& memory, Known how) const {
  if (wish_.force) return {};
  const IntakeRoom& room = *arrival.room;
  if (how == Known::kName && room.ledger().of_memory(ImportLedger::key_of(memory)) == nullptr) {
    return differs(memory, "a memory of that name is there and says something else",
                   "`--force` takes what the source says, `--into FOLDER` puts all beside it");
  }
  if (arrival.item->verbatim && arrival.said->revision < memory.revision)
    return differs(memory, "the one here is newer: revision " + std::to_string(memory.revision) +
                               ", the source has " + std::to_string(arrival.said->revision));
  const ImportedItem* before = room.ledger().of_memory(ImportLedger::key_of(memory));
  if (before != nullptr && before->etag == memory.etag) return {};
  if (arrival.item->verbatim && arrival.said->revision > memory.revision) {
    // A later state of the same memory, unless somebody edited this one by hand.
    const auto state = impl_.open_state();
    const auto seal =
        state ? State(*state).seal_of(memory, room.locked().key) : std::optional<Seal>();
    if (seal && seal->hash == memory.etag) return {};
  }
  return differs(memory, before != nullptr ? "it was changed here and in the source"
                                           : "it says something else here, and it is not known "
                                             "which is newer");
}

Result<void> Intake::name_new(Arrival& arrival) {
  IntakeRoom& room = *arrival.room;
  arrival.id = is_own_id(arrival.said->id) ? arrival.said->id : fresh_id(room, arrival);
  if (room.has_id(arrival.id))
    return make_error(ErrorCode::kConflict, "another item has the same id: " + arrival.id)
        .with_hint("remove the id from the copy");
  MEMFS_ASSIGN(arrival.name, chosen_name(arrival));
  // What was a name once may be it again, also if links cannot hold it.
  if (!arrival.item->verbatim || !is_file_name(arrival.name))
    MEMFS_TRY(check_new_name(arrival.name));
  MEMFS_TRY(room.check_place(arrival.name + ".md"));
  room.reserve(arrival.name, arrival.id);
  return {};
}

// A name that is taken, by a memory that another item of this import is, gets the id's end.
Result<std::string> Intake::chosen_name(const Arrival& arrival) const {
  const std::string& given = arrival.item->name;
  const std::string leaf = given.empty() ? slug_of(arrival.said->title) : given;
  const std::string name = join_path(wish_.folder, leaf);
  const bool fits = !given.empty() || is_portable_name(leaf);
  if (fits && !arrival.room->has_name(name)) return name;
  const std::string stem = join_path(
      parent_of(name), name_with_suffix(given.empty() ? leaf : leaf_of(leaf), arrival.id));
  if (!given.empty())
    told(arrival).warnings.push_back(
        "its name is taken by another item, in which only letter case or spelling differs; it is "
        "called " +
        stem);
  return stem;
}

std::string Intake::fresh_id(const IntakeRoom& room, const Arrival& arrival) const {
  const std::string seed =
      std::string(name_of(room.scope())) + "/" + arrival.said->title + arrival.item->source;
  for (int attempt = 0;; ++attempt) {
    std::string id = "mem-" + impl_.services.ids->ulid(impl_.now(), seed, attempt);
    if (!room.has_id(id)) return id;
  }
}

}  // namespace memfs
