// The list of segments that make up an index, and what changed in them since they were written.
//
// Grammar (numbers are varints unless a size is given):
//
//   manifest := "memmani\n" format version (4) analysis version (24)
//               owner (8), identity (8), generation, next file number, number of segments,
//               segment*, checksum (8)
//   segment  := file number, size of the file, checksum of its header (8),
//               number of dead documents, differences of their numbers,
//               number of new stamps, stamp*
//   stamp    := difference of documents, size, mtime, ctime, inode (8 each)
//
// It is replaced by one rename: a reader sees the old index or the new one. Files that it does not
// name are left over and are removed by the next writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/segment_merger.h"

namespace memfs::index {

struct ManifestSegment {
  std::uint64_t file = 0;
  std::uint64_t size = 0;
  std::uint64_t check = 0;
  std::vector<std::uint32_t> dead{};  // sorted
  std::vector<StampChange> stamps{};  // sorted by document
};

struct Manifest {
  std::uint64_t owner = 0;       // hash of the folder whose files it has
  std::uint64_t identity = 0;    // drawn when an index is made from nothing: caches come and go
  std::uint64_t generation = 0;  // 0: there is none yet
  std::uint64_t next_file = 1;
  std::vector<ManifestSegment> segments{};
};

// The same index in the same state.
inline bool is_same(const Manifest& a, const Manifest& b) {
  return a.identity == b.identity && a.generation == b.generation;
}

std::string write_manifest(const Manifest& manifest);
// nullopt if it is damaged or of another version.
std::optional<Manifest> read_manifest(std::string_view bytes);

std::string segment_file_name(std::uint64_t file);

}  // namespace memfs::index
