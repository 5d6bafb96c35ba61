"""Pictures: they are valid SVG and show what they should."""

import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import random_games

import tabiya
import tabiya.pgn
from tabiya import Svg, layer, layers, svg, svg_of_explanation

NAMESPACE = "{http://www.w3.org/2000/svg}"
PINNED = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1"


def tree(picture: Svg | str) -> ElementTree.Element:
    """The picture, read as XML."""
    root = ElementTree.fromstring(str(picture))
    assert root.tag == f"{NAMESPACE}svg"
    return root


def count(picture: Svg | str, tag: str) -> int:
    return len(list(tree(picture).iter(NAMESPACE + tag)))


def title(picture: Svg | str) -> str:
    found = tree(picture).find(f"{NAMESPACE}title")
    assert found is not None and found.text is not None
    return found.text


def words(picture: Svg | str) -> str:
    """The description for people who cannot see the picture."""
    found = tree(picture).find(f"{NAMESPACE}desc")
    assert found is not None and found.text is not None
    return found.text


def test_a_picture_shows_itself() -> None:
    picture = svg(tabiya.Position())
    assert picture._repr_svg_() == str(picture)
    assert count(picture, "use") == 32
    assert title(picture) == tabiya.START
    assert repr(picture) == f"<Svg: {tabiya.START}>"
    assert picture == svg(tabiya.START) and hash(picture) == hash(svg(tabiya.START))
    assert picture != svg(tabiya.START, flipped=True)
    assert picture != 5


def test_random_positions_are_valid_pictures() -> None:
    names = [name for name in layers() if ":" not in name]
    for number, board in enumerate(random_games(6, seed=31)):
        if number % 20:
            continue
        position = tabiya.Position(board.fen(), board.chess960)
        picture = svg(position, layers=names[number % len(names) :][:8], flipped=number % 2 == 0)
        assert count(picture, "use") == len(board.piece_map())


def test_objects_with_a_fen_are_drawn() -> None:
    class Board:
        def fen(self) -> str:
            return PINNED

    assert svg(Board()) == svg(PINNED) == svg(tabiya.Position(PINNED))
    assert layer(Board(), "checkers").names() == ["d3"]
    # A setup does not have to be playable.
    assert count(svg("8/8/8/8/8/8/8/8 w - - 0 1"), "use") == 0
    assert count(svg("kk6/8/8/8/8/8/8/8 w - - 0 1", layers="kings"), "use") == 2


def test_an_attribute_fen_is_no_method() -> None:
    class Record:
        fen = PINNED

    record: Any = Record()
    with pytest.raises(TypeError, match="or an object with a method fen, not .*Record"):
        svg(record)


