#include "libmemfs/base/clock.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <random>

#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr char kCrockford[] = "0123456789abcdefghjkmnpqrstvwxyz";

std::string encode_ulid(Instant now, const std::array<unsigned char, 10>& tail) {
  std::string out(26, '0');
  auto stamp = static_cast<std::uint64_t>(now.time_since_epoch().count());
  for (std::size_t i = 10; i-- > 0; stamp >>= 5U) out[i] = kCrockford[stamp & 31U];
  std::size_t bit = 0;
  for (std::size_t i = 10; i < 26; ++i) {
    unsigned value = 0;
    for (int k = 0; k < 5; ++k, ++bit)
      value = (value << 1U) | ((tail.at(bit / 8) >> (7U - bit % 8)) & 1U);
    out[i] = kCrockford[value];
  }
  return out;
}

}  // namespace

Instant SystemClock::now() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string RandomIds::ulid(Instant now, std::string_view /*seed*/, int /*attempt*/) {
  std::array<unsigned char, 10> tail{};
  if (::getrandom(tail.data(), tail.size(), 0) != static_cast<ssize_t>(tail.size())) {
    std::random_device device;
    for (unsigned char& byte : tail) byte = static_cast<unsigned char>(device());
  }
  return encode_ulid(now, tail);
}

std::string RepeatableIds::ulid(Instant now, std::string_view seed, int attempt) {
  const std::string hash = content_hash(std::string(seed) + "#" + std::to_string(attempt));
  std::array<unsigned char, 10> tail{};
  for (std::size_t i = 0; i < tail.size(); ++i)
    tail.at(i) = static_cast<unsigned char>(std::stoi(hash.substr(2 * i, 2), nullptr, 16));
  return encode_ulid(now, tail);
}

std::string format_instant(Instant at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return buffer.data();
}

}  // namespace memfs
