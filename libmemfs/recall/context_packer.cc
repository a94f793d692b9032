#include "libmemfs/recall/context_packer.h"

#include <algorithm>

#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/context_format.h"
#include "libmemfs/recall/context_room.h"
#include "libmemfs/store/catalogue.h"

namespace memfs {
namespace {

// Of a part, so many are named at most: the rest is counted.
constexpr std::size_t kNamed = 20;
// A folder of other files may hold hundreds that are no rules.
constexpr std::size_t kNamedUnreadable = 5;
// A line that is longer, from a path of very many folders, does not end a list if it does not fit.
constexpr std::size_t kLongLine = 600;

// How much of a part may be shown whole.
struct Limits {
  std::size_t entries = SIZE_MAX;
  std::uint64_t each = UINT64_MAX;  // characters
  std::uint64_t characters = UINT64_MAX;
};

class Packer {
 public:
  Packer(const Store& store, const ContextRequest& request, ContextCandidates candidates,
         Instant now)
      : store_(store),
        request_(request),
        candidates_(std::move(candidates)),
        now_(now),
        formatter_(formatter_for(request.format)),
        room_(request.budget, formatter_) {}

  Result<AssembledContext> run() {
    leave_unasked();
    MEMFS_TRY(reserve_account());
    shared_room_ = room_.left() / 2;
    fill_rules();
    Limits pinned;
    pinned.characters = request_.pinned_budget;
    context_.pinned_characters =
        fill(candidates_.pinned, ContextPart::kPinned, context_.pinned, pinned);
    const Limits facts{request_.facts, request_.fact_characters, request_.facts_characters};
    fill(candidates_.relevant, ContextPart::kRelevant, context_.relevant, facts);
    put_in_order(Section::kRules, context_.rules);
    put_in_order(Section::kPinned, context_.pinned);
    tighten_account();
    add_notes();
    add_index();
    context_.problems = std::move(candidates_.problems);
    for (const Problem& problem : context_.problems)
      if (!room_.add(Section::kProblems, formatter_.problem(problem))) break;
    context_.text = text();
    context_.notes = std::move(candidates_.notes);
    return std::move(context_);
  }

 private:
  // What is not wanted is no part of the account either.
  void leave_unasked() {
    if (!request_.index) candidates_.others.clear();
    if (request_.always) return;
    candidates_.rules.clear();
    candidates_.pinned.clear();
    candidates_.unreadable.clear();
    std::erase_if(candidates_.shadowed, [](const LeftOut& left) { return left.day.empty(); });
    candidates_.shadowed_count = candidates_.shadowed.size();
  }

  // Room for the frame and for the largest account that there may be, whatever comes.
  Result<void> reserve_account() {
    Account most;
    most.counts.of(ContextPart::kRules) = all(candidates_.rules.size());
    most.counts.of(ContextPart::kPinned) = all(candidates_.pinned.size());
    most.counts.of(ContextPart::kRelevant) = all(candidates_.relevant.size());
    const std::size_t read =
        candidates_.rules.size() + candidates_.pinned.size() + candidates_.relevant.size();
    most.counts.held_back = read;
    most.counts.unreadable = candidates_.unreadable.size() + read;
    most.pinned_characters = request_.pinned_budget;
    if (reserve_for(most)) return {};
    return make_error(ErrorCode::kUsage,
                      "the account of this folder alone takes more than " + spoken(request_.budget))
        .with_hint("give a larger budget");
  }

  // How much each number may be at most.
  static PartCount all(std::size_t count) { return {count, count, count}; }

  // Now that the parts are filled, less may be enough: what they took is known.
  void tighten_account() {
    Account most;
    most.counts = context_.counts;
    most.counts.unreadable += candidates_.unreadable.size();
    most.pinned_characters = context_.pinned_characters;
    room_.release(reserved_);
    reserve_for(most);
  }

  // With the numbers that are the same at all times.
  bool reserve_for(Account most) {
    most.counts.of(ContextPart::kIndex) = all(candidates_.others.size());
    most.counts.shadowed = candidates_.shadowed_count;
    most.unnamed = most.counts;
    most.problems = candidates_.problems.size();
    std::string frame = formatter_.head() + formatter_.foot() + formatter_.account(most) +
                        formatter_.begin(Section::kLeftOut) + formatter_.end(Section::kLeftOut);
    for (std::size_t i = 0; i < kSections && formatter_.keeps_empty(); ++i)
      if (const auto section = static_cast<Section>(i); section != Section::kLeftOut)
        frame += formatter_.begin(section) + formatter_.end(section);
    reserved_ = room_.size_of(frame);
    return room_.take(reserved_);
  }

