#include "libmemfs/exchange/toml_block.h"

#include <algorithm>
#include <optional>
#include <set>

#include "libmemfs/base/utf8.h"
#include "libmemfs/exchange/compose_item.h"

namespace memfs {
namespace {

constexpr std::string_view kFence = "+++";
constexpr std::size_t kMaxTomlBlock = 64U << 10U;  // bytes, as for YAML

bool is_fence(std::string_view line) { return trim(line) == kFence; }

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  // The keys up to the end of the block; nullopt at what is not understood: see line().
  std::optional<std::vector<KeyEdit>> read() {
    std::vector<KeyEdit> keys;
    std::set<std::string> seen;
    for (skip_empty(); at_ < text_.size(); skip_empty()) {
      auto key = key_value();
      if (!key || !ends_line() || !seen.insert(key->key).second) return std::nullopt;
      keys.push_back(std::move(*key));
    }
    return keys;
  }

  int line() const {
    return 1 + static_cast<int>(
                   std::count(text_.begin(), text_.begin() + std::min(at_, text_.size()), '\n'));
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (next() == ' ' || next() == '\t') ++at_;
  }
  // Blanks, ends of lines and comments.
  void skip_empty() {
    for (;; ++at_) {
      if (next() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ >= text_.size() || std::string_view(" \t\r\n").find(next()) == std::string_view::npos)
        return;
    }
  }
  bool ends_line() {
    skip_blanks();
    if (next() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    return at_ >= text_.size() || next() == '\r' || next() == '\n';
  }

  std::optional<KeyEdit> key_value() {
    std::optional<std::string> key = next() == '"' || next() == '\'' ? string() : bare_key_name();
    skip_blanks();
    if (!key || key->empty() || next() != '=') return std::nullopt;
    ++at_;
    skip_blanks();
    if (next() == '[') {
      auto items = list();
      if (!items) return std::nullopt;
      return list_key(std::move(*key), std::move(*items));
    }
    const bool quoted = next() == '"' || next() == '\'';
    auto value = scalar();
    if (!value) return std::nullopt;
    return quoted ? text_key(std::move(*key), *value) : memfs::bare_key(std::move(*key), *value);
  }

  std::optional<std::string> bare_key_name() {
    std::string key;
    while (is_bare(next())) key += text_[at_++];
    return key;
  }

  std::optional<std::string> scalar() {
    return next() == '"' || next() == '\'' ? string() : word();
  }

  // A number, a boolean, a date.
  std::optional<std::string> word() {
    std::string word;
    while (is_bare(next()) || std::string_view(".:+").find(next()) != std::string_view::npos)
      word += next() == '\0' ? '\0' : text_[at_++];
    if (word.empty() || word.find('\0') != std::string::npos) return std::nullopt;
    const bool known = word == "true" || word == "false" || (word[0] >= '0' && word[0] <= '9') ||
                       word[0] == '-' || word[0] == '+';
    return known ? std::optional(word) : std::nullopt;
  }

  std::optional<std::string> string() {
    const char quote = text_[at_];
    if (text_.substr(at_).starts_with(std::string(3, quote))) return std::nullopt;
    std::string out;
    for (++at_; next() != quote;) {
      const char c = next();
      if (c == '\0' || c == '\n') return std::nullopt;
      if (c == '\\' && quote == '"') {
        if (!escape(out)) return std::nullopt;
        continue;
      }
      out += c;
      ++at_;
    }
    ++at_;
    return out;
  }

  bool escape(std::string& out) {
    constexpr std::string_view kNames = "btnfr\"\\";
    constexpr std::string_view kMeant = "\b\t\n\f\r\"\\";
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    if (const auto known = kNames.find(c); known != std::string_view::npos) {
      out += kMeant[known];
      return true;
    }
    if (c != 'u' && c != 'U') return false;
    const std::size_t digits = c == 'u' ? 4 : 8;
    char32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      const auto digit =
          std::string_view("0123456789abcdef")
              .find(static_cast<char>(next() >= 'A' && next() <= 'F' ? next() + 32 : next()));
      if (next() == '\0' || digit == std::string_view::npos) return false;
      code = code * 16 + static_cast<char32_t>(digit);
    }
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    append_utf8(out, code);
    return true;
  }

  std::optional<std::vector<std::string>> list() {
    std::vector<std::string> items;
    ++at_;
    for (skip_empty(); next() != ']'; skip_empty()) {
      auto item = scalar();
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
      skip_empty();
      if (next() == ',') {
        ++at_;
      } else if (next() != ']') {
        return std::nullopt;
      }
    }
    ++at_;
    return items;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Error not_understood(const std::string& path, int line) {
  return make_error(ErrorCode::kInvalid, "this TOML front matter is not understood")
      .at(path, line)
      .with_hint("`hugo convert toYAML` makes YAML of it, then import again");
}

}  // namespace

bool has_toml_block(std::string_view file) {
  file = without_byte_order_mark(file);
  return file.starts_with(kFence) && is_fence(line_at(file, 0));
}

Result<std::string> yaml_of_toml(std::string_view file, const std::string& path) {
  file = without_byte_order_mark(file);
  const std::size_t begin = std::min(file.find('\n'), file.size() - 1) + 1;
  std::size_t end = begin;
  while (end < file.size() && !is_fence(line_at(file, end)))
    end = std::min(file.find('\n', end), file.size() - 1) + 1;
  if (end >= file.size()) return not_understood(path, 1);
  if (end - begin > kMaxTomlBlock) return not_understood(path, 2);
  TomlReader reader(file.substr(begin, end - begin));
  const auto keys = reader.read();
  if (!keys) return not_understood(path, reader.line() + 1);
  const std::size_t body = std::min(file.find('\n', end), file.size() - 1) + 1;
  return compose_item(*keys, file.substr(body));
}

}  // namespace memfs
