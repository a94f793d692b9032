#include "libmemfs/merge/settle.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "libmemfs/base/line_diff.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/merge/keyed_text.h"
#include "libmemfs/merge/marked_text.h"
#include "libmemfs/merge/value_merge.h"

namespace memfs {
namespace {

std::string_view detail_of(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.details)
    if (key == name) return value;
  return {};
}

// `part` is of the file, or nothing.
int lines_before(std::string_view file, std::string_view part) {
  if (part.data() == nullptr) return 0;
  return static_cast<int>(std::count(file.begin(), part.begin(), '\n'));
}

std::vector<MarkedConflict> conflicts_of(std::string_view text, const Sides& sides) {
  auto conflicts = conflicts_in(text);
  std::erase_if(conflicts, [&](const MarkedConflict& conflict) {
    if (sides.empty()) return conflict.fenced;
    const auto whole = text.substr(conflict.begin, conflict.end - conflict.begin);
    return std::any_of(sides.begin(), sides.end(), [&](std::string_view side) {
      return side.find(whole) != std::string_view::npos;
    });
  });
  return conflicts;
}

bool any_unclear(const std::vector<MarkedConflict>& conflicts) {
  return std::any_of(conflicts.begin(), conflicts.end(),
                     [](const MarkedConflict& conflict) { return conflict.unclear; });
}

Error unreadable(std::string_view file) {
  const Error error = read_front_matter(file).error;
  return make_error(ErrorCode::kInvalid,
                    "line " + std::to_string(error.line) + ": " + error.message)
      .with_hint("edit the file: keep what is right and remove the marker lines");
}

std::vector<KeptValue> kept_in(const KeyedText& text) {
  const KeyedEntry* entry = text.find(kKeptKey);
  if (entry == nullptr) return {};
  return parse_kept(entry->raw).value_or(std::vector<KeptValue>());
}

std::string join(const KeyedText& text) {
  std::string file(text.opening);
  for (const KeyedEntry& entry : text.entries) file += entry.leading + entry.raw;
  return file.append(text.trailing).append(text.closing);
}

// The line of a top-level entry of the block, and the lines that belong to it.
struct EntryLines {
  std::size_t begin, end;
};

EntryLines entry_at(const std::vector<std::string_view>& lines, std::size_t begin) {
  std::size_t end = begin + 1;
  const auto belongs = [](std::string_view line) {
    return line.starts_with(' ') || line.starts_with('\t') || line.starts_with("- ") ||
           trim(line).empty();
  };
  while (end < lines.size() && belongs(lines[end])) ++end;
  return {begin, end};
}

// The two lines on which a key is given twice, from 1; nothing if that is not what is wrong.
std::optional<std::pair<int, int>> doubled_key(std::string_view file) {
  const FrontMatter front = read_front_matter(file);
  if (front.state != BlockState::kBroken || detail_of(front.error, "code") != "duplicate-key")
    return std::nullopt;
  int first = 0;
  const std::string_view text = detail_of(front.error, "first_line");
  std::from_chars(text.data(), text.data() + text.size(), first);
  if (first < 1 || front.error.line <= first) return std::nullopt;
  return std::pair(first, front.error.line);
}

// A file whose block gives keys more than once: the lines of each such key, in the file's order.
class DoubledKeys {
 public:
  explicit DoubledKeys(std::string_view file) : lines_(lines_of(file)), gone_(lines_.size()) {
    while (const auto places = doubled_key(text())) {
      const std::size_t first = original(places->first);
      const std::size_t second = original(places->second);
      if (first >= lines_.size() || second >= lines_.size()) break;
      auto& group = groups_[first];
      if (group.empty()) group.push_back(entry_at(lines_, first));
      group.push_back(entry_at(lines_, second));
      drop(group.back());
    }
  }

  bool none() const { return groups_.empty(); }
  std::size_t versions() const {
    std::size_t most = 0;
    for (const auto& [line, group] : groups_) most = std::max(most, group.size());
    return most;
  }
  // The file as if each key had been given only the n-th time, from 0; the first where there is no
  // n-th.
  std::string version(std::size_t n) {
    gone_.assign(lines_.size(), false);
    for (const auto& [line, group] : groups_)
      for (std::size_t i = 0; i < group.size(); ++i)
        if (i != (n < group.size() ? n : 0)) drop(group[i]);
    return text();
  }
  // The file without these keys.
  std::string without() {
    for (const auto& [line, group] : groups_)
      for (const EntryLines& entry : group) drop(entry);
    return text();
  }

 private:
  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!gone_[i]) out += lines_[i];
    return out;
  }
  void drop(const EntryLines& entry) {
    for (std::size_t i = entry.begin; i < entry.end; ++i) gone_[i] = true;
  }
  // The line of the file that is the n-th of those that are left.
  std::size_t original(int n) const {
    std::size_t i = 0;
    for (; i < lines_.size(); ++i)
      if (!gone_[i] && --n == 0) break;
    return i;
  }

  std::vector<std::string_view> lines_;
  std::vector<bool> gone_;
  std::map<std::size_t, std::vector<EntryLines>> groups_{};
};

