// A file's bytes as a Memory: fields, fall-backs and problems.
#pragma once

#include <memfs/memory.h>

#include <optional>
#include <string>
#include <string_view>

namespace memfs {

constexpr std::uint64_t kMaxBody = 16U << 20U;              // bytes of a body that are read
constexpr std::uint64_t kMaxFile = kMaxBody + (1U << 17U);  // with the largest front matter
constexpr std::size_t kMaxIndexedBody = 1U << 20U;          // bytes of a body that are searched
constexpr std::uint64_t kMaxRevision = (1ULL << 53U) - 1;

struct FileId {
  Scope scope = Scope::kPrivate;
  std::string rel;   // path in the scope as on disk
  std::string path;  // absolute, for messages
};

// Never fails: whatever is wrong becomes a problem of the memory, and its body stays readable.
// nullopt for an empty or NUL-filled file, which is no memory; `empty` then says so.
std::optional<Memory> read_memory(const FileId& file, std::string_view bytes, Problem* empty);

// The name of a file in a scope: NFC, without ".md".
std::string memory_name(std::string_view rel);

}  // namespace memfs
