"""The page for users of python-chess: its lists and tables are complete and true."""

import re
import types

import chess
import pytest

import tabiya
from differences import LIST, check_part, code, filled, table

#: The objects of python-chess and ours for each table.
PAIRS: dict[str, tuple[object, object]] = {
    "`Board`": (chess.Board(), tabiya.Board()),
    "The module": (chess, tabiya),
    "`Move`": (chess.Move.null(), tabiya.Move.null()),
    "`Piece`": (chess.Piece(1, True), tabiya.Piece(1, True)),
    "`SquareSet`": (chess.SquareSet(), tabiya.SquareSet()),
    "`LegalMoveGenerator`": (chess.Board().legal_moves, tabiya.Board().legal_moves),
    "`Outcome`": (
        chess.Outcome(chess.Termination.CHECKMATE, True),
        tabiya.Outcome(tabiya.Termination.CHECKMATE, True),
    ),
}


def differing(title: str) -> dict[str, str]:
    """What differs, by the name."""
    found: dict[str, str] = {}
    for names, answer in LIST["names"][title].items():
        for name in names.split(", "):
            assert name not in found, f"{name} is twice under {title}"
            found[name] = answer
    return found


def public(title: str) -> set[str]:
    """The names of python-chess."""
    theirs, _ = PAIRS[title]
    if theirs is chess:
        return of_module()
    return {name for name in dir(theirs) if not name.startswith("_")}


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


@pytest.mark.parametrize("title", PAIRS)
def test_lists_of_names(title: str) -> None:
    _, ours = PAIRS[title]
    names, differs = public(title), differing(title)
    assert differs.keys() <= names
    for name in names:
        assert hasattr(ours, name), name
    same = filled(f"Same: {code(sorted(names - differs.keys()))}.") + "\n"
    rows = [(code(names.split(", ")), answer) for names, answer in LIST["names"][title].items()]
    differences = table("name | what differs", rows)
    check_part(title, f"{same}\n{differences}" if differences else same)


def test_every_list_is_checked() -> None:
    assert LIST["names"].keys() == PAIRS.keys()


def test_squares_and_their_sets_are_the_same() -> None:
    for name in vars(chess):
        if re.fullmatch("(BB_)?[A-H][1-8]", name):
            assert getattr(tabiya, name) == getattr(chess, name)


def test_constants_that_are_the_same_are_equal() -> None:
    for name in of_module() - differing("The module").keys():
        theirs = getattr(chess, name)
        if isinstance(theirs, (bool, int, str, list, dict)):
            assert getattr(tabiya, name) == theirs, name


def test_no_method_needs_a_playable_board() -> None:
    """Methods without arguments; `position` is not one of python-chess."""
    for name in public("`Board`"):
        value = getattr(tabiya.Board(None), name)
        try:
            if callable(value):
                value()
        except (TypeError, IndexError):
            # It needs an argument, or a move to take back.
            pass
