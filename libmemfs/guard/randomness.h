// Does a value look like a credential that somebody drew at random, or like a word, a name in a
// program, a path, or something that stands for a credential in a manual?
#pragma once

#include <string_view>

namespace memfs {

// Bits for each byte (Shannon), from the bytes of the value itself.
double entropy(std::string_view value);
// "changeme", "<your-token>", "${TOKEN}", "xxxx", "abcdef…", "AKIA…EXAMPLE" and the like.
bool is_placeholder(std::string_view value);
// The same, or a word for a credential: "test-token". Not for tokens, whose prefixes hold such
// words.
bool is_named_placeholder(std::string_view value);
// Most of its letters are in parts that can be spoken.
bool reads_as_words(std::string_view value);
// Hex digits only.
bool is_hex(std::string_view value);
// The 8-4-4-4-12 form.
bool is_uuid(std::string_view value);
// Letters and digits change often, few parts read as words, and no character prevails. Meant for
// values of 16 bytes and more.
bool looks_random(std::string_view value);
// A name, call, path, address, version or type of a program rather than a literal.
bool looks_like_code(std::string_view value);
// A password as people choose them when they must: letters, digits, and signs or both cases.
bool looks_like_password(std::string_view value);
// The same where words are likelier than passwords: four kinds of characters, or no words in it.
bool is_mixed_password(std::string_view value);

}  // namespace memfs
