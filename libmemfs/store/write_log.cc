#include "libmemfs/store/write_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "libmemfs/base/atomic_file.h"
#include "libmemfs/base/file_lock.h"
#include "libmemfs/base/hash.h"

namespace memfs {
namespace {

constexpr char kLog[] = "log";
constexpr char kOlder[] = "log.1";
constexpr char kLock[] = ".log.lock";
constexpr std::uint64_t kRotateAt = 8U << 20U;
constexpr std::uint64_t kMaxLog = 64U << 20U;
constexpr std::size_t kFields = 15;
constexpr std::size_t kOldFields = 14;  // without the batch

constexpr std::array kNames = {"add",     "update", "edit",  "verify", "adopt", "restore", "forget",
                               "recover", "move",   "purge", "relink", "fix",   "by-hand"};

void put(std::string& line, std::string_view field) {
  if (!line.empty()) line += '\t';
  for (const char c : field) {
    const auto at = std::string_view("\t\n\r\\").find(c);
    if (at == std::string_view::npos) {
      line += c;
    } else {
      line += '\\';
      line += "tnr\\"[at];
    }
  }
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      const auto at = std::string_view("tnr\\").find(line[++i]);
      fields.back() += at == std::string_view::npos ? line[i] : "\t\n\r\\"[at];
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

template <typename Number>
bool number_of(const std::string& text, Number& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

std::string line_of(const LoggedWrite& write) {
  const WriteEntry& entry = write.entry;
  std::string line;
  for (const std::string_view field :
       {std::string_view("1"), name_of(entry.operation), name_of(entry.scope),
        std::string_view(write.scope_key), std::string_view(entry.id)})
    put(line, field);
  put(line, std::to_string(entry.revision));
  put(line, entry.before);
  put(line, entry.after);
  put(line, std::to_string(entry.at.time_since_epoch().count()));
  put(line, entry.by);
  put(line, entry.name);
  put(line, entry.origin);
  put(line, entry.takes_back);
  put(line, write.place);
  put(line, entry.batch);
  return line;
}

std::optional<LoggedWrite> write_of(std::string_view line) {
  const auto fields = fields_of(line);
  if ((fields.size() != kFields && fields.size() != kOldFields) || fields[0] != "1")
    return std::nullopt;
  LoggedWrite write;
  WriteEntry& entry = write.entry;
  const auto operation = operation_named(fields[1]);
  const auto scope = scope_named(fields[2]);
  std::int64_t at = 0;
  if (!operation || !scope || !number_of(fields[5], entry.revision) || !number_of(fields[8], at))
    return std::nullopt;
  entry.operation = *operation;
  entry.scope = *scope;
  write.scope_key = fields[3];
  entry.id = fields[4];
  entry.before = fields[6];
  entry.after = fields[7];
  entry.at = std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(at));
  entry.by = fields[9];
  entry.name = fields[10];
  entry.origin = fields[11];
  entry.takes_back = fields[12];
  write.place = fields[13];
  if (fields.size() == kFields) entry.batch = fields[14];
  return write;
}

void read_file(Directory& dir, const char* file, std::vector<LoggedWrite>& writes) {
  const auto content = dir.read(file, kMaxLog);
  if (!content) return;
  std::string_view text = content->bytes;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (auto write = write_of(text.substr(0, end))) writes.push_back(std::move(*write));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// An undo takes back the latest of those it may mean.
void mark_undone(std::vector<LoggedWrite>& writes) {
  std::unordered_map<std::string, std::vector<std::size_t>> standing;  // by their keys
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto meant = standing.find(writes[i].entry.takes_back);
    if (meant != standing.end() && !meant->second.empty()) {
      writes[meant->second.back()].entry.undone = true;
      meant->second.pop_back();
    }
    standing[write_key(writes[i].entry)].push_back(i);
  }
}

}  // namespace

std::string_view name_of(Operation operation) {
  return kNames.at(static_cast<std::size_t>(operation));
}

std::optional<Operation> operation_named(std::string_view name) {
  const auto* const at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Operation>(at - kNames.begin());
}

std::string write_key(const WriteEntry& entry) {
  return std::to_string(entry.at.time_since_epoch().count()) + "-" +
         std::string(name_of(entry.operation)) + "-" + entry.before.substr(0, 12) + "-" +
         entry.after.substr(0, 12);
}

Result<void> WriteLog::add(const std::vector<LoggedWrite>& writes) {
  std::string lines = "\n";
  for (const LoggedWrite& write : writes) lines += line_of(write) + "\n";
  // Without the lock the line is written all the same: it is better there than nowhere.
  const auto lock = acquire_lock(*dir_, kLock, 0600, LockWait{std::chrono::milliseconds(1000), {}});
  const auto stat = dir_->stat(kLog);
  if (lock && stat && stat->size > kRotateAt) (void)dir_->rename(kLog, kOlder);
  return dir_->append(kLog, lines, 0600);
}

std::vector<LoggedWrite> WriteLog::read() const {
  std::vector<LoggedWrite> writes;
  read_file(*dir_, kOlder, writes);
  read_file(*dir_, kLog, writes);
  mark_undone(writes);
  return writes;
}

std::string place_key(const Layout& layout) {
  const std::string& project =
      layout.git_common_dir.empty() ? layout.project_root : layout.git_common_dir;
  return short_hash(project.empty() ? layout.state : project);
}

std::vector<LoggedWrite> WriteLog::since(Instant at) const {
  std::vector<LoggedWrite> writes;
  for (const char* file : {kLog, kOlder}) {
    const auto content = dir_->read(file, kMaxLog);
    if (!content) break;
    std::string_view text = content->bytes;
    while (!text.empty()) {
      const std::size_t line = text.rfind('\n', text.size() - 1);
      const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
      if (auto write = write_of(text.substr(begin))) {
        if (write->entry.at < at) return writes;
        writes.push_back(std::move(*write));
      }
      text = text.substr(0, begin == 0 ? 0 : line);
    }
  }
  return writes;
}

Result<void> WriteLog::erase(const std::function<bool(const LoggedWrite&)>& gone) {
  // Writers of other folders add lines meanwhile.
  MEMFS_ASSIGN(const auto lock, acquire_lock(*dir_, kLock, 0600, LockWait{}));
  for (const char* file : {kOlder, kLog}) {
    const auto content = dir_->read(file, kMaxLog);
    if (!content) continue;
    std::string text;
    std::string_view rest = content->bytes;
    bool found = false;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.empty() ? rest.size() : line.size());
      const auto write = write_of(line.substr(0, line.size() - 1));
      const bool goes = write && gone(*write);
      found = found || goes;
      // Lines that a newer program wrote stay as they are.
      if (!goes) text += line;
    }
    if (!found) continue;
    WriteOptions options;
    options.mode = 0600;
    MEMFS_TRY(replace_file(*dir_, file, text, options));
  }
  return {};
}

}  // namespace memfs
