#include <memfs/lifecycle.h>

#include <charconv>

namespace memfs {
namespace {

constexpr std::string_view kHead = "mem-nudge 1 ";
constexpr unsigned kMostTurns = 1000000;  // nobody has that many: the text is damaged

}  // namespace

std::optional<std::string> Nudge::begin_turn() {
  if (interval_ == 0) return std::nullopt;
  std::optional<std::string> line;
  if (quiet_turns_ >= interval_) {
    line = "[memory: nothing was saved in the last " + std::to_string(quiet_turns_) +
           " turns. Has something come up that later sessions should know? Then save it now; if "
           "not, carry on.]";
    quiet_turns_ = 0;
  }
  // The turn that begins is quiet until something is saved in it.
  ++quiet_turns_;
  return line;
}

std::string Nudge::to_text() const {
  return std::string(kHead) + std::to_string(quiet_turns_) + "\n";
}

Nudge Nudge::from_text(std::string_view text, unsigned interval) {
  Nudge nudge(interval);
  if (!text.starts_with(kHead)) return nudge;
  unsigned turns = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + kHead.size(), end, turns);
  if (parsed.ec != std::errc{} || turns > kMostTurns) return nudge;
  if (std::string_view(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)) == "\n")
    nudge.quiet_turns_ = turns;
  return nudge;
}

}  // namespace memfs
