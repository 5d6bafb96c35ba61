"""`tabiya.pgn` against `chess.pgn`: games read, walked, changed and written by both."""

import codecs
import copy
import enum
import gzip
import io
import itertools
import logging
import math
import operator
import os
import pickle
import random
import re
import subprocess
from collections.abc import Iterator
from typing import Any, TypeVar

import chess
import chess.engine
import chess.pgn
import pytest

import tabiya
import tabiya.pgn
from conftest import LONG

#: The path of the command, which holds games in trees of its own.
COMMAND = os.environ.get("TABIYA_COMMAND")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Broken games are logged."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def line(
    chance: random.Random, board: chess.Board, depth: int, *, faults: float
) -> Iterator[str]:
    """The words of a line of random moves with variations, comments, glyphs and some faults."""
    has_number = False
    for ply in range(chance.randrange(1, 60 if depth == 0 else 8)):
        moves = list(board.legal_moves)
        if not moves:
            return
        move = chance.choice(moves)
        if board.turn or not has_number or chance.random() < 0.1:
            yield f"{board.fullmove_number}.{'' if board.turn else '..'}"
            has_number = True
        # After an error in a variation, python-chess plays on from the wrong position.
        if depth == 0 and chance.random() < faults:
            yield chance.choice(["Qa9", "Ke5", "Nh5h6", "e9"])
        yield board.san(move)
        if chance.random() < 0.2:
            yield chance.choice(["$1", "$16", "!", "?!", "$140", "??"])
        if chance.random() < 0.2:
            yield chance.choice(COMMENTS)
        while depth < 3 and (ply or depth == 0) and chance.random() < 0.1:
            yield "("
            if chance.random() < 0.3:
                yield "{before}"
            yield from line(chance, board.copy(), depth + 1, faults=faults)
            yield ")"
        board.push(move)


COMMENTS = [
    "{good}",
    "{ [%clk 0:01:02.5] [%eval -0.31,20] }",
    "{[%csl Gd4,Rd5][%cal Yd1h5] look (there}",
    "{two\nlines; 1-0}",
    ";\n",
    "{1. e4 $3 [not a tag]}",
    "{[%emt 0:00:07][%eval #-3]}",
]


def texts(count: int, *, faults: float = 0.006) -> Iterator[str]:
    """Files of one to three games."""
    for number in range(count):
        chance = random.Random(number)
        games: list[str] = []
        for _ in range(chance.randrange(1, 4)):
            board = chess.Board()
            tags = ['[White "A b"]', '[Zeta "1"]', '[Alpha "x"]'][: chance.randrange(4)]
            if number % 3 == 1:
                board = chess.Board.from_chess960_pos(chance.randrange(960))
                tags += ['[Variant "Chess960"]', f'[FEN "{board.fen()}"]', '[SetUp "1"]']
            elif number % 3 == 2:
                board = chess.Board("4k3/P6p/8/8/8/8/p6P/4K2R b K - 3 40")
                tags.append(f'[FEN "{board.fen()}"]')
            result = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
            # After an error, only we read the result that stands after the moves.
            tags.append(f'[Result "{result}"]')
            words = [*line(chance, board, 0, faults=faults), result]
            separator = chance.choice([" ", "\n"])
            moves = separator.join(words).replace("\n ", "\n").replace("\n\n", "\n")
            games.append("\n".join([*tags, "", moves, ""]))
        yield "\n".join(games)


def shown(node: Any) -> Any:
    """A tree as values that both packages share."""
    score = node.eval()
    return {
        "move": str(node.move),
        "comment": node.comment,
        "starting comment": getattr(node, "starting_comment", ""),
        "nags": sorted(node.nags),
        "clock": (node.clock(), node.emt()),
        "eval": score and (score.white().score(), score.white().mate(), node.eval_depth()),
        "arrows": [(arrow.tail, arrow.head, arrow.color) for arrow in node.arrows()],
        "facts": (node.ply(), node.turn(), node.is_mainline(), node.starts_variation()),
        "variations": [shown(child) for child in node.variations],
    }


