#include "libmemfs/guard/secret_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "libmemfs/base/utf8.h"
#include "libmemfs/guard/randomness.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxKeyBytes = 16384;
// The payload {"sub":"1234567890" of the token on which every manual of JWT shows its code.
constexpr std::string_view kManualJwt = "eyJzdWIiOiIxMjM0NTY3ODkwI";

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view part(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

bool is_token(std::string_view text, ByteRange value) {
  if (value.begin > 0 && is_name_char(text[value.begin - 1])) return false;
  if (value.end < text.size() && is_name_char(text[value.end])) return false;
  const std::string_view token = part(text, value);
  if (token.find(kManualJwt) != std::string_view::npos) return false;
  // Prefix included, a drawn token of 20 characters stays above 3.3, a hex one above 3.
  return !is_placeholder(token) && entropy(token) >= 3.0;
}

// Characters of base64; blanks, quotation marks and a written "\n" may stand between the lines.
std::size_t key_characters(std::string_view body) {
  std::size_t result = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const char c = body[at];
    if (c == '\\') {
      ++at;
    } else if (is_name_char(c) || c == '+' || c == '/' || c == '=') {
      ++result;
    } else if (std::string_view(" \t\r\n\"',>|:.-;()").find(c) == std::string_view::npos) {
      break;
    }
  }
  return result;
}

bool is_key_block(std::string_view text, ByteRange& value) {
  const std::size_t limit = std::min(text.size(), value.end + kMaxKeyBytes);
  const std::size_t body_end = std::min(text.substr(0, limit).find("-----", value.end), limit);
  const std::string_view body =
      text.substr(value.end, std::min<std::size_t>(body_end - value.end, 400));
  if (key_characters(body) < 60 || entropy(body) < 4) return false;
  if (body.find("...") != std::string_view::npos) return false;
  if (text.substr(body_end).starts_with("-----END ")) {
    const std::size_t dashes = text.substr(0, limit).find("-----", body_end + 9);
    value.end = dashes == std::string_view::npos ? body_end + 9 : dashes + 5;
  } else {
    // A key that was cut off: its lines as far as they are lines of a key.
    while (value.end < body_end &&
           (key_characters(text.substr(value.end, 1)) > 0 || text[value.end] == '\n'))
      ++value.end;
  }
  return true;
}

// A password that somebody uses, rather than the word of a manual or a reference.
bool is_used_password(std::string_view value) {
  if (value.size() < 6 || is_named_placeholder(value)) return false;
  if (std::string_view("$%{<[(*").find(value.front()) != std::string_view::npos) return false;
  if (ascii_lower(value).starts_with("pass")) return false;
  const bool digit = value.find_first_of("0123456789") != std::string_view::npos;
  const bool sign = value.find_first_of("!#$%^&*+~=") != std::string_view::npos;
  const bool letter = std::any_of(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return letter && (digit || sign || (value.size() >= 12 && !reads_as_words(value)));
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto value = kAlphabet.find(c);
    if (value == std::string_view::npos) break;
    bits = (bits << 6U | static_cast<unsigned>(value)) & 0xFFFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
  }
  return out;
}

bool reads_as_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_http_value(std::string_view text, ByteRange whole, std::string_view value) {
  const std::string name =
      ascii_lower(text.substr(whole.begin, whole.end - whole.begin - value.size()));
  const std::string pair = from_base64(value);
  const auto colon = pair.find(':');
  // npm's `_auth` is such a pair as well, but some registries give out others.
  if (name.find("basic") != std::string::npos ||
      (name.starts_with("_auth") && reads_as_ascii(pair)))
    return colon != std::string::npos && is_used_password(pair.substr(colon + 1));
  return !is_named_placeholder(value) && !looks_like_code(value) && looks_random(value) &&
         value.find(kManualJwt) == std::string_view::npos;
}

