"""check_messages.py SCHEMAS MESSAGES: validates what the unit tests have made the server say.

MESSAGES is the folder that tests/mcp/talk.cc writes: a file a conversation, a line a message.
"""
import glob
import json
import os
import sys

import schemas


def main():
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
