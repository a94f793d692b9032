// Ctrl-C as a question rather than an end: for work that stops at the next good place.
#pragma once

#include <csignal>

namespace memfs::cli {

// While it lives, the first SIGINT or SIGTERM is only noted; a second one ends the process as ever.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool came();

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace memfs::cli
