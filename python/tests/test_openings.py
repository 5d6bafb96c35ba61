"""The names of openings, compared with a plain walk through the data of the crate."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import NamedTuple

import chess
import numpy as np
import pytest

import tabiya
import tabiya.pgn

DATA = Path(__file__).parents[2] / "crates/openings/data"


class Row(NamedTuple):
    """A line of the data."""

    eco: str
    name: str
    moves: list[str]


def rows() -> list[Row]:
    found: list[Row] = []
    for volume in "abcde":
        with (DATA / f"{volume}.tsv").open(encoding="utf-8") as file:
            for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                moves = [word for word in line["pgn"].split() if not word.endswith(".")]
                found.append(Row(line["eco"], line["name"], moves))
    return found


ROWS = rows()


def names() -> dict[str, tuple[str, str]]:
    """The names by EPD, which python-chess writes."""
    found: dict[str, tuple[str, str]] = {}
    for row in ROWS:
        board = chess.Board()
        for san in row.moves:
            board.push_san(san)
        found[board.epd()] = (row.eco, row.name)
    return found


NAMES = names()


def plain(board: chess.Board) -> tuple[str, str] | None:
    """The last named position of a board, found by going back."""
    board = board.copy()
    while board.epd() not in NAMES:
        if not board.move_stack:
            return None
        board.pop()
    return NAMES[board.epd()]


def test_the_table_is_the_data() -> None:
    assert len(NAMES) == len(ROWS) > 3500
    table = tabiya.openings()
    assert [(it.eco, it.name) for it in table] == [(row.eco, row.name) for row in ROWS]
    assert tabiya.openings() is table
    assert str(table[0]) == f"{ROWS[0].eco} {ROWS[0].name}"


def test_batches_give_the_names_of_a_plain_walk() -> None:
    boards: list[chess.Board] = []
    for row in ROWS[::5]:
        board = chess.Board()
        for san in row.moves:
            board.push_san(san)
            boards.append(board.copy(stack=False))
    found = tabiya.Batch.from_fens([board.fen() for board in boards]).openings()
    assert found.dtype == np.int16
    table = tabiya.openings()
    for board, index in zip(boards, map(int, found), strict=True):
        name = None if index < 0 else (table[index].eco, table[index].name)
        assert name == NAMES.get(board.epd()), board.fen()
    assert (found >= 0).sum() > 700 and (found < 0).any()


def test_lines_have_the_name_of_their_last_named_position() -> None:
    chance = random.Random(31)
    unnamed = 0
    for row in chance.sample(ROWS, 150):
        theirs, ours, game = chess.Board(), tabiya.Board(), tabiya.Game()
        moves = row.moves[: chance.randint(0, len(row.moves))]
        for san in moves:
            theirs.push_san(san)
            ours.push_san(san)
            game.push(san)
        for _ in range(chance.randint(0, 6)):
            legal = sorted(theirs.legal_moves, key=chess.Move.uci)
            if not legal:
                break
            move = chance.choice(legal)
            theirs.push(move)
            ours.push_uci(move.uci())
            game.push(move.uci())
        expected = plain(theirs)
        tree = tabiya.pgn.Game.from_board(ours)
        node = tree.end()
        for line in (ours, game, tree, node):
            found = tabiya.opening(line)
            assert (None if found is None else (found.eco, found.name)) == expected
        unnamed += expected is None
        at = tabiya.opening(ours.position)
        assert (None if at is None else (at.eco, at.name)) == NAMES.get(theirs.epd())
    assert unnamed < 20


def test_variations_have_names_of_their_own() -> None:
    text = "1. e4 c5 (1... e5 2. Nf3 (2. f4)) 2. c3 *"
    game = tabiya.pgn.read_game(io.StringIO(text))
    assert game is not None
    e5 = game.next()
    assert e5 is not None
    found = [tabiya.opening(node) for node in (game, e5[1].end(), e5[1][1], e5)]
    assert [it and it.name for it in found] == [
        "Sicilian Defense: Alapin Variation",
        "King's Knight Opening",
        "King's Gambit",
        "King's Pawn Game",
    ]


def test_bad_calls() -> None:
    board = tabiya.Board(None)
    assert tabiya.opening(board) is None
    assert tabiya.opening(tabiya.Position()) is None
    assert tabiya.opening(tabiya.pgn.Game()) is None
    with pytest.raises(TypeError, match="expected a Position, a Board, a Game or a node"):
        tabiya.opening("e4")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
