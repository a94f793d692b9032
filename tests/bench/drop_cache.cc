// Takes files out of the page cache, and says how much of them is still there.
//
//   drop_cache PATH…     files, or folders with all that is below
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

std::size_t resident(int file, std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* map = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) return 0;
  std::vector<unsigned char> pages((size + page - 1) / page);
  std::size_t count = 0;
  if (mincore(map, size, pages.data()) == 0)
    for (const unsigned char state : pages) count += state & 1U;
  munmap(map, size);
  return count * page;
}

std::size_t drop(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat status {};
  fstat(file, &status);
  // Only clean pages can be dropped.
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  const auto size = static_cast<std::size_t>(status.st_size);
  const std::size_t left = size > 0 ? resident(file, size) : 0;
  close(file);
  return left;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t left = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      left += drop(argv[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
      if (entry.is_regular_file()) left += drop(entry.path().string());
  }
  std::printf("resident_bytes\t%zu\n", left);
  return 0;
}
