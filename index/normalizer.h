// Normal forms of single words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memfs::index {

// NFKC_Casefold with apostrophes and dashes unified; Thai and Lao SARA AM stays one character,
// however it was typed. ASCII takes a short path.
std::string normal_form(std::string_view word);

// `normal` without marks on Latin, Greek and Cyrillic bases, and with ł ø đ œ ı and their like as
// plain letters. The same text if there is nothing to fold.
std::string without_accents(std::string_view normal);

// Offsets in `run` behind each dictionary word of a Thai or Lao run.
std::vector<std::size_t> dictionary_words(std::string_view run);

}  // namespace memfs::index
