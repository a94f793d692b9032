// A piece of a text as a model understands it however it is dressed: NFKC_Casefold, without
// invisible characters, accents and emphasis, letters that look Latin in a Latin word made so,
// single letters joined to words, blanks collapsed. Remembers where everything came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/guard/pattern.h"

namespace memfs {

// What is read over: emphasis and hidden characters, or tags, comments, links, bars and blank lines
// as well, and hidden characters stand for blanks.
enum class Reading : std::uint8_t { kAsWritten, kThroughMarkup };

class FoldedText {
 public:
  // Folds text[begin, end). A blank line becomes LF, other blanks in a row one blank; marks at the
  // beginning of a line (quote, heading, list) are left out.
  FoldedText(std::string_view text, std::size_t begin, std::size_t end,
             Reading reading = Reading::kAsWritten);

  const std::string& text() const { return folded_; }
  // The bytes of the original from which those of the folded text came. REQUIRES that it is not
  // empty.
  ByteRange original(ByteRange folded) const;

 private:
  // Bytes of the original, from begin_ on.
  struct Origin {
    std::uint32_t begin;
    std::uint32_t length;
  };

  std::size_t skip_markup(std::string_view text, std::size_t pos);
  void add(char32_t c, std::size_t begin, std::size_t end);
  void add_blank(std::size_t begin, std::size_t end);
  void note_origin(std::size_t begin, std::size_t end);
  bool is_single(std::size_t at) const;
  std::size_t end_of_spelt(std::size_t at) const;
  void join_single_letters();

  std::size_t begin_;
  std::string folded_;
  std::vector<Origin> origins_;  // of each byte of folded_
};

}  // namespace memfs
