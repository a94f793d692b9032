// TempDir: a real folder that goes away with its object.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace memfs::testing {

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "mem-test-XXXXXX").string();
    path_ = std::filesystem::canonical(::mkdtemp(name.data())).string();
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& rel) const { return path_ + "/" + rel; }

  void write(const std::string& rel, std::string_view bytes) const {
    const std::filesystem::path file = *this / rel;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
  std::string read(const std::string& rel) const {
    std::ostringstream out;
    out << std::ifstream(*this / rel, std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  std::string path_;
};

}  // namespace memfs::testing
