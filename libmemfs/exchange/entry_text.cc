#include "libmemfs/exchange/entry_text.h"

#include <memfs/store.h>

#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

bool says_its_title(const Memory& memory, std::string_view text) {
  return !memory.has_title || text.empty() || text.starts_with(memory.title) ||
         memory.title == title_from_text(text);
}

}  // namespace

bool came_as_entry(const Memory& memory) {
  return memory.source.starts_with("newt:") || memory.source.starts_with("hermes:");
}

std::string entry_text(const Memory& memory) {
  const std::string_view text = trim(memory.body);
  if (text.empty()) return memory.title;
  if (came_as_entry(memory) || says_its_title(memory, text)) return std::string(text);
  return memory.title + ": " + std::string(text);
}

bool entry_loses_title(const Memory& memory) {
  return came_as_entry(memory) && !says_its_title(memory, trim(memory.body));
}

}  // namespace memfs
