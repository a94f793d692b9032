// `--format` of list and search.
#pragma once

#include <memfs/search.h>

#include <string>
#include <string_view>

namespace memfs::cli {

// Replaces {ref} {id} {scope} {name} {path} {title} {description} {type} {revision} {etag}
// {updated_at}, with a hit also {line} {score} {snippet}, and \t \n. Anything else stays.
std::string format_row(std::string_view format, const Memory& memory, const Hit* hit);

}  // namespace memfs::cli
