// Work that falls into parts, each on a thread of its own.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace memfs::index {

// Calls work(part, begin, end) for `parts` equal parts of `count` things, one of them on this
// thread. Where the system gives no more threads this one does the rest.
template <typename Work>
void in_parts(std::size_t count, std::size_t parts, const Work& work) {
  std::vector<std::thread> helpers;
  std::size_t started = 1;
  const auto run = [&](std::size_t part) {
    work(part, count * part / parts, count * (part + 1) / parts);
  };
  try {
    for (; started < parts; ++started) helpers.emplace_back(run, started);
  } catch (const std::system_error&) {
  }
  run(0);
  for (std::size_t part = started; part < parts; ++part) run(part);
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace memfs::index
