#include "index/near_spelling.h"

#include <algorithm>
#include <map>

#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

std::u32string letters_of(std::string_view text) {
  std::u32string out;
  for (std::size_t pos = 0; pos < text.size();) out.push_back(decode_utf8(text, pos));
  return out;
}

// Optimal string alignment distance (a swap of neighbours counts one), or `most` + 1 if larger.
std::size_t distance(const std::u32string& a, const std::u32string& b, std::size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] =
          std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
      least = std::min(least, next[j]);
    }
    if (least > most) return most + 1;
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> near_terms(const Snapshot& snapshot, std::string_view term,
                                    std::size_t limit) {
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kShort = 5;
  const std::u32string wanted = letters_of(term);
  if (wanted.size() < kShortest) return {};
  const std::size_t most = wanted.size() <= kShort ? 1 : 2;
  std::string first;
  append_utf8(first, wanted.front());
  struct Found {
    std::size_t distance = 0;
    std::uint64_t documents = 0;
  };
  std::map<std::string, Found, std::less<>> found;
  for (std::size_t segment = 0; segment < snapshot.segments().size(); ++segment) {
    TermDictionary::Cursor cursor(snapshot.segments()[segment].segment->terms(), first);
    for (; !cursor.at_end() && cursor.term().starts_with(first); cursor.next()) {
      // Stems and parts of Thai words have no positions: they are nothing that one would type.
      if (cursor.list().positions.empty()) continue;
      if (cursor.term().size() > term.size() + most * 4) continue;
      const std::size_t far = distance(wanted, letters_of(cursor.term()), most);
      if (far > most) continue;
      const std::uint64_t documents = snapshot.live_documents(segment, cursor.list());
      if (documents == 0) continue;
      Found& entry = found[std::string(cursor.term())];
      entry.distance = far;
      entry.documents += documents;
    }
  }
  std::vector<std::pair<std::string, Found>> order(found.begin(), found.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.second.distance != b.second.distance) return a.second.distance < b.second.distance;
    return a.second.documents > b.second.documents;
  });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, order.size()); ++i) out.push_back(order[i].first);
  return out;
}

}  // namespace memfs::index
