"""The table of files and their games that the tests of all languages read."""

import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tabiya
import tabiya.pgn

TABLE = Path(__file__).parents[2] / "crates/pgn/tests/languages/cases.txt"
START = tabiya.Position().fen()
#: The results of ``read_pgn`` as text.
RESULTS = {
    1: "1-0",
    0: "1/2-1/2",
    -1: "0-1",
    tabiya.UNKNOWN_RESULT: "*",
    tabiya.BOTH_LOSE: "0-0",
    tabiya.WHITE_HALF: "1/2-0",
    tabiya.BLACK_HALF: "0-1/2",
}


class Expected(NamedTuple):
    """A game of the table."""

    tags: dict[str, str]
    movetext: str
    #: The moves of the main line.
    sans: list[str]
    result: str
    start: str
    #: The kinds of the errors.
    errors: list[str]
    remarks: int
    #: What the comments say, by ply: ``clk``, ``emt``, ``eval``.
    facts: dict[int, dict[str, str]]


def data(text: str) -> bytes:
    r"""The bytes for a text with ``\n``, ``\r`` and ``\xNN``."""
    plain = {b"n": b"\n", b"r": b"\r"}
    return re.sub(
        rb"\\(n|r|x..)",
        lambda it: plain.get(it[1]) or bytes.fromhex(it[1][1:].decode()),
        text.encode(),
    )


def expected(text: str) -> Expected:
    """A game as the table shows it."""
    tags = {}
    while tag := re.match(r'\[(\w+) "(.*?)"\] ', text):
        tags[tag[1]] = tag[2]
        text = text[tag.end() :]
    movetext, *rest = re.split(r" (?=[@!~%] )", text)
    plain = re.sub(r"\{[^}]*\}", " ", movetext)
    while (shorter := re.sub(r"\([^()]*\)", " ", plain)) != plain:
        plain = shorter
    *words, result = re.sub(r"\$\d+|\d+\.+(?!\S)", " ", plain).split()
    facts = {
        int(ply): dict(fact.split("=", 1) for fact in of_ply)
        for ply, *of_ply in (it[2:].split() for it in rest if it[0] == "%")
    }
    return Expected(
        tags,
        movetext,
        words,
        result.replace(":", "-"),
        next((it[2:] for it in rest if it[0] == "@"), START),
        [it.split()[-1] for it in rest if it[0] == "!"],
        sum(int(it.split()[1]) for it in rest if it[0] == "~"),
        facts,
    )


def table() -> Iterator[tuple[str, list[Expected]]]:
    for line in TABLE.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            text, games = line.split(" => ")
            yield text, [expected(game) for game in games.split(" || ")]


CASES = list(table())
IDS = [text for text, _ in CASES]


def seconds(clock: str) -> float:
    hours, minutes, rest = clock.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def is_near(found: float | None, wanted: str | None) -> bool:
    """Is it this time, or missing as well?"""
    if found is None or np.isnan(found):
        return wanted is None
    return wanted is not None and found == pytest.approx(seconds(wanted))


class Results(tabiya.pgn.BaseVisitor[str]):
    """The results of games."""

    value = "*"

    def visit_result(self, result: str) -> None:
        self.value = result

    def handle_error(self, error: Exception) -> None:
        """The errors are not of interest here."""

    def result(self) -> str:
        return self.value


def read(text: bytes, visitor: Any = tabiya.pgn.GameBuilder) -> list[Any]:
    try:
        plain = text.decode()
    except UnicodeDecodeError:
        plain = text.decode("latin-1")
    file = io.StringIO(plain, newline="")
    return list(iter(lambda: tabiya.pgn.read_game(file, Visitor=visitor), None))


def shown(game: Any) -> list[tuple[Any, ...]]:
    """The moves of a game with their variations, glyphs and comments. ``!`` is the text of an error."""
    reasons = [error.reason for error in game.errors]
    nodes: list[tuple[Any, ...]] = []

    def show(node: Any, depth: int) -> None:
        comment = node.comment
        for reason in reasons:
            comment = comment.replace(f"{reason}; not read:", "!").replace(reason, "!")
        san = node.san() if depth else ""
        nodes.append((depth, san, node.nags, node.starting_comment, comment.split()))
        for variation in node.variations:
            show(variation, depth + 1)

    show(game, 0)
    return nodes


