// A repeatable sequence of numbers: the same everywhere, unlike the standard distributions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memfs::testing {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed = 1) : state_(seed) {}

  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_;
};

}  // namespace memfs::testing
