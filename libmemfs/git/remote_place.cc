#include "libmemfs/git/remote_place.h"

#include <filesystem>

#include "libmemfs/base/unicode.h"

namespace memfs {
namespace {

std::string without_ending(std::string place) {
  while (place.ends_with('/')) place.pop_back();
  if (place.ends_with(".git")) place.resize(place.size() - 4);
  while (place.ends_with('/')) place.pop_back();
  return to_lower(place);
}

// "me@host:22" and "/path" as "host/path".
std::string on_host(std::string host, std::string path) {
  if (const auto user = host.rfind('@'); user != std::string::npos) host.erase(0, user + 1);
  host.resize(std::min(host.find(':'), host.size()));
  path.erase(0, std::min(path.find_first_not_of('/'), path.size()));
  return without_ending(host + "/" + path);
}

std::string on_disk(FileSystem& fs, const std::string& path, const std::string& base) {
  const std::string whole = path.starts_with('/') ? path : join_path(base, path);
  for (const char* ending : {"", ".git"})
    if (const auto real = fs.real_path(whole + ending)) return without_ending(*real);
  return without_ending(std::filesystem::path(whole).lexically_normal().string());
}

}  // namespace

std::string remote_place(FileSystem& fs, const std::string& url, const std::string& base) {
  constexpr std::string_view kFile = "file://";
  if (url.starts_with(kFile)) return on_disk(fs, url.substr(kFile.size()), base);
  if (const auto scheme = url.find("://"); scheme != std::string::npos) {
    const auto host = scheme + 3;
    const auto slash = std::min(url.find('/', host), url.size());
    return on_host(url.substr(host, slash - host), url.substr(slash));
  }
  const auto colon = url.find(':');
  if (colon != std::string::npos && colon < url.find('/'))
    return on_host(url.substr(0, colon), url.substr(colon + 1));
  return on_disk(fs, url, base);
}

}  // namespace memfs
