// The arguments of a tool call, read by name and type. The first that is wrong is remembered, so
// that a tool reads all of them and then asks check() once.
#pragma once

#include <memfs/memory.h>
#include <memfs/result.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::cli {

class ToolArguments {
 public:
  // `object` must outlive it. Members that nobody asks for are ignored, and null is not given.
  explicit ToolArguments(const mcp::Json& object) : object_(object) {}

  std::optional<std::string> text(std::string_view name);
  // One of the words; an empty text is not given.
  std::optional<std::string> choice(std::string_view name,
                                    std::initializer_list<const char*> words);
  // An array of texts, or one text.
  std::optional<std::vector<std::string>> texts(std::string_view name);
  bool flag(std::string_view name);
  // A whole number in [least, most]; 10.0 is 10.
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t least,
                                      std::uint64_t most);
  std::optional<double> fraction(std::string_view name);  // from 0 to 1
  std::optional<Scope> scope(std::string_view name);      // "project" is private
  // Every scope of an array; none for all.
  std::vector<Scope> scopes(std::string_view name);
  // As text(), but it must be there and not blank.
  std::string required(std::string_view name);
  std::vector<std::string> required_texts(std::string_view name);

  // Something that only the tool can tell.
  void wrong(std::string message, std::string hint = {});
  // kUsage for the first wrong one.
  Result<void> check() const;

 private:
  const mcp::Json* find(std::string_view name) const;
  void wrong_type(std::string_view name, std::string_view wanted, const mcp::Json& found);

  const mcp::Json& object_;
  std::optional<Error> error_{};
};

}  // namespace memfs::cli
