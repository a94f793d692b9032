// Three-way merge of memory files, for git and for whoever keeps copies: the front matter key by
// key, the body line by line. docs/git.md tells the rules. Pure functions on texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memfs {

// How a conflict is written; the names are those of git's merge.conflictStyle. kMerge and kZdiff3
// leave the lines at both ends that the two sides have in common outside the markers; kDiff3 and
// kZdiff3 also show what the base had.
enum class ConflictStyle : std::uint8_t { kMerge, kDiff3, kZdiff3 };

struct ConflictMarkers {
  ConflictStyle style = ConflictStyle::kMerge;
  std::size_t size = 7;  // characters of a marker
  std::string ours = "ours", base = "base", theirs = "theirs";
};

// Whole files. An empty base: the two have no common ancestor.
struct ThreeTexts {
  std::string_view base, ours, theirs;
};

struct MemoryMerge {
  std::string text;  // the merged file
  // Places of the body (or of a file that cannot be read) where both versions stand between
  // markers.
  std::size_t conflicts = 0;
  // Keys that both sides set differently: ours stands, theirs is kept under `merge_conflict`.
  std::vector<std::string> undecided{};
  // What was decided and may surprise: "expires_at: the earlier of two dates holds".
  std::vector<std::string> notes{};
  bool clean() const { return conflicts == 0 && undecided.empty(); }
};

// A side that has the bytes of the base gives way to the other, byte for byte. Swapping the sides
// gives the same result but for what is undecided. Merging the result with one of its sides again
// gives the result. Markers never stand in front matter that at least one side can be read with.
MemoryMerge merge_memories(const ThreeTexts& files, const ConflictMarkers& markers = {});
// The same for a YAML file without fences; lists are sets there, too.
MemoryMerge merge_yaml(const ThreeTexts& files, const ConflictMarkers& markers = {});

// Which of two versions is to stand.
enum class Take : std::uint8_t {
  kNothing,  // only what needs no choice
  kOurs,     // what stands
  kTheirs,   // what the other side had
  kBoth,     // of texts one behind the other; of two memories in one file each in its own
};

// Something in which two versions differ.
struct OpenConflict {
  std::string key{};  // of the front matter; "": lines of the body
  int line = 0;       // of the file, from 1
  std::string ours{}, theirs{};
};

}  // namespace memfs
