#include "libmemfs/check/texts.h"

#include <atomic>

#include "index/parallel.h"
#include "libmemfs/check/links.h"
#include "libmemfs/check/problem.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/format/name.h"
#include "libmemfs/lifecycle/saved_as_fact.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/lost_id.h"
#include "libmemfs/store/store_impl.h"

namespace memfs {
namespace {

// Only what mem wrote: nobody is told how to write his own files.
void add_kinds(const Memory& memory, std::vector<Problem>& problems) {
  if (!is_own_id(memory.id) || memory.kind != "fact") return;
  if (reads_as_rule(memory.title, memory.body)) {
    problems.push_back(problem_of(
        memory, "rule-as-fact", "this reads as a standing rule",
        "as a fact it is read only where it is searched for: `mem update " + memory.ref() +
            " --kind preference` puts it into every "
            "context"));
  } else if (reads_as_progress(memory.title, memory.body)) {
    problems.push_back(problem_of(memory, "progress-as-fact", "this reads as the state of a task",
                                  "it belongs into the task's own place; `mem update " +
                                      memory.ref() + " --expires-at DATE` lets it end"));
  }
}

TextNotes notes_of(const StoreInside::Impl& store, const ScopeView& view, const LinkTable& table,
                   const Memory& listed) {
  TextNotes notes;
  const auto content = view.dir->read(listed.rel, kMaxFile);
  if (!content) return notes;  // reported elsewhere, or gone
  auto memory = memory_from(*view.dir, listed, *content);
  if (!memory) return notes;
  if (content->stat.links > 1)
    notes.problems.push_back(problem_of(*memory, "hard-link", "the file has another name elsewhere",
                                        "a change here leaves the other name with the old text"));
  if (lost_its_id(*memory, content->bytes))
    notes.problems.push_back(problem_of(*memory, "revision-without-id",
                                        "the file has mem's revision and dates and no id",
                                        "`mem check --fix` gives it one"));
  for (Problem& problem :
       guard_problems(*memory, scan_memory(*memory, content->bytes), store.layout.settings.guard))
    notes.problems.push_back(std::move(problem));
  add_kinds(*memory, notes.problems);
  notes.print = fingerprint_of(*memory);
  LinkingMemory from{std::move(*memory), {}};
  from.links = scan_links(from.memory.body);
  for (Problem& problem : check_links(from, table)) notes.problems.push_back(std::move(problem));
  return notes;
}

}  // namespace

std::vector<Problem> guard_problems(const Memory& memory, const std::vector<Finding>& findings,
                                    const GuardPolicy& policy) {
  std::vector<Problem> problems;
  const GuardVerdict verdict = judge(findings, memory, policy, Consent{}, false);
  const auto add = [&](const Finding& finding, Severity severity) {
    Problem problem = problem_of(memory, "guard-*", finding.message,
                                 finding.hint + "; an exception has the hash " + finding.hash);
    problem.code = "guard-" + finding.rule;
    problem.severity = severity;
    problem.line = finding.line;
    problem.column = finding.column;
    problems.push_back(std::move(problem));
  };
  for (const Finding& finding : verdict.refused)
    add(finding, finding.kind == GuardKind::kSecret ? Severity::kError : Severity::kWarning);
  for (const Finding& finding : verdict.warned)
    add(finding, finding.quoted ? Severity::kInfo : Severity::kWarning);
  return problems;
}

std::vector<TextNotes> check_texts(const StoreInside::Impl& store, const ScopeView& view,
                                   const LinkTable& table) {
  const auto& memories = view.catalogue.memories;
  std::vector<TextNotes> notes(memories.size());
  std::atomic<std::size_t> next{0};
  const std::size_t threads = std::max(1U, store.services.threads);
  // Files differ in size: each thread takes the next one.
  index::in_parts(threads, threads, [&](std::size_t, std::size_t, std::size_t) {
    for (std::size_t i = next++; i < memories.size(); i = next++)
      notes[i] = notes_of(store, view, table, memories[i]);
  });
  return notes;
}

}  // namespace memfs
