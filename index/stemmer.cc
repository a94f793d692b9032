#include "index/stemmer.h"

#include <libstemmer.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <memory>

#include "libmemfs/base/utf8.h"

namespace memfs::index {
namespace {

struct StemmerFree {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

struct Language {
  UScriptCode script;
  const char* name;
};
constexpr std::array kLanguages = {
    Language{USCRIPT_LATIN, "english"},    Language{USCRIPT_CYRILLIC, "russian"},
    Language{USCRIPT_ARABIC, "arabic"},    Language{USCRIPT_GREEK, "greek"},
    Language{USCRIPT_DEVANAGARI, "hindi"}, Language{USCRIPT_TAMIL, "tamil"}};

// Stemmers keep state between calls, so each thread has its own.
sb_stemmer* stemmer_for(std::size_t language) {
  thread_local std::array<std::unique_ptr<sb_stemmer, StemmerFree>, kLanguages.size()> stemmers;
  auto& stemmer = stemmers.at(language);
  if (!stemmer) stemmer.reset(sb_stemmer_new(kLanguages.at(language).name, nullptr));
  return stemmer.get();
}

constexpr std::size_t kNone = kLanguages.size();

std::size_t language_of(std::string_view word) {
  const bool ascii =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (ascii) return 0;
  std::size_t pos = 0;
  const char32_t first = decode_utf8(word, pos);
  if (first < 0x370) return kNone;  // Latin with other letters, digits, signs
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(first), &status);
  for (std::size_t i = 1; i < kLanguages.size(); ++i)
    if (kLanguages.at(i).script == script) return i;
  return kNone;
}

}  // namespace

std::string stem_of(std::string_view normal) {
  constexpr std::size_t kLongestWord = 64;  // bytes; beyond it nothing is a word of a language
  if (normal.size() < 3 || normal.size() > kLongestWord) return {};
  const std::size_t language = language_of(normal);
  if (language == kNone) return {};
  sb_stemmer* stemmer = stemmer_for(language);
  if (stemmer == nullptr) return {};
  const auto* stem = sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(normal.data()),
                                     static_cast<int>(normal.size()));
  if (stem == nullptr) return {};
  std::string out(reinterpret_cast<const char*>(stem),
                  static_cast<std::size_t>(sb_stemmer_length(stemmer)));
  return out == normal ? std::string() : out;
}

}  // namespace memfs::index
