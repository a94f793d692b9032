// What the files that print JSON share. The only header of the commands that includes
// nlohmann-json.
#pragma once

#include <memfs/links.h>
#include <memfs/memory.h>
#include <memfs/store.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libmemfs/base/clock.h"

namespace memfs::cli {

using Json = nlohmann::ordered_json;

// One document with a newline; what is not UTF-8 is replaced.
std::string print(const Json& json);
// The beginning of each document.
Json document();
Json or_null(const std::string& text);
Json or_null(int number);
// Every field of the format page, without the body.
Json memory_json(const Memory& memory, Instant now);
// The error with its particulars and lists as members.
Json error_parts(const Error& error);
Json problems_json(const std::vector<Problem>& problems);
Json written_json(const WriteResult& result);
Json revision_json(const Revision& revision);
Json deletion_json(const Deletion& deletion);
Json usage_json(const Usage& usage);
Json findings_json(const std::vector<Finding>& findings);
Json backlinks_json(const std::vector<Backlink>& back);
Json instant_json(const std::optional<Instant>& at);

}  // namespace memfs::cli
