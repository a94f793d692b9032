#include "libmemfs/exchange/intake.h"

#include <cerrno>

#include <algorithm>

#include "index/parallel.h"
#include "libmemfs/base/hash.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/compose.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/wishes.h"

namespace memfs {
namespace {

constexpr std::size_t kBlock = 256;      // items
constexpr std::size_t kMaxWarnings = 5;  // of one item

// The system's fault, not the item's: no other item would fare better.
bool ends_the_import(const Error& error) {
  return error.code == ErrorCode::kIo && error.os_error != ENAMETOOLONG;
}

}  // namespace

Scope Intake::scope_of(const Incoming& item) const {
  return wish_.scope.value_or(item.scope.value_or(Scope::kPrivate));
}

Result<void> Intake::open(const std::vector<Incoming>& items) {
  std::set<Scope> needed;
  for (const Incoming& item : items) needed.insert(scope_of(item));
  if (wish_.apply) {
    MEMFS_TRY(impl_.check_may_write());
    MEMFS_TRY(impl_.finish_interrupted());
  }
  for (const Scope scope : kScopes) {
    if (!needed.contains(scope)) continue;
    const ScopeFolder& folder = impl_.layout.folder(scope);
    if (!folder.usable)
      return make_error(ErrorCode::kRefused, "nothing can be imported into " +
                                                 std::string(name_of(scope)) + ": " + folder.why);
    MEMFS_ASSIGN(rooms_[scope], IntakeRoom::open(impl_, scope, !wish_.apply));
  }
  std::vector<Scope> others;
  for (const Scope scope : kScopes)
    if (!needed.contains(scope) && impl_.layout.folder(scope).exists) others.push_back(scope);
  if (others.empty()) return {};
  MEMFS_ASSIGN(const Listing listing, impl_.list(others));
  for (const Memory& memory : listing.memories)
    if (!memory.id.empty()) outside_.emplace(memory.id, memory.ref());
  return {};
}

Result<void> Intake::run(const std::vector<Incoming>& items, const ImportProgress& go_on,
                         ImportReport& report) {
  report_ = &report;
  if (items.empty()) return {};
  MEMFS_TRY(open(items));
  batch_ = "import-" + impl_.services.ids->ulid(impl_.now(), items.front().path, 0);
  for (std::size_t begin = 0; begin < items.size(); begin += kBlock) {
    if (go_on && !go_on(begin, items.size())) {
      report.interrupted = true;
      break;
    }
    if (!take_block(items, begin, std::min(begin + kBlock, items.size()))) break;
    if (std::any_of(rooms_.begin(), rooms_.end(),
                    [](const auto& r) { return r.second->is_full(); }))
      publish();
  }
  publish();
  if (go_on && !report.interrupted) (void)go_on(items.size(), items.size());
  for (const auto& [scope, room] : rooms_) {
    // Each item was held against the budget; how full the scope is by now is told once.
    (void)impl_.check_usage(scope, {}, room->usage_before(), room->usage(), report.notes);
    room->finish(impl_, report.notes);
  }
  return {};
}

bool Intake::take_block(const std::vector<Incoming>& items, std::size_t begin, std::size_t end) {
  std::vector<Arrival> arrivals(end - begin);
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    Arrival& arrival = arrivals[i];
    arrival.item = &items[begin + i];
    arrival.place = report_->items.size();
    arrival.room = rooms_.at(scope_of(*arrival.item)).get();
    ImportItem item;
    item.title = arrival.item->title;
    item.path = arrival.item->path;
    item.line = arrival.item->line;
    item.warnings = arrival.item->warnings;
    report_->items.push_back(std::move(item));
  }
  const auto on_all_cores = [&](void (Intake::*work)(Arrival&) const) {
    index::in_parts(arrivals.size(), impl_.services.threads,
                    [&](std::size_t, std::size_t from, std::size_t to) {
                      for (std::size_t i = from; i < to; ++i) (this->*work)(arrivals[i]);
                    });
  };
  on_all_cores(&Intake::say);
  for (Arrival& arrival : arrivals) place(arrival);
  on_all_cores(&Intake::compose);
  for (Arrival& arrival : arrivals) {
    if (settle(arrival)) continue;
    report_->items.resize(arrival.place + 1);
    return false;
  }
  return true;
}

// Gives what is staged its names. What fails here was told as added.
void Intake::publish() {
  for (const auto& [scope, room] : rooms_) {
    const auto failed = [&](std::size_t item, const Error& error) {
      ImportItem& lost = report_->items[item];
      lost.outcome = ImportOutcome::kRefused;
      lost.reason = error.message;
      lost.hint = error.hint;
    };
    auto published = room->publish(impl_, batch_, failed);
    if (!published && !report_->failure) report_->failure = std::move(published).error();
  }
}

void Intake::refuse(Arrival& arrival, const Error& error) const {
  ImportItem& item = told(arrival);
  item.outcome = ImportOutcome::kRefused;
  item.reason = error.message;
  item.hint = error.hint;
  // An item that is a part of a file was composed from it: lines of its text are not the file's.
  const bool of_source = error.path.empty() || error.path == item.path;
  if (item.line == 0 && of_source) item.line = error.line;
  for (const auto& [key, value] : error.details)
    if (key == "ref" || key == "holder_ref") item.ref = value;
  arrival.settled = true;
}

void Intake::same(Arrival& arrival, const Memory& memory) const {
  ImportItem& item = told(arrival);
  item.outcome = ImportOutcome::kSame;
  item.ref = memory.ref();
  // So that the next import knows it again.
  if (wish_.apply && arrival.room->ledger().of_memory(ImportLedger::key_of(memory)) == nullptr)
    arrival.room->note_import(
        {ImportLedger::key_of(memory), arrival.hash, memory.etag, arrival.item->source});
  arrival.settled = true;
}

