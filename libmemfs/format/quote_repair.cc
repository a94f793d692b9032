#include "libmemfs/format/quote_repair.h"

#include <algorithm>
#include <array>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/front_matter.h"
#include "libmemfs/format/yaml_writer.h"

namespace memfs {
namespace {

constexpr std::array kTextKeys = {std::string_view("title"), std::string_view("description"),
                                  std::string_view("name"), std::string_view("source")};

struct Line {
  std::size_t begin = 0;  // in the file
  std::size_t end = 0;    // without its newline
};

// The line with the number (1-based) of the file.
Line line_at(std::string_view file, int number) {
  Line line;
  for (int at = 1; at < number; ++at) {
    const auto newline = file.find('\n', line.begin);
    if (newline == std::string_view::npos) return {file.size(), file.size()};
    line.begin = newline + 1;
  }
  line.end = std::min(file.find('\n', line.begin), file.size());
  if (line.end > line.begin && file[line.end - 1] == '\r') --line.end;
  return line;
}

// A line of the form `key: value` whose value is text and nothing else.
struct TextLine {
  Line line{};
  std::string key{};
  std::size_t value_begin = 0, value_end = 0;  // in the file
};

std::optional<TextLine> text_line(std::string_view file, int number) {
  TextLine found;
  found.line = line_at(file, number);
  const auto text = file.substr(found.line.begin, found.line.end - found.line.begin);
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  found.key = text.substr(0, colon);
  if (std::find(kTextKeys.begin(), kTextKeys.end(), found.key) == kTextKeys.end())
    return std::nullopt;
  const auto value = trim(text.substr(colon + 1));
  if (value.empty() || value.find(" #") != std::string_view::npos) return std::nullopt;
  if (std::string_view("\"'[]{}|>&*!#?-,").find(value.front()) != std::string_view::npos)
    return std::nullopt;
  found.value_begin = static_cast<std::size_t>(value.data() - file.data());
  found.value_end = found.value_begin + value.size();
  // The value may go on in the next line.
  const auto next = file.substr(std::min(file.find('\n', found.line.end) + 1, file.size()));
  if (!next.empty() && (next.front() == ' ' || next.front() == '\t')) return std::nullopt;
  return found;
}

// The file without the lines of the keys: what the rest reads as.
FrontMatter read_without(std::string_view file, const std::vector<Line>& lines) {
  std::string rest(file);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const auto newline = rest.find('\n', line->end);
    rest.erase(line->begin, newline + 1 - line->begin);
  }
  return read_front_matter(rest);
}

// Every key of the rest reads the same, and those that were quoted as their text.
bool reads_as_meant(const FrontMatter& mended, const FrontMatter& rest,
                    const std::vector<std::pair<std::string, std::string>>& values) {
  if (mended.state != BlockState::kReadable || rest.state == BlockState::kBroken) return false;
  const YamlNode& root = mended.yaml.root;
  const std::size_t others = rest.yaml.root.items.size();
  if (!root.is_mapping() || root.items.size() != others + 2 * values.size()) return false;
  for (std::size_t i = 0; i + 1 < others; i += 2) {
    const YamlNode* same = root.find(rest.yaml.root.items[i].text);
    if (same == nullptr || !same->same_value(rest.yaml.root.items[i + 1])) return false;
  }
  return std::all_of(values.begin(), values.end(), [&](const auto& value) {
    const YamlNode* node = root.find(value.first);
    return node != nullptr && node->kind == YamlNode::Kind::kScalar && node->text == value.second;
  });
}

}  // namespace

std::optional<QuoteRepair> quote_broken_values(std::string_view file) {
  QuoteRepair repair{std::string(file)};
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<Line> lines;
  FrontMatter front = read_front_matter(file);
  if (front.state != BlockState::kBroken) return std::nullopt;
  // Each round mends the line that the reader stops at.
  while (front.state == BlockState::kBroken && lines.size() < kTextKeys.size()) {
    const auto line = text_line(repair.file, front.error.line);
    if (!line) return std::nullopt;
    const std::string value =
        repair.file.substr(line->value_begin, line->value_end - line->value_begin);
    repair.file.replace(line->value_begin, value.size(), yaml_scalar_like('"', value, false));
    repair.keys.push_back(line->key);
    values.emplace_back(line->key, value);
    lines.push_back(line_at(file, front.error.line));
    front = read_front_matter(repair.file);
  }
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.begin < b.begin; });
  if (!reads_as_meant(front, read_without(file, lines), values)) return std::nullopt;
  return repair;
}

}  // namespace memfs
