// Work that falls into parts, each on a thread of its own.
#pragma once

#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace memfs::index {

// Calls work(part, begin, end) for `parts` equal parts of `count` things, one of them on this
// thread. Where the system gives no more threads this one does the rest. What a part throws is
// thrown when all have ended.
template <typename Work>
void in_parts(std::size_t count, std::size_t parts, const Work& work) {
  std::vector<std::exception_ptr> failures(parts);
  const auto run = [&](std::size_t part) noexcept {
    try {
      work(part, count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  std::size_t started = 1;
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(parts);
    try {
      for (; started < parts; ++started) helpers.emplace_back([&run, started] { run(started); });
    } catch (const std::system_error&) {
    }
    run(0);
    for (std::size_t part = started; part < parts; ++part) run(part);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace memfs::index