def everything(module: Any, text: str) -> list[Any]:
    """What a module finds in a file."""
    handle = io.StringIO(text)
    found: list[Any] = []
    while (game := module.read_game(handle)) is not None:
        found.append((dict(game.headers), list(game.headers), len(game.errors), handle.tell()))
        found.append((game.end().board().fen(), [str(move) for move in game.mainline_moves()]))
        if game.errors:
            # Only ours has the rest of the line as a comment.
            found.append(game.accept(module.StringExporter(comments=False)))
            continue
        found.append((shown(game), str(game)))
        nodes = list(game.mainline())
        if nodes:
            some = nodes[len(nodes) // 2]
            found.append((str(some), some.san(), some.uci()))
            found.append(some.accept_subgame(module.StringExporter(columns=50)))
        for options in ({"comments": False}, {"variations": False}, {"headers": False}):
            found.append(game.accept(module.StringExporter(columns=40, **options)))
        out = io.StringIO()
        found.append((game.accept(module.FileExporter(out)), out.getvalue()))
    handle.seek(0)
    try:
        while (board := module.read_game(handle, Visitor=module.BoardBuilder)) is not None:
            found.append(board.fen())
    except ValueError:
        found.append("an error is raised")
    handle.seek(0)
    while (headers := module.read_headers(handle)) is not None:
        found.append((dict(headers), handle.tell()))
    handle.seek(0)
    while module.skip_game(handle):
        found.append(handle.tell())
    return found


def test_both_modules_find_the_same() -> None:
    games = faults = 0
    for text in texts(1500 if LONG else 150):
        ours, theirs = everything(tabiya.pgn, text), everything(chess.pgn, text)
        for our, their in zip(ours, theirs, strict=True):
            assert our == their, text
        handle = io.StringIO(text)
        while (game := tabiya.pgn.read_game(handle)) is not None:
            games, faults = games + 1, faults + bool(game.errors)
    assert games > 200 and faults > 10, (games, faults)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n",
        "{only}",
        "*",
        '[White "a"]',
        "1. e4 ;\ne5",
        "((( 1. e4 ) ) e5 2. Nf3",
        "1. e4 e5 foo Nf3 !? $0 ] Nc6",
        '[Result "1-0"]\n\n1. e4 Ke7 {x} (1... e5) 1-0',
        "1. e2e4 e7-e5 2. Ng1-f3 b8c6 3. 0-0",
        "1. e4 -- 2. d4 Z0",
        "\ufeff1. e4 e5",
        "1. e4 e5 2. Nf3 (2. f4 exf4) (2. d4) 2... Nc6",
        '[White "a"]\n[Site "Wijk, board a4"]\n\n1. e4 e5 *',
    ],
)
def test_odd_files_are_read_alike(text: str) -> None:
    assert everything(tabiya.pgn, text) == everything(chess.pgn, text)


@pytest.mark.parametrize("text", ["300+5", "300+5d", "600", "899", "900", "40/5400+2.5D:1800", "-", "?"])
def test_time_controls_are_read_alike(text: str) -> None:
    ours, theirs = tabiya.pgn.parse_time_control(text), chess.pgn.parse_time_control(text)
    assert ours.type.name == theirs.type.name
    assert list(map(vars, ours.parts)) == list(map(vars, theirs.parts))


def test_commands_without_an_end_take_linear_time() -> None:
    for text in ("[%clk" + " " * 300_000, "[%eval " * 100_000, "[%csl " * 100_000):
        node = tabiya.pgn.Game().add_main_variation(tabiya.Move.from_uci("e2e4"), comment=text)
        assert (node.clock(), node.eval(), node.arrows()) == (None, None, [])


BOARDS = (tabiya.Board, chess.Board)


class Trace:
    """What a visitor is told."""

    def __init__(self, module: Any, skip: str = "") -> None:
        trace: list[Any] = []

        class Visitor(module.BaseVisitor):  # type: ignore[misc]
            def result(self) -> list[Any]:
                return trace

        def method(name: str) -> Any:
            def call(_: Any, *arguments: Any) -> Any:
                values = [
                    argument.fen() if isinstance(argument, BOARDS) else str(argument)
                    for argument in arguments
                ]
                trace.append((name, *([] if name == "handle_error" else values)))
                calls = sum(it[0] == name for it in trace)
                return module.SKIP if name == skip and calls % 2 else None

            return call

        for name in (
            "begin_game begin_headers visit_header end_headers begin_parse_san visit_move visit_board "
            "visit_comment visit_nag begin_variation end_variation visit_result end_game handle_error"
        ).split():
            setattr(Visitor, name, method(name))
        self.Visitor = Visitor
        self.trace = trace


