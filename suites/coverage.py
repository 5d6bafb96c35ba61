#!/usr/bin/env python3
"""Writes COVERAGE.md: the lines of the rule suites that exercise each rule.

Without arguments the file is written. With --check nothing is written, and the exit status is 1 if the
file is out of date. In both cases the exit status is 1 if a line cannot be read, if a tag is unknown, or
if a rule has fewer than MIN_LINES lines for one side to move.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITES = (("", "rules.epd"), ("c", "rules-chess960.epd"))
MIN_LINES = 3
SHOWN = 8
LINE = re.compile(r"(?P<fen>\S+ (?P<turn>[wb]) \S+ \S+ \d+ \d+)(?P<counts>( ;D\d+ \d+)+)")


def read_tags(problems):
    """The rules in the order of the file: (section, [(tag, meaning), ...])."""
    sections, seen = [], set()
    for number, text in enumerate((HERE / "tags.tsv").read_text().splitlines(), 1):
        if text.startswith("## "):
            sections.append((text[3:], []))
        elif not text.startswith("#"):
            tag, _, meaning = text.partition("\t")
            if tag in seen or not meaning:
                problems.append(f"tags.tsv:{number}: a rule needs a unique tag and a meaning")
            seen.add(tag)
            sections[-1][1].append((tag, meaning))
    return sections


def read_suite(name, problems):
    """The positions: (line number, side to move, tags)."""
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
        positions.append((number, match["turn"], tags))
        tags = None
    return positions


def main():
    problems = []
    sections = read_tags(problems)
    lines = {tag: {"w": [], "b": []} for _, rules in sections for tag, _ in rules}
    totals = []
    for prefix, name in SUITES:
        positions = read_suite(name, problems)
        totals.append((name, len(positions)))
        for number, turn, tags in positions:
            for tag in tags:
                if tag in lines:
                    lines[tag][turn].append(f"{prefix}{number}")
                else:
                    problems.append(f"{name}:{number}: unknown tag {tag}")
    for tag, found in lines.items():
        for turn, places in found.items():
            if len(places) < MIN_LINES:
                problems.append(f"{tag}: {len(places)} lines with {turn} to move, expected at least {MIN_LINES}")

    text = report(sections, lines, totals)
    target = HERE / "COVERAGE.md"
    if "--check" not in sys.argv[1:]:
        target.write_text(text)
    elif not target.exists() or target.read_text() != text:
        problems.append("COVERAGE.md is out of date: run python3 coverage.py")

    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(lines)} rules, {sum(count for _, count in totals)} positions, {len(problems)} problems")
    return 1 if problems else 0


def report(sections, lines, totals):
    """The text of COVERAGE.md."""
    out = ["# Rules and the positions that exercise them", ""]
    out += ["This file is written by `coverage.py`. Do not edit it.", ""]
    counts = " and ".join(f"`{name}` ({count} positions)" for name, count in totals)
    out += [
        f"The suites are {counts}.",
        "A number is a line of `rules.epd`. A number after `c` is a line of `rules-chess960.epd`.",
        f"Only the first {SHOWN} lines for each side to move are listed.",
    ]
    for section, rules in sections:
        out += ["", f"## {section}", ""]
        out += ["| tag | what the position shows | White to move | Black to move |", "| --- | --- | --- | --- |"]
        for tag, meaning in rules:
            cells = [places(lines[tag][turn]) for turn in "wb"]
            out.append(f"| `{tag}` | {meaning} | {cells[0]} | {cells[1]} |")
    return "\n".join(out) + "\n"


def places(numbers):
    """The first line numbers, and how many are left out."""
    more = len(numbers) - SHOWN
    return " ".join(numbers[:SHOWN]) + (f" and {more} more" if more > 0 else "")


if __name__ == "__main__":
    sys.exit(main())
