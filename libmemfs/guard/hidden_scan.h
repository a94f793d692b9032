// Characters that a reader does not see, where no script or emoji needs them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "libmemfs/guard/characters.h"
#include "libmemfs/guard/match.h"

namespace memfs {

struct HiddenRule {
  std::string_view name;
  std::string_view help;
  HiddenClass hidden_class;
};
std::span<const HiddenRule> hidden_rules();

// The matches, at most `limit`, in order and without overlap. `disguise(begin, end)` is called for
// characters that could be there to keep a word from being recognised: invisible ones, and
// letters dressed as others.
std::vector<Match> find_hidden(std::string_view text, std::size_t limit,
                               const std::function<void(std::size_t, std::size_t)>& disguise);

}  // namespace memfs
