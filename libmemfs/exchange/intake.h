// Takes memories from elsewhere into the scopes of a store: finds out which of them are there
// already, holds the others against all rules, and writes what passes. Items go through in blocks:
//
//   say      read the bytes and what they say             on all cores
//   place    which memory it is, or which name it gets    one by one, in the order of the source
//   compose  the new file, and what the guard finds       on all cores
//   settle   subject, budget, staging                     one by one
//
// The scopes stay locked from the first block to the last.
#pragma once

#include <memfs/exchange.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libmemfs/exchange/incoming.h"
#include "libmemfs/exchange/intake_room.h"

namespace memfs {

// An item on its way through a block.
struct Arrival {
  const Incoming* item = nullptr;
  std::size_t place = 0;  // in the report
  IntakeRoom* room = nullptr;
  std::string bytes{}, hash{};        // as the source has it
  std::optional<Memory> said{};       // as these read
  bool settled = false;               // its outcome is known
  std::optional<std::size_t> here{};  // the memory that it is
  std::string old_bytes{};            // that one's file
  std::string name{}, id{};           // of a new one
  std::string next{};                 // the bytes to write
  std::optional<Memory> after{};      // as they read
};

// How an item was recognised.
enum class Known : std::uint8_t { kIdentity, kSource, kName, kText, kEntry };

class Intake {
 public:
  Intake(StoreInside::Impl& impl, const ImportWish& wish) : impl_(impl), wish_(wish) {}

  // Adds to the report an outcome for each item that was looked at. Fails before the first one if a
  // scope cannot be used.
  Result<void> run(const std::vector<Incoming>& items, const ImportProgress& go_on,
                   ImportReport& report);

 private:
  Result<void> open(const std::vector<Incoming>& items);
  Scope scope_of(const Incoming& item) const;
  // False: no more.
  bool take_block(const std::vector<Incoming>& items, std::size_t begin, std::size_t end);
  void publish();

  void say(Arrival& arrival) const;
  Result<void> check_readable(const Arrival& arrival) const;

  // intake_match.cc
  void place(Arrival& arrival);
  std::optional<std::size_t> recognise(const Arrival& arrival, Known& how) const;
  std::optional<std::size_t> by_ledger(const Arrival& arrival) const;
  std::optional<std::size_t> by_source(const Arrival& arrival) const;
  std::optional<std::size_t> by_text(const Arrival& arrival) const;
  std::optional<std::size_t> by_entry(const Arrival& arrival) const;
  bool says_nearly(const Arrival& arrival, std::size_t number) const;
  std::string elsewhere(const Arrival& arrival) const;
  bool was_forgotten(const Arrival& arrival) const;
  void meet(Arrival& arrival, Known how);
  bool is_same_entry(const Arrival& arrival, const Memory& memory) const;
  Result<std::string> with_what_it_says(const Arrival& arrival) const;
  Result<std::string> composed_update(const Arrival& arrival, const Memory& memory) const;
  Result<void> may_update(const Arrival& arrival, const Memory& memory, Known how) const;
  Result<void> name_new(Arrival& arrival);
  Result<std::string> chosen_name(const Arrival& arrival) const;

  void compose(Arrival& arrival) const;
  Result<void> compose_and_scan(Arrival& arrival) const;
  bool settle(Arrival& arrival);
  Result<void> check_rules(Arrival& arrival);
  Result<void> write(Arrival& arrival);

  ImportItem& told(const Arrival& arrival) const { return report_->items[arrival.place]; }
  void refuse(Arrival& arrival, const Error& error) const;
  void same(Arrival& arrival, const Memory& memory) const;
  std::string fresh_id(const IntakeRoom& room, const Arrival& arrival) const;

  StoreInside::Impl& impl_;
  const ImportWish& wish_;
  ImportReport* report_ = nullptr;
  std::map<Scope, std::unique_ptr<IntakeRoom>> rooms_{};
  std::map<std::string, std::string> outside_{};  // ids of the other scopes, to references
  // The last write of each id that has no file in any scope, by the log; made when first needed.
  mutable std::optional<std::map<std::string, WriteEntry>> last_writes_{};
  std::string batch_{};
};

}  // namespace memfs
