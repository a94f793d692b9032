#include "libmemfs/guard/hidden_message.h"

#include <algorithm>
#include <vector>

#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/secret_rules.h"
#include "libmemfs/guard/secret_scan.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxShown = 80;      // bytes of the decoded text
constexpr std::size_t kMaxDecoded = 4096;  // bytes that are decoded at all
constexpr std::size_t kMaxCodePoints = 4;  // different ones that are named

// The byte that a character stands for, or -1: tag characters are ASCII moved up; selectors count
// from 0 through both of their blocks.
int encoded_byte(char32_t c) {
  if (c >= 0xE0020 && c <= 0xE007E) return static_cast<int>(c - 0xE0000);
  if (c >= 0xFE00 && c <= 0xFE0F) return static_cast<int>(c - 0xFE00);
  if (c >= 0xE0100 && c <= 0xE01EF) return static_cast<int>(c - 0xE0100) + 16;
  return -1;
}

std::string without_secrets(const std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (const Match& match : find_secrets(text, kMaxDecoded)) {
    out += text.substr(done, match.begin - done);
    out += "[redacted: " + std::string(secret_rules()[match.rule].name) + "]";
    done = match.end;
  }
  return out + text.substr(done);
}

// Half of it at least must be printable: selectors in a row may be there by mistake.
bool says_something(std::string_view decoded) {
  const auto printable =
      std::count_if(decoded.begin(), decoded.end(), [](char c) { return c >= ' ' && c != 0x7F; });
  return printable > 0 && static_cast<std::size_t>(printable) * 2 >= decoded.size();
}

}  // namespace

std::string describe_hidden(std::string_view run) {
  std::string decoded;
  std::vector<char32_t> distinct;
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < run.size(); ++count) {
    const char32_t c = decode_utf8(run, pos);
    if (const int byte = encoded_byte(c); byte >= 0 && decoded.size() < kMaxDecoded)
      decoded += static_cast<char>(byte);
    if (distinct.size() <= kMaxCodePoints &&
        std::find(distinct.begin(), distinct.end(), c) == distinct.end())
      distinct.push_back(c);
  }
  std::string out =
      std::to_string(count) + (count == 1 ? " hidden character" : " hidden characters");
  for (std::size_t at = 0; at < std::min(distinct.size(), kMaxCodePoints); ++at)
    out += (at == 0 ? " " : ", ") + code_point_name(distinct[at]);
  if (distinct.size() > kMaxCodePoints) out += ", …";
  if (!says_something(decoded)) return out;
  const std::string shown = escape_for_terminal(without_secrets(decoded));
  const std::string_view cut = cut_at_char_boundary(shown, kMaxShown);
  return "hidden text: \"" + std::string(cut) + (cut.size() < shown.size() ? "…" : "") + "\" (" +
         out + ")";
}

}  // namespace memfs
