#include "cli/mcp/protocol/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace memfs::mcp {
namespace {

// All lines that come out when `bytes` come in pieces of `piece`; "<long>" for one too long.
std::vector<std::string> lines_of(const std::string& bytes, std::size_t piece,
                                  std::size_t limit = 1000) {
  LineReader reader(limit);
  std::vector<std::string> lines;
  const auto drain = [&] {
    while (auto line = reader.next()) lines.push_back(line->too_long ? "<long>" : line->text);
  };
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    reader.feed(std::string_view(bytes).substr(i, piece));
    drain();
  }
  reader.finish();
  drain();
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, LinesAreTheSameInPiecesOfAnySize) {
  const std::string bytes = "one\ntwo\r\n\n  \t\r\nthree\n\nfour";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    EXPECT_EQ(lines_of(bytes, piece), (Lines{"one", "two", "three", "four"})) << piece;
}

TEST(LineReader, AByteOrderMarkIsDroppedAtTheVeryBeginningOnly) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF{}\n\xEF\xBB\xBF{}\n", 2), (Lines{"{}", "\xEF\xBB\xBF{}"}));
}

TEST(LineReader, ALineThatIsTooLongComesOutOnceAndTheNextIsRead) {
  for (std::size_t piece : {1U, 3U, 7U, 100U}) {
    EXPECT_EQ(lines_of("0123456789\n0123456789A\n" + std::string(50, 'x') + "\nok\n", piece, 10),
              (Lines{"0123456789", "<long>", "<long>", "ok"}))
        << piece;
  }
}

TEST(LineReader, ALineWithoutEndIsToldAtOnceAndNotKept) {
  LineReader reader(10);
  reader.feed("01234567890");
  const auto line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->too_long);
  for (int i = 0; i < 1000; ++i) {
    reader.feed("more and more");
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.size(), 0U);
  }
  reader.feed("\nnext\n");
  EXPECT_EQ(reader.next()->text, "next");
}

TEST(LineReader, InvalidBytesAndNulsAreLeftToTheParser) {
  EXPECT_EQ(lines_of(std::string("a\0b\n\xff\n", 6), 1), (Lines{std::string("a\0b", 3), "\xff"}));
}

}  // namespace
}  // namespace memfs::mcp
