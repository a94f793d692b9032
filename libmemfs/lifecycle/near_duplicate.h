// Whether two memories say nearly the same, so that the second should change the first instead of
// being written beside it.
//
// Each part counts for itself: the same title is enough, or the same description, or the same body.
// "Same" is meant for words, not bytes (statement_words.h), and forgives what people vary without
// meaning it: articles, endings, "always", a slip of the pen in a long word, in a title of eight
// words one word more. It never forgives another number, version, name in code, negation or
// opposite, nor one word in the place of another in a short text: "deploy to staging" is not
// "deploy to production". Meaning in other words is not recognised.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "libmemfs/base/hash.h"
#include "libmemfs/lifecycle/statement_words.h"

namespace memfs {

// What a memory says. `description` is empty unless it was stated: one that fell back to the body
// would be compared twice.
struct Statement {
  std::string_view title{};
  std::string_view description{};
  std::string_view body{};
};

struct Likeness {
  enum class What : std::uint8_t {
    kExact,  // title and body, byte for byte but for blanks and newlines at their ends
    kTitle,
    kDescription,
    kBody,
  };
  What what = What::kTitle;
  double similarity =
      1;  // (0, 1]: the share of the words, or of the body's pairs of words, in both
};

// What of a statement is compared, worked out once, and of the body only if it comes to that.
// REQUIRES: the statement's texts outlive it.
class StatementSketch {
 public:
  // Of a body the first kSketchedBody bytes are looked at.
  static constexpr std::size_t kSketchedBody = 32768;
  explicit StatementSketch(const Statement& statement);

 private:
  friend std::optional<Likeness> likeness(const StatementSketch& a, const StatementSketch& b);

  struct Body {
    StatementWords text;
    std::vector<std::uint64_t> pairs;  // hashes of neighbouring words, sorted
  };
  const Body& body() const;
  bool is_empty() const;
  bool has_same_body(const StatementSketch& other) const;
  std::optional<Likeness> compare_bodies(const StatementSketch& other) const;

  Statement statement_;
  ContentHash bytes_{};  // of title and body
  StatementWords title_, description_;
  mutable std::optional<Body> body_{};
};

// The strongest likeness, in the order of Likeness::What; nothing if they say different things.
std::optional<Likeness> likeness(const StatementSketch& a, const StatementSketch& b);

}  // namespace memfs
