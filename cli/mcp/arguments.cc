#include "cli/mcp/arguments.h"

#include <cmath>

#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

std::optional<Scope> scope_of(const std::string& word) {
  if (word == "project") return Scope::kPrivate;  // as other memory tools call it
  return scope_named(word);
}

std::string no_scope(std::string_view name) {
  return quoted(name) + " must be private, shared or global";
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

}  // namespace

const mcp::Json* ToolArguments::find(std::string_view name) const {
  return mcp::member(object_, std::string(name).c_str());
}

void ToolArguments::wrong(std::string message, std::string hint) {
  if (!error_)
    error_ = make_error(ErrorCode::kUsage, std::move(message)).with_hint(std::move(hint));
}

void ToolArguments::wrong_type(std::string_view name, std::string_view wanted,
                               const mcp::Json& found) {
  wrong(quoted(name) + " must be " + std::string(wanted) + ", not " +
        (found.is_boolean() ? "a boolean" : "of type " + std::string(found.type_name())));
}

std::optional<std::string> ToolArguments::text(std::string_view name) {
  const mcp::Json* found = find(name);
  if (found == nullptr) return {};
  if (found->is_string()) return found->get<std::string>();
  wrong_type(name, "a text", *found);
  return {};
}

std::optional<std::string> ToolArguments::choice(std::string_view name,
                                                 std::initializer_list<const char*> words) {
  auto word = text(name);
  if (!word || word->empty()) return {};
  std::string all;
  for (const char* one : words) {
    if (*word == one) return word;
    all += (all.empty() ? "" : ", ") + std::string(one);
  }
  wrong(quoted(name) + " must be one of " + all);
  return {};
}

std::optional<std::vector<std::string>> ToolArguments::texts(std::string_view name) {
  const mcp::Json* found = find(name);
  if (found == nullptr) return {};
  std::vector<std::string> all;
  if (found->is_string()) return std::vector{found->get<std::string>()};
  if (!found->is_array()) {
    wrong_type(name, "a list of texts", *found);
    return {};
  }
  for (const mcp::Json& item : *found) {
    if (!item.is_string()) {
      wrong_type(name, "a list of texts", item);
      return {};
    }
    all.push_back(item.get<std::string>());
  }
  return all;
}

bool ToolArguments::flag(std::string_view name) {
  const mcp::Json* found = find(name);
  if (found == nullptr) return false;
  if (found->is_boolean()) return found->get<bool>();
  wrong_type(name, "true or false", *found);
  return false;
}

std::optional<std::uint64_t> ToolArguments::number(std::string_view name, std::uint64_t least,
                                                   std::uint64_t most) {
  const mcp::Json* found = find(name);
  if (found == nullptr) return {};
  const std::string range =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (!found->is_number()) {
    wrong_type(name, range, *found);
    return {};
  }
  // Clients write 10 as 10.0. Limits are far below what a double holds exactly.
  const auto value = found->get<double>();
  const bool fits = std::floor(value) == value && value >= static_cast<double>(least) &&
                    value <= static_cast<double>(most);
  if (!fits) wrong(quoted(name) + " must be " + range);
  return fits ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
}

std::optional<double> ToolArguments::fraction(std::string_view name) {
  const mcp::Json* found = find(name);
  if (found == nullptr) return {};
  const bool fits = found->is_number() && found->get<double>() >= 0 && found->get<double>() <= 1;
  if (!fits) wrong(quoted(name) + " must be a number from 0 to 1");
  return fits ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<Scope> ToolArguments::scope(std::string_view name) {
  const auto word = text(name);
  if (!word || word->empty()) return {};
  const auto scope = scope_of(*word);
  if (!scope) wrong(no_scope(name));
  return scope;
}

std::vector<Scope> ToolArguments::scopes(std::string_view name) {
  std::vector<Scope> all;
  const auto words = texts(name).value_or(std::vector<std::string>());
  for (const std::string& word : words) {
    const auto scope = scope_of(word);
    if (!scope) {
      wrong(no_scope(name));
      return {};
    }
    all.push_back(*scope);
  }
  return all;
}

std::string ToolArguments::required(std::string_view name) {
  auto given = text(name).value_or("");
  if (is_blank(given)) wrong(quoted(name) + " is required");
  return given;
}

std::vector<std::string> ToolArguments::required_texts(std::string_view name) {
  auto given = texts(name).value_or(std::vector<std::string>());
  if (given.empty()) wrong(quoted(name) + " is required");
  for (const std::string& one : given)
    if (is_blank(one)) wrong(quoted(name) + " has an empty text in it");
  return given;
}

Result<void> ToolArguments::check() const {
  if (error_) return *error_;
  return {};
}

}  // namespace memfs::cli
