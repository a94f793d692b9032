#include "index/manifest.h"

#include "index/bytes.h"
#include "index/segment.h"
#include "libmemfs/base/hash.h"

namespace memfs::index {
namespace {

constexpr std::string_view kManifestMagic = "memmani\n";

void put_head(std::string& out) {
  out += kManifestMagic;
  put<std::uint32_t>(out, kFormatVersion);
  std::string version = analysis_version();
  version.resize(24, '\0');
  out += version;
}

bool read_segment(ByteReader& reader, ManifestSegment& segment) {
  segment.file = reader.varint();
  segment.size = reader.varint();
  segment.check = reader.number<std::uint64_t>();
  std::uint64_t count = reader.varint();
  std::uint32_t document = 0xFFFFFFFF;
  for (; count > 0 && reader.ok(); --count) {
    document += reader.varint32();
    segment.dead.push_back(document);
  }
  document = 0xFFFFFFFF;
  for (count = reader.varint(); count > 0 && reader.ok(); --count) {
    StampChange change;
    document += reader.varint32();
    change.document = document;
    change.stamp.size = reader.number<std::uint64_t>();
    change.stamp.mtime_ns = reader.number<std::int64_t>();
    change.stamp.ctime_ns = reader.number<std::int64_t>();
    change.stamp.inode = reader.number<std::uint64_t>();
    segment.stamps.push_back(change);
  }
  return reader.ok();
}

}  // namespace

std::string write_manifest(const Manifest& manifest) {
  std::string out;
  put_head(out);
  put(out, manifest.owner);
  put(out, manifest.identity);
  put_varint(out, manifest.generation);
  put_varint(out, manifest.next_file);
  put_varint(out, manifest.segments.size());
  for (const ManifestSegment& segment : manifest.segments) {
    put_varint(out, segment.file);
    put_varint(out, segment.size);
    put(out, segment.check);
    put_varint(out, segment.dead.size());
    std::uint32_t previous = 0xFFFFFFFF;  // + 1 wraps to 0
    for (const std::uint32_t document : segment.dead) {
      put_varint(out, document - previous);
      previous = document;
    }
    put_varint(out, segment.stamps.size());
    previous = 0xFFFFFFFF;
    for (const StampChange& change : segment.stamps) {
      put_varint(out, change.document - previous);
      previous = change.document;
      put(out, change.stamp.size);
      put(out, change.stamp.mtime_ns);
      put(out, change.stamp.ctime_ns);
      put(out, change.stamp.inode);
    }
  }
  put(out, hash64(out));
  return out;
}

std::optional<Manifest> read_manifest(std::string_view bytes) {
  std::string head;
  put_head(head);
  if (!bytes.starts_with(head) || bytes.size() < head.size() + 8) return std::nullopt;
  const auto summed = bytes.substr(0, bytes.size() - 8);
  if (load<std::uint64_t>(bytes.data() + summed.size()) != hash64(summed)) return std::nullopt;
  ByteReader reader(summed.substr(head.size()));
  Manifest manifest;
  manifest.owner = reader.number<std::uint64_t>();
  manifest.identity = reader.number<std::uint64_t>();
  manifest.generation = reader.varint();
  manifest.next_file = reader.varint();
  for (std::uint64_t count = reader.varint(); count > 0 && reader.ok(); --count) {
    if (!read_segment(reader, manifest.segments.emplace_back())) return std::nullopt;
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return manifest;
}

std::string segment_file_name(std::uint64_t file) { return std::to_string(file) + ".seg"; }

}  // namespace memfs::index
