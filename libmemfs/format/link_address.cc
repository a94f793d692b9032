#include "libmemfs/format/link_address.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/name.h"

namespace memfs {
namespace {

constexpr std::size_t kMaxNames = 8;

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

struct Entity {
  std::string_view name;
  char sign;
};
// Those that are written in addresses; others stay as they are, and then name no file.
constexpr std::array kEntities = {Entity{"&amp;", '&'}, Entity{"&quot;", '"'}, Entity{"&lt;", '<'},
                                  Entity{"&gt;", '>'},  Entity{"&#39;", '\''}, Entity{"&#40;", '('},
                                  Entity{"&#41;", ')'}};

// The byte behind "%" at `at`.
std::optional<char> percent_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size()) return std::nullopt;
  unsigned value = 0;
  const char* begin = text.data() + at + 1;
  const auto parsed = std::from_chars(begin, begin + 2, value, 16);
  if (parsed.ptr != begin + 2 || value == 0) return std::nullopt;
  return static_cast<char>(value);
}

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    path = slash == kNowhere ? std::string_view() : path.substr(slash + 1);
  }
  return parts;
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string path;
  for (const std::string_view part : parts) path = join_path(path, part);
  return path;
}

}  // namespace

std::vector<std::string_view> names_in(std::string_view address) {
  std::vector<std::string_view> names;
  for (auto end = address.size(); end != kNowhere && names.size() < kMaxNames;) {
    const auto name = trim(address.substr(0, end));
    if (name.empty()) break;
    names.push_back(name);
    end = end == 0 ? kNowhere : address.rfind('#', end - 1);
  }
  return names;
}

SplitAddress split_address(std::string_view address) {
  const auto end = std::min(address.find_first_of("?#"), address.size());
  return {address.substr(0, end), address.substr(end)};
}

bool has_md(std::string_view path) {
  return path.size() > 3 && (path.ends_with(".md") || path.ends_with(".MD"));
}

std::string_view without_md(std::string_view path) {
  return has_md(path) ? path.substr(0, path.size() - 3) : path;
}

bool has_scheme(std::string_view address) {
  if (address.starts_with("//")) return true;
  const auto colon = address.find(':');
  if (colon == kNowhere || colon == 0 || !is_alnum(address.front())) return false;
  return std::all_of(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return is_alnum(c) || c == '+' || c == '-' || c == '.'; });
}

std::string decode_path(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size(); ++at) {
    const char c = path[at];
    if (c == '%') {
      const auto byte = percent_byte(path, at);
      out += byte ? *byte : c;
      at += byte ? 2 : 0;
    } else if (c == '\\' && at + 1 < path.size() && is_ascii_punctuation(path[at + 1])) {
      out += path[++at];
    } else if (c == '&') {
      const auto* entity = std::find_if(kEntities.begin(), kEntities.end(), [&](const Entity& e) {
        return path.substr(at).starts_with(e.name);
      });
      out += entity == kEntities.end() ? c : entity->sign;
      at += entity == kEntities.end() ? 0 : entity->name.size() - 1;
    } else {
      out += c;
    }
  }
  return out;
}

std::string encode_path(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x7F || (byte > 0x20 && byte != 0x7F &&
                                       std::string_view("()<>%#?\\\"'`[]*|&:").find(c) == kNowhere);
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  return out;
}

std::optional<std::string> normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : components(path)) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  return joined(parts);
}

std::string relative_path(std::string_view from, std::string_view to) {
  const auto here = components(from);
  const auto there = components(to);
  std::size_t same = 0;
  while (same < here.size() && same + 1 < there.size() && here[same] == there[same]) ++same;
  std::string path;
  for (std::size_t i = same; i < here.size(); ++i) path += "../";
  for (std::size_t i = same; i < there.size(); ++i)
    path += std::string(there[i]) + (i + 1 < there.size() ? "/" : "");
  return path;
}

bool fits_wiki_link(std::string_view name) {
  if (name.empty() || name.front() == '#' || trim(name).size() != name.size()) return false;
  return name.find_first_of("[]|\n\r") == kNowhere && name.back() != '\\';
}

bool is_linkable_name(std::string_view name) {
  if (!fits_wiki_link(name) || name.find_first_of("#^") != kNowhere) return false;
  if (name.back() == '/') return false;
  const auto parts = components(name);
  if (parts.size() == 1) return is_portable_name(name);
  // Below the top no page of ours can be in the way: guides/index is the front page of many trees.
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return is_valid_everywhere(part) && part.front() != '.' && part.front() != '-' &&
           !is_page_file(std::string(part) + ".md");
  });
}

bool is_other_file(std::string_view name) {
  constexpr std::array<std::string_view, 33> kExtensions = {
      "png",  "jpg", "jpeg",   "gif",  "svg",    "webp",      "bmp",  "avif", "ico",
      "pdf",  "mp3", "mp4",    "mov",  "wav",    "ogg",       "webm", "m4a",  "zip",
      "gz",   "csv", "tsv",    "json", "txt",    "xml",       "html", "docx", "xlsx",
      "pptx", "odt", "canvas", "base", "drawio", "excalidraw"};
  const auto leaf = leaf_of(std::string(name));
  if (is_page_file(leaf) || is_page_file(leaf + ".md")) return true;
  const auto dot = leaf.rfind('.');
  if (dot == kNowhere) return false;
  const std::string extension = ascii_lower(std::string_view(leaf).substr(dot + 1));
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

}  // namespace memfs
