#include "libmemfs/base/utf8.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace memfs {
namespace {

unsigned byte_at(std::string_view text, std::size_t pos) {
  return static_cast<unsigned char>(text[pos]);
}

struct Form {
  int length;
  char32_t minimum;
};

Form form_of(unsigned lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xC2 && lead < 0xE0) return {2, 0x80};
  if (lead >= 0xE0 && lead < 0xF0) return {3, 0x800};
  if (lead >= 0xF0 && lead < 0xF5) return {4, 0x10000};
  return {0, 0};
}

// Length of the valid sequence at `pos` with its value, or 0.
int valid_sequence(std::string_view text, std::size_t pos, char32_t& value) {
  const unsigned lead = byte_at(text, pos);
  const Form form = form_of(lead);
  if (form.length == 0 || pos + static_cast<std::size_t>(form.length) > text.size()) return 0;
  constexpr std::array<unsigned, 5> kMask = {0, 0x7F, 0x1F, 0x0F, 0x07};
  value = lead & kMask.at(static_cast<std::size_t>(form.length));
  for (int i = 1; i < form.length; ++i) {
    const unsigned next = byte_at(text, pos + static_cast<std::size_t>(i));
    if ((next & 0xC0U) != 0x80) return 0;
    value = (value << 6U) | (next & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < form.minimum || value > 0x10FFFF || surrogate) return 0;
  return form.length;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

}  // namespace

char32_t decode_utf8(std::string_view text, std::size_t& pos) {
  if (byte_at(text, pos) < 0x80) return byte_at(text, pos++);
  char32_t value = 0;
  const int length = valid_sequence(text, pos, value);
  pos += length == 0 ? 1 : static_cast<std::size_t>(length);
  return length == 0 ? kReplacement : value;
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | (c >> 6U));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | (c >> 12U));
    out += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (c >> 18U));
    out += static_cast<char>(0x80U | ((c >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  }
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t pos = 0;
  while (pos < text.size()) {
    // Eight ASCII bytes at a time: most texts are nothing else.
    std::uint64_t eight = 0;
    if (pos + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + pos, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        pos += sizeof eight;
        continue;
      }
    }
    if (byte_at(text, pos) < 0x80) {
      ++pos;
      continue;
    }
    char32_t value = 0;
    const int length = valid_sequence(text, pos, value);
    if (length == 0) return pos;
    pos += static_cast<std::size_t>(length);
  }
  return std::nullopt;
}

std::string to_valid_utf8(std::string_view text) {
  if (!find_invalid_utf8(text)) return std::string(text);
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) append_utf8(out, decode_utf8(text, pos));
  return out;
}

bool is_invisible(char32_t c) {
  return c == 0xAD || c == 0x61C || c == 0x180E || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         c == 0x3164 || c == 0x115F || c == 0x1160 || c == 0xFFA0 || (c >= 0xFFF0 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string escape_for_terminal(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t begin = pos;
    char32_t value = 0;
    const int length = valid_sequence(text, pos, value);
    std::array<char, 16> buffer{};
    if (length == 0) {
      std::snprintf(buffer.data(), buffer.size(), "\\x%02x", byte_at(text, pos));
      out += buffer.data();
      ++pos;
      continue;
    }
    pos += static_cast<std::size_t>(length);
    if (keep_lines && (value == '\n' || value == '\t')) {
      out += static_cast<char>(value);
    } else if (value == '\n') {
      out += "\\n";
    } else if (value == '\t') {
      out += "\\t";
    } else if (value == '\r') {
      out += "\\r";
    } else if (is_control(value)) {
      std::snprintf(buffer.data(), buffer.size(), "\\x%02x", static_cast<unsigned>(value));
      out += buffer.data();
    } else if (is_invisible(value)) {
      std::snprintf(buffer.data(), buffer.size(), "\\u{%x}", static_cast<unsigned>(value));
      out += buffer.data();
    } else {
      out += text.substr(begin, static_cast<std::size_t>(length));
    }
  }
  return out;
}

std::string code_point_name(char32_t code_point) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "U+%04X", static_cast<unsigned>(code_point));
  return buffer.data();
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::string_view cut_at_char_boundary(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && (byte_at(text, max_bytes) & 0xC0U) == 0x80) --max_bytes;
  return text.substr(0, max_bytes);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace memfs
