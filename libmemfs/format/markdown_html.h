// Tags that start an HTML block in markdown.
#pragma once

#include <string_view>

namespace memfs::markdown {

// A name whose tag, opened or closed, starts a block.
bool is_block_tag(std::string_view lower_name);
// A whole opening or closing tag, with nothing but blanks behind it.
bool is_lone_tag(std::string_view text);

}  // namespace memfs::markdown
