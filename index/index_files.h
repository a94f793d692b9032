// Names and limits of the files of an index, shared by index.cc and index_commit.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "index/segment.h"

namespace memfs::index {

constexpr const char* kManifestName = "manifest";
constexpr const char* kNewManifestName = "manifest.new";
constexpr const char* kLockName = "lock";
constexpr std::uint64_t kMaxSegmentFile = std::uint64_t{1} << 36U;
constexpr std::uint64_t kMaxManifest = std::uint64_t{1} << 30U;

// REQUIRES: bytes that a writer of ours made.
inline std::shared_ptr<const Segment> opened(std::string bytes) {
  Segment::Fault fault = Segment::Fault::kNone;
  return Segment::open(bytes_of(std::move(bytes)), fault);
}

}  // namespace memfs::index
