// The merge of whole files: which parts are merged by key, which by line, and what is done with
// files that cannot be taken apart.
#include <memfs/merge.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "libmemfs/format/block_editor.h"
#include "libmemfs/merge/key_merge.h"
#include "libmemfs/merge/keyed_text.h"
#include "libmemfs/merge/line_merge.h"

namespace memfs {
namespace {

// The one that differs from the base; of two that do, the one whose bytes come first.
std::string_view pick(const ThreeTexts& texts) {
  if (texts.ours == texts.theirs || texts.base == texts.theirs) return texts.ours;
  return texts.base == texts.ours ? texts.theirs : std::min(texts.ours, texts.theirs);
}

MemoryMerge whole(std::string_view text) {
  MemoryMerge merge;
  merge.text = text;
  return merge;
}

MemoryMerge by_lines(const ThreeTexts& files, const ConflictMarkers& markers) {
  LineMerge lines = merge_lines(files, markers);
  MemoryMerge merge;
  merge.text = std::move(lines.text);
  merge.conflicts = lines.conflicts;
  return merge;
}

bool can_be_read(BlockKind kind) { return kind != BlockKind::kBroken; }

bool by_key(BlockKind kind) { return kind == BlockKind::kKeys || kind == BlockKind::kNone; }

std::string with_newlines(std::string_view text, std::string_view newline) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && text.substr(i + 1, 1) == "\n") continue;
    if (text[i] == '\n') {
      out += newline;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Whether `text` is `base` with other newlines throughout.
bool only_newlines_differ(std::string_view base, std::string_view text) {
  if (base == text || base.empty()) return false;
  return with_newlines(base, newline_of(text)) == text &&
         with_newlines(base, newline_of(base)) == base;
}

// Front matter and body of the three files, each merged in its own way.
class FileMerge {
 public:
  FileMerge(const ThreeTexts& files, const ConflictMarkers& markers, bool bare)
      : files_(files),
        markers_(markers),
        base_(cut_keys(files.base, bare)),
        ours_(cut_keys(files.ours, bare)),
        theirs_(cut_keys(files.theirs, bare)),
        related_(!files.base.empty()) {
    // A base that cannot be read is still the one whose lines the bodies come from.
    if (!can_be_read(base_.kind)) base_.body = files.base;
  }

  MemoryMerge run() {
    if (!can_be_read(ours_.kind) && !can_be_read(theirs_.kind)) return by_lines(files_, markers_);
    merge_front();
    merge_.text = front_;
    add_body();
    if (!needs_revision_) return std::move(merge_);
    return with_revision();
  }

 private:
  static std::string_view front_of(const KeyedText& text, std::string_view file) {
    return file.substr(0, file.size() - text.body.size());
  }

  // One side's front matter as it is, or that of both by key.
  void merge_front() {
    const std::string_view base = related_ ? front_of(base_, files_.base) : std::string_view();
    const std::string_view ours = front_of(ours_, files_.ours);
    const std::string_view theirs = front_of(theirs_, files_.theirs);
    if (by_key(ours_.kind) && by_key(theirs_.kind)) {
      if (auto merged = merge_keys(base_, ours_, theirs_, related_)) return take(*merged);
    }
    if (ours == theirs || base == theirs || base == ours) {
      front_ = pick({base, ours, theirs});
      return;
    }
    front_ = can_be_read(ours_.kind) ? ours : theirs;
    aside_ = can_be_read(ours_.kind) ? theirs : ours;
  }

  void take(BlockMerge& merged) {
    merge_.undecided = std::move(merged.undecided);
    merge_.notes = std::move(merged.notes);
    std::string_view opening = pick({base_.opening, ours_.opening, theirs_.opening});
    std::string_view closing = pick({base_.closing, ours_.closing, theirs_.closing});
    if (!merged.block.empty() && closing.empty()) {
      opening = std::max(ours_.opening, theirs_.opening);
      closing = std::max(ours_.closing, theirs_.closing);
    }
    front_ = opening;
    front_ += merged.block;
    front_ += closing;
    needs_revision_ = true;
  }

  // A front matter that found no place stands in the body, between markers of its own.
  void add_body() {
    if (!aside_.empty()) {
      const bool is_theirs = can_be_read(ours_.kind);
      merge_.text += render_conflict(
          {{}, is_theirs ? std::string_view() : aside_, is_theirs ? aside_ : std::string_view()},
          markers_);
      ++merge_.conflicts;
    }
    LineMerge body = merge_lines({base_.body, ours_.body, theirs_.body}, markers_);
    merge_.text += body.text;
    merge_.conflicts += body.conflicts;
  }

  // The next revision, unless the result is what one side has already.
  MemoryMerge with_revision() {
    if (merge_.text == files_.ours || merge_.text == files_.theirs) return std::move(merge_);
    const KeyedText merged = cut_keys(merge_.text);
    const KeyedEntry* entry = merged.find("revision");
    std::uint64_t revision = 0;
    if (entry == nullptr || entry->value.quoted) return std::move(merge_);
    const std::string& digits = entry->value.text;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), revision);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
      return std::move(merge_);
    const NewValue next{NewValue::Form::kBare, std::to_string(revision + 1)};
    if (auto edited = edit_front_matter(merge_.text, {{"revision", next}}))
      merge_.text = std::move(*edited);
    return std::move(merge_);
  }

  ThreeTexts files_;
  const ConflictMarkers& markers_;
  KeyedText base_, ours_, theirs_;
  bool related_;
  std::string front_{};
  std::string_view aside_{};
  bool needs_revision_ = false;
  MemoryMerge merge_{};
};

std::optional<MemoryMerge> one_sided(const ThreeTexts& files) {
  if (files.ours == files.theirs || files.base == files.theirs) return whole(files.ours);
  if (files.base == files.ours) return whole(files.theirs);
  return std::nullopt;
}

MemoryMerge merge_files(const ThreeTexts& files, const ConflictMarkers& markers, bool bare) {
  if (auto done = one_sided(files)) return std::move(*done);
  // An editor that saves with other newlines changed no line.
  if (only_newlines_differ(files.base, files.ours))
    return whole(with_newlines(files.theirs, newline_of(files.ours)));
  if (only_newlines_differ(files.base, files.theirs))
    return whole(with_newlines(files.ours, newline_of(files.theirs)));
  return FileMerge(files, markers, bare).run();
}

}  // namespace

MemoryMerge merge_memories(const ThreeTexts& files, const ConflictMarkers& markers) {
  return merge_files(files, markers, false);
}

MemoryMerge merge_yaml(const ThreeTexts& files, const ConflictMarkers& markers) {
  return merge_files(files, markers, true);
}

}  // namespace memfs
