#include "libmemfs/format/yaml_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

// Words that some YAML 1.1 or 1.2 reader turns into a boolean or null.
bool is_reserved_word(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWords = {"y",   "n",    "yes",   "no",   "on",
                                                       "off", "true", "false", "null", "nan"};
  const std::string lower = ascii_lower(text);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool starts_like_text(std::string_view text) {
  const auto c = static_cast<unsigned char>(text.front());
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80 || c == '(' || c == '/' ||
         c == '_';
}

bool needs_escape(char32_t c) {
  return c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
         c == 0xFEFF || c == 0x200B || (c >= 0xFFFE && c <= 0xFFFF);
}

// Blanks that are not the ASCII one: quoted, so that nobody takes them for a separator.
bool has_odd_blank(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = decode_utf8(text, pos);
    if (c > 0x7F && is_white_space(c)) return true;
  }
  return false;
}

bool has_escapes(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();)
    if (needs_escape(decode_utf8(text, pos))) return true;
  return false;
}

bool is_plain_safe(std::string_view text, bool inside_brackets) {
  if (text.empty() || is_reserved_word(text) || !starts_like_text(text)) return false;
  if (text.back() == ' ' || text.back() == ':' || has_escapes(text) || has_odd_blank(text))
    return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos)
    return false;
  if (!inside_brackets) return true;
  return text.find_first_of(",[]{}:#&*!|>'\"%@`?") == std::string_view::npos;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t pos = 0; pos < text.size();) {
    const auto begin = pos;
    const char32_t c = decode_utf8(text, pos);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (needs_escape(c)) {
      std::array<char, 8> buffer{};
      std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(c));
      out += buffer.data();
    } else {
      out += text.substr(begin, pos - begin);
    }
  }
  return out + '"';
}

}  // namespace

std::string yaml_scalar(std::string_view text, bool inside_brackets) {
  return is_plain_safe(text, inside_brackets) ? std::string(text) : double_quoted(text);
}

std::string yaml_scalar_like(char quote, std::string_view text, bool inside_brackets) {
  if (quote == '"') return double_quoted(text);
  if (quote != '\'' || has_escapes(text)) return yaml_scalar(text, inside_brackets);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

std::string yaml_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += yaml_scalar(item, true);
  }
  return out + "]";
}

}  // namespace memfs
