#include "libmemfs/format/key_spelling.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

// Words of their own that lie near ours.
constexpr std::array kOthers = {"name",     "aliases", "alias",    "permalink", "metadata",
                                "scope",    "date",    "created",  "modified",  "updated",
                                "lastmod",  "expires", "version",  "sources",   "types",
                                "subtitle", "titles",  "resource", "category",  "categories"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// "subjectKey", "Subject-Key" and "subject key" as "subject_key".
std::string in_our_style(std::string_view key) {
  std::string out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool hump = i > 0 && is_upper(key[i]) && !is_upper(key[i - 1]);
    if (hump && !out.empty() && out.back() != '_') out += '_';
    out += key[i] == '-' || key[i] == ' ' ? '_' : ascii_lower(key.substr(i, 1)).front();
  }
  return out;
}

// Letters to put in, take out, replace, or swap with their neighbour (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

// How many letters may be wrong in a key of ours: a short one is soon another word.
std::size_t tolerance(std::string_view key) {
  constexpr std::size_t kShort = 4;
  constexpr std::size_t kLong = 9;
  return key.size() < kShort ? 0 : key.size() < kLong ? 1 : 2;
}

}  // namespace

bool is_foreign_key(std::string_view key) {
  if (std::find(kOthers.begin(), kOthers.end(), key) != kOthers.end()) return true;
  return std::any_of(kFields.begin(), kFields.end(),
                     [&](const Field& field) { return is_alternative(field.fallbacks, key); });
}

const Field* misspelt_field(std::string_view key) {
  constexpr std::size_t kLongest = 24;
  if (key.size() < 2 || key.size() > kLongest || find_field(key) != nullptr) return nullptr;
  const std::string styled = in_our_style(key);
  if (is_foreign_key(styled)) return nullptr;
  if (const Field* same = find_field(styled)) return same;
  for (const Field& field : kFields)
    if (distance(styled, field.key) <= tolerance(field.key)) return &field;
  return nullptr;
}

}  // namespace memfs
