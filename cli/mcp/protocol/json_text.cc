#include "cli/mcp/protocol/json_text.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libmemfs/base/utf8.h"

namespace memfs::mcp {

namespace {

// Objects up to this size are searched for a member that comes twice, larger ones keep a set: an
// object with a million members would take hours otherwise.
constexpr std::size_t kSmallObject = 16;

// Builds the document from the parser's events. nlohmann's own builder knows no limits.
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override;
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& /*what*/) override;

  Json take() { return std::move(root_); }
  const std::string& failure() const { return failure_; }

 private:
  struct Level {
    Json* value;
    std::unordered_set<std::string> names{};
  };

  bool add(Json value);
  bool open(Json empty);
  bool close();
  bool refuse(std::string why);
  bool is_new(Level& level, const std::string& name);

  Json root_{};
  std::vector<Level> levels_{};
  std::string failure_{};
};

bool Builder::refuse(std::string why) {
  failure_ = std::move(why);
  return false;
}

// The addresses of open values stay: their containers grow only while they are the innermost.
bool Builder::add(Json value) {
  if (levels_.empty()) {
    root_ = std::move(value);
  } else if (Json& parent = *levels_.back().value; parent.is_array()) {
    parent.get_ref<Json::array_t&>().push_back(std::move(value));
  } else {
    parent.get_ref<Json::object_t&>().back().second = std::move(value);
  }
  return true;
}

bool Builder::open(Json empty) {
  if (levels_.size() >= static_cast<std::size_t>(kMaxDepth))
    return refuse("nested more than " + std::to_string(kMaxDepth) + " levels deep");
  add(std::move(empty));
  Json* opened = &root_;
  if (!levels_.empty()) {
    Json& parent = *levels_.back().value;
    opened = parent.is_array() ? &parent.get_ref<Json::array_t&>().back()
                               : &parent.get_ref<Json::object_t&>().back().second;
  }
  levels_.push_back({opened});
  return true;
}

bool Builder::close() {
  levels_.pop_back();
  return true;
}

bool Builder::is_new(Level& level, const std::string& name) {
  const auto& members = level.value->get_ref<const Json::object_t&>();
  if (members.size() < kSmallObject)
    return std::none_of(members.begin(), members.end(),
                        [&](const auto& entry) { return entry.first == name; });
  if (level.names.empty())
    for (const auto& entry : members) level.names.insert(entry.first);
  return level.names.insert(name).second;
}

bool Builder::key(string_t& name) {
  Level& level = levels_.back();
  if (!is_new(level, name))
    return refuse("a member comes twice: " + std::string(cut_at_char_boundary(name, 100)));
  // Past the search for an equal key that emplace would make, which is_new has done.
  level.value->get_ref<Json::object_t&>().emplace_back(std::move(name), Json());
  return true;
}

bool Builder::parse_error(std::size_t position, const std::string& /*token*/,
                          const Json::exception& /*what*/) {
  return refuse("not JSON at byte " + std::to_string(position));
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  // The parser takes a NUL for the end and would believe what stands before it.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    return make_error(ErrorCode::kInvalid, "a NUL at byte " + std::to_string(nul + 1));
  Builder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    return make_error(ErrorCode::kInvalid, builder.failure());
  return builder.take();
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

const std::string* string_member(const Json& json, const char* name) {
  const Json* found = member(json, name);
  return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}

}  // namespace memfs::mcp