@pytest.mark.parametrize("skip", ["", "begin_game", "end_headers", "begin_variation"])
def test_visitors_are_told_the_same(skip: str) -> None:
    # Only ours shows the rest of a line after an error.
    for text in texts(60 if LONG else 25, faults=0):
        traces: list[Any] = []
        for module in (tabiya.pgn, chess.pgn):
            visitor = Trace(module, skip)
            handle = io.StringIO(text)
            while module.read_game(handle, Visitor=visitor.Visitor) is not None:
                pass
            handle.seek(0)
            game = module.read_game(handle)
            game.accept(visitor.Visitor())
            traces.append(visitor.trace)
        assert traces[0] == traces[1], text


def test_visitors_may_leave_out_moves_and_read_them_otherwise() -> None:
    class Others(tabiya.pgn.GameBuilder[tabiya.pgn.Game]):
        def begin_parse_san(self, board: tabiya.Board, san: str) -> tabiya.pgn.SkipType | None:
            return tabiya.pgn.SKIP if san == "Nc6" else None

        def parse_san(self, board: tabiya.Board, san: str) -> tabiya.Move:
            if san == "d6":
                raise ValueError("no")
            return super().parse_san(board, {"e4": "d4"}.get(san, san))

    game = tabiya.pgn.read_game(io.StringIO("1. e4 Nc6 2. a3 d6 *"), Visitor=Others)
    assert game is not None and [move.uci() for move in game.mainline_moves()] == ["d2d4", "a2a3"]
    assert [str(error) for error in game.errors] == ["no"]


def test_trees_are_changed_alike() -> None:
    for seed in range(40):
        texts: list[str] = []
        for module, package in ((tabiya.pgn, tabiya), (chess.pgn, chess)):
            chance = random.Random(seed)
            game = module.Game()
            nodes = [game]
            for _ in range(60):
                node = chance.choice(nodes)
                moves = sorted(node.board().legal_moves, key=lambda move: move.uci())
                if not moves:
                    continue
                move = package.Move.from_uci(chance.choice(moves).uci())
                action = chance.randrange(8)
                if action < 3:
                    start = "s" if chance.random() < 0.4 else ""
                    nodes.append(
                        node.add_variation(move, comment="a", starting_comment=start, nags=[3, 1])
                    )
                elif action == 3:
                    nodes.append(node.add_main_variation(move, comment="b"))
                elif node.variations:
                    child = chance.choice(node.variations)
                    method = ["promote", "demote", "promote_to_main", "promote"][action - 4]
                    getattr(node, method)(chance.choice([child, child.move]))
                    if chance.random() < 0.1:
                        node.remove_variation(node.variations.index(child))
                node.set_clock(chance.choice([None, 5.25, 3600]))
                node.set_arrows([(0, 9), (3, 3)] if chance.random() < 0.3 else [])
            texts.append(str(game))
            texts.append(str(game.mainline()))
        assert texts[:2] == texts[2:]


def test_comments_before_moves_of_the_main_line_are_written() -> None:
    for change in ("promote", "remove"):
        texts: list[str] = []
        for module in (tabiya.pgn, chess.pgn):
            handle = io.StringIO("1. e4 ( {the better move} 1. d4 d5 ) 1... e5 *")
            game: Any = module.read_game(handle)
            if change == "promote":
                game.promote_to_main(game.variations[1].move)
            else:
                game.remove_variation(0)
            texts.append(str(game))
            exporter = module.StringExporter(columns=None)
            texts.append(game.next().accept(exporter))
            again: Any = tabiya.pgn.read_game(io.StringIO(texts[-2]))
            assert again.next().san() == "d4" and "the better move" in again.comment
        assert texts[:2] == texts[2:]
    game = tabiya.pgn.Game()
    game.add_variation(tabiya.Move.from_uci("d2d4"), starting_comment="intro")
    assert str(game).endswith("{ intro } 1. d4 *") and str(game.mainline()) == "{ intro } 1. d4"


def test_evaluations_compare_as_in_python_chess() -> None:
    """With each other, and with python-chess's own."""
    centipawns, mates = (-300, 0, 1, 50), (-9, -1, 0, 1, 7)
    pairs: list[tuple[Any, chess.engine.Score]] = []
    pairs += [(tabiya.pgn.Cp(value), chess.engine.Cp(value)) for value in centipawns]
    pairs += [(tabiya.pgn.Mate(value), chess.engine.Mate(value)) for value in mates]
    for (ours, theirs), (our_other, their_other) in itertools.product(pairs, repeat=2):
        for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
            expected = compare(theirs, their_other)
            assert compare(ours, our_other) == expected, (compare, ours, our_other)
            assert compare(ours, their_other) == expected, (compare, ours, their_other)
            assert compare(theirs, our_other) == expected, (compare, theirs, our_other)
        assert ours < chess.engine.MateGiven
    assert len({ours for ours, _ in pairs} | {tabiya.pgn.Cp(50)}) == len(pairs)
    with pytest.raises(TypeError):
        tabiya.pgn.Cp(1) < 3


