#!/bin/sh
# run.sh CLIENT CASES MESSAGES PROGRAM [ARGUMENT…]: run.mjs with a Node that is new enough for both
# clients: the machine's, or the one that came with them.
set -eu
here=$(dirname "$0")
[ -d "$here/node_modules/@modelcontextprotocol" ] || {
  echo "the clients are not installed: ./dev test installs them" >&2
  exit 77
}
for node in node "$here"/node_modules/node-linux-*/bin/node; do
  if "$node" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null; then
    exec "$node" "$here/run.mjs" "$@"
  fi
done
echo "no Node of version 20 or newer: ./dev test installs one" >&2
exit 77
