// What the peers are given of a memory: its title and its body. A line-based look, enough for text
// that need not be exact.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace bench {

struct Parts {
  std::string_view title;
  std::string_view body;
};

inline std::string_view line_at(std::string_view text, std::size_t at) {
  return text.substr(at, text.find('\n', at) - at);
}

// The value behind `prefix` on the first line that begins with it; else nothing.
inline std::string_view line_behind(std::string_view text, std::string_view prefix) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = line_at(text, at);
    if (line.starts_with(prefix)) return line.substr(prefix.size());
    at += line.size() + 1;
  }
  return {};
}

inline Parts split(std::string_view text) {
  const std::size_t end = text.starts_with("---\n") ? text.find("\n---\n", 3) : std::string::npos;
  if (end == std::string::npos) return {line_behind(text, "# "), text};
  return {line_behind(text.substr(0, end), "title: "), text.substr(end + 5)};
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::string text(in ? static_cast<std::size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

}  // namespace bench
