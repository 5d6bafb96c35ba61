#!/usr/bin/env python3
"""Writes COVERAGE.md: which line of the rule suites exercises which rule.

Run without arguments to rewrite the file. With --check nothing is written, and the exit status
is 1 if the file is out of date. Either way it is 1 if a line cannot be read, a tag is unknown, or a
rule has fewer than LEAST lines for a colour.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITES = (("", "rules.epd"), ("c", "rules-chess960.epd"))
LEAST = 3
SHOWN = 8
LINE = re.compile(r"(?P<fen>\S+ (?P<turn>[wb]) \S+ \S+ \d+ \d+)(?P<counts>( ;D\d+ \d+)+)")


def read_tags(problems):
    """The rules, in order: (section, [(tag, meaning), ...])."""
    sections, seen = [], set()
    for number, text in enumerate((HERE / "tags.tsv").read_text().splitlines(), 1):
        if text.startswith("## "):
            sections.append((text[3:], []))
        elif not text.startswith("#"):
            tag, _, meaning = text.partition("\t")
            if tag in seen or not meaning:
                problems.append(f"tags.tsv:{number}: a rule needs its own name and a meaning")
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
            problems.append(f"{name}:{number}: not a position with its rules above it")
            continue
        depths = [int(depth) for depth in re.findall(r";D(\d+)", match["counts"])]
        if depths != list(range(1, len(depths) + 1)):
            problems.append(f"{name}:{number}: the depths do not run from 1")
        if match["fen"] in fens:
            problems.append(f"{name}:{number}: the position is there already")
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
                    problems.append(f"{name}:{number}: unknown rule {tag}")
    for tag, found in lines.items():
        for turn, places in found.items():
            if len(places) < LEAST:
                problems.append(f"{tag}: {len(places)} lines with {turn} to move, {LEAST} wanted")

    text = report(sections, lines, totals)
    target = HERE / "COVERAGE.md"
    if "--check" not in sys.argv[1:]:
        target.write_text(text)
    elif not target.exists() or target.read_text() != text:
        problems.append("COVERAGE.md is out of date: run coverage.py")

    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(lines)} rules, {sum(count for _, count in totals)} positions, {len(problems)} problems")
    return 1 if problems else 0


def report(sections, lines, totals):
    """The text of COVERAGE.md."""
    out = ["# Which position exercises which rule", ""]
    out += ["Written by `coverage.py`; do not edit.", ""]
    counts = " and ".join(f"`{name}` ({count} positions)" for name, count in totals)
    out += [
        f"The suites are {counts}. A number is a line of `rules.epd`, a number after `c` one of",
        f"`rules-chess960.epd`; the first {SHOWN} for each side to move are given.",
    ]
    for section, rules in sections:
        out += ["", f"## {section}", ""]
        out += ["| rule | what it is | white to move | black to move |", "| --- | --- | --- | --- |"]
        for tag, meaning in rules:
            cells = [places(lines[tag][turn]) for turn in "wb"]
            out.append(f"| `{tag}` | {meaning} | {cells[0]} | {cells[1]} |")
    return "\n".join(out) + "\n"


def places(numbers):
    """The first few line numbers, and how many more there are."""
    more = len(numbers) - SHOWN
    return " ".join(numbers[:SHOWN]) + (f" and {more} more" if more > 0 else "")


if __name__ == "__main__":
    sys.exit(main())
