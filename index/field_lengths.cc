#include "index/field_lengths.h"

#include <algorithm>

namespace memfs::index {

void LengthSums::add(const char* length_codes) {
  for (std::size_t field = 0; field < kMaxFields; ++field) {
    words.at(field) += length_of_code(static_cast<std::uint8_t>(length_codes[field]));
    documents.at(field) += length_codes[field] != 0 ? 1 : 0;
  }
}

void LengthSums::remove(const char* length_codes) {
  for (std::size_t field = 0; field < kMaxFields; ++field) {
    words.at(field) -= length_of_code(static_cast<std::uint8_t>(length_codes[field]));
    documents.at(field) -= length_codes[field] != 0 ? 1 : 0;
  }
}

void LengthSums::add(const LengthSums& other) {
  for (std::size_t field = 0; field < kMaxFields; ++field) {
    words.at(field) += other.words.at(field);
    documents.at(field) += other.documents.at(field);
  }
}

std::array<double, kMaxFields> LengthSums::averages() const {
  std::array<double, kMaxFields> out{};
  for (std::size_t field = 0; field < kMaxFields; ++field) {
    const auto count = static_cast<double>(std::max<std::uint64_t>(documents.at(field), 1));
    out.at(field) = static_cast<double>(words.at(field)) / count;
  }
  return out;
}

}  // namespace memfs::index