// `token_hash`, `secret_name`: the value is about a credential.
bool names_something_else(std::string_view name) {
  constexpr std::array<std::string_view, 24> kOther = {
      "hash",  "digest", "checksum", "_id",   "-id",    "fingerprint", "name",   "path",
      "file",  "url",    "uri",      "type",  "header", "min",         "max",    "length",
      "expir", "ttl",    "version",  "field", "prefix", "public",      "policy", "ref"};
  return std::any_of(kOther.begin(), kOther.end(), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

// `PublicKeyToken`: what makes a name harmless may stand before the word that the rule knows.
bool is_about_something_else(std::string_view text, ByteRange name) {
  const std::size_t length = std::min<std::size_t>(name.begin, 12);
  const std::string before = ascii_lower(text.substr(name.begin - length, length));
  return before.find("public") != std::string::npos ||
         names_something_else(ascii_lower(part(text, name)));
}

// From `begin` to a blank, a quotation mark or a character of CJK (whose texts have no blanks),
// without the punctuation behind it.
ByteRange value_at(std::string_view text, std::size_t begin, std::string_view stops) {
  constexpr std::size_t kMaxValue = 400;
  const std::string_view rest = text.substr(begin, kMaxValue);
  const auto stop = std::find_if(rest.begin(), rest.end(), [&](char c) {
    return stops.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0xE2;
  });
  std::size_t end = begin + static_cast<std::size_t>(stop - rest.begin());
  while (end > begin &&
         std::string_view(",;.)]}|\\:*").find(text[end - 1]) != std::string_view::npos)
    --end;
  return {begin, end};
}

// "password is", "password |", "the password of the server:" stand in many a sentence and table
// that give none, unlike `password=`.
bool is_loose(std::string_view name) {
  const auto strip = [&](std::string_view marks) {
    name = name.substr(0, name.find_last_not_of(marks) + 1);
  };
  strip(" \t\"'`*\\");
  if (name.empty() || std::string_view(":=>\x9A").find(name.back()) == std::string_view::npos)
    return true;
  strip(" \t\"'`*\\]:=>\xEF\xBC\x9A\xC2\xA0");
  return name.find(' ') != std::string_view::npos;
}

// `bypass=` is no `pass=`, `dbPass=` is.
bool ends_other_word(std::string_view text, std::size_t begin) {
  if (begin == 0) return false;
  const char before = text[begin - 1];
  const bool letter = is_name_char(before) && before != '_' && (before < '0' || before > '9');
  const bool hump = before >= 'a' && text[begin] >= 'A' && text[begin] <= 'Z';
  return letter && !hump;
}

bool is_password(std::string_view text, ByteRange name, ByteRange& value, bool strict) {
  value = value_at(text, name.end, " \t\r\n\v\f\"'`<>");
  const std::string_view secret = part(text, value);
  if (secret.size() < 8 || is_named_placeholder(secret) || looks_like_code(secret)) return false;
  return strict ? is_mixed_password(secret) : looks_like_password(secret);
}

// `HEROKU_API_KEY=` and a UUID: there it is a key and no id.
bool is_uuid_key(std::string_view text, ByteRange name, std::string_view value) {
  if (!is_uuid(value) || name.begin == 0 || is_placeholder(value)) return false;
  const bool joined = std::string_view("_-").find(text[name.begin - 1]) != std::string_view::npos;
  const std::string word = ascii_lower(part(text, name));
  const auto end = word.find_first_of(" =:\"'");
  const std::string_view bare = std::string_view(word).substr(0, end);
  return joined && (bare == "api_key" || bare == "token" || bare == "secret");
}

bool is_named_secret(std::string_view text, ByteRange name, ByteRange& value) {
  value = value_at(text, name.end, " \t\r\n\v\f\"'`<>&");
  const std::string_view secret = part(text, value);
  if (secret.size() < 16) return false;
  if (is_uuid_key(text, name, secret)) return true;
  return !is_named_placeholder(secret) && !looks_like_code(secret) && looks_random(secret);
}

}  // namespace

bool is_password_cell(std::string_view text, ByteRange& cell) {
  return is_password(text, {cell.begin, cell.begin}, cell, true);
}

bool is_credential(SecretCheck check, std::string_view text, ByteRange whole, ByteRange& value) {
  switch (check) {
    case SecretCheck::kToken:
      return is_token(text, value);
    case SecretCheck::kBlock:
      return is_key_block(text, value);
    case SecretCheck::kUrl: {
      const std::string_view user = text.substr(whole.begin + 3, value.begin - whole.begin - 4);
      return part(text, value) != user && is_used_password(part(text, value));
    }
    case SecretCheck::kHttp:
      return is_http_value(text, whole, part(text, value));
    case SecretCheck::kShortName:
      if (ends_other_word(text, whole.begin)) return false;
      [[fallthrough]];
    case SecretCheck::kPassword:
      return !is_about_something_else(text, whole) &&
             is_password(text, whole, value,
                         check == SecretCheck::kShortName || is_loose(part(text, whole)));
    case SecretCheck::kCommand:
      return is_password(text, whole, value, true);
    case SecretCheck::kNamedSecret:
      return !is_about_something_else(text, whole) && is_named_secret(text, whole, value);
  }
  return false;
}

}  // namespace memfs
