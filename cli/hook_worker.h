// Work with a deadline: a child does it, and its parent waits only so long.
//
// The child has none of the parent's descriptors, so that nobody who reads the parent's output
// waits for the child, and belongs to a session of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace memfs::cli {

struct WorkerReport {
  std::string reminder{}, context{};
  std::string trouble{};  // why there is no context
  bool goes_on = false;
  int child = 0;          // still there
  bool finished = false;  // false: the deadline was first, or the child died
};

enum class Part : char {
  kReminder = 'r',
  kContext = 'c',
  kTrouble = 't',
  kGoesOn = 'g',
  kEnd = '.'
};
// Sends a part of the report.
using Tell = std::function<void(Part part, std::string_view text)>;

// Calls `work` in a child. REQUIRES: the process has one thread.
WorkerReport run_worker(std::chrono::steady_clock::time_point deadline,
                        const std::function<void(const Tell&)>& work);

// Ends the child, unless it has told that it goes on, so that nothing of it stays; whoever goes on
// is init's. It can take a while until much memory is given back: answer before.
void dismiss(const WorkerReport& report);

// Ends this process at the deadline, whatever it does then.
void end_at(std::chrono::steady_clock::time_point deadline);

}  // namespace memfs::cli
