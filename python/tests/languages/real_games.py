"""Games from the test data of published packages, read by all languages and by other libraries.

    python real_games.py --trees PROGRAM --npm FOLDER --packages FOLDER ARCHIVE...

PROGRAM is the example ``trees`` of the crate ``tabiya-pgn``. The games are those in the archives,
below ``node_modules`` of the folder of packages, which has kokopu, and in the sources of the crate
pgn-reader. All languages must read the same from every file, also from a broken one. What
python-chess or kokopu read without an error, all of ours read as well, and find the same in it.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
from trees import lines

import tabiya.pgn

ROOT = Path(__file__).parents[3]

#: Games that kokopu reads in another way, by the end of the file's name and their number from 0.
OTHER_IN_KOKOPU = {
    ("escaped-text/database.pgn", 0): "it reads a backslash before a brace as part of the comment",
    ("misc/database.pgn", 1): "it reads a backslash before a brace in a comment as part of the comment",
    ("misc/database.pgn", 2): "it has words for glyphs, and a glyph before a move belongs to that move",
    ("syntactic-error-1/database.pgn", 20): "it reads a game after text that is not PGN",
}
#: Files that python-chess reads in another way without an error, by the end of the name.
OTHER_IN_PYTHON = {
    "sampleGameThrow.pgn": "the German Sf3 is read as f3, the rest of a word that is not known",
    "cutechess-fischerrandom.pgn": "evaluations and times of tournament programs are text",
    "stockfish-learning.pgn": "evaluations and times of tournament programs are text",
    "redos-comment/database.pgn": "a comment without an end is read",
    "syntactic-error-2/database.pgn": "a word without tags and moves is a game",
    "syntactic-error-3/database.pgn": "a bracket without tags and moves is a game",
    "syntactic-error-4/database.pgn": "a comment without an end is read",
}
#: Variants with other rules.
VARIANTS = ("antichess", "horde", "optional-kings", "variant-", "-zh-", "programfox")


def crate_folder() -> Path:
    """The sources of pgn-reader."""
    manifest = str(ROOT / "peers/Cargo.toml")
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    paths = [it["manifest_path"] for it in found["packages"] if it["name"] == "pgn-reader"]
    return Path(paths[0]).parent


def files(archives: list[Path], packages: Path) -> Iterator[tuple[str, bytes]]:
    """The files of games, with their names."""
    for archive in archives:
        with tarfile.open(archive) as tar:
            for member in tar:
                content = tar.extractfile(member) if member.name.endswith(".pgn") else None
                if content is not None and "/data/" in member.name:
                    yield member.name, content.read()
    for folder in (packages / "node_modules", crate_folder()):
        for path in sorted(folder.rglob("*.pgn")):
            yield str(path), path.read_bytes()


def output(command: list[str], data: bytes, folder: Path) -> str:
    done = subprocess.run(command, input=data, capture_output=True, check=True, cwd=folder)
    return done.stdout.decode()


def about_moves(text: str) -> list[str]:
    """The lines about moves, with glyphs in order: `tabiya.pgn` adds tags that every game should have."""

    def in_order(nags: re.Match[str]) -> str:
        return ",".join(sorted(nags[0].split(","), key=int))

    lines = (" ".join(line.split()) for line in text.splitlines() if not line.startswith("tag "))
    return [re.sub(r"(?<= nags=)[\d,]+", in_order, line) for line in lines]


def read_all(module: Any, names: list[str], data: bytes) -> tuple[list[str], bool]:
    """What a module in the form of ``chess.pgn`` reads. Does it find errors?"""
    file = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape")
    found: list[str] = []
    is_wrong = False
    while (game := module.read_game(file)) is not None:
        found += lines(game, names)
        is_wrong = is_wrong or bool(game.errors)
    return about_moves("\n".join(found)), is_wrong


def check(
    name: str, data: bytes, arguments: argparse.Namespace, counts: Counter[str]
) -> Iterator[str]:
    """Compares all readers of a file, and says where they differ."""
    trees, npm = arguments.trees, arguments.npm
    rust = output([trees, "show"], data, ROOT)
    if rust != output(["node", "tests/languages/trees.mjs", "show"], data, npm):
        yield f"{name}: Rust and JavaScript differ"
    games = rust.count("\ngame ") + rust.startswith("game ")
    counts["files"] += 1
    counts["games"] += games
    if any(variant in name for variant in VARIANTS):
        return

    ours, _ = read_all(tabiya.pgn, tabiya.SQUARE_NAMES, data)
    # A game of it cannot be played: Python then has no start position.
    if ours != about_moves(rust) and "semantic-error" not in name:
        yield f"{name}: Python and Rust differ"
    try:
        theirs, is_wrong = read_all(chess.pgn, chess.SQUARE_NAMES, data)
    except (IndexError, ValueError):
        # It does not expect a variation before the first move, nor some names of chess.
        theirs, is_wrong = [], True
    if not is_wrong and not any(name.endswith(end) for end in OTHER_IN_PYTHON):
        counts["games equal in python-chess"] += games
        if ours != theirs:
            yield f"{name}: tabiya.pgn and chess.pgn differ"

    both = [
        json.loads(
            output(
                ["node", "tests/languages/others.mjs", library, str(arguments.packages)], data, npm
            )
        )
        for library in ("tabiya", "kokopu")
    ]
    for number, (game, other) in enumerate(zip(*both, strict=False)):
        if other == ["error"]:
            continue
        known = any(name.endswith(end) and number == at for end, at in OTHER_IN_KOKOPU)
        if (game == other) == known:
            yield f"{name}: game {number} is {'equal' if known else 'another one'} in kokopu"
        counts["games equal in kokopu"] += game == other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trees", required=True)
    parser.add_argument("--npm", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("archives", type=Path, nargs="*")
    arguments = parser.parse_args()
    # Errors of games are expected.
    for logger in ("chess.pgn", "tabiya.pgn"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for name, data in files(arguments.archives, arguments.packages):
        problems += check(name, data, arguments, counts)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    expected = {
        "files": 60,
        "games": 1800,
        "games equal in python-chess": 1700,
        "games equal in kokopu": 1700,
    }
    missing = [what for what, least in expected.items() if counts[what] < least]
    problems += [f"too few {what}" for what in missing]
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
