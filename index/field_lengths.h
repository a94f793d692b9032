// Field lengths in one byte: exact below 32 words, then sixteen steps an octave (6 %), up to two
// million. Scores use what the byte stands for, so that they do not depend on how an index grew.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "index/document.h"

namespace memfs::index {

constexpr std::uint32_t length_of_code(std::uint8_t code) {
  if (code < 32) return code;
  const auto octave = static_cast<unsigned>(code / 16 - 1);  // 1: 32 … 63 in steps of 2
  return (16U + code % 16U) << octave;
}

constexpr std::uint8_t code_of_length(std::uint32_t words) {
  if (words < 32) return static_cast<std::uint8_t>(words);
  const auto octave = static_cast<unsigned>(std::bit_width(words)) - 5U;
  const std::uint32_t code = (octave + 1) * 16 + ((words >> octave) & 15U);
  return static_cast<std::uint8_t>(code < 255 ? code : 255);
}

// Sums from which averages follow; whole numbers, so that they do not depend on any order.
struct LengthSums {
  std::array<std::uint64_t, kMaxFields> words{};
  std::array<std::uint64_t, kMaxFields> documents{};  // that have the field
  void add(const char* length_codes);
  void remove(const char* length_codes);
  void add(const LengthSums& other);
  std::array<double, kMaxFields> averages() const;
};

static_assert(length_of_code(code_of_length(31)) == 31);
static_assert(length_of_code(code_of_length(32)) == 32);
static_assert(length_of_code(code_of_length(1000)) == 992);

}  // namespace memfs::index
