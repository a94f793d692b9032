#include "cli/row_format.h"

#include <array>
#include <cstdio>
#include <optional>

namespace memfs::cli {
namespace {

std::optional<std::string> value_of(std::string_view key, const Memory& memory, const Hit* hit) {
  if (key == "ref") return memory.ref();
  if (key == "id") return memory.id;
  if (key == "scope") return std::string(name_of(memory.scope));
  if (key == "name") return memory.name;
  if (key == "path") return memory.path;
  if (key == "title") return memory.title;
  if (key == "description") return memory.description;
  if (key == "type") return memory.type;
  if (key == "revision") return std::to_string(memory.revision);
  if (key == "etag") return memory.etag;
  if (key == "updated_at") return memory.updated_at ? memory.updated_at->text : "";
  if (hit == nullptr) return std::nullopt;
  if (key == "line") return std::to_string(hit->line);
  if (key == "snippet") return hit->snippet;
  if (key == "score") {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.4f", hit->score);
    return buffer.data();
  }
  return std::nullopt;
}

}  // namespace

std::string format_row(std::string_view format, const Memory& memory, const Hit* hit) {
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '\\' && i + 1 < format.size() &&
        (format[i + 1] == 't' || format[i + 1] == 'n')) {
      out += format[++i] == 't' ? '\t' : '\n';
      continue;
    }
    const auto close = format[i] == '{' ? format.find('}', i) : std::string_view::npos;
    if (close != std::string_view::npos) {
      if (const auto value = value_of(format.substr(i + 1, close - i - 1), memory, hit)) {
        out += *value;
        i = close;
        continue;
      }
    }
    out += format[i];
  }
  return out;
}

}  // namespace memfs::cli
