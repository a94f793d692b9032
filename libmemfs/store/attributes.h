// What a folder of memories says to git about its files: .gitattributes, committed by the team.
#pragma once

#include <string>
#include <string_view>

namespace memfs {

// The same bytes on every machine, since etags depend on them, and merges by mem. Where mem is not
// installed git merges by lines, as ever.
inline constexpr std::string_view kAttributes =
    "# Written by `mem init`: memories keep their bytes on every system, and mem merges them.\n"
    "*.md -text merge=mem\n";

// Whether the file is exactly what an older mem wrote, so that nobody minds if it is renewed.
bool is_older_attributes(std::string_view text);

}  // namespace memfs
