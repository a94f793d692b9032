#include "libmemfs/store/catalogue.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/memory_reader.h"

namespace memfs {
namespace {

Problem unreadable(Directory& dir, const WalkedFile& file, const Error& error) {
  Problem problem;
  problem.code = "unreadable";
  problem.severity = Severity::kError;
  problem.path = escape_for_terminal(join_path(dir.path(), file.name_rel));
  problem.message = error.message;
  problem.hint = error.hint;
  return problem;
}

// Reads one file into `memory` or `problem`; neither if it is gone by now.
void read_into(Directory& dir, Scope scope, const WalkedFile& file, std::optional<Memory>& memory,
               std::optional<Problem>& problem) {
  auto content = dir.read(file.file_rel, kMaxFile);
  if (!content) {
    if (content.error().code != ErrorCode::kNotFound)
      problem = unreadable(dir, file, content.error());
    return;
  }
  Problem empty;
  memory = read_memory({scope, file.name_rel, join_path(dir.path(), file.name_rel)}, content->bytes,
                       &empty);
  if (!memory) {
    problem = std::move(empty);
    return;
  }
  memory->rel = file.file_rel;
  memory->modified = Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(content->stat.mtime_ns)));
}

// As many as the system gives: with none, the caller does the work alone.
template <typename Work>
void start_threads(std::vector<std::thread>& threads, unsigned count, const Work& work) {
  try {
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
  }
}

}  // namespace

Result<Catalogue> load_catalogue(Directory& dir, Scope scope, unsigned threads) {
  Walk walk = walk_scope(dir);
  // An incomplete listing must not look like an empty folder to a write.
  if (walk.failure) return std::move(*walk.failure);
  std::vector<std::optional<Memory>> memories(walk.files.size());
  std::vector<std::optional<Problem>> problems(walk.files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < walk.files.size(); i = next++)
      read_into(dir, scope, walk.files[i], memories[i], problems[i]);
  };
  constexpr std::size_t kWorthAThread = 64;
  std::vector<std::thread> helpers;
  if (walk.files.size() >= kWorthAThread) start_threads(helpers, threads - 1, work);
  work();
  for (std::thread& helper : helpers) helper.join();

  Catalogue catalogue;
  catalogue.problems = std::move(walk.problems);
  catalogue.leftovers = std::move(walk.leftovers);
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (memories[i]) order.emplace_back(fold_name(memories[i]->name), i);
    if (problems[i]) catalogue.problems.push_back(std::move(*problems[i]));
  }
  std::sort(order.begin(), order.end());  // files are sorted bytewise, so the index breaks ties
  for (const auto& [key, i] : order) catalogue.memories.push_back(std::move(*memories[i]));
  return catalogue;
}

Result<Memory> load_memory(Directory& dir, Scope scope, const WalkedFile& file) {
  std::optional<Memory> memory;
  std::optional<Problem> problem;
  read_into(dir, scope, file, memory, problem);
  if (memory) return std::move(*memory);
  const std::string path = join_path(dir.path(), file.name_rel);
  if (problem)
    return make_error(ErrorCode::kInvalid, problem->message).at(path).with_hint(problem->hint);
  return make_error(ErrorCode::kNotFound, "the memory is gone").at(path);
}

}  // namespace memfs