def test_evaluations_are_from_the_point_of_view_of_the_side_to_move() -> None:
    text = "1. e4 {[%eval 0.35]} e5 {[%eval 0.40]} 2. Nf3 {[%eval #-3]} Nc6 {[%eval #4]} 3. a3 "
    text += "{[%eval #0]} a6 {[%eval #0,20]} *"
    found: list[Any] = []
    for module in (tabiya.pgn, chess.pgn):
        game: Any = module.read_game(io.StringIO(text))
        for node in game.mainline():
            score = node.eval()
            relative = score.relative
            found.append((relative.score(), relative.mate(), score.turn, score.white().score()))
    assert found[:6] == found[6:]
    assert found[0] == (-35, None, False, 35)


def test_scores_of_python_chess_are_accepted() -> None:
    for score in (chess.engine.Cp(-31), chess.engine.Mate(4), chess.engine.Mate(-2)):
        for turn in (True, False):
            pov = chess.engine.PovScore(score, turn)
            ours, theirs = tabiya.pgn.Game(), chess.pgn.Game()
            ours.set_eval(pov, 7)
            theirs.set_eval(pov, 7)
            assert ours.comment == theirs.comment
            found = ours.eval()
            assert found is not None and found.white().mate() == pov.white().mate()
            assert found.black().score() == pov.black().score()
            assert found.is_mate() == pov.is_mate()


def test_what_is_better_than_in_python_chess() -> None:
    # The comment of a variation without moves belongs to the move before it.
    game = tabiya.pgn.read_game(io.StringIO("1. e4 ({only}) e5 {c}"))
    assert game is not None and game[0].comment == "only" and game[0][0].starting_comment == ""
    # A glyph before the first move of a variation belongs to that move.
    game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 ($5 {a} 1... c5 $14) ($1) 2. Nf3"))
    assert game is not None and (game.nags, game[0].nags) == (set(), set())
    assert (game[0][0].nags, game[0][1].nags) == ({1}, {5, 14})
    # After an error in a variation, the main line goes on. The rest of the line is a comment.
    game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 (1... Ke6 2. d4) (1... c5 2. Ke3) 2. Nf3 *"))
    assert game is not None and len(game.errors) == 2
    assert sans(game) == ["e4", "e5", "Nf3"] and game[0][1].san() == "c5"
    assert "ply 3 (2. Ke3): Ke3 is not legal" in str(game.errors[1])
    assert "Ke3" in game[0][1].comment
    # Glyphs before the first move are written.
    game = tabiya.pgn.read_game(io.StringIO("{novelty} $146 $3 1. e4 $1 *"))
    assert game is not None and game.nags == {3, 146}
    assert str(game).endswith("\n\n$3 $146 { novelty } 1. e4 $1 *")
    # Comments after a semicolon are read.
    game = tabiya.pgn.read_game(io.StringIO("1. e4 ; best\n1... e5"))
    assert game is not None and game[0].comment == "best" and game[0][0].san() == "e5"
    # The rules of another variant are not those of chess.
    game = tabiya.pgn.read_game(io.StringIO('[Variant "Atomic"]\n\n1. e4 e5'))
    assert game is not None and game.is_end() and "Atomic" in str(game.errors[0])
    # The result is read after an error, too.
    game = tabiya.pgn.read_game(io.StringIO("1. e4 Ke7 2. d4 1-0"))
    assert game is not None and game.headers["Result"] == "1-0" and len(game.errors) == 1
    # Quotation marks in tags are read and written as the standard says.
    game = tabiya.pgn.read_game(io.StringIO('[White "A \\"b\\" \\\\"]\n\n*'))
    assert game is not None and game.headers["White"] == 'A "b" \\'
    again = tabiya.pgn.read_game(io.StringIO(str(game)))
    assert again is not None and again.headers == game.headers
    # Variations may be nested 255 deep.
    deep = tabiya.pgn.Game()
    node: tabiya.pgn.GameNode = deep
    for number in range(255):
        node.add_variation(tabiya.Move.from_uci(["h2h3", "h7h6"][number % 2]))
        knight = ["b1c3", "g8f6", "c3b1", "f6g8"][number % 4]
        node = node.add_variation(tabiya.Move.from_uci(knight))
    text = str(deep)
    assert text.count("(") == 255
    assert str(tabiya.pgn.read_game(io.StringIO(text))) == text
    # Times and evaluations have more forms. Those of tournament programs are of the side that moved.
    text = "1. e4 {[%clk 1:30]} e5 {[%clk 90]} 2. Nf3 {+0.32/13 0.02s} Nc6 {-M5/20 1.5s} *"
    game = tabiya.pgn.read_game(io.StringIO(text))
    assert game is not None
    first, second, third, fourth = game.mainline()
    assert (first.clock(), second.clock(), third.emt(), fourth.emt()) == (5400, 90, 0.02, 1.5)
    scores = [node.eval() for node in (third, fourth)]
    assert [score and score.white() for score in scores] == [tabiya.pgn.Cp(32), tabiya.pgn.Mate(3)]
    assert (third.eval_depth(), fourth.eval_depth()) == (13, 20)


