"""The targets: what is compared with what, and how much it may be."""
import dataclasses
import os
import struct

from measure import KINDS

MIB = 1024 * 1024


@dataclasses.dataclass
class Row:
    target: str
    what: str
    measured: str
    peer: str
    ratio: str
    limit: str
    verdict: str


def _verdict(good):
    return "PASS" if good else "FALL SHORT"


def _missing(target, what, peer, limit):
    return Row(target, what, "missing", peer, "", limit, "NOT MEASURED")


def _ms(value):
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"


def _us(value):
    return f"{value / 1e3:.2f} ms" if value >= 1e3 else f"{value:.1f} µs"


def whole_process(name, times):
    """Target 1. The scan is a whole static process, so the start of one is in it."""
    ratio = times["search"] / times["scan"]
    limit = {"1k": 2.0, "10k": 1.5, "100k": 1.5}.get(name)
    yield Row("1", f"`mem search` / static process + scan, {name}", _ms(times["search"]),
              _ms(times["scan"]), f"{ratio:.2f}×", f"≤ {limit}×" if limit else "",
              _verdict(ratio <= limit) if limit else "")
    if "rg" in times:
        least = {"1k": 1.0, "10k": 2.2, "100k": 2.2}.get(name, 1.0)
        ratio = times["rg"] / times["search"]
        yield Row("1", f"`rg -l` / `mem search`, {name}", _ms(times["search"]), _ms(times["rg"]),
                  f"{ratio:.2f}×", f"> {least}×", _verdict(ratio > least))


def _query(name, kind, times):
    fts5, xapian = times["fts5"]["query_us." + kind], times["xapian"]["query_us." + kind]
    slow = fts5 >= 1000
    most = min(fts5 / 10, xapian / 2) if slow else 50
    limit = "≤ FTS5/10 and ≤ Xapian/2" if slow else "≤ 50 µs"
    what, peer = f"query {kind}, {name}", f"FTS5 {_us(fts5)}, Xapian {_us(xapian)}"
    if "mem" not in times:
        return _missing("2", what, peer, limit)
    mem = times["mem"]["query_us." + kind]
    ratio = f"{fts5 / mem:.1f}×, {xapian / mem:.1f}×"
    # Speed counts only for who finds as much.
    if times["mem"]["hits." + kind] < 0.95 * times["fts5"]["hits." + kind]:
        return Row("2", what, _us(mem), peer, ratio, limit, "FALL SHORT, fewer hits")
    return Row("2", what, _us(mem), peer, ratio, limit, _verdict(mem <= most))


def queries(name, times):
    """Target 2."""
    for kind in KINDS:
        if name in ("100k", "real") and kind != "mixed" and "query_us." + kind in times["fts5"]:
            yield _query(name, kind, times)
    if name == "1m" and "mem" in times:
        slowest, fts5 = times["mem"]["slowest_us.mixed"], times["fts5"]["query_us.mixed"]
        yield Row("2", "slowest mixed query / FTS5's median, 1m", _us(slowest), _us(fts5),
                  f"{slowest / fts5:.2f}×", "≤ 1×", _verdict(slowest <= fts5))


