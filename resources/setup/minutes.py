#!/usr/bin/env python3
"""Where the minutes of ./check went: what each build tree compiled, dearest first, and which tests took longest.

    resources/setup/minutes.py [build]

Reads Ninja's and CTest's own logs. Times are of the clock: with two jobs at once, twice as much is computed.
"""
import pathlib
import re
import sys


def compiled(log):
    """(seconds, output) of the last run of each command in a .ninja_log; outputs of one command count once."""
    rows = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, command = line.split("\t")
        rows[command] = ((int(end) - int(start)) / 1000, output)
    return sorted(rows.values(), reverse=True)


def tested(log):
    """(seconds, test) of the last run."""
    names = re.findall(r"^\d+/\d+ Testing: (.+)$", log.read_text(errors="replace"), re.M)
    times = re.findall(r"^Test time = +([\d.]+) sec$", log.read_text(errors="replace"), re.M)
    return sorted(zip(map(float, times), names), reverse=True)


def show(title, rows, most=8):
    if rows:
        print(f"{title}: {sum(seconds for seconds, _ in rows) / 60:.1f} min")
        for seconds, name in rows[:most]:
            print(f"  {seconds:7.1f} s  {name}")


for tree in sorted(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").glob("*/build.ninja")):
    tree = tree.parent
    if (tree / ".ninja_log").exists():
        show(f"{tree.name}, built", compiled(tree / ".ninja_log"))
    if (tree / "Testing/Temporary/LastTest.log").exists():
        show(f"{tree.name}, tested", tested(tree / "Testing/Temporary/LastTest.log"))
