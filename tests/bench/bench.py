#!/usr/bin/env python3
"""Measures mem against its limits and peers, all in one run, and says which targets it meets.

  bench.py BUILD_DIR WORK_DIR [--corpus DIR] [--sizes 1k,10k,100k] [--quick] [--markdown FILE]

The sets of memories and the peers' databases stay in WORK_DIR; remove it to make them anew.
"""
import argparse
import os
import shutil
import subprocess
import sys

import measure
import targets

CHANGED = 100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("--corpus", help="a folder of real markdown files")
    parser.add_argument("--sizes", default=None, help="synthetic sets, such as 1k,10k,100k,1m")
    parser.add_argument("--quick", action="store_true", help="fewer repeats and queries, no 100k")
    parser.add_argument("--markdown", help="write the tables to this file, too")
    return parser.parse_args()


def number(size):
    return int(size.lower().replace("k", "000").replace("m", "000000"))


def say(text):
    print(text, flush=True)


def synthetic(programs, work, size):
    memories = measure.Set(size, os.path.join(work, size))
    # The queries are written last.
    if not os.path.exists(memories.queries):
        shutil.rmtree(memories.root, ignore_errors=True)
        os.makedirs(memories.root)
        subprocess.run([programs.make_memories, memories.memories, str(number(size))], check=True)
        os.sync()
    return memories


def real(programs, work, corpus):
    """A copy, because a store is to be made of it."""
    memories = measure.Set("real", os.path.join(work, "real"))
    if not os.path.exists(memories.queries):
        shutil.rmtree(memories.root, ignore_errors=True)
        shutil.copytree(corpus, memories.memories)
        subprocess.run([programs.make_queries, memories.memories, memories.queries], check=True)
        os.sync()
    return memories


class Run:
    """One run over all sets: the rows of the targets, and the figures of limits and peers."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._quick = quick
        self.rows = []
        self.limits = []
        self.peers = []

    def binary(self):
        say("start of `mem version`")
        programs = self._programs
        commands = [programs.mem, "version"], [programs.empty]
        version, empty = programs.time_in_turns(50 if self._quick else 500, *commands)
        self.rows += targets.binary(programs.mem, version.median, empty.median)

    def set(self, memories):
        say(f"{memories.name}: builds")
        found = measure.builds(self._programs, memories, 1 if self._quick else 3)
        self.rows += targets.build(memories.name, found)
        say(f"{memories.name}: whole processes")
        times = measure.whole_process(self._programs, memories, 5 if self._quick else 31)
        self.rows += targets.whole_process(memories.name, times)
        self._limits(memories.name, times)
        say(f"{memories.name}: queries")
        queries = measure.few_queries(memories) if self._quick else memories.queries
        in_process = measure.query_times(self._programs, memories, 1 if self._quick else 3, queries)
        self.rows += targets.queries(memories.name, in_process)
        self._peers(memories.name, found, in_process)
        if memories.name in ("100k", "1m") or (self._quick and memories.name == "10k"):
            self._changes(memories, times)

    def _changes(self, memories, times):
        """Targets of big sets."""
        say(f"{memories.name}: cold, added, changed")
        rounds = 3 if self._quick else 7
        if times["search"] > 2000:
            rounds = 1
        cold = measure.cold_search(self._programs, memories, rounds)
        self.rows += targets.cold(memories.name, cold)
        added = None
        if self._programs.has_engine():
            added = measure.values_of(self._programs.bench_engine, "add", memories.root)
            added |= measure.values_of(self._programs.warm_recall, "times", memories.root,
                                       memories.queries)
        self.rows += targets.add(memories.name, added, times["scan_in_process"])
        changed = measure.search_after_changes(self._programs, memories, rounds, CHANGED)
        self.rows += targets.changes(memories.name, CHANGED, changed)

    def _limits(self, name, times):
        values = [times["empty"], times["scan"], times["scan_one_thread"],
                  times["scan_in_process"], times.get("rg", 0), times["search"]]
        self.limits.append([name] + [f"{value:.2f}" for value in values])

    def _peers(self, name, found, in_process):
        for peer, values in in_process.items():
            times = [values.get("query_us." + kind, 0) / 1e3 for kind in measure.KINDS]
            built = found[peer]
            size = built["index_bytes"] / found["fts5"]["text_bytes"]
            slowest = max(value for key, value in values.items() if key.startswith("slowest_us."))
            self.peers.append([name, peer] + [f"{time:.3f}" for time in times] +
                              [f"{slowest / 1e3:.1f}", f"{built['build_seconds']:.2f}",
                               f"{size:.2f}×"])

    def markdown(self):
        limits = ("ms", "empty process", "scan process, 2 threads", "scan, 1 thread",
                  "scan, 2 threads", "`rg -l`", "`mem search`")
        peers = ("set", "ms, median, in process") + measure.KINDS + ("slowest", "build s", "index")
        rows = sorted(self.rows, key=lambda row: row.target)
        return "\n".join([targets.as_table(rows), targets.table(limits, self.limits),
                          targets.table(peers, self.peers)])


def main():
    options = arguments()
    programs = measure.Programs(os.path.abspath(options.build))
    work = os.path.abspath(options.work)
    sizes = options.sizes or ("1k,10k" if options.quick else "1k,10k,100k")
    if not programs.has_engine():
        say("bench_engine missing: builds, queries and additions of mem are not measured")
    if not programs.rg:
        say("rg missing: not compared")
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"other programs are running (load {load:.1f}): take the ratios with care")
    run = Run(programs, options.quick)
    run.binary()
    for size in sizes.split(","):
        run.set(synthetic(programs, work, size))
    if options.corpus:
        run.set(real(programs, work, os.path.abspath(options.corpus)))
    text = run.markdown()
    say("\n" + text)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as out:
            out.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