@pytest.mark.parametrize(("text", "games"), CASES, ids=IDS)
def test_trees(text: str, games: list[Expected]) -> None:
    logging.disable(logging.CRITICAL)
    found = read(data(text))
    assert read(data(text), Results) == [wanted.result for wanted in games]
    assert len(found) == len(games)
    for game, wanted in zip(found, games, strict=True):
        line = list(game.mainline())
        assert [node.san() for node in line] == wanted.sans
        assert len(game.errors) == len(wanted.errors)
        for name, value in wanted.tags.items():
            assert game.headers[name] == value
        if "Start" in wanted.errors:
            continue
        start = tabiya.Position(game.board().fen())
        assert start.fen() == tabiya.Position(wanted.start).fen()
        written = {"Result": wanted.result}
        if wanted.start != START:
            written |= {"FEN": wanted.start, "Variant": game.headers.get("Variant", "")}
        tags = "".join(f'[{name} "{value}"]\n' for name, value in written.items())
        (again,) = read(data(f"{tags}\n{wanted.movetext}"))
        assert shown(game) == shown(again)
        for ply, node in enumerate(line, 1):
            facts = wanted.facts.get(ply, {})
            assert is_near(node.clock(), facts.get("clk"))
            assert is_near(node.emt(), facts.get("emt"))
            score, _, depth = facts.get("eval", "").partition(",")
            found_score = node.eval() and node.eval().white()
            if not score or found_score is None:
                assert not score and found_score is None
            elif score.startswith("#"):
                assert found_score.mate() == int(score[1:])
            else:
                assert found_score.score() == round(100 * float(score))
            assert node.eval_depth() == (int(depth) if depth else None)


@pytest.mark.parametrize(("text", "games"), CASES, ids=IDS)
def test_arrays(text: str, games: list[Expected]) -> None:
    found = [it for part in tabiya.read_pgn(data(text)) for it in each(part)]
    assert len(found) == len(games)
    for game, wanted in zip(found, games, strict=True):
        position = tabiya.Position(wanted.start, chess960="Chess960" in text or "Fischer" in text)
        for san in wanted.sans:
            position = position.play(tabiya.Move.null() if san == "--" else position.parse(san))
        assert game["moves"] == len(wanted.sans)
        assert game["end"] == position.fen()
        assert RESULTS[game["result"]] == wanted.result
        assert game["is_broken"] == (game["errors"] > 0)
        # Variations are skipped, with their errors and remarks, and words between games count for none.
        assert game["errors"] <= len(wanted.errors) and game["remarks"] <= wanted.remarks
        if "(" not in text and len(games) == 1:
            assert (game["errors"], game["remarks"]) == (len(wanted.errors), wanted.remarks)
        for ply, (clock, evaluation, mate) in enumerate(game["facts"], 1):
            facts = wanted.facts.get(ply, {})
            assert is_near(clock, facts.get("clk"))
            score = facts.get("eval", "").partition(",")[0]
            assert mate == (int(score[1:]) if score.startswith("#") else 0)
            is_score = score and not score.startswith("#")
            assert np.isnan(evaluation) != bool(is_score)
            assert not is_score or evaluation == pytest.approx(float(score), abs=1e-4)


def each(games: Any) -> Iterator[dict[str, Any]]:
    """The games of arrays."""
    numbers = [error.game for error in games.errors]
    for index in range(len(games)):
        plies = slice(games.offsets[index], games.offsets[index + 1])
        yield {
            "moves": plies.stop - plies.start,
            "end": games.final_positions[index].fen(),
            "result": int(games.results[index]),
            "errors": numbers.count(games.game_numbers[index]),
            "is_broken": bool(games.broken[index]),
            "remarks": int(games.remarks[index]),
            "facts": zip(games.clocks[plies], games.evals[plies], games.mates[plies], strict=True),
        }
