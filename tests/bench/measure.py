"""Runs the programs of the benchmark and collects what they print. Standard library only."""
import dataclasses
import os
import shutil
import statistics
import subprocess
import time

KINDS = ("rare", "one_percent", "common", "three_terms", "phrase", "prefix", "mixed")


@dataclasses.dataclass
class Timing:
    """Milliseconds of whole processes; peak in KiB."""

    median: float
    least: float
    processor: float
    peak: int
    runs: int
    status: int


@dataclasses.dataclass
class Set:
    """Memories below root/shared, so that root can be given to `mem --root`."""

    name: str
    root: str

    @property
    def memories(self):
        return os.path.join(self.root, "shared")

    @property
    def queries(self):
        return self.memories + ".queries"

    @property
    def cache(self):
        return os.path.join(self.root, ".state", "cache")


class Programs:
    """The executables of a build; some of them may not exist yet."""

    def __init__(self, build):
        self._build = build
        self.rg = shutil.which("rg")

    def __getattr__(self, name):
        return os.path.join(self._build, name)

    def has_engine(self):
        return os.path.exists(self.bench_engine)

    def search(self, memories, word):
        return [self.mem, "--root", memories.root, "search", word, "--limit", "10"]

    def scan(self, memories):
        return [self.scan_limit, memories.memories, "2", "--once"]

    def time_in_turns(self, repeats, *commands, output=None):
        """A Timing for each command."""
        words = [self.time_command] + (["--output", output] if output else []) + [str(repeats)]
        for i, command in enumerate(commands):
            words += (["--"] if i else []) + list(command)
        lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        return [_timing(line.split("\t")) for line in lines.splitlines()]


def _timing(fields):
    return Timing(*map(float, fields[:3]), *map(int, fields[3:]))


def _values(text):
    pairs = (line.split("\t") for line in text.splitlines() if "\t" in line)
    return {name: float(value) for name, value in pairs}


def values_of(*command):
    """The `name<TAB>value` lines a program prints."""
    return _values(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def medians(rounds):
    return {name: statistics.median(r[name] for r in rounds if name in r) for name in rounds[0]}


def in_turns(rounds, actions):
    """Medians of the values of each action; one after the other in each round."""
    results = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            results[name].append(action())
    return {name: medians(values) for name, values in results.items()}


def words(memories):
    """One search word of each frequency."""
    found = {}
    with open(memories.queries, encoding="utf-8") as lines:
        for line in lines:
            kind, query = line.rstrip("\n").split("\t")
            found.setdefault(kind, query)
    return [found[kind] for kind in ("rare", "one_percent", "common") if kind in found]


def few_queries(memories):
    """A shorter list of queries, for a quick look."""
    path = memories.queries + ".few"
    left = dict.fromkeys(KINDS, 5) | {"mixed": 50}
    with open(memories.queries, encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as out:
        for line in lines:
            kind = line.split("\t")[0]
            left[kind] -= 1
            if left[kind] >= 0:
                out.write(line)
    return path


def whole_process(programs, memories, repeats):
    """Milliseconds of the floors and of mem; mem's is its slowest word."""
    searched = words(memories)
    commands = {"empty": [programs.empty], "scan": programs.scan(memories)}
    if programs.rg:
        commands["rg"] = [programs.rg, "-l", searched[-1], memories.memories]
    mem = [programs.search(memories, word) for word in searched]
    # Makes the index, if there is to be one.
    programs.time_in_turns(1, mem[0])
    timings = programs.time_in_turns(repeats, *commands.values(), *mem)
    found = {name: timing.median for name, timing in zip(commands, timings)}
    found["search"] = max(timing.median for timing in timings[len(commands):])
    found["scan_in_process"] = values_of(programs.scan_limit, memories.memories, "2")["scan_ms"]
    found["scan_one_thread"] = values_of(programs.scan_limit, memories.memories, "1")["scan_ms"]
    return found


def engine_build(programs, memories):
    """As bench_engine prints it, and its peak memory in bytes."""
    output = memories.root + "/bench_engine.tsv"
    if os.path.exists(output):
        os.remove(output)
    command = [programs.bench_engine, "build", memories.root]
    timing = programs.time_in_turns(1, command, output=output)[0]
    if timing.status != 0:
        raise RuntimeError(f"{' '.join(command)}: status {timing.status}")
    with open(output, encoding="utf-8") as lines:
        return _values(lines.read()) | {"peak_bytes": timing.peak * 1024}


def _xapian_build(programs, memories, database):
    """Slow and in no target, so it is made once."""
    kept = database + ".tsv"
    if not os.path.exists(kept):
        command = [programs.peer_xapian, "build", memories.memories, database]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(kept, "w", encoding="utf-8") as out:
            out.write(text)
    with open(kept, encoding="utf-8") as lines:
        return _values(lines.read())


def builds(programs, memories, rounds):
    fts5 = [programs.peer_fts5, "build", memories.memories, memories.root + "/fts5.db"]
    actions = {"fts5": lambda: values_of(*fts5)}
    if programs.has_engine():
        actions["mem"] = lambda: engine_build(programs, memories)
    found = in_turns(rounds, actions)
    found["xapian"] = _xapian_build(programs, memories, memories.root + "/xapian.db")
    return found


def query_times(programs, memories, rounds, queries):
    """Microseconds of each kind of query, in process."""
    def peer(name):
        program, database = getattr(programs, "peer_" + name), f"{memories.root}/{name}.db"
        return lambda: values_of(program, "query", memories.memories, database, queries)

    actions = {"fts5": peer("fts5"), "xapian": peer("xapian")}
    if programs.has_engine():
        actions["mem"] = lambda: values_of(programs.bench_engine, "query", memories.root, queries)
    return in_turns(rounds, actions)


def cold_search(programs, memories, rounds):
    """Milliseconds of a rare word over the scan, with the index not in memory."""
    search, scan = programs.search(memories, words(memories)[0]), programs.scan(memories)
    cold, scans, left = [], [], 0
    for _ in range(rounds):
        if os.path.isdir(memories.cache):
            left = max(left, values_of(programs.drop_cache, memories.cache)["resident_bytes"])
        cold.append(programs.time_in_turns(1, search)[0].median)
        scans.append(programs.time_in_turns(1, scan)[0].median)
    if left:
        print(f"  {left:.0f} bytes of the index stayed in memory", flush=True)
    return {"cold": statistics.median(cold), "scan": statistics.median(scans)}


def _rewrite(paths, texts):
    for path, text in zip(paths, texts):
        with open(path, "wb") as out:
            out.write(text)


def search_after_changes(programs, memories, rounds, changed):
    """Milliseconds of the search after `changed` files got another word, and of the one after it."""
    search, scan = programs.search(memories, words(memories)[0]), programs.scan(memories)
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(memories.memories)
                   for name in names if name.endswith(".md"))
    paths = paths[:: max(1, len(paths) // changed)][:changed]
    old = [open(path, "rb").read() for path in paths]
    found = {"changed": [], "unchanged": [], "scan": []}
    try:
        for i in range(rounds):
            _rewrite(paths, [text + b"Changed to round%d.\n" % i for text in old])
            found["changed"].append(programs.time_in_turns(1, search)[0].median)
            # Files changed a moment ago may have to be looked at once more.
            time.sleep(0.1)
            programs.time_in_turns(1, search)
            found["unchanged"].append(programs.time_in_turns(1, search)[0].median)
            found["scan"].append(programs.time_in_turns(1, scan)[0].median)
    finally:
        _rewrite(paths, old)
    programs.time_in_turns(1, search)
    return {name: statistics.median(values) for name, values in found.items()}
