#include "libmemfs/merge/key_merge.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/field_table.h"
#include "libmemfs/format/yaml_reader.h"
#include "libmemfs/merge/kept_values.h"
#include "libmemfs/merge/key_order.h"
#include "libmemfs/merge/line_merge.h"
#include "libmemfs/merge/value_merge.h"

namespace memfs {
namespace {

using KeptValues = std::vector<KeptValue>;

std::vector<std::string> keys_of(const KeyedText& text) {
  std::vector<std::string> keys;
  for (const KeyedEntry& entry : text.entries) keys.push_back(entry.key);
  return keys;
}

bool same(const KeptValue& a, const KeptValue& b) { return a.key == b.key && a.raw == b.raw; }

bool has(const KeptValues& values, const KeptValue& value) {
  return std::any_of(values.begin(), values.end(),
                     [&](const KeptValue& other) { return same(value, other); });
}

bool has_line(std::string_view text, std::string_view line) {
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view other) { return trim(other) == trim(line); });
}

// Lines without the blanks around them.
std::unordered_set<std::string_view> line_set(std::string_view text) {
  std::unordered_set<std::string_view> set;
  for (const std::string_view line : lines_of(text)) set.insert(trim(line));
  return set;
}

// The entries of a block by key: there may be thousands.
class EntryIndex {
 public:
  explicit EntryIndex(const KeyedText& text) {
    for (const KeyedEntry& entry : text.entries) by_key_.emplace(entry.key, &entry);
  }
  const KeyedEntry* find(std::string_view key) const {
    const auto it = by_key_.find(key);
    return it == by_key_.end() ? nullptr : it->second;
  }

 private:
  std::unordered_map<std::string_view, const KeyedEntry*> by_key_{};
};

bool ends_a_line(std::string_view text, std::string_view comment) {
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return trim(line).ends_with(comment); });
}

class KeyMerge {
 public:
  KeyMerge(const KeyedText& base, const KeyedText& ours, const KeyedText& theirs, bool related)
      : base_(base),
        ours_(ours),
        theirs_(theirs),
        in_base_(base),
        in_ours_(ours),
        in_theirs_(theirs),
        related_(related) {}

  std::optional<BlockMerge> run() {
    if (!read_kept()) return std::nullopt;
    const auto keys = merge_orders({keys_of(base_), keys_of(ours_), keys_of(theirs_)});
    std::vector<KeyedEntry> entries;
    for (const std::string& key : keys) add_entry(key, entries);
    add_alias(entries);
    settle_kept(entries);
    order_like_equal_side(entries);
    for (const KeyedEntry& entry : entries) merge_.block += entry.leading + entry.raw;
    const std::string trailing = merged_comments(base_.trailing, ours_.trailing, theirs_.trailing);
    merge_.block += carried_to(trailing) + trailing;
    if (!reads_as(entries)) return std::nullopt;
    return std::move(merge_);
  }

 private:
  // What earlier merges could not decide, less what somebody has decided since.
  bool read_kept() {
    std::vector<KeptValues> all;
    for (const KeyedText* text : {&base_, &ours_, &theirs_}) {
      const KeyedEntry* entry = text->find(kKeptKey);
      auto values = entry ? parse_kept(entry->raw) : KeptValues();
      // A base that is a merge of its own may hold anything.
      if (!values && text != &base_) return false;
      all.push_back(values.value_or(KeptValues()));
    }
    for (const KeptValues& side : {all[1], all[2]})
      for (const KeptValue& value : side)
        if (!has(kept_, value) &&
            (!has(all[0], value) || (has(all[1], value) && has(all[2], value))))
          kept_.push_back(value);
    return true;
  }

  void add_entry(const std::string& key, std::vector<KeyedEntry>& entries) {
    const ThreeEntries three{in_base_.find(key), in_ours_.find(key), in_theirs_.find(key)};
    KeyedEntry entry;
    entry.key = key;
    entry.leading =
        merged_comments(leading_of(three.base, nullptr), leading_of(three.ours, three.base),
                        leading_of(three.theirs, three.base));
    if (key == kKeptKey) {
      // What it holds is known only behind the last key.
      entries.push_back(std::move(entry));
      return;
    }
    MergedValue value = decide(three);
    if (value.raw.empty()) {
      carry_new_comments(three, entry.leading);
      return;
    }
    entry.leading = carried_to(entry.leading) + entry.leading;
    keep_comments(three, value.raw, entry.leading);
    note(key, value);
    entry.raw = std::move(value.raw);
    entry.value = read_entry(entry.raw);
    entries.push_back(std::move(entry));
  }

