"""golden_exchanges.py SERVER SCHEMAS EXCHANGES [--write]: plays each file to a fresh server.

In a file of EXCHANGES a line `> …` is said to the server and the lines `< …` below it are what it must
answer, byte for byte; each is also held against the schema of its revision. `--write` writes down what
the server says now, to be read before it is committed.
"""
import glob
import json
import os
import select
import subprocess
import sys

import schemas


def parts_of(path):
    """Pairs of what is said and what is answered; comments are pairs without answer."""
    parts = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("< "):
                parts[-1][1].append(line[2:])
            else:
                parts.append((line, []))
    return parts


def read_line(server):
    return server.stdout.readline().decode().rstrip("\n")


def answers_now(server):
    """For --write: what comes until nothing more comes for a while."""
    answers = []
    while select.select([server.stdout], [], [], 0.3)[0]:
        answers.append(read_line(server))
    return answers


def play(program, path, known, write):
    server = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    checker = schemas.Checker(known)
    out = []
    for said, expected in parts_of(path):
        out.append(said)
        if not said.startswith("> "):
            continue
        server.stdin.write(said[2:].encode() + b"\n")
        if write:
            expected = answers_now(server)
        for wanted in expected:
            answer = wanted if write else read_line(server)
            assert answer == wanted, f"{path}: after {said}\nexpected {wanted}\ngot      {answer}"
            checker.check(said[2:], json.loads(answer))
            out.append("< " + answer)
    server.stdin.close()
    rest = server.stdout.read()
    assert rest == b"" and server.wait() == 0, f"{path}: at the end {rest}"
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(out) + "\n")
    return len(out)


def main():
    program, folder, exchanges = sys.argv[1:4]
    known = schemas.load(folder)
    paths = sorted(glob.glob(os.path.join(exchanges, "*.txt")))
    lines = [play(program, path, known, "--write" in sys.argv) for path in paths]
    print(f"{len(paths)} exchanges, {sum(lines)} lines")
    return 0 if len(paths) >= len(schemas.REVISIONS) else 1


sys.exit(main())