MemoryMerge merged_again(const UnmergedTexts& texts) {
  return merge_memories({texts.base, texts.ours, texts.theirs});
}

bool is_broken(std::string_view file) {
  return read_front_matter(file).state == BlockState::kBroken;
}

void add_notes(MemoryMerge& sum, const MemoryMerge& next) {
  sum.text = next.text;
  sum.conflicts = next.conflicts;
  sum.undecided.insert(sum.undecided.end(), next.undecided.begin(), next.undecided.end());
  sum.notes.insert(sum.notes.end(), next.notes.begin(), next.notes.end());
}

// A body with one version of each conflict, or both.
std::string settle_body(std::string_view body, const std::vector<MarkedConflict>& conflicts,
                        Take take) {
  std::string out;
  std::size_t done = 0;
  for (const MarkedConflict& conflict : conflicts) {
    out += body.substr(done, conflict.begin - done);
    if (take != Take::kTheirs) out += conflict.ours;
    if (take != Take::kOurs) out += conflict.theirs;
    done = conflict.end;
  }
  return out.append(body.substr(done));
}

// A second id becomes another name.
void add_alias(KeyedText& text, const std::string& id) {
  auto it = std::find_if(text.entries.begin(), text.entries.end(),
                         [](const KeyedEntry& entry) { return entry.key == "aliases"; });
  if (it == text.entries.end()) {
    it = std::find_if(text.entries.begin(), text.entries.end(),
                      [](const KeyedEntry& entry) { return entry.key == kKeptKey; });
    KeyedEntry fresh;
    fresh.key = "aliases";
    fresh.raw = "aliases: []" + std::string(text.newline);
    it = text.entries.insert(it, std::move(fresh));
  }
  if (const std::string raw = with_name(*it, id); !raw.empty()) it->raw = raw;
}

// The entries with the kept values of `key` ("": all) gone, and with `apply` in force. With
// `own_id` the memory stays the one it is.
void settle_keys(KeyedText& text, std::string_view key, bool apply, bool own_id = true) {
  const std::vector<KeptValue> kept = kept_in(text);
  std::vector<KeptValue> rest;
  for (const KeptValue& value : kept) {
    if (!key.empty() && value.key != key) {
      rest.push_back(value);
      continue;
    }
    if (!apply) continue;
    if (own_id && value.key == "id") {
      add_alias(text, value.value.text);
      continue;
    }
    const auto it = std::find_if(text.entries.begin(), text.entries.end(),
                                 [&](const KeyedEntry& entry) { return entry.key == value.key; });
    if (it != text.entries.end()) {
      it->raw = value.raw;
    } else if (value.value.kind != YamlNode::Kind::kNull) {
      // The key was removed meanwhile: it comes back where the value stood.
      KeyedEntry fresh;
      fresh.key = value.key;
      fresh.raw = value.raw;
      const auto kept_entry =
          std::find_if(text.entries.begin(), text.entries.end(),
                       [](const KeyedEntry& entry) { return entry.key == kKeptKey; });
      text.entries.insert(kept_entry, std::move(fresh));
    }
  }
  const auto own = std::find_if(text.entries.begin(), text.entries.end(),
                                [](const KeyedEntry& entry) { return entry.key == kKeptKey; });
  if (own == text.entries.end()) return;
  own->raw = render_kept(rest, text.newline);
  if (!rest.empty()) return;
  // Comments above it belong to what follows.
  const std::string leading = own->leading;
  const auto next = text.entries.erase(own);
  (next == text.entries.end() ? text.trailing : next->leading).insert(0, leading);
}

Result<void> check_clear(const std::vector<MarkedConflict>& conflicts, int lines_above) {
  for (const MarkedConflict& conflict : conflicts)
    if (conflict.unclear)
      return make_error(ErrorCode::kConflict,
                        "line " + std::to_string(lines_above + conflict.line) +
                            ": lines of the text look like the markers around it")
          .with_hint("edit the file: keep what is right and remove the marker lines");
  return {};
}

Result<void> check_wish(const std::vector<KeptValue>& kept, std::string_view key, Take take) {
  for (const KeptValue& value : kept) {
    if (!key.empty() && value.key != key) continue;
    const auto same = std::count_if(kept.begin(), kept.end(),
                                    [&](const KeptValue& other) { return other.key == value.key; });
    if (take == Take::kTheirs && same > 1)
      return make_error(ErrorCode::kConflict,
                        "`" + value.key + "` has " + std::to_string(same) + " other values")
          .with_hint("edit the file: keep the right one and take its items out of merge_conflict");
  }
  return {};
}

// Whether the conflict is a block that could not be merged by key: ours stands in its place, and
// theirs, whole, between the markers at the top of the body.
bool holds_their_front(const MarkedConflict& conflict) {
  if (conflict.begin != 0 || !conflict.ours.empty()) return false;
  const KeyedText theirs = cut_keys(conflict.theirs);
  const bool readable = theirs.kind == BlockKind::kKeys || theirs.kind == BlockKind::kOpaque;
  return readable && theirs.body.empty();
}

bool holds_two_memories(const std::vector<KeptValue>& kept) {
  return std::any_of(kept.begin(), kept.end(),
                     [](const KeptValue& value) { return value.key == "id"; });
}

}  // namespace

