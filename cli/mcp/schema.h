// JSON Schema for what tools take and give, in the few forms that they need.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/mcp/protocol/json_text.h"

namespace memfs::cli::schema {

mcp::Json text(std::string_view description = {});
mcp::Json choice(std::initializer_list<const char*> words, std::string_view description = {});
mcp::Json texts(std::string_view description = {});  // an array of texts
mcp::Json flag(std::string_view description = {});
mcp::Json number(std::uint64_t least, std::uint64_t most, std::string_view description = {});
mcp::Json fraction(std::string_view description = {});
mcp::Json list(mcp::Json items, std::string_view description = {});
// A text or null.
mcp::Json text_or_null();
mcp::Json any();  // an object of any form

// What a tool takes. Members that are not named are allowed: they are ignored.
mcp::Json arguments(mcp::Json properties, std::initializer_list<const char*> required = {});
mcp::Json object(mcp::Json properties, std::initializer_list<const char*> required = {});
// What a tool gives: an object with `required` members, or one with an `error`.
mcp::Json result(mcp::Json properties, std::initializer_list<const char*> required);

// The argument `project` that every tool has.
mcp::Json project();

}  // namespace memfs::cli::schema
