// Random numbers that are the same with every compiler and library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  // 0 … limit - 1; the bias is of no interest here.
  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>((next() >> 32U) * limit >> 32U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bench
