// Little-endian numbers and varints in byte strings: how everything in an index file is written.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace memfs::index {

// The number at `from`, which need not be aligned. REQUIRES sizeof(T) readable bytes, and a
// little-endian machine (all that we build for).
template <typename T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// LEB128: seven bits a byte, low ones first, the high bit says that more follow.
// Returns where the next byte goes; up to ten bytes.
inline char* put_varint(char* to, std::uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  *to++ = static_cast<char>(value);
  return to;
}

inline void put_varint(std::string& out, std::uint64_t value) {
  if (value < 0x80) {
    out.push_back(static_cast<char>(value));
    return;
  }
  char bytes[10];
  out.append(bytes, put_varint(bytes, value));
}

inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

// Reads what may be damaged: behind the end everything is zero and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return fail();
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::uint32_t varint32() {
    const std::uint64_t value = varint();
    return value <= 0xFFFFFFFFU ? static_cast<std::uint32_t>(value)
                                : static_cast<std::uint32_t>(fail());
  }
  template <typename T>
  T number() {
    if (left() < sizeof(T)) return static_cast<T>(fail());
    const T value = load<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  std::string_view bytes(std::uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view out(at_, static_cast<std::size_t>(size));
    at_ += size;
    return out;
  }
  std::string_view text() { return bytes(varint()); }
  void skip(std::uint64_t size) { (void)bytes(size); }

 private:
  std::uint64_t fail() {
    ok_ = false;
    at_ = end_;
    return 0;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace memfs::index