def test_no_text_ends_a_loop_over_the_games_of_a_file() -> None:
    def game(text: str) -> tabiya.pgn.Game:
        first, second = read_all(f"{text}\n\n1. c4 *")
        assert sans(second) == ["c4"]
        return first

    # Passing in check.
    passing = game("1. e4 d5 2. Bb5+ -- 3. d4 *")
    assert sans(passing) == ["e4", "d5", "Bb5+"] and "in check" in str(passing.errors[0])
    # A variation in a variation without moves.
    nested = game("1. d4 d5 ((1. e4) 1... c5) 2. c4 *")
    assert sans(nested) == ["d4", "d5", "c4"] and nested[0][1].san() == "c5" and len(nested.errors) == 1
    # A name of a tag that chess.pgn does not have.
    assert game('[_x "a\tb"]\n\n1. e4 *').headers["_x"] == "a b"
    # Numbers that Python does not read, since they are too long.
    digits = "9" * 5000
    first = game(f"1. e4 ${digits} {{[%clk {digits}:00:00] [%eval {digits}] [%emt 0:0:{digits}]}} *")[0]
    assert first.nags == set()
    assert (first.clock(), first.emt(), first.eval(), first.eval_depth()) == (None,) * 4


def test_games_without_a_start_position_have_no_moves() -> None:
    game = tabiya.pgn.read_game(io.StringIO('[FEN "bad"]\n\n1. e4 (1. d4) 1-0'))
    assert game is not None and game.is_end() and len(game.errors) == 1
    assert game.headers["FEN"] == "bad" and game.headers["Result"] == "1-0"
    with pytest.raises(ValueError):
        game.board()


@pytest.mark.skipif(COMMAND is None, reason="TABIYA_COMMAND names no program")
def test_trees_that_the_command_writes_are_those_that_python_chess_reads() -> None:
    def without_times(node: Any) -> Any:
        """A tree on one line each, without the times that merging leaves out."""
        tree = shown(node)
        text = " ".join(tree["comment"].split())
        tree["comment"] = re.sub(r" ?\[%(clk|emt) [^]]*\]", "", text).strip()
        tree["variations"] = [without_times(child) for child in node.variations]
        return {name: tree[name] for name in ("move", "comment", "starting comment", "nags", "variations")}

    games = variations = 0
    for text in texts(20 if LONG else 13, faults=0):
        for game in re.split(r"\n(?=\[)(?<=\n\n)", text.replace('[White "A b"]\n', "")):
            theirs = chess.pgn.read_game(io.StringIO(game))
            if theirs is None or theirs.errors:
                continue
            done = subprocess.run(
                [COMMAND or "", "pgn", "-", "--merge", "--threads", "1"],
                input=game,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            ours = chess.pgn.read_game(io.StringIO(done.stdout))
            assert ours is not None and not ours.errors, done.stdout
            assert without_times(ours) == without_times(theirs), done.stdout
            assert ours.board().fen() == theirs.board().fen()
            assert ours.headers["Result"] == theirs.headers["Result"]
            games += 1
            variations += done.stdout.count("(")
    assert games >= 20 and variations > 50, (games, variations)


ObjectT = TypeVar("ObjectT")


def copies(thing: ObjectT) -> Iterator[ObjectT]:
    """Copies that share no node with the original."""
    yield copy.deepcopy(thing)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(thing, protocol))