  // The key is gone: of its comments those stay that were written since, unless who removed it has
  // them elsewhere.
  void carry_new_comments(const ThreeEntries& three, const std::string& comments) {
    const std::string old = leading_of(three.base, nullptr);
    for (const std::string_view line : lines_of(comments)) {
      const bool moved = (three.ours == nullptr && has_comment(ours_, line)) ||
                         (three.theirs == nullptr && has_comment(theirs_, line));
      if (!has_line(old, line) && !moved) carried_ += line;
    }
  }

  static bool has_comment(const KeyedText& text, std::string_view line) {
    return has_line(text.trailing, line) ||
           std::any_of(text.entries.begin(), text.entries.end(),
                       [&](const KeyedEntry& entry) { return has_line(entry.leading, line); });
  }

  MergedValue decide(const ThreeEntries& three) const {
    const auto raw = [](const KeyedEntry* entry) { return entry ? entry->raw : std::string(); };
    MergedValue value;
    if (raw(three.ours) == raw(three.theirs) || raw(three.base) == raw(three.theirs)) {
      value.raw = raw(three.ours);
    } else if (raw(three.base) == raw(three.ours)) {
      value.raw = raw(three.theirs);
    } else {
      value = merge_value(three, related_);
    }
    return value;
  }

  static std::string leading_of(const KeyedEntry* entry, const KeyedEntry* base) {
    return entry ? entry->leading : base ? base->leading : std::string();
  }

  // Comments are nobody's to choose between: where both sides wrote some, all stay.
  static std::string merged_comments(const std::string& base, const std::string& ours,
                                     const std::string& theirs) {
    const LineMerge merge = merge_lines({base, ours, theirs}, {});
    if (merge.conflicts == 0) return merge.text;
    std::string_view first = std::min(ours, theirs);
    std::string_view second = std::max(ours, theirs);
    auto in_first = line_set(first);
    auto in_second = line_set(second);
    const auto has_all = [](const auto& set, const auto& others) {
      return std::all_of(others.begin(), others.end(),
                         [&](std::string_view line) { return set.contains(line); });
    };
    if (has_all(in_second, in_first) && !has_all(in_first, in_second)) {
      std::swap(first, second);
      std::swap(in_first, in_second);
    }
    const auto in_base = line_set(base);
    std::string out(first);
    for (const std::string_view line : lines_of(second))
      if (!in_first.contains(trim(line)) && !in_base.contains(trim(line))) out += line;
    return out;
  }

  // The comments whose key is gone, but for those that stand among `comments` already.
  std::string carried_to(const std::string& comments) {
    std::string out;
    const std::string carried = std::exchange(carried_, {});
    if (carried.empty()) return out;
    const auto there = line_set(comments);
    for (const std::string_view line : lines_of(carried))
      if (!there.contains(trim(line))) out += line;
    return out;
  }

  // Comments inside the entries that did not come along stand above it from now on.
  void keep_comments(const ThreeEntries& three, const std::string& raw,
                     std::string& leading) const {
    const auto in = [](const KeyedEntry* entry, std::string_view comment) {
      return entry != nullptr && ends_a_line(entry->raw, comment);
    };
    std::vector<std::string> lost;
    for (const KeyedEntry* side : {three.ours, three.theirs}) {
      if (side == nullptr || side->raw == raw) continue;
      for (const std::string& comment : comments_in(*side)) {
        const bool taken_out =
            in(three.base, comment) && !(in(three.ours, comment) && in(three.theirs, comment));
        if (!taken_out && !ends_a_line(raw, comment) && !has_line(leading, comment))
          lost.push_back(comment);
      }
    }
    std::sort(lost.begin(), lost.end());
    lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
    for (const std::string& comment : lost) leading.append(comment).append(ours_.newline);
  }

  void note(const std::string& key, const MergedValue& value) {
    if (value.undecided) merge_.undecided.push_back(key);
    if (!value.note.empty()) merge_.notes.push_back(value.note);
    if (!value.alias.empty()) alias_ = value.alias;
    if (!value.kept) return;
    KeptValue kept{key, *value.kept, read_entry(*value.kept)};
    if (!has(kept_, kept)) kept_.push_back(std::move(kept));
  }

  void add_alias(std::vector<KeyedEntry>& entries) {
    if (alias_.empty()) return;
    const auto it = std::find_if(entries.begin(), entries.end(),
                                 [](const KeyedEntry& entry) { return entry.key == "aliases"; });
    KeyedEntry fresh;
    fresh.key = "aliases";
    fresh.raw = "aliases: []" + std::string(ours_.newline);
    KeyedEntry& entry = it == entries.end() ? fresh : *it;
    if (const std::string raw = with_name(entry, alias_); !raw.empty()) {
      entry.raw = raw;
    } else {
      merge_.notes.push_back("aliases: holds no list, so " + alias_ + " is no alias");
    }
    entry.value = read_entry(entry.raw);
    if (it == entries.end()) entries.insert(place_before_owned(entries), std::move(fresh));
  }

