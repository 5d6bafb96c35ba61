#!/usr/bin/env python3
"""Checks the rule suites: which lines exercise which rule.

Without arguments, everything is checked. The exit status is 1 if a line can't be read, if a tag is unknown,
or if a rule has fewer than MIN_LINES lines for one side to move. With tags as arguments, such as
`coverage.py ep-legal pin-n-by-rook`, the positions of these rules are printed as well.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITES = ("rules.epd", "rules-chess960.epd")
MIN_LINES = 3
LINE = re.compile(r"(?P<fen>\S+ (?P<turn>[wb]) \S+ \S+ \d+ \d+)(?P<counts>( ;D\d+ \d+)+)")


def read_tags(problems):
    """The meaning of each rule, in the order of the file."""
    meanings = {}
    for number, text in enumerate((HERE / "tags.tsv").read_text().splitlines(), 1):
        if not text.startswith("#"):
            tag, _, meaning = text.partition("\t")
            if tag in meanings or not meaning:
                problems.append(f"tags.tsv:{number}: a rule needs a unique tag and a meaning")
            meanings[tag] = meaning
    return meanings


def read_suite(name, problems):
    """The positions: (line number, side to move, tags, FEN)."""
    positions, tags, fens = [], None, set()
    for number, text in enumerate((HERE / name).read_text().splitlines(), 1):
        if text.startswith("# rules: "):
            tags = text.removeprefix("# rules: ").split()
        if text.startswith("#"):
            continue
        match = LINE.fullmatch(text)
        if not match or not tags:
            problems.append(f"{name}:{number}: expected a position with a comment '# rules: ...' above it")
            continue
        depths = [int(depth) for depth in re.findall(r";D(\d+)", match["counts"])]
        if depths != list(range(1, len(depths) + 1)):
            problems.append(f"{name}:{number}: the depths must be 1, 2, 3 and so on")
        if match["fen"] in fens:
            problems.append(f"{name}:{number}: the position is in the file twice")
        fens.add(match["fen"])
        positions.append((number, match["turn"], tags, match["fen"]))
        tags = None
    return positions


def main():
    problems = []
    meanings = read_tags(problems)
    found = {tag: {"w": [], "b": []} for tag in meanings}
    count = 0
    for name in SUITES:
        for number, turn, tags, fen in read_suite(name, problems):
            count += 1
            for tag in tags:
                if tag in found:
                    found[tag][turn].append(f"{name}:{number}: {fen}")
                else:
                    problems.append(f"{name}:{number}: unknown tag {tag}")
    for tag, sides in found.items():
        for turn, places in sides.items():
            if len(places) < MIN_LINES:
                problems.append(f"{tag}: {len(places)} lines with {turn} to move, expected at least {MIN_LINES}")

    for tag in sys.argv[1:]:
        if tag not in found:
            problems.append(f"{tag}: no such tag in tags.tsv")
            continue
        print(f"{tag}: {meanings[tag]}")
        print("\n".join(f"  {place}" for places in found[tag].values() for place in places))
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(found)} rules, {count} positions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
