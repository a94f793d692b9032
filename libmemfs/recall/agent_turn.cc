// Turns of agents' sessions, in the state directory:
//
//   sessions/<hash of the session's id>   the nudge's line (lifecycle.h), then milliseconds since
//                                         1970 of its last turn and a newline
#include <memfs/agent_hooks.h>
#include <memfs/lifecycle.h>

#include <algorithm>
#include <charconv>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/store/write_log.h"

namespace memfs {
namespace {

constexpr char kSessions[] = "sessions";
constexpr std::uint64_t kSmall = 4096;
constexpr std::chrono::hours kForgotten{24 * 30};

struct Turns {
  std::string nudge{};
  std::optional<Instant> last{};
};

Turns read_turns(Directory& dir, const std::string& file) {
  Turns turns;
  const auto content = dir.read(file, kSmall);
  if (!content) return turns;
  const std::string& text = content->bytes;
  const std::size_t line = text.find('\n');
  if (line == std::string::npos) return turns;
  std::int64_t at = 0;
  const auto parsed = std::from_chars(text.data() + line + 1, text.data() + text.size(), at);
  if (parsed.ec != std::errc{}) return turns;
  turns.nudge = text.substr(0, line + 1);
  turns.last = Instant(std::chrono::milliseconds(at));
  return turns;
}

bool is_save(const WriteEntry& entry) {
  using O = Operation;
  static constexpr O kSaves[] = {O::kAdd, O::kUpdate, O::kEdit, O::kVerify, O::kAdopt, O::kRecover};
  return std::find(std::begin(kSaves), std::end(kSaves), entry.operation) != std::end(kSaves);
}

bool saved_since(const std::shared_ptr<Directory>& state, const Layout& layout, Instant since) {
  const std::string here = place_key(layout);
  const auto writes = WriteLog(state).since(since);
  return std::any_of(writes.begin(), writes.end(), [&](const LoggedWrite& write) {
    return write.place == here && is_save(write.entry);
  });
}

// Sessions that ended long ago.
void drop_old(Directory& dir, Instant now) {
  const auto entries = dir.list(kSessions);
  if (!entries) return;
  const auto oldest =
      std::chrono::duration_cast<std::chrono::nanoseconds>((now - kForgotten).time_since_epoch());
  for (const DirEntry& entry : *entries) {
    const std::string file = join_path(kSessions, entry.name);
    const auto stat = dir.stat(file);
    if (stat && stat->kind == FileKind::kRegular && stat->mtime_ns < oldest.count())
      (void)dir.remove(file);
  }
}

}  // namespace

std::optional<std::string> begin_agent_turn(FileSystem& fs, const Layout& layout,
                                            std::string_view session, Instant now) {
  const auto interval =
      static_cast<unsigned>(std::min<std::uint64_t>(layout.settings.nudge, 10'000));
  if (interval == 0 || session.empty()) return std::nullopt;
  if (!fs.make_directories(join_path(layout.state, kSessions), 0700)) return std::nullopt;
  const auto dir = fs.open(layout.state);
  if (!dir) return std::nullopt;
  const std::string file = join_path(kSessions, short_hash(session));
  const Turns turns = read_turns(**dir, file);
  Nudge nudge = Nudge::from_text(turns.nudge, interval);
  if (!turns.last) drop_old(**dir, now);
  if (turns.last && saved_since(*dir, layout, *turns.last + std::chrono::milliseconds(1)))
    nudge.note_saved();
  auto line = nudge.begin_turn();
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  const std::string text = nudge.to_text() + std::to_string(now.time_since_epoch().count()) + "\n";
  // A count that cannot be kept would remind at every turn, or never.
  if (!replace_file(**dir, file, text, options)) return std::nullopt;
  return line;
}

}  // namespace memfs
