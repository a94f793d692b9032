// Time and identity, injected so that tests are repeatable.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace memfs {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Instant now() const override;
};

class FixedClock final : public Clock {
 public:
  explicit FixedClock(Instant at) : at_(at) {}
  Instant now() const override { return at_; }

 private:
  Instant at_;
};

// Makes ULIDs (26 characters of Crockford base 32, lower case; ulid/spec): 48 bits of
// milliseconds, then 80 bits that must not repeat.
class IdSource {
 public:
  virtual ~IdSource() = default;
  // `seed` and `attempt` let a repeatable source give the same id for the same request and
  // another one when that id is taken.
  virtual std::string ulid(Instant now, std::string_view seed, int attempt) = 0;
};

// 80 bits from the kernel's random source.
class RandomIds final : public IdSource {
 public:
  std::string ulid(Instant now, std::string_view seed, int attempt) override;
};

// For tests: 80 bits that follow from seed and attempt alone.
class RepeatableIds final : public IdSource {
 public:
  std::string ulid(Instant now, std::string_view seed, int attempt) override;
};

// "2026-11-30T01:58:20Z"; milliseconds are dropped.
std::string format_instant(Instant at);

}  // namespace memfs
