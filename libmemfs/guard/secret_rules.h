// The table of credentials that the guard knows by their shape, their place, or their name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memfs {

// How a value that has the shape is judged.
enum class SecretCheck : std::uint8_t {
  kToken,      // a prefix and random characters: no stand-in, enough entropy
  kBlock,      // a header; the key's lines must follow
  kUrl,        // the password of a URL
  kHttp,       // what follows Bearer, Basic or token
  kPassword,   // the value behind a name such as `password`, which is all that the pattern matches
  kShortName,  // the same behind a name that may be the end of another word, such as `pass`
  kCommand,    // the password behind an option of a program
  kNamedSecret,  // the value behind a name such as `api_key`
};

struct SecretRule {
  std::string_view name;
  std::string_view help;
  std::string_view words;    // "a|b", lower case: where to look
  std::string_view pattern;  // RE2, from the word on; the first group is the credential
  SecretCheck check = SecretCheck::kToken;
  std::uint16_t lead = 0;     // the match may begin so many bytes before the word
  std::uint16_t ahead = 400;  // and ends within so many bytes behind its start
};

// The general rules come last: of two that fit the same bytes the first names them. Lines with the
// same name stand together: they are one rule with several ways to be written.
std::span<const SecretRule> secret_rules();

}  // namespace memfs