def test_exceptions_of_arguments_are_raised() -> None:
    # A signal may arrive while they are read.
    class Interrupted:
        def fen(self) -> str:
            raise KeyboardInterrupt

        def __index__(self) -> int:
            raise KeyboardInterrupt

        def __iter__(self) -> Iterator[int]:
            yield 1
            raise KeyboardInterrupt

    class Unreadable:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    it = Interrupted()
    number: Any = it
    unreadable: Any = Unreadable()
    calls: list[Callable[[], object]] = [
        lambda: svg(it),
        lambda: layer(it, "checkers"),
        lambda: svg(PINNED, layers=[("mine", (square for square in it))]),
        lambda: svg(PINNED, arrows=[(it, 1)]),
        lambda: svg(PINNED, last_move=(it, 1)),
        lambda: tabiya.Board().piece_at(it),
        lambda: tabiya.Board().pieces(1, it),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: tabiya.Batch.random(1, plies=it),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: tabiya.Batch.random(1, plies=(0, it)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: tabiya.perft(it),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        lambda: tabiya.Bitboard(5) == it,
        lambda: tabiya.Bitboard(5) < number,
        lambda: tabiya.Board().push(unreadable),
        lambda: tabiya.Board().is_legal(unreadable),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()


def test_layers_are_marked() -> None:
    picture = svg(PINNED, layers=["checkers", "pinned", ("mine", ["a1", 63])])
    assert "checkers: d3." in words(picture) and "pinned: e2." in words(picture)
    assert "mine: a1, h8." in words(picture)
    assert "pawns: none" in words(svg(PINNED, layers="pawns"))
    both = svg(PINNED, layers="between:e1-e8,checkers")
    assert "between:e1-e8: e2, e3, e4, e5, e6, e7." in words(both)
    assert "0x0000000000000001: a1." in words(svg(PINNED, layers=tabiya.Bitboard(["a1"])))
    nine = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black", "pinned"]
    separate = svg(PINNED, layers=nine, separate=True)
    assert count(separate, "use") == 9 * 5
    with pytest.raises(ValueError, match="at most 8 layers, not 9; separate=True"):
        svg(PINNED, layers=nine)


def test_every_layer_can_be_drawn() -> None:
    arguments = {"COLOR": "white", "SQ": "e2", "SQ-SQ": "e1-e8", "SQ-DIR": "e2-n"}
    for name in layers():
        kind, _, form = name.partition(":")
        text = f"{kind}:{arguments[form]}" if form else kind
        squares = layer(PINNED, text)
        assert isinstance(squares, tabiya.Bitboard)
        picture = svg(PINNED, layers=text)
        for square in squares.names():
            assert square in words(picture)
    assert len(layers()) > 30 and all(layers().values())


def test_arrows_and_the_last_move() -> None:
    move = tabiya.Move.from_uci("e7e8q")
    arrows: list[Any] = ["e2e4:red", move, ("a1", 9), (0, "h8", "blue"), tabiya.Move.null()]
    text = words(svg(PINNED, arrows=arrows, last_move="e2e4"))
    for expected in (
        "A red arrow from e2 to e4.",
        "A green arrow from e7 to e8.",
        "A green arrow from a1 to b2.",
        "A blue arrow from a1 to h8.",
        "Last move: e2 to e4.",
    ):
        assert expected in text
    assert text.count("arrow") == 4
    assert svg(PINNED, last_move=move) == svg(PINNED, last_move=("e7", 60))
    assert svg(PINNED, last_move=tabiya.Move.null()) == svg(PINNED)
    assert "A green arrow from a1 to a1" in words(svg(PINNED, arrows="a1a1"))
    assert "Black is at the bottom" in words(svg(PINNED, flipped=True))


def test_sizes_and_coordinates() -> None:
    natural = tree(svg(PINNED))
    assert (natural.get("width"), natural.get("height")) == ("404", "404")
    small = tree(svg(PINNED, coordinates="inside", size=196))
    assert (small.get("width"), small.get("height")) == ("196", "196")
    assert small.get("viewBox") == "0 0 392 392"

    def labels(picture: Svg) -> str:
        nodes = tree(picture).iter(f"{NAMESPACE}text")
        return "".join(node.text or "" for node in nodes)

    assert labels(svg(PINNED)) == labels(svg(PINNED, coordinates="inside")) == "87654321abcdefgh"
    assert labels(svg(PINNED, coordinates="inside", flipped=True)) == "12345678hgfedcba"
    assert labels(svg(PINNED, coordinates=None)) == ""


def first_boards(picture: str | None) -> tuple[list[str], int]:
    """The headings of the boards of a picture, and its width."""
    assert picture is not None
    root = tree(picture)
    assert "None" not in picture
    headings = [node.text or "" for node in root.iter(f"{NAMESPACE}text")]
    return headings, int(root.get("width", "0"))


def test_a_batch_shows_its_first_positions() -> None:
    batch = tabiya.Batch.random(1000, plies=20)
    headings, width = first_boards(batch._repr_svg_())
    assert headings == ["row 0 of 1000", *(f"row {row}" for row in range(1, 6))] and width == 720
    assert count(batch._repr_svg_() or "", "use") == int(batch[:6].planes().sum())
    for rows, width in ((1, 240), (2, 480), (4, 720)):
        assert first_boards(batch[:rows]._repr_svg_())[1] == width
    assert batch[:0]._repr_svg_() is None


def test_games_show_their_last_positions() -> None:
    games = next(tabiya.read_pgn(b"1. f3 e5 2. g4 Qh4# 0-1 1. d4 -- *"))
    assert first_boards(games._repr_svg_()) == (["game 0 of 2", "game 1"], 480)
    text = words(games._repr_svg_() or "")
    assert text.count("Last move") == 1 and "Last move: d8 to h4." in text
    many = next(tabiya.read_pgn(b"1. e4 *\n\n" * 50, positions=False))
    assert first_boards(many._repr_svg_())[0][0] == "game 0 of 50"
    assert count(many._repr_svg_() or "", "use") == 6 * 32


def test_a_game_of_a_file_shows_its_last_position() -> None:
    pgn = '[White "A & B"]\n[Black "C"]\n[Result "0-1"]\n\n1. f3 (1. e4) e5 2. g4 Qh4# 0-1'
    game = tabiya.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    picture = game._repr_svg_()
    assert picture is not None and "Last move: d8 to h4." in words(picture)
    assert title(picture) == "A & B - C  0-1"
    empty = tabiya.pgn.Game()
    assert count(empty._repr_svg_() or "", "use") == 32
    empty.headers["FEN"] = "nonsense"
    assert empty._repr_svg_() is None


def test_titles_are_escaped() -> None:
    text = '<b>"K&R"</b> \x00 \ud7ff \' ]]>'
    picture = svg(PINNED, title=text)
    assert title(picture).replace("\ufffd", "\x00") == text
    assert repr(picture).startswith("<Svg: <b>")


def test_a_picture_is_saved(tmp_path: Path) -> None:
    picture = svg(PINNED, title="Läufer")
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "b.svg"))
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == str(picture)
    assert (tmp_path / "b.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()
    with pytest.raises(FileNotFoundError):
        picture.save(tmp_path / "no" / "c.svg")


def test_a_picture_is_saved_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    target.write_text("before", encoding="utf-8")
    with target.open(encoding="utf-8") as reader:
        svg(PINNED).save(target)
        # It was replaced, not emptied.
        assert reader.read() == "before"
    assert target.read_text(encoding="utf-8") == str(svg(PINNED))


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"layers": ["chekers"]},
            ValueError,
            'there is no layer "chekers"; did you mean checkers?',
        ),
        ({"layers": "attacks:e4"}, ValueError, "e4 is empty"),
        ({"layers": [5]}, TypeError, "expected a layer"),
        ({"layers": 5}, TypeError, "iterable"),
        ({"arrows": ["e2e9"]}, ValueError, "expected two squares"),
        ({"arrows": ["e2e4:pink"]}, ValueError, "the colours of arrows"),
        ({"arrows": [("e2", "e4", "pink")]}, ValueError, "green, red, blue"),
        ({"arrows": [("e2", "e9")]}, ValueError, "expected a square"),
        ({"arrows": [("e2",)]}, TypeError, "expected an arrow"),
        ({"arrows": [5]}, TypeError, "expected an arrow"),
        ({"last_move": "x"}, ValueError, "expected two squares"),
        ({"last_move": 5}, TypeError, "expected the last move"),
        ({"size": 0}, ValueError, "size: expected a positive number of pixels, not 0"),
        ({"size": 2**32}, ValueError, "size: expected a positive number"),
        ({"size": "big"}, TypeError, "size"),
        ({"coordinates": "x"}, ValueError, "expected \"outside\", \"inside\" or None, not 'x'"),
    ],
)
def test_wrong_arguments(keywords: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        svg(PINNED, **keywords)


def test_other_wrong_arguments() -> None:
    with pytest.raises(tabiya.FenError):
        svg("x")
    with pytest.raises(ValueError, match="needs a playable position: White has no king"):
        svg("8/8/8/8/8/8/8/8 w - - 0 1", layers="checkers")
    with pytest.raises(ValueError, match="there is no layer"):
        layer(PINNED, "x")
    wrong: Any = 5
    with pytest.raises(TypeError, match="expected a position, a FEN or an object"):
        svg(wrong)


def test_messages_show_what_was_given() -> None:
    with pytest.raises(ValueError, match="there is no layer") as caught:
        layer(PINNED, "\x1b[2J")
    assert str(caught.value).split("\n")[1:] == [r"  \u{1b}[2J", "  ^^^^^^^^^"]
    with pytest.raises(ValueError, match="expected two squares") as caught:
        svg(PINNED, arrows=["e2\x1be4"])
    assert "\x1b" not in str(caught.value)
    many = "x" * 100_000
    wrong: Any
    for wrong in ({"layers": many}, {"arrows": many}, {"arrows": [("e2", "e4", many)]}):
        with pytest.raises(ValueError) as caught:
            svg(PINNED, **wrong)
        assert len(str(caught.value)) < 600


def test_explanations_are_drawn() -> None:
    pinned = svg_of_explanation(PINNED, "e2d3")
    assert title(pinned).startswith("e2d3 is not legal: the bishop on e2 is pinned")
    assert "A red arrow from e2 to d3." in words(pinned)
    assert "pinned: e1, e2, e8." in words(pinned)

    castling = svg_of_explanation("4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1", "O-O")
    assert "A red arrow from e1 to g1." in words(castling)
    assert "castling-through" in words(castling) and "a6" in words(castling)

    legal = svg_of_explanation(tabiya.Position(), tabiya.Move.from_uci("e2e4"), flipped=True)
    assert title(legal) == "e2e4 is legal"
    assert "A green arrow from e2 to e4." in words(legal)
    assert svg_of_explanation(tabiya.START, "e4", flipped=True) != legal

    several = svg_of_explanation(tabiya.Position(), "Nd4")
    assert words(several).count("A red arrow from") == 2

    with pytest.raises(tabiya.InvalidMoveError):
        svg_of_explanation(PINNED, "e9")
    wrong: Any = 5
    with pytest.raises(TypeError):
        svg_of_explanation(PINNED, wrong)


def test_explanations_of_all_moves_are_drawn() -> None:
    """Every reason gives a valid picture."""
    fens = [PINNED, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]
    fens += ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
    names = set[str]()
    for fen in fens:
        position = tabiya.Position(fen)
        for source in tabiya.SQUARE_NAMES[::3]:
            for target in tabiya.SQUARE_NAMES[::5]:
                if source != target:
                    explanation = position.explain(source + target)
                    names.update(reason.name for reason in explanation.reasons)
                    picture = svg_of_explanation(position, source + target)
                    assert title(picture) == str(explanation)
    assert len(names) > 6


def test_an_explanation_shows_itself() -> None:
    fen = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"
    explanation = tabiya.Position(fen).explain("Bd3")
    assert explanation._repr_svg_() == str(tabiya.svg_of_explanation(fen, "Bd3"))  # pyright: ignore[reportPrivateUsage]
    assert tabiya.Position().explain("e4")._repr_svg_().startswith("<svg ")  # pyright: ignore[reportPrivateUsage]