  void fill_rules() {
    const auto shared =
        std::find_if(candidates_.rules.begin(), candidates_.rules.end(),
                     [](const Candidate& one) { return one.memory.scope == Scope::kShared; });
    std::vector<Candidate> of_team(std::make_move_iterator(shared),
                                   std::make_move_iterator(candidates_.rules.end()));
    candidates_.rules.erase(shared, candidates_.rules.end());
    fill(candidates_.rules, ContextPart::kRules, context_.rules, {});
    Limits limits;
    limits.characters = request_.shared_rules_budget;
    fill(of_team, ContextPart::kRules, context_.rules, limits);
  }

  // Room went to the newest; a text that changes little is in the order of a listing.
  void put_in_order(Section section, std::vector<ContextEntry>& shown) {
    std::sort(shown.begin(), shown.end(), [](const ContextEntry& a, const ContextEntry& b) {
      return listing_order(a.memory, b.memory);
    });
    auto& pieces = room_.pieces_of(section);
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = formatter_.entry(shown[i]);
  }

  // Returns the characters that are shown.
  std::uint64_t fill(std::vector<Candidate>& candidates, ContextPart part,
                     std::vector<ContextEntry>& shown, const Limits& limits) {
    PartCount& count = context_.counts.of(part);
    std::uint64_t characters = 0;
    std::size_t named = 0;
    bool full = false;
    const std::size_t before = shown.size();
    for (Candidate& candidate : candidates) {
      auto entry = full ? std::nullopt : admitted(candidate);
      if (!full && !entry) continue;
      const std::uint64_t size = candidate.memory.characters;
      const bool fits = entry && shown.size() - before < limits.entries && size <= limits.each &&
                        characters + size <= limits.characters;
      if (fits && add_entry(part, *entry)) {
        characters += entry->memory.characters;
        shown.push_back(std::move(*entry));
        ++count.shown;
      } else if (entry && named < kNamed && name(part, candidate, entry->age, full)) {
        ++named;
        ++count.named;
      } else {
        // What is behind it is older, or answers worse.
        full = full || named == kNamed;
        ++count.left_out;
      }
    }
    return characters;
  }

  static Section section_of(ContextPart part) { return static_cast<Section>(part); }

  // Shared rules, which may be any number, get no more than half of the room.
  bool add_limited(ContextPart part, Section section, const Memory& memory, std::string piece) {
    const bool limited = part == ContextPart::kRules && memory.scope == Scope::kShared;
    const std::uint64_t cost = room_.cost_of(section, piece);
    if (!room_.add(section, std::move(piece), limited ? shared_room_ : UINT64_MAX)) return false;
    if (limited) shared_room_ -= cost;
    return true;
  }

  bool add_entry(ContextPart part, const ContextEntry& entry) {
    // To be looked at, not to be relied on.
    if (part == ContextPart::kRelevant && entry.age.freshness == Freshness::kStale) return false;
    return add_limited(part, section_of(part), entry.memory, formatter_.entry(entry));
  }

  // Names it in a line, if there is room. `full`: there is none for another either.
  bool name(ContextPart part, const Candidate& candidate, const Age& age, bool& full) {
    LeftOut left;
    left.memory = candidate.memory;
    left.stale_days = part == ContextPart::kRelevant ? stale_days_of(age) : 0;
    left.why = left.stale_days > 0 ? LeftOut::Why::kStale : LeftOut::Why::kBudget;
    left.found_by = candidate.why;
    std::string piece = formatter_.named(left);
    const bool is_long = piece.size() > kLongLine;
    if (!add_limited(part, Section::kLeftOut, left.memory, std::move(piece))) {
      full = full || !is_long;
      return false;
    }
    context_.left_out.push_back(std::move(left));
    return true;
  }

