#include "libmemfs/exchange/flat_block.h"

#include <algorithm>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/yaml_writer.h"

namespace memfs {
namespace {

constexpr std::array<std::string_view, 4> kTexts = {"name", "title", "description", "keywords"};

constexpr std::size_t kMaxMended = 1U << 17U;  // bytes of a block; larger ones are no front matter

bool is_text_key(std::string_view key) {
  return std::find(kTexts.begin(), kTexts.end(), key) != kTexts.end();
}

// One line of the block, with its newline.
struct FlatLine {
  std::string_view whole{};
  std::string_view key{};    // empty: no key begins here
  std::string_view value{};  // without blanks around it
  bool inner = false;        // blank, comment, or part of what is above it
};

FlatLine flat_line(std::string_view whole) {
  FlatLine line{whole};
  const std::string_view text = trim(whole);
  line.inner = text.empty() || text.front() == '#' || whole.front() == ' ' ||
               whole.front() == '\t' || text == "-" || text.starts_with("- ");
  if (line.inner) return line;
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return line;
  const std::string_view key = text.substr(0, colon);
  const bool word = std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (!word) return line;
  line.key = key;
  line.value = trim(text.substr(colon + 1));
  return line;
}

std::vector<FlatLine> lines_of(std::string_view block) {
  std::vector<FlatLine> lines;
  while (!block.empty()) {
    const auto newline = block.find('\n');
    const auto size = newline == std::string_view::npos ? block.size() : newline + 1;
    lines.push_back(flat_line(block.substr(0, size)));
    block.remove_prefix(size);
  }
  return lines;
}

// What YAML makes of the value on a line of its own.
YamlNode as_yaml(std::string_view value) {
  const FrontMatter front = read_front_matter("---\nkey: " + std::string(value) + "\n---\n");
  const YamlNode* node =
      front.state == BlockState::kReadable ? front.yaml.root.find("key") : nullptr;
  YamlNode unreadable;
  unreadable.kind = YamlNode::Kind::kAlias;
  return node == nullptr ? unreadable : *node;
}

bool reads_as_text(std::string_view value) {
  const YamlNode node = as_yaml(value);
  return node.kind == YamlNode::Kind::kScalar && (node.quoted || node.text == value);
}

// "[a, b: c]" → a, "b: c"
std::vector<std::string> listed(std::string_view value) {
  std::vector<std::string> items;
  value.remove_prefix(1);
  if (value.ends_with(']')) value.remove_suffix(1);
  while (!value.empty()) {
    const auto comma = std::min(value.find(','), value.size());
    if (const auto item = trim(value.substr(0, comma)); !item.empty()) items.emplace_back(item);
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return items;
}

bool reads_as_list(std::string_view value, const std::vector<std::string>& items) {
  const YamlNode node = as_yaml(value);
  if (node.kind != YamlNode::Kind::kSequence) return false;
  const auto is_plain = [](const YamlNode& item) { return item.kind == YamlNode::Kind::kScalar; };
  if (!std::all_of(node.items.begin(), node.items.end(), is_plain)) return false;
  // Somebody who writes quotes means YAML.
  return value.find_first_of("\"'") != std::string_view::npos ||
         std::equal(node.items.begin(), node.items.end(), items.begin(), items.end(),
                    [](const YamlNode& a, const std::string& b) { return a.text == b; });
}

class Mender {
 public:
  Mender(std::string_view block, bool all) : lines_(lines_of(block)), all_(all) {}

  std::string run() {
    for (at_ = 0; at_ < lines_.size(); ++at_) mend(lines_[at_]);
    return std::move(out_);
  }
  std::vector<std::string> keys{};

 private:
  void mend(const FlatLine& line) {
    const std::string more = all_ && is_text_key(line.key) ? strays() : std::string();
    std::string value = std::string(line.value) + more;
    if (more.empty() && !is_wanted(line)) {
      out_ += line.whole;
      return;
    }
    const bool list = line.key == "tags" && value.starts_with('[');
    const std::vector<std::string> items = list ? listed(value) : std::vector<std::string>();
    if (more.empty() && (list ? reads_as_list(value, items) : reads_as_text(value))) {
      out_ += line.whole;
      return;
    }
    keys.emplace_back(line.key);
    out_ += std::string(line.key) + ": " + (list ? yaml_list(items) : quoted(value));
    out_ += line.whole.ends_with("\r\n") ? "\r\n" : "\n";
  }

  static std::string quoted(std::string_view value) { return yaml_scalar_like('"', value, false); }

  bool is_wanted(const FlatLine& line) const {
    if (line.key.empty() || line.value.empty()) return false;
    // A value that goes on below is YAML that somebody wrote.
    if (at_ + 1 < lines_.size() && lines_[at_ + 1].inner && !trim(lines_[at_ + 1].whole).empty() &&
        !trim(lines_[at_ + 1].whole).starts_with('#'))
      return false;
    return all_ || is_text_key(line.key) || line.key == "tags";
  }

  // Lines behind this one that are no keys: a text had a line break in it.
  std::string strays() {
    std::string more;
    while (at_ + 1 < lines_.size() && !lines_[at_ + 1].inner && lines_[at_ + 1].key.empty()) {
      more += ' ';
      more += trim(lines_[++at_].whole);
    }
    return more;
  }

  std::vector<FlatLine> lines_;
  bool all_;
  std::size_t at_ = 0;
  std::string out_{};
};

}  // namespace

MendedBlock mend_flat_block(std::string_view file) {
  const FrontMatter front = read_front_matter(file);
  if (front.block_begin == 0 || front.block_end <= front.block_begin ||
      front.block_end - front.block_begin > kMaxMended)
    return {std::string(file)};
  for (const bool all : {false, true}) {
    if (all && front.state == BlockState::kReadable) break;
    Mender mender(block_of(file, front), all);
    std::string mended(file.substr(0, front.block_begin));
    mended += mender.run();
    mended += file.substr(front.block_end);
    if (read_front_matter(mended).state != BlockState::kReadable) continue;
    return {std::move(mended), std::move(mender.keys)};
  }
  return {std::string(file)};
}

}  // namespace memfs
