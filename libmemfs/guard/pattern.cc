#include "libmemfs/guard/pattern.h"

#include <re2/re2.h>

#include <array>

namespace memfs {

struct Pattern::Compiled {
  explicit Compiled(std::string_view expression, const re2::RE2::Options& options)
      : regex(re2::StringPiece(expression.data(), expression.size()), options) {}
  re2::RE2 regex;
};

Pattern::Pattern(std::string_view expression, bool utf8) : expression_(expression), utf8_(utf8) {}
Pattern::~Pattern() = default;

const Pattern::Compiled& Pattern::compiled() const {
  std::call_once(once_, [this] {
    re2::RE2::Options options;
    options.set_encoding(utf8_ ? re2::RE2::Options::EncodingUTF8
                               : re2::RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    compiled_ = std::make_unique<Compiled>(expression_, options);
  });
  return *compiled_;
}

bool Pattern::ok() const { return compiled().regex.ok(); }

bool Pattern::run(std::string_view text, std::size_t from, std::size_t to, bool anchored,
                  ByteRange& whole, ByteRange& group) const {
  const re2::RE2& regex = compiled().regex;
  std::array<re2::StringPiece, 2> parts;
  const int count = regex.NumberOfCapturingGroups() > 0 ? 2 : 1;
  // Only the window is handed over: RE2 then knows nothing of what lies around it.
  const re2::StringPiece window(text.data() + from, to - from);
  const auto anchor = anchored ? re2::RE2::ANCHOR_START : re2::RE2::UNANCHORED;
  if (!regex.Match(window, 0, window.size(), anchor, parts.data(), count)) return false;
  const auto range_of = [&](const re2::StringPiece& part) {
    const auto begin = static_cast<std::size_t>(part.data() - text.data());
    return ByteRange{begin, begin + part.size()};
  };
  whole = range_of(parts[0]);
  group = count == 2 && parts[1].data() != nullptr ? range_of(parts[1]) : whole;
  return true;
}

bool Pattern::find(std::string_view text, std::size_t from, std::size_t to, ByteRange& whole,
                   ByteRange& group) const {
  return run(text, from, to, false, whole, group);
}

bool Pattern::match_at(std::string_view text, std::size_t from, std::size_t to, ByteRange& whole,
                       ByteRange& group) const {
  return run(text, from, to, true, whole, group);
}

}  // namespace memfs