  // nullopt if it may not be shown, which is noted.
  std::optional<ContextEntry> admitted(const Candidate& candidate) {
    auto admission = store_.admit(candidate.memory, true);
    if (admission && admission->held_back.empty())
      return ContextEntry{std::move(admission->memory),
                          age_of(candidate.memory, start_of_day(now_)), candidate.why};
    LeftOut left;
    left.memory = candidate.memory;
    left.why = admission ? LeftOut::Why::kHeldBack : LeftOut::Why::kUnreadable;
    if (admission) left.findings = admission->held_back;
    ++(admission ? context_.counts.held_back : context_.counts.unreadable);
    notes_.push_back(std::move(left));
    return std::nullopt;
  }

  // Why something is missing, in half of the room that is left.
  void add_notes() {
    std::uint64_t most = room_.left() / 2;
    context_.counts.shadowed = candidates_.shadowed_count;
    context_.counts.unreadable += candidates_.unreadable.size();
    candidates_.unreadable.resize(std::min(candidates_.unreadable.size(), kNamedUnreadable));
    for (auto* list : {&notes_, &candidates_.shadowed, &candidates_.unreadable}) {
      for (LeftOut& left : *list) {
        std::string piece = formatter_.named(left);
        const std::uint64_t cost = room_.cost_of(Section::kLeftOut, piece);
        if (!room_.add(Section::kLeftOut, std::move(piece), most)) continue;
        most -= cost;
        context_.left_out.push_back(std::move(left));
      }
    }
  }

  // What is counted without being named.
  ContextCounts unnamed() const {
    ContextCounts counts = context_.counts;
    for (const LeftOut& left : context_.left_out) {
      if (left.why == LeftOut::Why::kHeldBack) --counts.held_back;
      if (left.why == LeftOut::Why::kShadowed) --counts.shadowed;
      if (left.why == LeftOut::Why::kUnreadable) --counts.unreadable;
    }
    return counts;
  }

  // The newest of the others, in the order of a listing.
  void add_index() {
    const auto& others = candidates_.others;
    PartCount& count = context_.counts.of(ContextPart::kIndex);
    std::vector<std::pair<std::size_t, IndexEntry>> chosen;
    for (const std::size_t i : newest_first(others, start_of_day(now_))) {
      IndexEntry entry = index_entry(others[i]);
      std::string piece = formatter_.line(entry);
      const bool is_long = piece.size() > kLongLine;
      if (room_.add(Section::kIndex, std::move(piece))) {
        chosen.emplace_back(i, std::move(entry));
      } else if (!is_long) {
        break;
      }
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    auto& pieces = room_.pieces_of(Section::kIndex);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      pieces[i] = formatter_.line(chosen[i].second);
      context_.index.push_back(std::move(chosen[i].second));
    }
    count.shown = chosen.size();
    count.left_out = others.size() - chosen.size();
  }

  std::string text() const {
    Account all;
    all.counts = context_.counts;
    all.unnamed = unnamed();
    all.pinned_characters = context_.pinned_characters;
    all.problems = context_.problems.size();
    const std::string account = formatter_.account(all);
    std::string out = formatter_.head();
    for (std::size_t i = 0; i < kSections; ++i) {
      const auto section = static_cast<Section>(i);
      const auto& pieces = room_.pieces_of(section);
      // In markdown the account stands under the same heading.
      const bool heads_account = section == Section::kLeftOut && formatter_.head().empty();
      if (pieces.empty() && !formatter_.keeps_empty() && !(heads_account && !account.empty()))
        continue;
      out += formatter_.begin(section);
      for (const std::string& piece : pieces)
        out += (&piece == &pieces.front() ? "" : formatter_.separator()) + piece;
      out += formatter_.end(section);
    }
    out += account + formatter_.foot();
    return out.starts_with('\n') ? out.substr(1) : out;
  }

  const Store& store_;
  const ContextRequest& request_;
  ContextCandidates candidates_;
  Instant now_;
  const ContextFormatter& formatter_;
  Room room_;
  std::uint64_t shared_room_ = 0;
  std::uint64_t reserved_ = 0;  // for frame and account
  std::vector<LeftOut> notes_{};
  AssembledContext context_{};
};

}  // namespace

Result<AssembledContext> pack_context(const Store& store, const ContextRequest& request,
                                      ContextCandidates candidates, Instant now) {
  return Packer(store, request, std::move(candidates), now).run();
}

}  // namespace memfs
