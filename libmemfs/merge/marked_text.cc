#include "libmemfs/merge/marked_text.h"

#include <algorithm>

#include "libmemfs/base/line_diff.h"

namespace memfs {
namespace {

constexpr std::size_t kShortest = 7;  // signs of a marker

// How many signs begin the line, if it is a marker of that sign; 0 if it is none.
std::size_t marker_of(std::string_view line, char sign) {
  const auto end = line.find_first_not_of(sign);
  const std::size_t signs = end == std::string_view::npos ? line.size() : end;
  if (signs < kShortest) return 0;
  const std::string_view rest = line.substr(signs);
  return rest.empty() || rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' ? signs
                                                                                             : 0;
}

// Lines between two offsets.
std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin);
}

// Follows the markers of one conflict at a time.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<MarkedConflict> run() {
    for (const std::string_view line : lines_of(text_)) {
      ++line_;
      take(line);
      at_ += line.size();
    }
    return std::move(found_);
  }

 private:
  enum class State { kOutside, kOurs, kBase, kTheirs };

  void take(std::string_view line) {
    const std::size_t next = at_ + line.size();
    if (state_ == State::kOutside && (line.starts_with("```") || line.starts_with("~~~")))
      fenced_ = !fenced_;
    if (const auto size = marker_of(line, '<'); size > 0 && !is_inner(size)) {
      begin(size, next);
    } else if (state_ == State::kOurs && marker_of(line, '|') == size_) {
      now_.ours = between(text_, part_, at_);
      enter(State::kBase, next);
    } else if ((state_ == State::kOurs || state_ == State::kBase) &&
               marker_of(line, '=') == size_) {
      (state_ == State::kOurs ? now_.ours : now_.base.emplace()) = between(text_, part_, at_);
      enter(State::kTheirs, next);
    } else if (state_ == State::kTheirs && marker_of(line, '>') == size_) {
      now_.theirs = between(text_, part_, at_);
      now_.end = next;
      found_.push_back(now_);
      state_ = State::kOutside;
    }
  }

  // The base of a merge of merges has conflicts of its own, with longer markers.
  bool is_inner(std::size_t size) const { return state_ != State::kOutside && size > size_; }

  void begin(std::size_t size, std::size_t next) {
    now_ = MarkedConflict{};
    now_.begin = at_;
    now_.line = line_;
    now_.fenced = fenced_;
    size_ = size;
    enter(State::kOurs, next);
  }

  void enter(State state, std::size_t next) {
    state_ = state;
    part_ = next;
  }

  std::string_view text_;
  std::vector<MarkedConflict> found_{};
  MarkedConflict now_{};
  State state_ = State::kOutside;
  std::size_t at_ = 0;    // where the present line begins
  std::size_t part_ = 0;  // where the present side begins
  std::size_t size_ = 0;
  int line_ = 0;
  bool fenced_ = false;
};

}  // namespace

std::vector<MarkedConflict> conflicts_in(std::string_view text) { return Reader(text).run(); }

UnmergedTexts unmerge(std::string_view text, const std::vector<MarkedConflict>& conflicts) {
  UnmergedTexts texts;
  std::size_t done = 0;
  const auto add_common = [&](std::size_t end) {
    for (std::string* side : {&texts.base, &texts.ours, &texts.theirs})
      *side += between(text, done, end);
  };
  for (const MarkedConflict& conflict : conflicts) {
    add_common(conflict.begin);
    texts.ours += conflict.ours;
    texts.theirs += conflict.theirs;
    texts.base += conflict.base.value_or(std::string_view());
    done = conflict.end;
  }
  add_common(text.size());
  return texts;
}

}  // namespace memfs