void Intake::say(Arrival& arrival) const {
  const Incoming& item = *arrival.item;
  auto bytes = item.read ? item.read() : Result<std::string>(item.bytes);
  if (!bytes) return refuse(arrival, bytes.error());
  arrival.hash = content_hash(*bytes);
  arrival.bytes = wish_.consent.redact ? redacted(*bytes) : std::move(*bytes);
  Problem empty;
  arrival.said =
      read_memory({arrival.room->scope(), item.name + ".md", item.path}, arrival.bytes, &empty);
  if (!arrival.said)
    return refuse(arrival, make_error(ErrorCode::kInvalid, empty.message).with_hint(empty.hint));
  if (told(arrival).title.empty()) told(arrival).title = arrival.said->title;
  if (auto readable = check_readable(arrival); !readable) refuse(arrival, readable.error());
}

Result<void> Intake::check_readable(const Arrival& arrival) const {
  if (arrival.item->verbatim) return {};
  for (const Problem& problem : arrival.said->problems) {
    if (!problem.blocks_writes) continue;
    return make_error(ErrorCode::kInvalid, problem.message)
        .at(arrival.item->path, problem.line, problem.column)
        .with_hint(problem.hint);
  }
  return {};
}

void Intake::compose(Arrival& arrival) const {
  if (arrival.settled) return;
  if (auto composed = compose_and_scan(arrival); !composed) refuse(arrival, composed.error());
}

Result<void> Intake::compose_and_scan(Arrival& arrival) const {
  const Incoming& item = *arrival.item;
  const IntakeRoom& room = *arrival.room;
  std::string rel = arrival.name + ".md";
  std::optional<Memory> before;
  if (arrival.here) {
    before = room.memory(*arrival.here);
    rel = before->rel;
  } else if (item.verbatim) {
    arrival.next = std::move(arrival.bytes);
  } else {
    // Nothing of where it came from gets into what a team reads.
    const std::string source = room.scope() == Scope::kShared ? "" : item.source;
    MEMFS_ASSIGN(arrival.next, compose_adoption(arrival.bytes, *arrival.said, arrival.id,
                                                item.created.value_or(impl_.now()), source));
  }
  if (arrival.next.size() > kMaxFile)
    return make_error(ErrorCode::kInvalid, "the file would be larger than 16 MiB")
        .with_hint("split it: one memory holds one idea");
  Problem empty;
  arrival.after = read_memory({room.scope(), rel, room.path_of(rel)}, arrival.next, &empty);
  if (!arrival.after) return make_error(ErrorCode::kInvalid, empty.message);
  arrival.after->rel = rel;
  std::vector<std::string>& warnings = told(arrival).warnings;
  if (before) {
    arrival.after->name = before->name;
    MEMFS_ASSIGN(before, load_memory(*room.locked().dir, *before));
  }
  MEMFS_TRY(impl_.check_guard(before ? &*before : nullptr, arrival.old_bytes,
                              {*arrival.after, arrival.next}, wish_.consent, warnings));
  for (const Problem& problem : arrival.after->problems)
    if (problem.severity != Severity::kInfo) warnings.push_back(problem.message);
  if (warnings.size() > kMaxWarnings) {
    const std::size_t more = warnings.size() - kMaxWarnings;
    warnings.resize(kMaxWarnings);
    warnings.push_back("and " + std::to_string(more) + " more");
  }
  return {};
}

// False if the import cannot go on.
bool Intake::settle(Arrival& arrival) {
  if (arrival.settled) return true;
  auto done = check_rules(arrival);
  if (done) done = write(arrival);
  if (done) return true;
  refuse(arrival, done.error());
  if (!ends_the_import(done.error())) return true;
  report_->failure = std::move(done).error();
  return false;
}

Result<void> Intake::check_rules(Arrival& arrival) {
  IntakeRoom& room = *arrival.room;
  const Memory& after = *arrival.after;
  const Memory* before = arrival.here ? &room.memory(*arrival.here) : nullptr;
  const bool claims = before == nullptr || before->subject_key != after.subject_key;
  if (claims && room.holds_subject(after.subject_key))
    MEMFS_TRY(impl_.check_subject(room.locked(), after));
  Usage then = room.usage();
  if (before != nullptr) count(then, *before, false);
  count(then, after, true);
  std::vector<std::string> warnings;
  MEMFS_TRY(impl_.check_usage(room.scope(), {}, room.usage(), then, warnings));
  return {};
}

Result<void> Intake::write(Arrival& arrival) {
  IntakeRoom& room = *arrival.room;
  ImportItem& item = told(arrival);
  Memory after = std::move(*arrival.after);
  item.outcome = arrival.here ? ImportOutcome::kUpdated : ImportOutcome::kAdded;
  item.ref = after.ref();
  ImportedItem imported{ImportLedger::key_of(after), arrival.hash, after.etag,
                        arrival.item->source};
  if (arrival.here) {
    if (wish_.apply) {
      MEMFS_ASSIGN(after,
                   room.replace(impl_, *arrival.here, arrival.old_bytes, arrival.next, batch_));
      room.note_import(std::move(imported));
    }
    room.change(*arrival.here, after);
    return {};
  }
  if (wish_.apply)
    MEMFS_TRY(room.stage({after, std::move(arrival.next), std::move(imported), arrival.place}));
  room.add(after);
  return {};
}

}  // namespace memfs
