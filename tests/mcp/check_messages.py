"""check_messages.py SCHEMAS MESSAGES: validates what tests have made the server say.

MESSAGES is a folder that tests/mcp/talk.cc or tests/mcp/clients writes: a file a conversation, a
line a message.
"""
import glob
import json
import os
import sys

import schemas


def main():
    if not os.path.isdir(sys.argv[2]):
        print("nothing was said: " + sys.argv[2])
        return 77
    known = schemas.load(sys.argv[1])
    count = failures = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[2], "*.jsonl"))):
        checker = schemas.Checker(known)
        with open(path, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                count += 1
                try:
                    checker.check(entry["request"], entry["message"])
                except (AssertionError, KeyError) as wrong:
                    failures += 1
                    print(f"{os.path.basename(path)}: {wrong!r}\n  > {entry['request'][:300]}\n"
                          f"  < {json.dumps(entry['message'])[:300]}")
    print(f"{count} messages, {failures} invalid")
    return 1 if failures or count < 200 else 0


sys.exit(main())