def build(name, found):
    """Targets 3 and 4."""
    def speed(values):
        return values["text_bytes"] / values["build_seconds"] / 1e6

    fts5, mem = found["fts5"], found.get("mem")
    share = 0.7 if name == "real" else 1.1
    fts5_size = f"{fts5['index_bytes'] / fts5['text_bytes']:.2f}×"
    if not mem:
        yield _missing("3", f"build, {name}", f"{speed(fts5):.1f} MB/s", "≥ 2×")
        yield _missing("3", f"peak memory of the build, {name}", "", "≤ 4 × index + 64 MiB")
        yield _missing("4", f"index / text, {name}", fts5_size, f"≤ {share}×")
        return
    # Both read the same files; each counts its own bytes.
    ratio = fts5["build_seconds"] / mem["build_seconds"]
    yield Row("3", f"build, {name}", f"{speed(mem):.1f} MB/s", f"FTS5 {speed(fts5):.1f} MB/s",
              f"{ratio:.2f}×", "≥ 2×", _verdict(ratio >= 2))
    peak, most = mem["peak_bytes"], 4 * mem["index_bytes"] + 64 * MIB
    yield Row("3", f"peak memory of the build, {name}", f"{peak / MIB:.0f} MiB",
              f"{most / MIB:.0f} MiB", f"{peak / most:.2f}×", "≤ 4 × index + 64 MiB",
              _verdict(peak <= most))
    size = mem["index_bytes"] / fts5["text_bytes"]
    yield Row("4", f"index / text, {name}", f"{size:.2f}×", f"FTS5 {fts5_size}", f"{size:.2f}×",
              f"≤ {share}×", _verdict(size <= share))


def add(name, times, scan):
    """Target 5."""
    if not times:
        yield _missing("5", f"one memory added and searchable, {name}", f"scan {_ms(scan)}", "≤ 3×")
        yield _missing("5", f"the same in a server, {name}", "", "≤ 2 ms")
        return
    peer, mem = times["durable_write_ms"] + scan, times["add_searchable_ms"]
    yield Row("5", f"one memory added and searchable, {name}", _ms(mem), _ms(peer),
              f"{mem / peer:.2f}×", "≤ 3 × (durable write + scan)", _verdict(mem <= 3 * peer))
    server = times.get("server_add_searchable_ms")
    if server is None:
        yield _missing("5", f"the same in a server, {name}", "", "≤ 2 ms")
    else:
        yield Row("5", f"the same in a server, {name}", _ms(server), "", "", "≤ 2 ms",
                  _verdict(server <= 2))
    for key, what in (("warm_recall_ms", "search in a server"),
                      ("warm_changed_ms", "the same after a change")):
        if key in times:
            yield Row("5", f"{what}, {name}", _ms(times[key]), "", "", "≤ 2 ms",
                      _verdict(times[key] <= 2))


def cold(name, times):
    """Target 6."""
    most = 20 if name == "1m" else 10
    over = times["cold"] - times["scan"]
    yield Row("6", f"rare word, index not in memory, over the scan, {name}", _ms(times["cold"]),
              _ms(times["scan"]), f"+{_ms(over)}", f"≤ +{most} ms", _verdict(over <= most))


def changes(name, changed, times):
    """Target 7. A tenth of a millisecond reads and analyses a file of this size many times over."""
    over = times["changed"] - times["unchanged"]
    yield Row("7", f"next search after {changed} changed files, {name}", _ms(times["changed"]),
              f"unchanged {_ms(times['unchanged'])}, scan {_ms(times['scan'])}", f"+{_ms(over)}",
              "≤ +0.1 ms a file", _verdict(over <= 0.1 * changed))


def is_static(path):
    """Whether the executable asks for no program interpreter (64-bit ELF)."""
    with open(path, "rb") as file:
        head = file.read(64)
        offset, = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        file.seek(offset)
        table = file.read(size * count)
    return all(struct.unpack_from("<I", table, i * size)[0] != 3 for i in range(count))


def binary(path, version, empty):
    """Target 8."""
    size = os.path.getsize(path)
    static = "static" if is_static(path) else "not static"
    yield Row("8", "executable", f"{size / 1e6:.1f} MB, {static}", "", "", "≤ 45 MB, static",
              _verdict(size <= 45e6 and static == "static"))
    ratio = version / empty
    yield Row("8", "`mem version` / empty static program", _ms(version), _ms(empty), f"{ratio:.2f}×",
              "≤ 1.6×", _verdict(ratio <= 1.6))


def table(head, rows):
    """A markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def as_table(rows):
    head = ("target", "what", "measured", "compared with", "ratio", "limit", "")
    return table(head, [dataclasses.astuple(row) for row in rows])