def deep_game() -> tuple[tabiya.pgn.Game, tabiya.pgn.GameNode]:
    """A game of variations inside each other, thousands of plies deep, and a node in its middle."""
    game = tabiya.pgn.Game(headers={"White": "Deep", "Result": "1/2-1/2"})
    node: tabiya.pgn.GameNode = game.add_variation(tabiya.Move.from_uci("e2e4"))
    middle = node
    for number in range(400):
        # What is played is a variation of a move of a pawn.
        for pawn, knight in [("a7a6", "g8f6"), ("a2a3", "g1f3"), ("a7a6", "f6g8"), ("a2a3", "f3g1")]:
            node.add_variation(tabiya.Move.from_uci(pawn))
            node = node.add_variation(tabiya.Move.from_uci(knight), nags=[number % 7])
        if number == 200:
            middle = node.add_line(map(tabiya.Move.from_uci, ["h7h6", "h2h3"]), comment="aside")
    return game, middle


class NotedGame(tabiya.pgn.Game):
    """A game with attributes of its own."""

    __slots__ = ("favourite",)
    favourite: tabiya.pgn.GameNode
    other: tabiya.pgn.Game


def test_games_of_any_length_are_copied_and_pickled() -> None:
    game, middle = deep_game()
    text, ply = str(game), middle.ply()
    assert ply > 800
    for again in copies(game):
        assert again is not game and str(again) == text and again.headers == game.headers
    # As with python-chess, a copy of a node has the whole game around it.
    for node in copies(middle):
        assert node.ply() == ply and node is not middle and node.game() is not game
        assert str(node.game()) == text and node.comment == "aside"
        assert node.parent is not None and node in node.parent.variations
    for again, node in copies((game, middle)):
        assert node.root() is again
    for copied in copies([middle, game]):
        assert copied[0].root() is copied[1]


def test_copies_of_games_have_all_attributes() -> None:
    game = NotedGame({"White": "A"})
    first = game.add_variation(tabiya.Move.from_uci("e2e4"))
    game.favourite, game.other = first, tabiya.pgn.Game()
    game.other.add_variation(tabiya.Move.from_uci("d2d4"), nags=[1])
    game.errors.append(ValueError("wrong"))
    for again in copies(game):
        assert type(again) is NotedGame and again.favourite is again[0] is not first
        assert str(again.other) == str(game.other) and again.other is not game.other
        assert str(again.errors[0]) == "wrong"
    shallow = copy.copy(game)
    assert shallow is not game and shallow.variations is game.variations
    assert shallow.favourite is first and shallow.headers is game.headers


def test_copies_of_removed_and_changed_nodes() -> None:
    game = tabiya.pgn.Game()
    removed = game.add_variation(tabiya.Move.from_uci("e2e4"))
    removed.add_variation(tabiya.Move.from_uci("e7e5"))
    game.remove_variation(removed)
    other = chess.pgn.Game()
    theirs = other.add_variation(chess.Move.from_uci("e2e4"))
    other.remove_variation(theirs)
    assert removed.is_mainline() == theirs.is_mainline()
    assert removed.is_main_variation() == theirs.is_main_variation()
    assert removed.starts_variation() == theirs.starts_variation()
    for again in copies(removed):
        assert again.variations[0].parent is again and again.parent.variations == []
    # Whoever copies may say what is not to be copied.
    cut: Any = copy.deepcopy(removed, {id(game): None})
    assert cut.parent is None and cut[0].parent is cut
    assert copy.deepcopy(removed, {id(game): game}).parent is game
    # A pickler that is still in use may not hand out the tree as it was.
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dump(game)
    game.add_variation(tabiya.Move.from_uci("d2d4"))
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_bad_calls() -> None:
    game = tabiya.pgn.Game()
    with pytest.raises(KeyError):
        game.variation(tabiya.Move.from_uci("e2e4"))
    with pytest.raises(IndexError):
        game[0]
    with pytest.raises(ValueError, match="name"):
        game.headers["two words"] = "x"
    binary: Any = io.BytesIO(b"1. e4 *")
    with pytest.raises(TypeError, match="expected a file in text mode"):
        tabiya.pgn.read_game(binary)
    for name in ("A", "White"):
        for value in ("x\ny", "x\ry"):
            with pytest.raises(ValueError, match="line break"):
                game.headers[name] = value
    for seconds in (math.nan, math.inf, 3600e9):
        with pytest.raises(ValueError, match="expected the seconds of a time"):
            game.set_clock(seconds)
        with pytest.raises(ValueError, match="expected the seconds of a time"):
            game.set_emt(seconds)
    assert game.comment == ""
    for text in (
        *("300+a", "600:20/180", "abc", "40/abc", "300+nan", "300+infd"),
        *("-30/400", "1_1+5", "+40/+900", "300+-5", "٣00", "9" * 5000),
    ):
        with pytest.raises(ValueError, match="time control|last part"):
            tabiya.pgn.parse_time_control(text)


