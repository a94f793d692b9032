#include "libmemfs/exchange/json_value.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxNesting = 64;

// How far the parser is in the text.
struct Progress {
  int line;
  char last;  // that it has taken
};

// Walks over the text and keeps count of the lines that the parser has taken.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Progress* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    taken_->last = *at_++;
    if (taken_->last == '\n') ++taken_->line;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Progress* taken_;
};

Error no_json(std::string why) {
  return make_error(ErrorCode::kInvalid, std::move(why))
      .with_hint("the file may be cut short or damaged: restore it, or mend that line");
}

// A key in a message: it may be as long as the file.
std::string shown_key(std::string_view key) {
  constexpr std::size_t kShown = 40;
  const std::string_view head = take_graphemes(key, kShown);
  return escape_for_terminal(head) + (head.size() < key.size() ? "…" : "");
}

// Builds the tree; what it returns false for ends the parse with `error`.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(const Progress& taken, std::size_t max_values)
      : taken_(taken), max_values_(max_values) {}

  bool null() override { return put({}); }
  bool boolean(bool value) override {
    return put(scalar(JsonValue::Kind::kBoolean, value ? "true" : "false"));
  }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    return number(text);
  }
  bool string(string_t& value) override {
    if (value.find('\0') != std::string::npos) return fail("a text holds a NUL character");
    return put(scalar(JsonValue::Kind::kString, std::move(value)));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override { return open(JsonValue::Kind::kObject); }
  bool start_array(std::size_t /*count*/) override { return open(JsonValue::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second)
      return fail("the key `" + shown_key(name) + "` is given twice");
    open_.back()->members.emplace_back(std::move(name), JsonValue{});
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*failure*/) override {
    position_ = position;
    return false;
  }

  JsonValue root{};
  std::optional<Error> error{};
  std::size_t position() const { return position_; }  // 1-based byte of what is no JSON

 private:
  bool fail(std::string why) {
    error = no_json(std::move(why));
    error->line = taken_.line;
    return false;
  }
  static JsonValue scalar(JsonValue::Kind kind, std::string text) {
    JsonValue value;
    value.kind = kind;
    value.text = std::move(text);
    return value;
  }
  // Where a number ends is told by what follows: that was taken, too.
  bool number(std::string text) {
    return put(scalar(JsonValue::Kind::kNumber, std::move(text)), taken_.last == '\n' ? 1 : 0);
  }

  // The place of the value that comes now.
  JsonValue& slot() {
    if (open_.empty()) return root;
    JsonValue& parent = *open_.back();
    if (parent.is(JsonValue::Kind::kObject)) return parent.members.back().second;
    return parent.items.emplace_back();
  }
  bool put(JsonValue value, int lines_ahead = 0) {
    if (!count()) return false;
    value.line = taken_.line - lines_ahead;
    slot() = std::move(value);
    return true;
  }
  bool count() {
    return ++values_ <= max_values_ ||
           fail("it has more than " + std::to_string(max_values_) + " values");
  }
  bool open(JsonValue::Kind kind) {
    if (open_.size() == kMaxNesting)
      return fail("it is nested deeper than " + std::to_string(kMaxNesting));
    if (!count()) return false;
    JsonValue& value = slot();
    value.kind = kind;
    value.line = taken_.line;
    open_.push_back(&value);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const Progress& taken_;
  std::size_t max_values_;
  std::size_t values_ = 0;
  std::size_t position_ = 0;
  std::vector<JsonValue*> open_{};  // an open value's parent gets nothing new meanwhile
  std::vector<std::set<std::string>> keys_{};
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const auto& member) { return member.first == key; });
  return at == members.end() ? nullptr : &at->second;
}

const std::string* JsonValue::string(std::string_view key) const {
  const JsonValue* value = find(key);
  return value != nullptr && value->is(Kind::kString) ? &value->text : nullptr;
}

Result<JsonValue> parse_json(std::string_view text, const std::string& path, int first_line,
                             std::size_t max_values) {
  text = without_byte_order_mark(text);
  Progress taken{first_line, '\0'};
  TreeBuilder builder(taken, max_values);
  const CountingIterator begin(text.data(), &taken);
  const CountingIterator end(text.data() + text.size(), &taken);
  if (Json::sax_parse(begin, end, &builder)) return std::move(builder.root);
  if (builder.error) {
    builder.error->path = path;
    return std::move(*builder.error);
  }
  const std::string_view before = text.substr(0, std::max<std::size_t>(builder.position(), 1) - 1);
  const auto newlines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const bool at_end = builder.position() > text.size();
  return no_json(at_end ? "it ends in the middle of a value" : "this is no JSON")
      .at(path, first_line + newlines,
          static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1);
}

std::string json_string(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBoolean:
    case JsonValue::Kind::kNumber:
      return value.text;
    case JsonValue::Kind::kString:
      return json_string(value.text);
    case JsonValue::Kind::kArray: {
      std::string out = "[";
      for (const JsonValue& item : value.items)
        out += (out.size() > 1 ? "," : "") + json_text(item);
      return out + "]";
    }
    case JsonValue::Kind::kObject: {
      std::string out = "{";
      for (const auto& [key, member] : value.members)
        out += (out.size() > 1 ? "," : "") + json_string(key) + ":" + json_text(member);
      return out + "}";
    }
  }
  return {};
}

}  // namespace memfs
