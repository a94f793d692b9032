#include "libmemfs/base/file_system.h"

namespace memfs {

bool is_safe_relative(std::string_view rel) {
  if (rel.empty() || rel.find('\0') != std::string_view::npos) return false;
  while (true) {
    const auto slash = rel.find('/');
    const auto part = rel.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    rel.remove_prefix(slash + 1);
  }
}

std::string parent_of(std::string_view rel) {
  const auto slash = rel.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(rel.substr(0, slash));
}

std::string leaf_of(std::string_view rel) {
  const auto slash = rel.rfind('/');
  return std::string(slash == std::string_view::npos ? rel : rel.substr(slash + 1));
}

std::string join_path(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  if (b.empty()) return std::string(a);
  std::string joined(a);
  if (joined.back() != '/') joined += '/';
  joined += b.front() == '/' ? b.substr(1) : b;
  return joined;
}

}  // namespace memfs