def test_a_game_that_cannot_be_written_ends_before_the_next() -> None:
    """Without an empty line, the tags of the next game would be read as its moves."""
    broken = tabiya.pgn.Game()
    node = broken.add_variation(tabiya.Move.from_uci("e2e4"))
    node.add_variation(tabiya.Move.from_uci("e2e4"))
    unplayable = tabiya.pgn.Game({"FEN": "8/8/8/8/8/8/8/8 w", "Variant": "Crazyhouse"})
    last = tabiya.pgn.read_game(io.StringIO('[White "last"]\n\n1. d4 1-0'))
    assert last is not None
    for bad, moves in ((broken, ["e4"]), (unplayable, [])):
        file = io.StringIO()
        exporter = tabiya.pgn.FileExporter(file)
        with pytest.raises(ValueError, match="not legal|variant"):
            bad.accept(exporter)
        last.accept(exporter)
        file.seek(0)
        first = tabiya.pgn.read_game(file)
        assert first is not None
        assert [each.san() for each in first.mainline()] == moves
        assert str(tabiya.pgn.read_game(file)) == str(last)
        assert tabiya.pgn.read_game(file) is None


@pytest.mark.parametrize("result", ["?", "Nf3", "$4", "1/2", ""])
def test_a_tag_that_is_no_result_is_not_written_after_the_moves(result: str) -> None:
    """It would be read as a glyph or a move."""
    game = tabiya.pgn.read_game(io.StringIO(f'[Result "{result}"]\n\n1. e4 e5'))
    assert game is not None
    again = tabiya.pgn.read_game(io.StringIO(str(game)))
    assert again is not None
    assert again.headers == game.headers
    assert [node.san() for node in again.mainline()] == ["e4", "e5"]
    assert again.end().nags == set()
    assert str(game).endswith("1. e4 e5 *")


@pytest.mark.parametrize("result", ["0-0", "1/2-0", "0-1/2"])
def test_results_that_are_not_those_of_chess_pgn(result: str) -> None:
    (game,) = read_all(f'[Result "{result}"]\n\n1. e4 e5 {result}')
    assert game.headers["Result"] == result and str(game).endswith(f" {result}")
    (again,) = read_all(str(game))
    assert str(again) == str(game) and sans(again) == ["e4", "e5"] and not again.errors


def sans(game: tabiya.pgn.Game) -> list[str]:
    """The moves of the main line."""
    return [node.san() for node in game.mainline()]


def read_all(text: str) -> list[tabiya.pgn.Game]:
    """The games of a file."""
    file = io.StringIO(text)
    return list(iter(lambda: tabiya.pgn.read_game(file), None))


@pytest.mark.parametrize("name", tabiya.Board.aliases)
def test_every_name_of_chess_is_a_variant(name: str) -> None:
    text = f'[Variant "{name}"]\n\n1. e4 e5 *\n'
    game = tabiya.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors and len(list(game.mainline())) == 2
    (games,) = tabiya.read_pgn(text.encode())
    assert len(games.moves) == 2 and not games.errors


def test_values_of_tags_may_be_numbers() -> None:
    class Ending(str, enum.Enum):
        WHITE_WINS = "1-0"

    values: dict[str, Any] = {"Round": 1, "WhiteElo": 2500, "Result": Ending.WHITE_WINS}
    game = tabiya.pgn.Game()
    for name, value in values.items():
        game.headers[name] = value
    text = str(game)
    assert '[Round "1"]' in text and '[WhiteElo "2500"]' in text and '[Result "1-0"]' in text
    assert game.headers["Round"] == "1" and text.endswith("1-0")


def test_what_is_read_too_far_is_read_again() -> None:
    tags = '[Event "a"]\n[Result "1-0"]\n\n'
    for text in (
        tags + '[Event "b"]\n\n[Event "c"]\n',
        "1. e4 e5\n\n\n1. d4 d5\n\n1. c4",
        "1. e4 * 1. d4 * 1. c4 *",
        "1. e4 *\n1. d4 *\n1. c4 *",
        f"1. e4 *\n{tags}1. d4 é *\n{tags}",
        "1. e4 *\r\r1. d4 *\r\r1. c4 *",
    ):
        games = read_all(text)
        assert len(games) == 3, text
        file = io.StringIO(text)
        offsets = list(tabiya.pgn.scan_offsets(file))
        for offset, game in reversed(list(zip(offsets, games, strict=True))):
            file.seek(offset)
            assert str(tabiya.pgn.read_game(file)) == str(game)
        pipe = Pipe(text)
        assert [str(tabiya.pgn.read_game(pipe)) for _ in games] == list(map(str, games))
    # No line is read that is not needed: a game ends with the empty line after its result.
    waiting: Any = Pipe()
    waiting.readline = iter(["1. e4 *\n", "\n"]).__next__
    assert str(tabiya.pgn.read_game(waiting)).endswith("1. e4 *")


