#include "libmemfs/format/flat_scalars.h"

#include <array>

#include "libmemfs/base/utf8.h"

namespace memfs::flat {
namespace {

constexpr std::size_t kMaxKey = 200;  // far below the 1,024 of the specification

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The lead bytes C2, E2 and EF start all invisible characters that a key must not hold, besides
// letters; keys with these letters take the long way.
bool is_key_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80) return byte != 0xC2 && byte != 0xE2 && byte != 0xEF;
  return is_alnum(c) || c == '_' || c == '-' || c == '.';
}

// `Module Name:` and `cSpell:ignore:` are keys, too.
bool is_inside_key(char c, char next) {
  return is_key_byte(c) || ((c == ' ' || c == ':') && is_key_byte(next));
}

enum ByteClass : unsigned char { kPlainByte, kHighByte, kReturn, kRefused };

constexpr std::array<unsigned char, 256> byte_classes() {
  std::array<unsigned char, 256> classes{};
  for (std::size_t i = 0; i < 256; ++i)
    classes[i] = i >= 0x80 ? kHighByte : i < 0x20 || i == 0x7F ? kRefused : kPlainByte;
  classes['\n'] = kPlainByte;
  classes['\r'] = kReturn;
  return classes;
}
constexpr auto kClasses = byte_classes();

bool is_null_word(std::string_view text) {
  return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

// Where the plain item of a bracketed list ends.
std::size_t end_of_item(std::string_view line, std::size_t pos) {
  if (!starts_plain(line, pos)) return kNone;
  const auto stop = line.find_first_of(",]", pos);
  if (stop == kNone) return kNone;
  std::size_t end = pos;
  for (std::size_t i = pos; i < stop; ++i) {
    const char c = line[i];
    if (c == '[' || c == '{' || c == '}' || c == '?' || c == '#' || c == '"' || c == '\'')
      return kNone;
    if (c == ':' && !is_alnum(line[i + 1]) && line[i + 1] != '/') return kNone;
    if (c != ' ') end = i + 1;
  }
  return end;
}

}  // namespace

bool has_plain_bytes(std::string_view block) {
  bool high = false;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto kind = kClasses[static_cast<unsigned char>(block[i])];
    if (kind == kPlainByte) continue;
    if (kind == kRefused) return false;
    if (kind == kReturn && block.substr(i + 1, 1) != "\n") return false;
    high = high || kind == kHighByte;
  }
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  return !high || (!find_invalid_utf8(block) && block.find(kBom) == kNone);
}

std::size_t end_of_key(std::string_view line, std::size_t pos) {
  std::size_t end = pos;
  while (end + 1 < line.size() && is_inside_key(line[end], line[end + 1])) ++end;
  if (end < line.size() && is_key_byte(line[end])) ++end;
  if (end == pos || end - pos > kMaxKey || end == line.size() || line[end] != ':') return kNone;
  if (line[pos] == '-' || line[pos] == '.' || line[pos] == ':' || line[pos] == ' ') return kNone;
  if (end + 1 < line.size() && line[end + 1] != ' ') return kNone;
  // A null as a key, and a word that a missing value above would be mistaken for.
  for (const std::string_view word : {"null", "Null", "NULL"})
    if (line.substr(pos).starts_with(word)) return kNone;
  return end;
}

bool starts_plain(std::string_view line, std::size_t pos) {
  const char c = line[pos];
  if (c == '-') return pos + 1 < line.size() && is_alnum(line[pos + 1]);
  constexpr std::string_view kIndicators = " ,[]{}#&*!|>'\"%@`?:";
  return kIndicators.find(c) == kNone;
}

std::size_t end_of_plain(std::string_view line, std::size_t pos) {
  std::size_t end = pos;
  for (std::size_t i = pos; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ':' && (i + 1 == line.size() || line[i + 1] == ' ')) return kNone;
    if (c == '#' && i > pos && line[i - 1] == ' ') return end;
    if (c != ' ') end = i + 1;
  }
  return end;
}

void set_plain(YamlNode& node, std::size_t offset, std::string_view text) {
  node.kind = is_null_word(text) ? YamlNode::Kind::kNull : YamlNode::Kind::kScalar;
  node.offset = offset;
  node.text = text;
}

std::size_t read_quoted(std::string_view line, std::size_t pos, YamlNode& node) {
  node.kind = YamlNode::Kind::kScalar;
  node.quoted = true;
  node.offset = pos;
  const char quote = line[pos];
  for (auto from = pos + 1;;) {
    const auto close = line.find(quote, from);
    if (close == kNone) return kNone;
    node.text += line.substr(from, close - from);
    const bool twice = quote == '\'' && close + 1 < line.size() && line[close + 1] == quote;
    if (!twice) {
      const bool escapes = quote == '"' && node.text.find('\\') != std::string::npos;
      return escapes ? kNone : close + 1;
    }
    node.text += quote;
    from = close + 2;
  }
}

std::size_t read_list(std::string_view line, std::size_t pos, YamlNode& node) {
  node.kind = YamlNode::Kind::kSequence;
  node.flow = true;
  node.offset = pos;
  for (pos = skip_blanks(line, pos + 1); pos < line.size(); pos = skip_blanks(line, pos)) {
    if (line[pos] == ']') return pos + 1;
    YamlNode& item = node.items.emplace_back();
    if (line[pos] == '"' || line[pos] == '\'') {
      pos = read_quoted(line, pos, item);
    } else {
      const auto end = end_of_item(line, pos);
      if (end == kNone) return kNone;
      set_plain(item, pos, line.substr(pos, end - pos));
      pos = end;
    }
    if (pos == kNone) return kNone;
    pos = skip_blanks(line, pos);
    if (pos < line.size() && line[pos] == ',') {
      ++pos;
    } else if (pos >= line.size() || line[pos] != ']') {
      return kNone;
    }
  }
  return kNone;
}

}  // namespace memfs::flat
