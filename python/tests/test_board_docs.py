"""The page for users of python-chess: its tables are complete and true."""

import re
import types
from pathlib import Path

import chess
import pytest

import tabiya

PAGE = Path(__file__).parents[1] / "docs" / "coming-from-python-chess.md"

#: The objects of python-chess and ours for each table.
PAIRS: dict[str, tuple[object, object]] = {
    "`Board`": (chess.Board(), tabiya.Board()),
    "`Move`": (chess.Move.null(), tabiya.Move.null()),
    "`Piece`": (chess.Piece(1, True), tabiya.Piece(1, True)),
    "`SquareSet`": (chess.SquareSet(), tabiya.SquareSet()),
    "`LegalMoveGenerator`": (chess.Board().legal_moves, tabiya.Board().legal_moves),
    "`Outcome`": (
        chess.Outcome(chess.Termination.CHECKMATE, True),
        tabiya.Outcome(tabiya.Termination.CHECKMATE, True),
    ),
}


def tables() -> dict[str, dict[str, str]]:
    """The answer for each name of the lists and tables, by the heading above them."""
    found: dict[str, dict[str, str]] = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        heading = section.splitlines()[0]
        listed = re.findall(r"^\| (`\w+`.*?) \| (.+) \|$", section, re.M)
        same = re.findall(r"^Same: (.*?)\.$", section, re.M | re.S)
        listed += [(names, "same") for names in same]
        for names, answer in listed:
            for name in re.findall(r"`(\w+)`", names):
                rows = found.setdefault(heading, {})
                assert name not in rows, f"{name} is twice under {heading}"
                rows[name] = answer
    return found


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def of_module() -> set[str]:
    """The names of python-chess itself, without those of other modules, squares and their sets."""
    return {
        name
        for name, value in vars(chess).items()
        if not name.startswith("_")
        and not isinstance(value, types.ModuleType)
        and getattr(value, "__module__", "chess") in ("chess", None)
        and not re.fullmatch("(BB_)?[A-H][1-8]", name)
    } | {
        "Bitboard",
        "Color",
        "ColorName",
        "EnPassantSpec",
        "FEN_CASTLING_REGEX",
        "IntoSquareSet",
        "PieceType",
        "SAN_REGEX",
        "Square",
    }


def check(rows: dict[str, str], theirs: set[str], ours: object) -> None:
    assert rows.keys() == theirs
    for name, answer in rows.items():
        is_there = answer == "same" or answer.startswith(("same, ", "differs: "))
        assert is_there or answer == "not there", f"{name}: {answer}"
        assert hasattr(ours, name) == is_there, name


@pytest.mark.parametrize("title", PAIRS)
def test_tables_of_classes(title: str) -> None:
    theirs, ours = PAIRS[title]
    check(tables()[title], public(theirs), ours)


def test_table_of_the_module() -> None:
    check(tables()["The module"], of_module(), tabiya)
    assert tables().keys() == PAIRS.keys() | {"The module"}
    for name in vars(chess):
        if re.fullmatch("(BB_)?[A-H][1-8]", name):
            assert getattr(tabiya, name) == getattr(chess, name)


def test_constants_that_are_the_same_are_equal() -> None:
    for name, answer in tables()["The module"].items():
        theirs = getattr(chess, name)
        if answer == "same" and isinstance(theirs, (bool, int, str, list, dict)):
            assert getattr(tabiya, name) == theirs, name


def test_what_needs_a_playable_board() -> None:
    """Methods without arguments: those that raise on an empty board are marked, and no others."""
    for name, answer in tables()["`Board`"].items():
        if answer == "not there":
            continue
        empty = tabiya.Board(None)
        try:
            value = getattr(empty, name)
            if name.endswith("_moves") and not callable(value):
                value.count()
            elif callable(value):
                value()
        except tabiya.UnplayableError:
            assert "on playable boards" in answer, name
        except (TypeError, IndexError):
            # It needs an argument, or a move to take back.
            pass
        else:
            assert "on playable boards" not in answer, name