def test_the_games_of_a_file_are_those_of_read_pgn() -> None:
    for text in texts(60):
        games = read_all(text)
        (arrays,) = tabiya.read_pgn(text.encode(), errors="keep")
        assert len(games) == len(arrays)
        for number, game in enumerate(games):
            line = arrays.game(number)
            assert [move.uci() for move in game.mainline_moves()] == [move.uci() for move in line]
            assert game.board().fen() == line.start.fen()


def test_letters_of_other_languages() -> None:
    game = tabiya.pgn.read_game(io.StringIO("1. Sf3 d5 2. d4 Lg4 *"), letters="KDTLS")
    assert game is not None and sans(game) == ["Nf3", "d5", "d4", "Bg4"] and not game.errors
    with pytest.raises(ValueError, match="letter"):
        tabiya.pgn.read_game(io.StringIO("1. Sf3"), letters="KK")


def test_bytes_that_are_not_utf8_are_read_as_latin1() -> None:
    file = io.TextIOWrapper(io.BytesIO(b'[White "Gr\xfcn"]\n\n1. e4 *\n'), "utf-8", "surrogateescape")
    game = tabiya.pgn.read_game(file)
    assert game is not None and game.headers["White"] == "Grün"


class Pipe(io.StringIO):
    """A file without places."""

    def tell(self) -> int:
        raise io.UnsupportedOperation

    def seekable(self) -> bool:
        return False


class Compressed(gzip.GzipFile):
    """A compressed file, which does not go back unless a user wants it."""

    may_go_back = False

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        assert self.may_go_back or (offset, whence) == (0, io.SEEK_CUR)
        return super().seek(offset, whence)


def opened(kind: str, text: str) -> Any:
    """A file of this kind."""
    data = text.encode()
    if kind == "gzip":
        return io.TextIOWrapper(Compressed(fileobj=io.BytesIO(gzip.compress(data))), encoding="utf-8")
    if kind == "codecs":
        return codecs.getreader("utf-8")(io.BytesIO(data))
    return Pipe(text) if kind == "pipe" else io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")


@pytest.mark.parametrize("kind", ["gzip", "codecs", "pipe", "bytes"])
def test_games_without_moves_in_files_of_all_kinds(kind: str) -> None:
    chance = random.Random(1)
    text = ""
    for number in range(2000):
        moves = chance.choice(["", "", "1. e4 *\n\n", "{é}\n\n", "\n"])
        text += f'[Event "{number}"]\n[White "Ö"]\n\n{moves}'
    file = opened(kind, text)
    games = list(iter(lambda: tabiya.pgn.read_game(file), None))
    assert list(map(str, games)) == list(map(str, read_all(text)))
    assert [game.headers["Event"] for game in games] == list(map(str, range(2000)))


def test_offsets_in_compressed_files() -> None:
    text = '[Event "a"]\n\n[Event "b"]\n[White "x"]\n\n[Event "c"]\n\n1. e4 *\n'
    file = opened("gzip", text)
    found = list(tabiya.pgn.scan_headers(file))
    assert [text[offset:].split("]")[0] for offset, _ in found] == [f'[Event "{e}"' for e in "abc"]
    file.buffer.may_go_back = True
    for offset, headers in reversed(found):
        file.seek(offset)
        assert tabiya.pgn.read_headers(file) == headers
    # What was read ahead is not read where the user has moved.
    file.seek(0)
    tabiya.pgn.skip_game(file)
    file.seek(found[2][0])
    assert str(tabiya.pgn.read_game(file)) == str(read_all(text)[2])


def test_long_lines_of_blanks_take_linear_time() -> None:
    """Otherwise this takes minutes."""
    blanks = " " * 200_000
    with pytest.raises(ValueError, match="malformed"):
        tabiya.pgn.parse_time_control(f"{blanks}x")
    with pytest.raises(ValueError, match="malformed"):
        tabiya.pgn.parse_time_control(f"40{blanks}x")
    assert tabiya.pgn.parse_time_control(f"{blanks}40 / 60 + 2 ").parts[0].increment == 2.0
