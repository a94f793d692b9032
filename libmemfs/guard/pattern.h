// A regular expression of RE2, compiled at its first use. Matching takes linear time.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>

namespace memfs {

// Bytes [begin, end) of a text.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Pattern {
 public:
  // `expression` has RE2's syntax, is matched as bytes (Latin-1) or, with `utf8`, as UTF-8, and
  // outlives the pattern.
  explicit Pattern(std::string_view expression, bool utf8 = false);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // The first match in text[from, to), leftmost and then as Perl chooses. `group` gets the first
  // capturing group, or the whole match if there is none or it took no part.
  bool find(std::string_view text, std::size_t from, std::size_t to, ByteRange& whole,
            ByteRange& group) const;
  // The same for a match that starts at `from`.
  bool match_at(std::string_view text, std::size_t from, std::size_t to, ByteRange& whole,
                ByteRange& group) const;
  // Does the expression compile?
  bool ok() const;

 private:
  struct Compiled;
  const Compiled& compiled() const;
  bool run(std::string_view text, std::size_t from, std::size_t to, bool anchored, ByteRange& whole,
           ByteRange& group) const;

  std::string_view expression_;
  bool utf8_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<Compiled> compiled_;
};

}  // namespace memfs
