#!/usr/bin/env python3
"""Tries mem on a tree of real markdown files: ./dev corpus DIR

Copies every *.md file below DIR into a shared scope, then
  1. runs list, search and check, and makes sure that no file changed a byte and that each file
     whose front matter cannot be read is named with line and cure and is found by its body;
  2. for each file sets a title, adds expires_at and takes both back. After each step every byte
     outside the touched keys is equal, PyYAML sees exactly the intended change, and at the end
     only mem's own keys are new.
Prints counts and times; exits with 1 if anything differs.
"""
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

OWN = ("id", "mem_id", "created_at", "updated_at", "last_verified_at", "revision")
PAGES = {"INDEX.md", "README.md", "MEMORY.md", "CLAUDE.md", "AGENTS.md", "GEMINI.md"}
BOM = b"\xef\xbb\xbf"
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
failures = []


def fail(path, what):
    failures.append((path, what))


def markdown_files(source):
    names = []
    for folder, folders, files in os.walk(source):
        folders.sort()
        names += [os.path.relpath(os.path.join(folder, f), source) for f in sorted(files)
                  if f.endswith(".md")]
    return names


def copy_tree(source, target):
    """Copies what mem takes for memories: no dot-folders, no pages."""
    names = []
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            if not name.endswith(".md") or name.startswith(".") or name in PAGES:
                continue
            rel = os.path.relpath(os.path.join(folder, name), source)
            os.makedirs(os.path.dirname(os.path.join(target, rel)), exist_ok=True)
            shutil.copyfile(os.path.join(source, rel), os.path.join(target, rel))
            names.append(rel)
    return names


def hashes(folder, names):
    out = {}
    for rel in names:
        with open(os.path.join(folder, rel), "rb") as file:
            out[rel] = hashlib.sha256(file.read()).digest()
    return out


def run(mem, root, *words):
    begin = time.monotonic()
    done = subprocess.run([mem, "--root", root, *words], capture_output=True)
    return done, time.monotonic() - begin


def split(data):
    """(head, block, tail) around the front matter's lines, or None."""
    lines = data.splitlines(keepends=True)
    if not lines or lines[0].removeprefix(BOM).rstrip() != b"---":
        return None
    for i in range(1, len(lines)):
        if lines[i].rstrip() in (b"---", b"..."):
            return lines[0], b"".join(lines[1:i]), b"".join(lines[i:])
    return None


def without(block, keys):
    """The block's lines without the entries of `keys` (block style)."""
    kept, blanks, dropping = [], [], False
    for line in block.splitlines(keepends=True):
        starts = re.match(rb"[\"']?([A-Za-z_][\w-]*)[\"']?\s*:", line)
        if dropping and not line.strip():
            blanks.append(line)  # inside the value, if more of it follows
            continue
        if starts or (dropping and line[:1] == b"#"):
            kept += blanks
            dropping = bool(starts) and starts.group(1).decode() in keys
        blanks = []
        if not dropping:
            kept.append(line)
    return b"".join(kept + blanks)


def load(block):
    return yaml.load(block.decode("utf-8-sig"), Loader) or {}


def compare(path, before, after, touched, expected):
    """One step: bytes outside the touched keys, and the change as PyYAML sees it."""
    old, new = split(before), split(after)
    if new is None:
        return fail(path, "the block is gone")
    if old is None:  # a block was made on top
        bom = BOM if before.startswith(BOM) else b""
        if not new[2].endswith(before.removeprefix(bom)):
            fail(path, "the body changed")
        old = (b"", b"", b"")
    elif old[2] != new[2] or old[0] != new[0]:
        fail(path, "bytes outside the block changed")
    keys = set(touched) | set(OWN)
    if without(old[1], keys) != without(new[1], keys):
        fail(path, f"other keys' bytes changed: {touched}")
    try:
        was = load(old[1])
    except yaml.YAMLError as error:
        unreadable[path] = str(error).split("\n")[0]
        return None
    try:
        now = load(new[1])
    except yaml.YAMLError as error:
        return fail(path, f"PyYAML cannot read the result: {error}")
    for key in keys:
        was.pop(key, None)
    for key, value in expected.items():
        if now.get(key) != value:
            fail(path, f"PyYAML sees {key}={now.get(key)!r}, not {value!r}")
    for key in keys:
        now.pop(key, None)
    if was != now or list(was) != list(now):
        fail(path, "PyYAML sees another change")
    return None


unreadable = {}


def records(stream):
    data, at = stream, 0

    def word():
        nonlocal at
        end = data.index(b"\0", at)
        piece, at = data[at:end], end + 1
        return piece

    while at < len(data):
        path, status = word().decode("utf-8", "surrogateescape"), word().decode()
        blobs = []
        if status == "edited":
            for _ in range(4):
                size = int(word())
                blobs.append(data[at : at + size])
                at += size
        yield path, status, blobs


