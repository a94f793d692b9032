#include "libmemfs/store/import_ledger.h"

#include <algorithm>
#include <array>

#include "libmemfs/base/atomic_file.h"

namespace memfs {
namespace {

constexpr std::uint64_t kMaxLedger = 256U << 20U;
constexpr std::size_t kFewLines = 1000;  // not worth a rewrite

std::string ledger_file(const std::string& scope_key) { return "scopes/" + scope_key + "/imports"; }

void put_field(std::string& text, std::string_view field) {
  for (const char c : field) {
    const auto at = std::string_view("\t\n\r\\").find(c);
    if (at != std::string_view::npos) text += '\\';
    text += at == std::string_view::npos ? c : "tnr\\"[at];
  }
}

std::string line_of(const ImportedItem& item) {
  std::string line;
  for (const std::string* field : {&item.memory, &item.hash, &item.etag, &item.source}) {
    if (field != &item.memory) line += '\t';
    put_field(line, *field);
  }
  return line + "\n";
}

bool item_of(std::string_view line, ImportedItem& item) {
  const std::array<std::string*, 4> fields = {&item.memory, &item.hash, &item.etag, &item.source};
  std::size_t field = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '\t') {
      if (++field == fields.size()) return false;
      continue;
    }
    if (c == '\\' && i + 1 < line.size()) {
      const auto at = std::string_view("tnr\\").find(line[++i]);
      c = at == std::string_view::npos ? line[i] : "\t\n\r\\"[at];
    }
    *fields.at(field) += c;
  }
  return field + 1 == fields.size() && !item.memory.empty() && !item.hash.empty();
}

template <typename Take>
void each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string ImportLedger::key_of(const Memory& memory) {
  return memory.id.empty() ? "=" + memory.name : memory.id;
}

ImportLedger ImportLedger::load(const std::shared_ptr<Directory>& state,
                                const std::string& scope_key) {
  ImportLedger ledger;
  ledger.state_ = state;
  ledger.file_ = ledger_file(scope_key);
  const auto content = state->read(ledger.file_, kMaxLedger);
  if (!content) return ledger;
  each_line(content->bytes, [&](std::string_view line) {
    ImportedItem item;
    ++ledger.lines_;
    if (item_of(line, item)) ledger.take(std::move(item));
  });
  return ledger;
}

void ImportLedger::take(ImportedItem item) {
  by_hash_.emplace(item.hash, item.memory);
  if (!item.source.empty()) by_source_.emplace(item.source, item.memory);
  const std::string key = item.memory;
  items_.insert_or_assign(key, std::move(item));
}

const ImportedItem* ImportLedger::of_memory(const std::string& key) const {
  const auto at = items_.find(key);
  return at == items_.end() ? nullptr : &at->second;
}

std::vector<const ImportedItem*> ImportLedger::with_hash(const std::string& hash) const {
  std::vector<const ImportedItem*> found;
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (const ImportedItem* item = of_memory(it->second); item->hash == hash)
      if (std::find(found.begin(), found.end(), item) == found.end()) found.push_back(item);
  return found;
}

std::vector<const ImportedItem*> ImportLedger::with_source(const std::string& source) const {
  std::vector<const ImportedItem*> found;
  const auto [begin, end] = by_source_.equal_range(source);
  for (auto it = begin; it != end; ++it)
    if (const ImportedItem* item = of_memory(it->second); item->source == source)
      if (std::find(found.begin(), found.end(), item) == found.end()) found.push_back(item);
  return found;
}

Result<void> ImportLedger::add(const std::vector<ImportedItem>& items) {
  if (items.empty()) return {};
  std::string text;
  for (const ImportedItem& item : items) {
    text += line_of(item);
    take(item);
  }
  lines_ += items.size();
  MEMFS_TRY(make_parents(*state_, file_, 0700, false));
  if (lines_ < kFewLines || lines_ < 2 * items_.size()) return state_->append(file_, text, 0600);
  std::map<std::string, const ImportedItem*> sorted;
  for (const auto& [key, item] : items_) sorted.emplace(key, &item);
  std::string whole;
  for (const auto& [key, item] : sorted) whole += line_of(*item);
  WriteOptions options;
  options.mode = 0600;
  lines_ = items_.size();
  return replace_file(*state_, file_, whole, options);
}

Result<void> ImportLedger::erase(Directory& state, const std::string& scope_key,
                                 const Memory& memory) {
  const auto content = state.read(ledger_file(scope_key), kMaxLedger);
  if (!content) {
    if (content.error().code == ErrorCode::kNotFound) return {};
    return content.error();
  }
  std::string left;
  each_line(content->bytes, [&](std::string_view line) {
    ImportedItem item;
    const bool gone = item_of(line, item) && item.memory == key_of(memory);
    if (!gone) left.append(line).append("\n");
  });
  if (left.size() == content->bytes.size()) return {};
  WriteOptions options;
  options.mode = 0600;
  return replace_file(state, ledger_file(scope_key), left, options);
}

}  // namespace memfs
