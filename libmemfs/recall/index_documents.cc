#include "libmemfs/recall/index_documents.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/memory_reader.h"

namespace memfs {

std::vector<index::FieldSpec> search_fields() {
  return {{"title", 5.0, 0.3},    {"name", 3.0, 0.3}, {"subject", 4.0, 0.2},
          {"keywords", 4.0, 0.2}, {"tags", 3.0, 0.2}, {"description", 2.5, 0.3},
          {"headings", 2.0, 0.4}, {"body", 1.0, 0.6}};
}

double nearness(Scope scope) {
  switch (scope) {
    case Scope::kPrivate:
      return 1.0;
    case Scope::kShared:
      return 0.98;
    case Scope::kGlobal:
      return 0.96;
  }
  return 1.0;
}

std::string_view searched_body(const Memory& memory) {
  return cut_at_char_boundary(memory.body, kMaxIndexedBody);
}

namespace {

void add_to(index::MemoryIndex& built, const Memory& memory) {
  std::string tags;
  for (const std::string& tag : memory.tags) tags += tag + "\n";
  std::string headings;
  for (const std::string& heading : headings_of(searched_body(memory))) headings += heading + "\n";
  std::string names = memory.name;
  for (const std::string& alias : memory.aliases) names += "\n" + alias;
  built.add({memory.title, names, memory.subject_key, memory.keywords, tags,
             memory.has_description ? std::string_view(memory.description) : std::string_view(),
             headings, searched_body(memory)});
}

}  // namespace

index::MemoryIndex build_index(const std::vector<Memory>& memories,
                               const index::TermFilter& terms) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t parts = memories.size() < 256 ? 1 : cores;
  std::vector<index::MemoryIndex> built(parts, index::MemoryIndex(search_fields(), terms));
  const auto work = [&](std::size_t part) {
    const std::size_t begin = memories.size() * part / parts;
    const std::size_t end = memories.size() * (part + 1) / parts;
    for (std::size_t i = begin; i < end; ++i) add_to(built[part], memories[i]);
  };
  std::vector<std::thread> helpers;
  std::size_t started = 1;
  try {
    for (; started < parts; ++started) helpers.emplace_back(work, started);
  } catch (const std::system_error&) {
    // No more threads to be had: this one does the rest.
  }
  work(0);
  for (std::size_t part = started; part < parts; ++part) work(part);
  for (std::thread& helper : helpers) helper.join();
  for (std::size_t part = 1; part < parts; ++part) built[0].append(std::move(built[part]));
  return std::move(built[0]);
}

}  // namespace memfs
