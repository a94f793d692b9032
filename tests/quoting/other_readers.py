#!/usr/bin/env python3
"""Writes awkward texts through mem and reads them back with other YAML readers.

  other_readers.py MEM     with PyYAML, and with ruby and node's js-yaml where they are installed

Each text becomes a title and a tag; every reader must see exactly the text that was given.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import yaml

TEXTS = [
    "plain words", "Fix: the parser", "no", "Yes", "y", "N", "ON", "off", "null", "Null", "~", "true",
    "1e3", "007", "0x1F", "0o7", "1_000", "1.10", "12:30:45", "190:20:30", "2026-03-10",
    "2026-03-10T10:00:00Z", ".inf", ".NaN", "-", "- x", "? x", "a #b", "#a", "x:", "a: b", "'tis",
    '"q"', "C:\\Users\\new", "@x", "`x`", "%x", "&a", "*a", "!t", "|", ">", "[a]", "{a}", "a]b",
    "发布 分支", "ทดสอบ", "😀", "\u00a0x", "a\u00a0b", "=", "<<", "key: [", "+1", "+.5", "...", "---",
    "a\tb", "Ünï", "e\u0301", "\u202ex", "a\u2028b", "\ufeffx", "\x7f", "a\x07b", "yes: no", "!!str x",
    "(x)", "/x", "_x", "x,y", "a & b", "a\\nb", "\\", "''", '""', "it's \"q\"", "a -- b", "1,000", "1 2",
    "0", "0b1", "6.02e23", "NULL", "True", "FALSE", "n/a", "x\u0085y",
]


def with_pyyaml(blocks):
    return [yaml.safe_load(block) for block in blocks]


def with_ruby(blocks):
    code = 'require "json"; require "yaml"; require "date"; puts JSON.generate(JSON.parse(STDIN.read).map { |b| YAML.respond_to?(:unsafe_load) ? YAML.unsafe_load(b) : YAML.load(b) })'
    return json.loads(subprocess.run(["ruby", "-e", code], input=json.dumps(blocks),
                                     capture_output=True, text=True, check=True).stdout)


def with_js(module):
    def read(blocks):
        code = ("const y=require('%s');const b=JSON.parse(require('fs').readFileSync(0));"
                "const load=y.load||y.parse;console.log(JSON.stringify(b.map(x=>load(x))))" % module)
        return json.loads(subprocess.run(["node", "-e", code], input=json.dumps(blocks),
                                         capture_output=True, text=True, check=True).stdout)
    return read


def has_js(module):
    return shutil.which("node") and subprocess.run(
        ["node", "-e", f"require('{module}')"], capture_output=True).returncode == 0


def main():
    mem = os.path.abspath(sys.argv[1])
    readers = {"PyYAML": with_pyyaml}
    if shutil.which("ruby"):
        readers["ruby"] = with_ruby
    readers |= {m: with_js(m) for m in ("js-yaml", "js-yaml3", "yaml") if has_js(m)}
    root = tempfile.mkdtemp(prefix="mem-quoting-")
    failed = 0
    try:
        blocks = []
        for text in TEXTS:
            done = subprocess.run([mem, "--root", root, "add", "--json", f"--title={text}",
                                   f"--keywords={text}", f"--tags=x,{text.replace(',', ' ')}",
                                   "--body", "b"], capture_output=True, text=True, check=True)
            with open(json.loads(done.stdout)["path"], encoding="utf-8", newline="") as file:
                blocks.append(file.read().split("---\n")[1])
        for name, read in readers.items():
            for text, block, seen in zip(TEXTS, blocks, read(blocks)):
                if seen["title"] != text or seen["keywords"] != text:
                    print(f"{name}: {text!r} reads as {seen['title']!r}")
                    failed += 1
                tag = text.replace(",", " ")
                if seen["tags"] != ["x", tag]:
                    print(f"{name}: tag {tag!r} reads as {seen['tags']!r}")
                    failed += 1
    finally:
        shutil.rmtree(root)
    print(f"{len(TEXTS)} texts, {', '.join(readers)}: {failed} read differently")
    return 1 if failed else 0


sys.exit(main())