  // Before the keys that the store keeps at the end of the block.
  static std::vector<KeyedEntry>::iterator place_before_owned(std::vector<KeyedEntry>& entries) {
    auto at = entries.end();
    while (at != entries.begin()) {
      const Field* field = find_field(std::prev(at)->key);
      if (field == nullptr || !field->owned) break;
      --at;
    }
    return at;
  }

  void settle_kept(std::vector<KeyedEntry>& entries) {
    const auto holds = [&](const KeptValue& value) {
      return std::any_of(entries.begin(), entries.end(), [&](const KeyedEntry& entry) {
        return entry.key == value.key && entry.value.same_value(value.value);
      });
    };
    std::erase_if(kept_, holds);
    std::sort(kept_.begin(), kept_.end(), [](const KeptValue& a, const KeptValue& b) {
      return std::tie(a.key, a.raw) < std::tie(b.key, b.raw);
    });
    auto at = std::find_if(entries.begin(), entries.end(),
                           [](const KeyedEntry& entry) { return entry.key == kKeptKey; });
    if (kept_.empty()) {
      if (at == entries.end()) return;
      carried_ += at->leading;
      entries.erase(at);
      return;
    }
    if (at == entries.end()) {
      at = entries.insert(place_before_owned(entries), KeyedEntry());
      at->key = kKeptKey;
    }
    at->raw = render_kept(kept_, ours_.newline);
    at->value = read_entry(at->raw);
  }

  // A side that has all of it already keeps its order.
  void order_like_equal_side(std::vector<KeyedEntry>& entries) const {
    const auto rank = [&](const KeyedText& side, const KeyedEntry& entry) {
      const KeyedEntry* own = (&side == &ours_ ? in_ours_ : in_theirs_).find(entry.key);
      return own != nullptr && own->raw == entry.raw ? own - side.entries.data() : -1;
    };
    const bool ours_first = keys_of(ours_) < keys_of(theirs_);
    for (const KeyedText* side : {ours_first ? &ours_ : &theirs_, ours_first ? &theirs_ : &ours_}) {
      const bool equal = side->entries.size() == entries.size() &&
                         std::all_of(entries.begin(), entries.end(), [&](const KeyedEntry& entry) {
                           return rank(*side, entry) >= 0;
                         });
      const auto before = [&](const KeyedEntry& a, const KeyedEntry& b) {
        return rank(*side, a) < rank(*side, b);
      };
      // Where the base's keys stand is decided.
      std::vector<KeyedEntry> known;
      for (const KeyedEntry& entry : entries)
        if (in_base_.find(entry.key) != nullptr) known.push_back(entry);
      if (!equal || !std::is_sorted(known.begin(), known.end(), before)) continue;
      std::sort(entries.begin(), entries.end(), before);
      return;
    }
  }

  // Spliced lines may say something else than the entries did.
  bool reads_as(const std::vector<KeyedEntry>& entries) const {
    const auto yaml = read_yaml(merge_.block);
    if (!yaml || yaml->has_alias_or_anchor) return false;
    if (yaml->root.items.size() != 2 * entries.size()) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (yaml->root.items[2 * i].text != entries[i].key) return false;
      if (!yaml->root.items[2 * i + 1].same_value(entries[i].value)) return false;
    }
    const KeyedEntry* kept = nullptr;
    for (const KeyedEntry& entry : entries)
      if (entry.key == kKeptKey) kept = &entry;
    if (kept == nullptr) return true;
    const auto values = parse_kept(kept->raw);
    return values && std::equal(values->begin(), values->end(), kept_.begin(), kept_.end(),
                                [](const KeptValue& a, const KeptValue& b) {
                                  return same(a, b) && a.value.same_value(b.value);
                                });
  }

  const KeyedText& base_;
  const KeyedText& ours_;
  const KeyedText& theirs_;
  EntryIndex in_base_, in_ours_, in_theirs_;
  bool related_;
  BlockMerge merge_{};
  KeptValues kept_{};
  std::string alias_{};
  std::string carried_{};  // comments whose key is gone, on their way to the next one
};

}  // namespace

std::optional<BlockMerge> merge_keys(const KeyedText& base, const KeyedText& ours,
                                     const KeyedText& theirs, bool related) {
  return KeyMerge(base, ours, theirs, related).run();
}

}  // namespace memfs
