#include "libmemfs/format/markdown_blocks.h"

#include <algorithm>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown_line.h"

namespace memfs {
namespace {

using BlockKind = MarkdownBlock::Kind;

constexpr std::size_t kCodeIndent = 4;
constexpr std::size_t kMaxNesting = 64;  // of quotes and items around a list item

struct Container {
  bool is_item = false;   // or a quote
  std::size_t width = 0;  // item: columns that its lines are indented by
  bool has_child = false;
};

enum class Leaf : unsigned char { kNone, kParagraph, kFenced, kIndented, kHtml };

// Control signs and bytes that are not UTF-8, which cmark-gfm treats one by one.
bool has_odd_bytes(std::string_view line) {
  bool controls = false;
  bool high = false;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    controls |= byte < 0x20 && c != '\t';
    high |= byte >= 0x80;
  }
  return controls || (high && find_invalid_utf8(line));
}

// `- [ ]` at the start of the line: cmark-gfm takes some text away, in a way of its own.
bool has_task_box(std::string_view line) {
  auto pos = std::min(line.find_first_not_of(" \t"), line.size());
  const auto digits = std::min(line.find_first_not_of("0123456789", pos), line.size());
  pos = digits + 1;
  const auto box = std::min(line.find_first_not_of(" \t", std::min(pos, line.size())), line.size());
  const auto text = line.substr(box, 3);
  return box > pos && (text == "[ ]" || text == "[x]" || text == "[X]");
}

class BlockScanner {
 public:
  explicit BlockScanner(const std::function<bool(const MarkdownBlock&)>& visit) : visit_(visit) {}

  // Scans as long as blocks are wanted.
  bool scan(std::string_view body) {
    if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
    while (!body.empty() && wanted_) {
      const auto eol = std::min(body.find('\n'), body.size());
      auto text = body.substr(0, eol);
      if (text.ends_with('\r') && eol < body.size()) text.remove_suffix(1);
      body.remove_prefix(std::min(eol + 1, body.size()));
      if (has_odd_bytes(text)) sure_ = false;
      read_line(MarkdownLine(text));
    }
    if (wanted_) finish_leaf();
    return sure_;
  }

 private:
  void read_line(MarkdownLine line) {
    depth_ = 0;
    while (depth_ < containers_.size() && continues(containers_[depth_], line)) ++depth_;
    leaf_goes_on_ = false;
    if (depth_ == containers_.size() && leaf_ != Leaf::kNone) {
      if (leaf_ == Leaf::kFenced && is_closing_fence(line)) {
        block_.lines.push_back(line.text());
        return finish_leaf();
      }
      leaf_goes_on_ = leaf_continues(line);
    }
    if (leaf_goes_on_ && leaf_ != Leaf::kParagraph) return add_raw(line);
    opened_ = false;
    while (open_container(line)) {
    }
    if (!open_leaf(line)) add_text(line);
  }

  static bool continues(const Container& container, MarkdownLine& line) {
    if (!container.is_item) {
      if (line.indent() >= kCodeIndent || line.peek() != '>') return false;
      line.skip_to(line.first() + 1);
      line.skip_one_blank();
      return true;
    }
    if (line.indent() >= container.width) {
      line.skip_columns(container.width);
      return true;
    }
    // An item whose first line is blank ends on the second one.
    if (!line.is_blank() || !container.has_child) return false;
    line.skip_to(line.first());
    return true;
  }

  bool is_closing_fence(const MarkdownLine& line) const {
    return line.indent() < kCodeIndent && line.peek() == fence_sign_ &&
           markdown::closes_fence(line.rest(), fence_sign_, fence_length_);
  }

  bool leaf_continues(MarkdownLine& line) const {
    switch (leaf_) {
      case Leaf::kParagraph:
        return !line.is_blank();
      case Leaf::kHtml:
        return html_kind_ < 6 || !line.is_blank();
      case Leaf::kIndented:
        return line.indent() >= kCodeIndent || line.is_blank();
      default:
        return true;
    }
  }

  void add_raw(const MarkdownLine& line) {
    block_.lines.push_back(line.text());
    if (leaf_ == Leaf::kHtml && markdown::html_ends(line.rest(), html_kind_)) finish_leaf();
  }

  bool in_paragraph() const { return leaf_goes_on_ && !opened_; }

  // Makes room for a child of the innermost container that the line belongs to.
  void prepare_child() {
    if (!opened_) {
      finish_leaf();
      containers_.resize(depth_);
    }
    opened_ = true;
    if (!containers_.empty()) containers_.back().has_child = true;
  }

  // A quote or list item that starts at the line's place.
  bool open_container(MarkdownLine& line) {
    if (line.indent() >= kCodeIndent || line.is_blank()) return false;
    if (line.peek() == '>') {
      prepare_child();
      containers_.push_back({});
      line.skip_to(line.first() + 1);
      line.skip_one_blank();
      return true;
    }
    if (in_paragraph() && markdown::is_underline(line.rest())) return false;
    if (markdown::is_rule(line.rest())) return false;
    const auto mark = markdown::list_mark(line.rest());
    if (mark.length == 0) return false;
    const auto behind = line.first() + mark.length;
    const bool empty = line.text().find_first_not_of(" \t", behind) == std::string_view::npos;
    if (in_paragraph() && (empty || !mark.starts_at_one)) return false;
    if (!has_room()) return false;
    open_item(line, mark.length, empty);
    return true;
  }

