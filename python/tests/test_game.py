"""Games with history: against python-chess, as PGN, and as Python objects."""

import copy
import io
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import chess
import chess.pgn
import pytest
from conftest import LONG, random_games

import tabiya
from tabiya import Game, Termination

TERMINATIONS = {
    chess.Termination.CHECKMATE: Termination.CHECKMATE,
    chess.Termination.STALEMATE: Termination.STALEMATE,
    chess.Termination.INSUFFICIENT_MATERIAL: Termination.INSUFFICIENT_MATERIAL,
    chess.Termination.SEVENTYFIVE_MOVES: Termination.SEVENTYFIVE_MOVES,
    chess.Termination.FIVEFOLD_REPETITION: Termination.FIVEFOLD_REPETITION,
    chess.Termination.FIFTY_MOVES: Termination.FIFTY_MOVES,
    chess.Termination.THREEFOLD_REPETITION: Termination.THREEFOLD_REPETITION,
}


def start_of(board: chess.Board) -> Game:
    return Game(board.root().fen(), chess960=board.chess960)


def agree(game: Game, board: chess.Board) -> None:
    """Compares a game with a board in everything but the moves."""
    theirs = board.outcome()
    ours = game.outcome()
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert ours.winner == theirs.winner
        assert ours.result() == theirs.result() == game.result()
        assert ours.termination == TERMINATIONS[theirs.termination]
    # Castling rights in Chess960 can be written in two ways.
    assert game.position == tabiya.Position(board.fen(), board.chess960)
    assert game.position.fen().split()[3:] == board.fen().split()[3:]
    assert game.occurrences() == next(n for n in range(1, 99) if not board.is_repetition(n + 1))


def test_random_games_agree_with_python_chess() -> None:
    game = Game()
    sans: list[str] = []
    for board in random_games(600 if LONG else 30, seed=21, plies=150):
        if not board.move_stack:
            game, sans = start_of(board), []
        else:
            move = board.pop()
            sans.append(board.san(move))
            board.push(move)
            assert str(game.push(move.uci())) == move.uci()
        agree(game, board)
        if len(sans) % 25 == 0:
            assert game.sans() == sans
            assert game.ucis() == [move.uci() for move in board.move_stack]
            assert [str(move) for move in game] == game.ucis()
            written = io.StringIO(game.pgn())
            theirs = chess.pgn.read_game(written)
            assert theirs is not None and not theirs.errors
            assert theirs.end().board() == board
            assert Game.from_pgn(str(chess.pgn.Game.from_board(board))) == game


@pytest.mark.parametrize("fen", [tabiya.START, "4k3/8/8/8/8/8/r7/4K2R w K - 90 80"])
def test_repetition_and_claims_agree_with_python_chess(fen: str) -> None:
    """Games that shuffle pieces, so that positions repeat and clocks run."""
    chance = random.Random(3)
    kinds: set[str] = set()
    for _ in range(8):
        board, game = chess.Board(fen), Game(fen)
        for _ in range(170):
            quiet = [
                move
                for move in board.legal_moves
                if not board.is_zeroing(move) and not board.is_castling(move)
            ]
            if not quiet or board.is_game_over():
                break
            # Half of the moves return a piece to its origin.
            back = [
                move
                for move in quiet
                if len(board.move_stack) > 1
                and move.from_square == board.move_stack[-2].to_square
                and move.to_square == board.move_stack[-2].from_square
            ]
            move = chance.choice(back) if back and chance.random() < 0.7 else chance.choice(quiet)
            legal = [str(it) for it in game.position.legal_moves()]
            if chance.random() < 0.2:
                ours = [it for it in legal if game.claim(it) is not None or game.claim()]
                assert bool(ours) == board.can_claim_draw()
            board.push(move)
            game.push(tabiya.Move.from_uci(move.uci()))
            agree(game, board)
            claim = game.claim()
            over = board.is_game_over()
            fifty, threefold = board.is_fifty_moves(), board.is_repetition(3)
            assert (claim is not None) == ((fifty or threefold) and not over)
            if claim is not None:
                kinds.add(claim.termination.value)
                assert claim.winner is None and not claim.is_automatic
    assert "threefold-repetition" in kinds


def test_push_and_pop() -> None:
    game = Game()
    assert len(game) == 0 and game.start == game.position == tabiya.Position()
    move = game.push("e4")
    assert move is game.moves[0] and str(move) == "e2e4"
    game.push(tabiya.Move.from_uci("e7e5"))
    assert [position.fen() for position in game.positions][-1] == game.position.fen()
    assert len(game.positions) == 3 and game.start == tabiya.Position()
    assert str(game.pop()) == "e7e5" and str(game.pop()) == "e2e4"
    with pytest.raises(IndexError, match="no move to take back"):
        game.pop()
    for wrong in ("e5", "Ke2", "O-O", "e2e4q", tabiya.Move.from_uci("e2e5"), tabiya.Move.null()):
        with pytest.raises(tabiya.MoveError):
            game.push(wrong)
    assert len(game) == 0
    other: Any = 5
    with pytest.raises(TypeError):
        game.push(other)


