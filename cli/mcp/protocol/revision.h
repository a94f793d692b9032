// The revisions of the protocol and what each of them knows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace memfs::mcp {

// In the order in which they came, so that `revision >= Revision::k2025_06_18` reads "knows what
// came with it".
enum class Revision : std::uint8_t {
  k2024_11_05,
  k2025_03_26,
  k2025_06_18,
  k2025_11_25,
  k2026_07_28,  // no session: each request carries the revision in its _meta
};

inline constexpr Revision kNewestSession = Revision::k2025_11_25;
inline constexpr std::array kRevisions = {Revision::k2024_11_05, Revision::k2025_03_26,
                                          Revision::k2025_06_18, Revision::k2025_11_25,
                                          Revision::k2026_07_28};

// "2025-11-25".
const char* name_of(Revision revision);
std::optional<Revision> parse_revision(std::string_view name);
// What `initialize` agrees on: the revision asked for if it is one with sessions, else the newest.
Revision agreed_revision(std::string_view requested);

inline bool is_stateless(Revision revision) { return revision >= Revision::k2026_07_28; }

}  // namespace memfs::mcp
