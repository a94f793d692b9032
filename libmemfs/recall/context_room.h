// The budget of a context, and the pieces that have a place in it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "libmemfs/recall/context_format.h"

namespace memfs {

class Room {
 public:
  Room(const TextBudget& budget, const ContextFormatter& formatter)
      : formatter_(formatter), unit_(budget.unit), left_(budget.amount) {}

  std::uint64_t left() const { return left_; }
  std::uint64_t size_of(const std::string& text) const { return size_in(unit_, text); }

  // Takes room, whatever it is for, and gives it back.
  bool take(std::uint64_t cost) {
    if (cost > left_) return false;
    left_ -= cost;
    return true;
  }
  void release(std::uint64_t cost) { left_ += cost; }

  // What the piece takes in its section, the first time the heading as well.
  std::uint64_t cost_of(Section section, const std::string& piece) const {
    std::uint64_t cost = size_of(piece) + size_of(formatter_.separator());
    if (pieces_of(section).empty() && !formatter_.keeps_empty() && section != Section::kLeftOut)
      cost += size_of(formatter_.begin(section)) + size_of(formatter_.end(section));
    return cost;
  }

  // Whether there was room for it, of which `most` may be used.
  bool add(Section section, std::string piece, std::uint64_t most = UINT64_MAX) {
    const std::uint64_t cost = cost_of(section, piece);
    if (piece.empty() || cost > most || !take(cost)) return false;
    pieces_.at(static_cast<std::size_t>(section)).push_back(std::move(piece));
    return true;
  }

  const std::vector<std::string>& pieces_of(Section section) const {
    return pieces_.at(static_cast<std::size_t>(section));
  }
  // In another order than they were added.
  std::vector<std::string>& pieces_of(Section section) {
    return pieces_.at(static_cast<std::size_t>(section));
  }

 private:
  const ContextFormatter& formatter_;
  TextBudget::Unit unit_;
  std::uint64_t left_;
  std::array<std::vector<std::string>, kSections> pieces_{};
};

}  // namespace memfs
