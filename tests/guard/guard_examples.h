// A made set of texts that the guard must name and texts that it must leave alone. Credentials are
// drawn from a seeded generator when the tests run: no string that looks like one is in the
// sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/random.h"

namespace memfs::testing {

struct GuardExample {
  std::string text;
  std::string rule;       // empty: the guard must find nothing
  bool held_out = false;  // was not looked at while the rules were tuned
};

// Random characters of an alphabet.
std::string random_text(bench::Random& random, std::string_view alphabet, std::size_t length);
inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kHex = "0123456789abcdef";
inline constexpr std::string_view kUpperAlnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
inline constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
inline constexpr std::string_view kAlnum =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kUrl64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
// A token whose shape the rule `github-token` knows.
std::string github_token(bench::Random& random);
// The text in tag characters U+E0020 … U+E007E.
std::string in_tag_characters(std::string_view ascii);

std::vector<GuardExample> secret_examples();
std::vector<GuardExample> instruction_examples();
std::vector<GuardExample> hidden_examples();
std::vector<GuardExample> harmless_examples();
// Scripts and emoji whose characters without shape are in their place.
std::vector<std::string> other_scripts();

}  // namespace memfs::testing
