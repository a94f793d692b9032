// Freshness of what is known only in part, as the ranking needs it.
#pragma once

#include <memfs/freshness.h>

#include "libmemfs/base/clock.h"

namespace memfs {

// The moment from which its age counts as far as the file's text says.
std::optional<Instant> stated_clock(const Memory& memory);

// Whether a window that began at `clock` is over. An unknown clock is never over.
Freshness freshness_at(const std::optional<AgeWindow>& window, const std::optional<Instant>& clock,
                       Instant now);

}  // namespace memfs
