// Makes the checksums of a segment fit its bytes again, for tests that damage what is behind them.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "index/bytes.h"
#include "index/segment.h"
#include "libmemfs/base/hash.h"

namespace memfs::testing {

// False if the bytes are too few, or the checksums would lie outside.
inline bool seal_segment(std::string& file) {
  using index::kHeader;
  if (file.size() < kHeader) return false;
  const auto patch = [&](std::size_t at, const auto& value) {
    std::memcpy(file.data() + at, &value, sizeof value);
  };
  std::string version = index::analysis_version();
  version.resize(24, '\0');
  file.replace(0, 8, index::kMagic);
  patch(8, index::kFormatVersion);
  file.replace(16, 24, version);
  // The last bytes are the checksums, however many pages the rest makes.
  std::size_t pages = 1;
  while (file.size() >= pages * 4 &&
         (file.size() - pages * 4 + index::kPage - 1) / index::kPage > pages)
    ++pages;
  if (file.size() < kHeader + pages * 4) return false;
  const std::uint64_t checks = file.size() - pages * 4;
  patch(index::kHeaderChecks, checks);
  for (std::size_t page = 0; page < pages; ++page) {
    const std::size_t begin = std::max(page * index::kPage, kHeader);
    const std::size_t end = std::min<std::size_t>((page + 1) * index::kPage, checks);
    if (begin > end) return false;
    patch(checks + page * 4,
          static_cast<std::uint32_t>(hash64(std::string_view(file).substr(begin, end - begin))));
  }
  patch(index::kHeaderChecks + 8, hash64(std::string_view(file).substr(checks)));
  patch(kHeader - 8, hash64(std::string_view(file).substr(0, kHeader - 8)));
  return true;
}

}  // namespace memfs::testing