  // cmark-gfm has a limit of its own, for the nesting on one line.
  bool has_room() {
    const bool room = containers_.size() < kMaxNesting;
    sure_ = sure_ && room;
    return room;
  }

  void open_item(MarkdownLine& line, std::size_t mark, bool empty) {
    prepare_child();
    Container item{true, line.indent() + mark, false};
    line.skip_to(line.first() + mark);
    const auto blanks = line.indent();
    if (empty || blanks > kCodeIndent) {
      item.width += 1;
      line.skip_one_blank();
    } else {
      item.width += blanks;
      line.skip_columns(blanks);
    }
    containers_.push_back(item);
  }

  void emit(BlockKind kind) {
    block_.kind = kind;
    wanted_ = wanted_ && visit_(block_);
    block_.lines.clear();
  }

  void start_leaf(Leaf leaf) {
    prepare_child();
    leaf_ = leaf;
  }

  // A block other than a paragraph that starts (or, underlined, ends) here; true if the line is
  // used.
  bool open_leaf(MarkdownLine& line) {
    if (line.is_blank()) return false;
    if (line.indent() >= kCodeIndent) return open_indented_code(line);
    const auto text = line.rest();
    if (const auto marks = markdown::heading_marks(text)) {
      prepare_child();
      block_.lines.push_back(markdown::heading_text(line.text(), line.first() + marks));
      emit(BlockKind::kHeading);
      return true;
    }
    if (const auto length = markdown::open_fence(text)) {
      start_leaf(Leaf::kFenced);
      fence_sign_ = text[0];
      fence_length_ = std::min<std::size_t>(length, 255);
      block_.lines.push_back(line.text());
      return true;
    }
    if (const int kind = markdown::html_start(text, in_paragraph())) {
      start_leaf(Leaf::kHtml);
      html_kind_ = kind;
      add_raw(line);
      return true;
    }
    if (in_paragraph() && markdown::is_underline(text)) {
      sure_ = sure_ && !odd_task_ && !may_define();
      leaf_ = Leaf::kNone;
      emit(BlockKind::kHeading);
      return true;
    }
    if (markdown::is_rule(text)) {
      prepare_child();
      return true;
    }
    return false;
  }

  bool open_indented_code(MarkdownLine& line) {
    if (leaf_ == Leaf::kParagraph && !opened_) return false;
    start_leaf(Leaf::kIndented);
    block_.lines.push_back(line.text());
    return true;
  }

  // The rest of a line is text, or nothing.
  void add_text(const MarkdownLine& line) {
    const bool lazy = !opened_ && leaf_ == Leaf::kParagraph;
    const bool task = !in_paragraph() && depth_is_item() && has_task_box(line.text());
    if (line.is_blank()) {
      if (opened_) return;
      finish_leaf();
      containers_.resize(depth_);
      return;
    }
    if (!lazy) {
      start_leaf(Leaf::kParagraph);
      odd_task_ = false;
    }
    if (task) note_task(line.rest());
    block_.lines.push_back(line.rest());
  }

  bool depth_is_item() const {
    const auto depth = opened_ ? containers_.size() : depth_;
    return depth > 0 && containers_[depth - 1].is_item;
  }

  void note_task(std::string_view text) {
    odd_task_ = true;
    if (text.find_first_not_of(" \t", std::min<std::size_t>(3, text.size())) ==
        std::string_view::npos)
      sure_ = false;
  }

  // The paragraph may be a link definition, which leaves no text behind.
  bool may_define() const {
    const auto& lines = block_.lines;
    return !lines.empty() && lines.front().starts_with('[') &&
           std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
             return line.find("]:") != std::string_view::npos;
           });
  }

  void finish_leaf() {
    const auto leaf = leaf_;
    leaf_ = Leaf::kNone;
    if (leaf == Leaf::kNone) return;
    if (leaf == Leaf::kParagraph && !containers_.empty() && may_define()) sure_ = false;
    emit(leaf == Leaf::kParagraph ? BlockKind::kParagraph
         : leaf == Leaf::kHtml    ? BlockKind::kHtml
                                  : BlockKind::kCode);
  }

  const std::function<bool(const MarkdownBlock&)>& visit_;
  bool wanted_ = true;
  bool sure_ = true;
  std::vector<Container> containers_{};  // open ones, from the outside in
  Leaf leaf_ = Leaf::kNone;              // open in the innermost container
  MarkdownBlock block_{};                // the lines of the open leaf
  char fence_sign_ = '`';
  std::size_t fence_length_ = 0;
  int html_kind_ = 0;
  bool odd_task_ = false;  // the open paragraph lost some text to a task box

  // Of the line that is read:
  std::size_t depth_ = 0;      // containers that go on
  bool leaf_goes_on_ = false;  // and the leaf, too
  bool opened_ = false;        // a block was opened
};

}  // namespace

bool scan_blocks(std::string_view body, const std::function<bool(const MarkdownBlock&)>& visit) {
  return BlockScanner(visit).scan(body);
}

}  // namespace memfs
