#include "libmemfs/merge/value_merge.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/date.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/yaml_diagnosis.h"
#include "libmemfs/format/yaml_writer.h"

namespace memfs {
namespace {

using Kind = YamlNode::Kind;

// An item of a list: what it reads as, how it is spelled, and the comments that go with it.
struct Item {
  std::string text;
  std::string spelled;
  std::string above{};   // lines between the item before and this one
  std::string behind{};  // the rest of its line: "  # why"
};
using Items = std::vector<Item>;

// Items by what they read as: lists may be long.
class Lookup {
 public:
  explicit Lookup(const Items& items) {
    for (const Item& item : items) by_text_.emplace(item.text, &item);
  }
  const Item* find(std::string_view text) const {
    const auto it = by_text_.find(text);
    return it == by_text_.end() ? nullptr : it->second;
  }
  bool has(std::string_view text) const { return find(text) != nullptr; }

 private:
  std::unordered_map<std::string_view, const Item*> by_text_{};
};

bool all_different(const Items& items) {
  std::unordered_set<std::string_view> texts;
  return std::all_of(items.begin(), items.end(),
                     [&](const Item& item) { return texts.insert(item.text).second; });
}

std::size_t start_of_line(std::string_view text, std::size_t pos) {
  const auto eol = pos == 0 ? std::string_view::npos : text.rfind('\n', pos - 1);
  return eol == std::string_view::npos ? 0 : eol + 1;
}

// How a scalar of a list is spelled in the entry; nothing if it takes more than a line.
std::optional<std::string> spelling(std::string_view raw, const YamlNode& node, bool flow) {
  if (node.kind != Kind::kScalar || node.offset >= raw.size()) return std::nullopt;
  const char first = raw[node.offset];
  auto end = std::min(raw.find('\n', node.offset), raw.size());
  if (first == '"' || first == '\'') {
    const auto quoted = end_of_quoted(raw, node.offset);
    if (quoted == std::string_view::npos || quoted > end) return std::nullopt;
    end = quoted;
  } else if (first == '|' || first == '>' || first == '!' || first == '?') {
    return std::nullopt;
  } else {
    const auto line = raw.substr(node.offset, end - node.offset);
    if (flow) end = std::min(end, node.offset + std::min(line.find_first_of(",]"), line.size()));
    end = std::min(end, node.offset + std::min(line.find(" #"), line.size()));
  }
  return std::string(trim(raw.substr(node.offset, end - node.offset)));
}

// What stands above and behind the items of a list that has a line for each.
void take_comments(const std::string& raw, const YamlNode& list, Items& items) {
  std::size_t done = raw.find('\n') + 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t offset = list.items[i].offset;
    const std::size_t begin = start_of_line(raw, offset);
    if (begin > done) items[i].above = raw.substr(done, begin - done);
    const std::size_t end = std::min(raw.find('\n', offset), raw.size());
    const std::size_t behind = std::min(offset + items[i].spelled.size(), end);
    const std::string_view rest = std::string_view(raw).substr(behind, end - behind);
    if (!trim(rest).empty()) items[i].behind = rest.substr(0, rest.find_last_not_of(" \t\r") + 1);
    done = std::max(done, std::min(end + 1, raw.size()));
  }
}

// The items of a list of different scalars, or of comma separated tags; nothing else is a set.
std::optional<Items> items_of(const KeyedEntry* entry) {
  Items items;
  if (entry == nullptr) return items;
  const YamlNode value = read_entry(entry->raw);
  if (value.kind == Kind::kNull) return items;
  const Field* field = find_field(entry->key);
  if (value.kind == Kind::kScalar && field != nullptr && field->type == FieldType::kTags) {
    std::unordered_set<std::string> seen;
    for (std::string_view rest = value.text; !rest.empty();) {
      const auto comma = std::min(rest.find(','), rest.size());
      const std::string word(trim(rest.substr(0, comma)));
      if (!word.empty() && seen.insert(word).second)
        items.push_back({word, yaml_scalar(word, true)});
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return items;
  }
  if (value.kind != Kind::kSequence) return std::nullopt;
  for (const YamlNode& node : value.items) {
    auto spelled = spelling(entry->raw, node, value.flow);
    if (!spelled) return std::nullopt;
    items.push_back({node.text, std::move(*spelled)});
  }
  if (!all_different(items)) return std::nullopt;
  if (!value.flow) take_comments(entry->raw, value, items);
  return items;
}

// The entry with other items, in its own style; "" if that cannot be done.
std::string with_items(const KeyedEntry& entry, const Items& items) {
  const YamlNode value = read_entry(entry.raw);
  const auto eol = std::min(entry.raw.find_first_of("\r\n"), entry.raw.size());
  const std::string newline = entry.raw.substr(eol, entry.raw.find('\n') + 1 - eol);
  const bool block = value.kind == Kind::kSequence && !value.flow && !value.items.empty();
  std::string raw;
  if (block && !items.empty()) {
    const auto begin = start_of_line(entry.raw, value.items.front().offset);
    const std::string dash = entry.raw.substr(begin, value.items.front().offset - begin);
    raw = entry.raw.substr(0, std::min(begin, entry.raw.find('\n') + 1));
    for (const Item& item : items) raw += item.above + dash + item.spelled + item.behind + newline;
  } else {
    raw = entry.raw.substr(0, entry.raw.find(':', entry.key.size()) + 1) + " [";
    for (const Item& item : items) raw += (raw.ends_with('[') ? "" : ", ") + item.spelled;
    raw += "]" + newline;
  }
  const YamlNode again = read_entry(raw);
  const bool as_meant =
      again.kind == Kind::kSequence &&
      std::equal(again.items.begin(), again.items.end(), items.begin(), items.end(),
                 [](const YamlNode& node, const Item& item) { return node.text == item.text; });
  return as_meant ? raw : std::string();
}

// Whose entry decides where nothing else does: the same whichever side it comes from.
bool goes_first(const KeyedEntry& a, const KeyedEntry& b) { return a.raw < b.raw; }

// An item with the comments that one of two sides gave it.
Item with_comments(Item item, const Item* other, const Item* base) {
  if (other == nullptr) return item;
  if (item.above == (base ? base->above : std::string())) item.above = other->above;
  if (item.behind == (base ? base->behind : std::string())) item.behind = other->behind;
  return item;
}

// What either side has, without what either side took out.
std::optional<MergedValue> merge_sets(const ThreeEntries& entries) {
  const auto base = items_of(entries.base);
  const auto ours = items_of(entries.ours);
  const auto theirs = items_of(entries.theirs);
  if (!base || !ours || !theirs) return std::nullopt;
  const bool ours_first = goes_first(*entries.ours, *entries.theirs);
  const KeyedEntry& model = ours_first ? *entries.ours : *entries.theirs;
  const Items& first = ours_first ? *ours : *theirs;
  const Items& second = ours_first ? *theirs : *ours;
  const Lookup in_base(*base);
  const Lookup in_first(first);
  const Lookup in_second(second);
  const auto stays = [&](const Item& item, const Lookup& other) {
    return other.has(item.text) || !in_base.has(item.text);
  };
  Items merged_items;
  for (const Item& item : first)
    if (stays(item, in_second))
      merged_items.push_back(
          with_comments(item, in_second.find(item.text), in_base.find(item.text)));
  for (const Item& item : second)
    if (!in_first.has(item.text) && stays(item, in_first)) merged_items.push_back(item);
  MergedValue merged;
  merged.raw = with_items(model, merged_items);
  if (merged.raw.empty()) return std::nullopt;
  return merged;
}

bool is_one_of(std::string_view key, std::string_view field) {
  const Field* known = find_field(field);
  return key == field || (known != nullptr && is_alternative(known->fallbacks, key));
}

enum class Choice : std::uint8_t { kNone, kEarlier, kLater, kHigher };

Choice choice_for(std::string_view key) {
  if (key == "revision") return Choice::kHigher;
  if (is_one_of(key, "updated_at") || is_one_of(key, "last_verified_at")) return Choice::kLater;
  if (is_one_of(key, "created_at") || is_one_of(key, "expires_at")) return Choice::kEarlier;
  return Choice::kNone;
}

// Digits compare as numbers when they are of one length.
std::optional<std::string> number_of(const YamlNode& node) {
  constexpr std::size_t kDigits = 16;  // of 2^53
  const std::string& text = node.text;
  const bool digits = !text.empty() && text.size() <= kDigits &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (node.kind != Kind::kScalar || node.quoted || !digits) return std::nullopt;
  return std::string(kDigits - text.size(), '0') + text;
}

std::optional<Instant> date_of(std::string_view key, const YamlNode& node) {
  if (node.kind != Kind::kScalar) return std::nullopt;
  const auto date = parse_date(node.text);
  if (!date) return std::nullopt;
  return is_one_of(key, "expires_at") ? last_good_instant(*date) : date->at;
}

// The entry whose date or number is to stand; nullptr if they cannot be compared.
const KeyedEntry* chosen(const ThreeEntries& entries, Choice choice) {
  const KeyedEntry& ours = *entries.ours;
  const KeyedEntry& theirs = *entries.theirs;
  if (choice == Choice::kHigher) {
    const auto a = number_of(ours.value);
    const auto b = number_of(theirs.value);
    return !a || !b ? nullptr : *a < *b ? &theirs : &ours;
  }
  const auto a = date_of(ours.key, ours.value);
  const auto b = date_of(ours.key, theirs.value);
  if (!a || !b) return nullptr;
  if (*a == *b) return goes_first(ours, theirs) ? &ours : &theirs;
  return (*a < *b) == (choice == Choice::kEarlier) ? &ours : &theirs;
}

std::optional<MergedValue> merge_chosen(const ThreeEntries& entries) {
  const Choice choice = choice_for(entries.ours->key);
  if (choice == Choice::kNone) return std::nullopt;
  const KeyedEntry* best = chosen(entries, choice);
  if (best == nullptr) return std::nullopt;
  MergedValue merged;
  merged.raw = best->raw;
  if (is_one_of(best->key, "expires_at")) {
    merged.kept = (best == entries.ours ? entries.theirs : entries.ours)->raw;
    merged.note = best->key + ": the earlier of two dates holds";
  }
  return merged;
}

bool is_own_id(const KeyedEntry& entry) { return entry.value.text.starts_with("mem-"); }

// Two sides gave the same hand-written file an id: the older one stays.
std::optional<MergedValue> merge_ids(const ThreeEntries& entries, bool related) {
  const std::string& key = entries.ours->key;
  if (key != "id" && key != "mem_id") return std::nullopt;
  if (!related || entries.base != nullptr || !is_own_id(*entries.ours) ||
      !is_own_id(*entries.theirs))
    return std::nullopt;
  const bool ours = entries.ours->value.text < entries.theirs->value.text;
  MergedValue merged;
  merged.raw = (ours ? entries.ours : entries.theirs)->raw;
  merged.alias = (ours ? entries.theirs : entries.ours)->value.text;
  merged.note = key + ": both sides gave one; the other is an alias now";
  return merged;
}

}  // namespace

std::string with_name(const KeyedEntry& entry, const std::string& name) {
  auto items = items_of(&entry);
  if (!items) return {};
  if (!Lookup(*items).has(name)) items->push_back({name, yaml_scalar(name, true)});
  return with_items(entry, *items);
}

MergedValue merge_value(const ThreeEntries& entries, bool related) {
  MergedValue merged;
  if (entries.ours == nullptr || entries.theirs == nullptr) {
    const KeyedEntry& edited = *(entries.ours != nullptr ? entries.ours : entries.theirs);
    merged.raw = edited.raw;
    merged.note = edited.key + ": changed by one side and removed by the other; it stays";
    return merged;
  }
  const YamlNode& ours = entries.ours->value;
  const YamlNode& theirs = entries.theirs->value;
  if (ours.same_value(theirs)) {
    merged.raw = (goes_first(*entries.ours, *entries.theirs) ? entries.ours : entries.theirs)->raw;
    return merged;
  }
  // Who changed only the spelling gives way.
  if (entries.base != nullptr && entries.base->value.same_value(ours)) {
    merged.raw = entries.theirs->raw;
    return merged;
  }
  if (entries.base != nullptr && entries.base->value.same_value(theirs)) {
    merged.raw = entries.ours->raw;
    return merged;
  }
  if (auto decided = merge_chosen(entries)) return *decided;
  if (auto decided = merge_ids(entries, related)) return *decided;
  if (auto decided = merge_sets(entries)) return *decided;
  merged.raw = entries.ours->raw;
  merged.kept = entries.theirs->raw;
  merged.undecided = true;
  return merged;
}

}  // namespace memfs