def test_a_game_is_a_sequence_of_moves() -> None:
    game = Game.from_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
    moves = game.moves
    assert list(game) == moves and len(game) == 6
    assert game[0] == moves[0] and game[-1] == moves[-1]
    for part in (slice(None), slice(1, 4), slice(None, None, -2), slice(9, 2), slice(-3, None)):
        assert game[part] == moves[part]
    for index in (6, -7):
        with pytest.raises(IndexError, match="there is no move"):
            game[index]
    assert moves[2] in game


def test_games_are_equal_if_start_and_moves_are() -> None:
    one, other = Game(), Game(tabiya.Position())
    assert one == other
    one.push("e4")
    assert one != other
    other.push("e4")
    other.tags = {"White": "x"}
    assert one == other
    assert one != Game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1")
    assert one != 5
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("chess960", [False, True])
def test_copies_and_pickles(chess960: bool) -> None:
    game = Game("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 40", chess960=chess960)
    game.push("O-O")
    game.push("O-O-O")
    game.tags = {"White": "Ä", "Round": 3}
    for twin in (
        game.copy(),
        copy.copy(game),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
    ):
        assert twin == game and twin is not game
        assert twin.pgn() == game.pgn() and dict(twin.tags) == {"White": "Ä", "Round": "3"}
        assert twin.position.fen() == game.position.fen()
        twin.push("Kg7")
        assert len(twin) == 3 and len(game) == 2


def test_a_damaged_pickle_is_an_error() -> None:
    data = Game.from_pgn("1. e4 e5").__reduce__()[1]
    start, moves, tags = data
    for wrong in (
        (start[:-1], moves, tags),
        (bytes(32), moves, tags),
        (start, moves[:-1], tags),
        (start, b"\xff\xff", tags),
        (start, moves[2:], tags),
    ):
        with pytest.raises(ValueError, match="not a pickled game"):
            Game._unpickled(*wrong)


def test_pgn_of_a_game() -> None:
    game = Game("4k3/8/8/8/8/8/8/R3K2R b KQ - 5 39")
    for text in ("Kd7", "O-O-O+", "Kc6"):
        game.push(text)
    game.tags = {"Event": "An event", "FEN": "ignored", "Annotator": 'A "B" \\'}
    lines = game.pgn(tags={"White": "W", "Event": "Another"}, result="1/2-1/2").splitlines()
    assert lines == [
        '[Event "Another"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Round "?"]',
        '[White "W"]',
        '[Black "?"]',
        '[Result "1/2-1/2"]',
        '[Annotator "A \\"B\\" \\\\"]',
        '[FEN "4k3/8/8/8/8/8/8/R3K2R b KQ - 5 39"]',
        '[SetUp "1"]',
        "",
        "39... Kd7 40. O-O-O+ Kc6 1/2-1/2",
        "",
    ]
    back = Game.from_pgn("\n".join(lines))
    assert back == game and back.result() == "1/2-1/2"
    assert back.tags["Annotator"] == 'A "B" \\'
    assert back.start.fen() == game.start.fen()
    assert '[Variant "Chess960"]' in Game(chess960=True).pgn()
    assert all(len(line) < 80 for line in long_game().pgn().splitlines())


def long_game() -> Game:
    game = Game()
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * 30:
        game.push(text)
    return game


def test_the_result() -> None:
    mate = Game.from_pgn("1. f3 e5 2. g4 Qh4# *")
    assert mate.result() == "0-1" and mate.pgn().endswith("Qh4# 0-1\n\n")
    assert Game.from_pgn("1. e4 1-0").result() == "1-0"
    assert Game.from_pgn('[Result "0-1"]\n\n1. e4').result() == "0-1"
    assert Game.from_pgn("1. e4").result() == Game().result() == "*"
    # A `*` after the moves leaves the result to the first tag, as in the command and in Rust.
    for text, result in [
        ('[Result "1-0"]\n\n1. e4 e5 *', "1-0"),
        ('[Result "1-0"]\n[Result "0-1"]\n\n1. e4 e5 *', "1-0"),
        ('[Result "1-0"]\n[Result "0-1"]\n\n1. e4 e5', "1-0"),
        ('[Result "1-0"]\n\n1. e4 e5 1/2-1/2', "1/2-1/2"),
        ('[Result "oops"]\n[Result "0-1"]\n\n1. e4 e5 *', "*"),
    ]:
        game = Game.from_pgn(text)
        assert game.result() == game.tags["Result"] == result
        results = next(tabiya.read_pgn(text.encode())).results
        assert results.tolist() == [{"1-0": 1, "1/2-1/2": 0, "*": tabiya.UNKNOWN_RESULT}[result]]
    assert long_game().result() == "1/2-1/2"


