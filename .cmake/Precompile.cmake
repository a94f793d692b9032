# Headers that nearly every file of a target includes, parsed once a target instead of once a file:
# that is more than half of what a file takes to compile. A file still includes what it uses:
# `./dev lint` builds without this (MEM_PCH=OFF).
#
# precompile(TARGET [HEADER…]): the standard library's headers, and those that are named.
function(precompile target)
  # Where g++ 12 optimises over them it warns of bounds that hold.
  if(MEM_PCH AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <chrono> <cstdint>
      <functional> <map> <memory> <optional> <set> <string> <string_view> <tuple>
      <unordered_map> <utility> <vector> <tl/expected.hpp> ${ARGN})
  endif()
endfunction()
