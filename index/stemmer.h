// Word stems by Snowball, chosen from the script alone: one default for every text.
#pragma once

#include <string>
#include <string_view>

namespace memfs::index {

// The stem of a word in normal form, or "" if there is none or it is the word itself. English for
// ASCII words (words with other Latin letters are left alone: they are of another language),
// Russian for Cyrillic, Arabic, Greek, Hindi and Tamil for theirs.
std::string stem_of(std::string_view normal);

}  // namespace memfs::index