@pytest.mark.parametrize(
    ("tags", "result", "message"),
    [
        ({"a b": "x"}, None, "the name of a tag"),
        ({"": "x"}, None, "the name of a tag"),
        ({"White": "a\nb"}, None, "a control character"),
        ({}, "2-0", "expected 1-0, 0-1, 1/2-1/2 or"),
    ],
)
def test_what_cannot_be_written(tags: Any, result: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game().pgn(tags=tags, result=result)


def test_tags_cannot_be_changed_unnoticed() -> None:
    game = Game()
    tags: Any = game.tags
    with pytest.raises(TypeError):
        tags["White"] = "x"
    wrong: Any = 5
    with pytest.raises(AttributeError):
        game.tags = wrong


def test_a_game_with_control_characters_in_a_tag_can_be_written() -> None:
    game = Game.from_pgn('[Annotator "A\tB\x01"]\n\n1. e4 *')
    assert game.tags["Annotator"] == "A B "
    assert Game.from_pgn(game.pgn()).tags["Annotator"] == "A B "


@pytest.mark.parametrize(
    ("pgn", "message"),
    [
        ("", "there is no game"),
        (" \n ", "there is no game"),
        ("1. e4 Ke3", r"1:7: game 1: ply 2 \(1... Ke3\): Ke3 is not legal"),
        ("1. e4 --", "null move"),
        ("1. e4 {", "no closing brace"),
        ("1. e4 (1. d4", "a closing parenthesis is missing"),
        ('[FEN "x"]\n\n1. e4', "the tag FEN"),
        ('[Variant "Atomic"]\n\n1. e4', "unknown variant"),
        (b"\xff\xfe1\x00", "UTF-16"),
    ],
)
def test_a_broken_pgn(pgn: str | bytes, message: str) -> None:
    with pytest.raises(tabiya.PgnError, match=message):
        Game.from_pgn(pgn)


def test_only_the_first_game_is_read() -> None:
    game = Game.from_pgn(b'[White "K\xfcbler"]\n\n1. e4 (1. d4 d5) {a} e5 $1 1-0\n\n1. Zz }{')
    assert game.sans() == ["e4", "e5"] and game.tags["White"] == "Kübler"
    other: Any = 5
    with pytest.raises(TypeError, match="expected a PGN as str or bytes"):
        Game.from_pgn(other)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timers")
def test_signals_come_while_a_variation_is_skipped() -> None:
    pgn = b"1. e4 (1. d4 " + b"(1. c4) " * 3_000_000 + b") e5 *"
    begin = time.process_time()
    assert Game.from_pgn(pgn).sans() == ["e4", "e5"]
    needed = time.process_time() - begin
    handled = 0

    def handle(number: int, frame: object) -> None:
        nonlocal handled
        handled += 1

    before = signal.signal(signal.SIGPROF, handle)
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
        Game.from_pgn(pgn)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    # Otherwise there is one, after the call. The system may look at the timer every 10 ms only.
    assert handled > min(4, needed / 0.06)


def test_values_of_tags_may_look_at_the_game() -> None:
    game = Game()
    game.push("e4")

    class Plies:
        def __str__(self) -> str:
            return str(len(game))

    tags: Any = {"Plies": Plies()}
    game.tags = tags
    assert game.tags["Plies"] == "1"


def test_other_code_may_play_while_an_answer_is_made() -> None:
    """Another thread, for example, or the texts of tags."""
    game = Game.from_pgn("1. f3 e5 2. g4 Qh4#")

    class Played:
        def __str__(self) -> str:
            game.pop()
            return "x"

    tags: Any = {"Played": Played()}
    assert "2. g4 *" in game.pgn(tags=tags)

    def play(frame: object, event: str, argument: object) -> None:
        if event == "call" and len(game) > 0:
            game.pop()

    def answer_meanwhile(ask: Callable[[], tabiya.Outcome | None]) -> Termination:
        sys.setprofile(play)
        try:
            answer = ask()
        finally:
            sys.setprofile(None)
        assert answer is not None
        return answer.termination

    game = Game.from_pgn("1. f3 e5 2. g4 Qh4#")
    assert answer_meanwhile(game.outcome) == Termination.CHECKMATE
    assert len(game) < 4
    game = Game.from_pgn("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1")
    assert answer_meanwhile(partial(game.claim, "Ng8")) == Termination.THREEFOLD_REPETITION
    assert len(game) < 7


def test_text_and_picture() -> None:
    assert repr(Game()) == "<Game: *>"
    assert repr(Game.from_pgn("1. f3 e5 2. g4 Qh4#")) == "<Game: 1. f3 e5 2. g4 Qh4# 0-1>"
    fen = "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    game = Game(fen)
    game.push("Kd8")
    assert repr(game) == f"<Game from {fen}: 1... Kd8 *>"
    assert repr(long_game()).count("Nf3") == 3 and "..." in repr(long_game())
    assert game._repr_svg_().count('class="h"') == 2
    assert 'class="h"' not in Game()._repr_svg_()


def test_wrong_starts() -> None:
    for wrong in ("x", "8/8/8/8/8/8/8/8 w - - 0 1"):
        with pytest.raises(tabiya.FenError):
            Game(wrong)
    other: Any = 5
    with pytest.raises(TypeError, match="expected a Position or a FEN"):
        Game(other)


def test_a_game_is_a_sequence() -> None:
    game = tabiya.Game()
    for move in ("e4", "e5", "Nf3"):
        game.push(move)
    assert [str(move) for move in reversed(game)] == ["g1f3", "e7e5", "e2e4"]