def look(mem, root, names):
    scope = os.path.join(root, "shared")
    before = hashes(scope, names)
    listed, seconds = run(mem, root, "list", "--json")
    memories = json.loads(listed.stdout)
    print(f"list    {len(memories['memories'])} memories, exit {listed.returncode}, {seconds:.2f} s")
    found, seconds = run(mem, root, "search", "--json", "release branch")
    print(f"search  {json.loads(found.stdout)['total']} hits, exit {found.returncode}, {seconds:.2f} s")
    checked, seconds = run(mem, root, "check", "--json")
    problems = json.loads(checked.stdout)["problems"]
    counts = collections.Counter((p["severity"], p["code"]) for p in problems)
    print(f"check   exit {checked.returncode}, {seconds:.2f} s")
    for (severity, code), count in sorted(counts.items()):
        print(f"          {count:6} {severity:8} {code}")
    if len(memories["memories"]) + counts[("error", "empty-file")] != len(names):
        fail("list", f"{len(names)} files, {len(memories['memories'])} memories")
    broken = [p for p in problems if p["severity"] == "error" and p["ref"] and p["line"]]
    for problem in broken:
        if not problem["hint"]:
            fail(problem["path"], "no cure is named")
    # A word of each broken file's body must find it, all in one query per file.
    refs = {p["ref"]: p["path"] for p in broken if p["code"].startswith(("yaml", "dup", "unc"))}
    for ref, path in list(refs.items()):
        with open(path, "rb") as file:
            data = file.read()
        parts = split(data)
        text = (b"\n".join(parts[2].splitlines()[1:]) if parts else data).decode("utf-8", "replace")
        if not re.search(r"[A-Za-z]{4,}", text):
            del refs[ref]
            continue
        words = re.findall(r"\b[A-Za-z]{6,}\b", text) or re.findall(r"\w+", text)
        query = '"' + " ".join(re.findall(r"[A-Za-z]{4,}", " ".join(words[:1]))) + '"'
        hits, _ = run(mem, root, "search", "--json", "-n", "100000", query)
        if ref not in {hit["ref"] for hit in json.loads(hits.stdout)["hits"]}:
            fail(path, f"not found by its body: {query}")
    print(f"found   {len(refs)} files with unreadable front matter and a body, each by a word of it")
    if hashes(scope, names) != before:
        fail("files", "reading changed a file")


def edit(tool, folder, names):
    begin = time.monotonic()
    done = subprocess.run([tool, folder], input="\n".join(names).encode("utf-8", "surrogateescape"),
                          capture_output=True, check=True)
    refused, edited, same = collections.Counter(), 0, 0
    for path, status, stages in records(done.stdout):
        if status != "edited":
            refused[re.sub(r"`[^`]*`", "`…`", re.sub(r"\d+", "N", status))] += 1
            with open(os.path.join(folder, path), "rb") as file:
                if not file.read().removeprefix(BOM).startswith(b"---"):
                    fail(path, "refused without a block")
            continue
        edited += 1
        original, titled, expiring, final = stages
        compare(path, original, titled, ["title"], {"title": "A new title"})
        compare(path, titled, expiring, ["expires_at"], {"expires_at": "2030-01-01"})
        compare(path, expiring, final, ["title", "expires_at"], {})
        old, new = split(original), split(final)
        # The end that was set is cleared, also where the file had one before.
        changed = OWN + ("expires_at",)
        if without(new[1], changed) == (without(old[1], changed) if old else b""):
            same += 1
        elif without(new[1], changed + ("title",)) != without(old[1], changed + ("title",)):
            fail(path, "the end differs by more than mem's own keys")
    print(f"edit    {edited} files edited in three steps, {time.monotonic() - begin:.1f} s")
    print(f"          {same:6} end as they began, but for mem's own keys")
    print(f"          {edited - same:6} have their own title written in another style")
    print(f"          {len(unreadable):6} PyYAML cannot read before the edit either")
    for why, count in refused.most_common():
        print(f"          {count:6} refused: {why}")


def main():
    source, mem, tool = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
    root = tempfile.mkdtemp(prefix="mem-corpus-")
    try:
        names = copy_tree(source, os.path.join(root, "shared"))
        print(f"corpus  {len(names)} files")
        look(mem, root, names)
        edit(tool, source, markdown_files(source))
    finally:
        shutil.rmtree(root)
    for path, what in failures[:20]:
        print(f"FAILED  {path}: {what}")
    print(f"{len(failures)} differences")
    return 1 if failures else 0


sys.exit(main())
