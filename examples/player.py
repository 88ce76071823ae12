"""A player for ``cpsolve match``: it needs no rules, for every line tells it the legal moves, the cells and whose turn it is.

cpsolve match 2 "python examples/player.py" --games 20

This one takes the move in the middle of the list. A line in, a line out: that is the whole protocol (docs/protocol.md).
"""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if request["action"] == "quit":
        break
    legal = request["standing"]["legal"]
    print(json.dumps({"move": legal[len(legal) // 2]}), flush=True)
