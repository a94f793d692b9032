#include "libmemfs/check/near_duplicates.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

#include "libmemfs/check/problem.h"
#include "libmemfs/format/name.h"
#include "libmemfs/lifecycle/near_duplicate.h"

namespace memfs {
namespace {

constexpr std::size_t kMostInBucket = 12;  // that one hash brings together: a series has more
constexpr std::size_t kLeastShared = 2;    // hashes: texts that are alike share about four of six
constexpr std::size_t kMostCompared = 4;   // earlier memories that one is compared with

// Earlier memories by a hash.
class Buckets {
 public:
  // Those that have it so far; then the memory is among them.
  const std::vector<std::uint32_t>& meet(std::uint64_t hash, std::size_t memory) {
    static const std::vector<std::uint32_t> none;
    auto& bucket = buckets_[hash];
    if (bucket.size() >= kMostInBucket) return none;
    before_ = bucket;
    bucket.push_back(static_cast<std::uint32_t>(memory));
    return before_;
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> buckets_{};
  std::vector<std::uint32_t> before_{};
};

// Title and description count for what mem wrote.
Statement statement_of(const Memory& memory, std::string_view body) {
  if (!is_own_id(memory.id)) return {{}, {}, body};
  return {memory.title, memory.has_description ? std::string_view(memory.description) : "", body};
}

// A memory with its body, worked out once.
struct Sketched {
  std::string body;
  StatementSketch sketch;
  Sketched(const Memory& memory, std::string text)
      : body(std::move(text)), sketch(statement_of(memory, body)) {}
};

class Finder {
 public:
  Finder(const std::vector<Comparable>& memories,
         const std::function<std::string(const Memory&)>& body_of)
      : memories_(memories), body_of_(body_of), sketches_(memories.size()) {}

  void look(std::size_t i, std::vector<Problem>& problems) {
    const Fingerprint& print = *memories_[i].print;
    if (print.body != 0) {
      const auto [first, fresh] = same_body_.emplace(print.body, i);
      const bool copy = !fresh && !memories_[i].memory->id.empty() &&
                        memories_[i].memory->id == memories_[first->second].memory->id;
      if (copy) return;
      if (!fresh) {
        report(i, first->second, "has the same text as ", problems);
        return;  // its twin stands for it
      }
    }
    for (const std::size_t other : candidates(i)) {
      if (!are_alike(i, other)) continue;
      report(i, other, "says nearly the same as ", problems);
      return;
    }
  }

 private:
  // Earlier ones that share something, those that share most first.
  std::vector<std::size_t> candidates(std::size_t i) {
    std::unordered_map<std::size_t, std::size_t> shared;
    const Fingerprint& print = *memories_[i].print;
    for (const std::uint64_t hash : print.smallest)
      for (const std::size_t other : bodies_.meet(hash, i)) ++shared[other];
    std::erase_if(shared, [&](const auto& entry) {
      return entry.second < kLeastShared || !fits(print, entry.first);
    });
    if (print.title != 0 && is_own_id(memories_[i].memory->id))
      for (const std::size_t other : titles_.meet(print.title, i)) ++shared[other];
    std::vector<std::pair<std::size_t, std::size_t>> sorted(shared.begin(), shared.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return std::pair(b.second, a.first) < std::pair(a.second, b.first);
    });
    std::vector<std::size_t> found;
    for (const auto& [other, count] : sorted)
      if (found.size() < kMostCompared) found.push_back(other);
    return found;
  }

  // Bodies of very different size do not say the same.
  bool fits(const Fingerprint& print, std::size_t other) const {
    constexpr std::uint32_t kPercent = 75;
    const std::uint32_t a = print.words;
    const std::uint32_t b = memories_[other].print->words;
    return std::min(a, b) * 100 >= std::max(a, b) * kPercent;
  }

  bool are_alike(std::size_t a, std::size_t b) {
    // A copy with its id is reported as such.
    const std::string& id = memories_[a].memory->id;
    if (!id.empty() && id == memories_[b].memory->id) return false;
    return likeness(sketch(a), sketch(b)).has_value();
  }

  const StatementSketch& sketch(std::size_t i) {
    auto& kept = sketches_[i];
    if (!kept)
      kept = std::make_unique<Sketched>(*memories_[i].memory, body_of_(*memories_[i].memory));
    return kept->sketch;
  }

  void report(std::size_t i, std::size_t other, const char* how, std::vector<Problem>& problems) {
    const Memory& memory = *memories_[i].memory;
    problems.push_back(problem_of(memory, "near-duplicate", how + memories_[other].memory->ref(),
                                  "if both mean the same, keep one and `mem forget` the other"));
  }

  const std::vector<Comparable>& memories_;
  const std::function<std::string(const Memory&)>& body_of_;
  std::vector<std::unique_ptr<Sketched>> sketches_;
  std::unordered_map<std::uint64_t, std::size_t> same_body_{};
  Buckets bodies_{};
  Buckets titles_{};
};

}  // namespace

void check_near_duplicates(const std::vector<Comparable>& memories,
                           const std::function<std::string(const Memory&)>& body_of,
                           std::vector<Problem>& problems) {
  Finder finder(memories, body_of);
  for (std::size_t i = 0; i < memories.size(); ++i) finder.look(i, problems);
}

}  // namespace memfs