std::vector<OpenConflict> open_conflicts(std::string_view file, const Sides& sides) {
  std::vector<OpenConflict> open;
  const KeyedText text = cut_keys(file);
  int line = 1 + lines_before(file, text.block);
  for (const KeyedEntry& entry : text.entries) {
    line += static_cast<int>(std::count(entry.leading.begin(), entry.leading.end(), '\n'));
    if (entry.key == kKeptKey) {
      for (const KeptValue& value : kept_in(text)) {
        const KeyedEntry* present = text.find(value.key);
        open.push_back({value.key, line + value.line,
                        present ? std::string(trim(present->raw)) : std::string(),
                        std::string(trim(value.raw))});
      }
    }
    line += static_cast<int>(std::count(entry.raw.begin(), entry.raw.end(), '\n'));
  }
  const int body = lines_before(file, text.body);
  for (const MarkedConflict& conflict : conflicts_of(text.body, sides))
    open.push_back(
        {"", body + conflict.line, std::string(conflict.ours), std::string(conflict.theirs)});
  return open;
}

Result<void> check_settled(std::string_view file, const Sides& sides) {
  const FrontMatter front = read_front_matter(file);
  if (front.state == BlockState::kBroken) return unreadable(file);
  const KeyedText text = cut_keys(file);
  const auto& items = front.yaml.root.items;
  const bool has_kept = std::any_of(items.begin(), items.end(),
                                    [](const YamlNode& node) { return node.text == kKeptKey; });
  const int above = lines_before(file, text.body);
  if (has_kept && kept_in(text).empty())
    return make_error(ErrorCode::kInvalid,
                      "`" + std::string(kKeptKey) + "` is not written as a merge writes it")
        .with_hint("edit the file: give each key its right value and remove `" +
                   std::string(kKeptKey) + "`");
  if (sides.empty()) return {};
  if (const int line = lone_marker(text.body, conflicts_of(text.body, sides), sides); line > 0)
    return make_error(ErrorCode::kInvalid,
                      "line " + std::to_string(above + line) +
                          ": a conflict marker without the rest of its conflict")
        .with_hint("edit the file: keep what is right and remove the marker lines");
  return {};
}

std::optional<MemoryMerge> make_readable(std::string_view file, const Sides& sides,
                                         const std::optional<std::string>& base) {
  if (!is_broken(file)) return std::nullopt;
  MemoryMerge sum;
  sum.text = file;
  const auto conflicts = conflicts_of(file, sides);
  if (any_unclear(conflicts)) return std::nullopt;
  if (!conflicts.empty()) {
    UnmergedTexts texts = unmerge(file, conflicts);
    if (base) texts.base = *base;
    add_notes(sum, merged_again(texts));
  }
  if (DoubledKeys doubled(sum.text); !doubled.none()) {
    const std::string without = doubled.without();
    std::string text = doubled.version(0);
    for (std::size_t n = 1; n < doubled.versions(); ++n) {
      add_notes(sum, merged_again({without, text, doubled.version(n)}));
      text = sum.text;
    }
  }
  if (is_broken(sum.text)) return std::nullopt;
  return sum;
}

Result<Settlement> settle(std::string_view file, Take take, std::string_view key,
                          const Sides& sides) {
  KeyedText text = cut_keys(file);
  if (text.kind == BlockKind::kBroken) return unreadable(file);
  const std::vector<KeptValue> kept = kept_in(text);
  auto conflicts = key.empty() ? conflicts_of(text.body, sides) : std::vector<MarkedConflict>();
  const bool has_key = std::any_of(kept.begin(), kept.end(), [&](const KeptValue& value) {
    return key.empty() || value.key == key;
  });
  if (!has_key && conflicts.empty())
    return make_error(ErrorCode::kUsage, key.empty()
                                             ? "nothing is open in this memory"
                                             : "nothing is open about `" + std::string(key) + "`");
  const bool two = take == Take::kBoth && key.empty() && holds_two_memories(kept);
  if (take == Take::kBoth && has_key && !two)
    return make_error(ErrorCode::kUsage, "one key cannot have both values")
        .with_hint("choose --ours or --theirs, for one key with --key KEY");
  MEMFS_TRY(check_clear(conflicts, lines_before(file, text.body)));
  MEMFS_TRY(check_wish(kept, key, two ? Take::kTheirs : take));
  Settlement settlement;
  if (two) {
    KeyedText other = text;
    settle_keys(other, key, true, false);
    settlement.other = join(other) + settle_body(text.body, conflicts, Take::kTheirs);
  }
  settle_keys(text, key, take == Take::kTheirs);
  std::string front = text.kind == BlockKind::kKeys
                          ? join(text)
                          : std::string(file.substr(0, file.size() - text.body.size()));
  if (take == Take::kTheirs && !conflicts.empty() && holds_their_front(conflicts.front()))
    front = std::exchange(conflicts.front().theirs, {});
  settlement.file = std::move(front) + settle_body(text.body, conflicts, two ? Take::kOurs : take);
  return settlement;
}

}  // namespace memfs
