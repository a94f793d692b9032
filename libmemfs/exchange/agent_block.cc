// A block in a file that agents read at every start (CLAUDE.md, AGENTS.md, GEMINI.md): rules and
// pinned memories with their text, one line for each of the others. What the file says besides is
// its owner's.
#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/block_marks.h"
#include "libmemfs/exchange/count_of.h"
#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/markdown_parts.h"

namespace memfs {
namespace {

// Such a file is in every prompt: about 2,000 tokens, and what is always shown leaves room for the
// list.
constexpr std::size_t kMaxBlock = 8 << 10;
constexpr std::size_t kMaxTexts = 6 << 10;
constexpr std::size_t kMaxDescription = 160;

constexpr std::string_view kHead =
    "## Memories of this project\n\n"
    "Notes that people and agents left, kept by `mem`. Follow the rules; check the rest before "
    "you\n"
    "rely on it. `mem show REF` prints one, `mem search WORDS` finds more.\n";

enum class Part : std::uint8_t { kRule, kPinned, kLine };

Part part_of(const Memory& memory) {
  if (memory.kind == "preference") return Part::kRule;
  return memory.activation == "pinned" ? Part::kPinned : Part::kLine;
}

// A single line of prose, which may stand behind the title.
bool is_prose_line(std::string_view text) {
  if (text.find('\n') != text.npos || text.empty()) return false;
  const char first = text.front();
  return !is_ascii_punctuation(first) && first != ' ' && first != '\t' &&
         !(first >= '0' && first <= '9');
}

std::string indented(const std::string& text) {
  std::string made = "  ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    made += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') made += "  ";
  }
  return made;
}

// An item of a list, so that no heading, fence or comment of the text reaches beyond it.
std::string whole_entry(const Memory& memory) {
  const std::string text = without_marks(text_below_title(memory));
  const std::string title = plain_in_markdown(memory.title);
  if (text.empty()) return "- " + title + "\n";
  if (is_prose_line(text) && text.starts_with(memory.title)) return "- " + text + "\n";
  if (is_prose_line(text)) return "- **" + title + "**: " + text + "\n";
  return "- **" + title + "**\n\n" + indented(text) + "\n";
}

std::string named_entry(const Memory& memory) {
  return "- **" + plain_in_markdown(memory.title) +
         "**: too long for here, read it with `mem show " + escape_for_terminal(memory.ref()) +
         "`\n";
}

std::string line_entry(const Memory& memory) {
  std::string line = "- " + plain_in_markdown(memory.title);
  const std::string_view said = cut_at_char_boundary(memory.description, kMaxDescription);
  if (!said.empty() && said != memory.title)
    line += ": " + plain_in_markdown(said) + (said.size() < memory.description.size() ? "…" : "");
  return line + " (" + plain_in_markdown(memory.ref()) + ")\n";
}

class BlockWriter {
 public:
  std::string write(const std::vector<ExportedMemory>& memories) {
    if (memories.empty()) return text_ + "\nThere are none yet.\n";
    add(memories, Part::kRule, "\n### Rules\n\n");
    add(memories, Part::kPinned, "\n### To keep in mind\n\n");
    add(memories, Part::kLine, "\n### More\n\n");
    if (left_out_ > 0)
      text_ += "\n" + std::to_string(left_out_) + " more are not in this list: `mem list`\n";
    return text_;
  }

  std::size_t taken() const { return taken_; }
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (named_ > 0)
      notes.push_back(
          count_of(named_, "memory is", "memories are") +
          " too long for the block, which holds 6 KB of texts: the title alone is in it");
    if (left_out_ > 0)
      notes.push_back(count_of(left_out_, "memory is", "memories are") +
                      " left out: the block holds 8 KB");
    return notes;
  }

 private:
  void add(const std::vector<ExportedMemory>& memories, Part part, std::string_view heading) {
    bool begun = false;
    for (const ExportedMemory& exported : memories) {
      if (part_of(exported.memory) != part) continue;
      const std::string head = begun ? "" : std::string(heading);
      begun = add_one(exported.memory, part, head) || begun;
    }
  }

  bool add_one(const Memory& memory, Part part, const std::string& head) {
    if (part == Part::kLine) return fits(head + line_entry(memory), kMaxBlock);
    const std::string whole = head + whole_entry(memory);
    if (text_.size() + whole.size() <= kMaxTexts) return fits(whole, kMaxTexts);
    const bool named = fits(head + named_entry(memory), kMaxBlock);
    if (named) ++named_;
    return named;
  }

  bool fits(const std::string& entry, std::size_t limit) {
    const bool fit = text_.size() + entry.size() <= limit;
    if (fit) text_ += entry;
    ++(fit ? taken_ : left_out_);
    return fit;
  }

  std::string text_ = std::string(kHead);
  std::size_t taken_ = 0, named_ = 0, left_out_ = 0;
};

}  // namespace

Result<ExportOutput> write_block(const ExportInput& input) {
  BlockWriter writer;
  const std::string content = writer.write(input.memories);
  ExportOutput output;
  MEMFS_ASSIGN(std::string bytes, with_block(input.present.value_or(""), content, input.target));
  output.files.push_back({"", std::move(bytes)});
  output.memories = writer.taken();
  output.notes = writer.notes();
  return output;
}

}  // namespace memfs
