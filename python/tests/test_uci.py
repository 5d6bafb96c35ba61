"""Engines over UCI: Stockfish, compared with python-chess's client, and scripts that misbehave."""

import asyncio
import gc
import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import chess
import chess.engine
import pytest
from conftest import random_games, stockfish

import tabiya
from tabiya import Board, Move, uci
from tabiya.uci import Limit, Score

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent by number")

#: A deadline for an answer that comes.
LONG = 300.0
#: One for an answer that doesn't come, from an engine that has answered before.
LONGER = 8.0

FAKE = """
import os, sys, time
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        say(f"id name {os.getpid()}")
        say("option name UCI_Chess960 type check default false")
        say("option name MultiPV type spin default 1 min 1 max 5")
        say("uciok")
    elif word == "isready":
        say("readyok")
    elif word == "quit":
        break
    elif word == "position":
        position = line.strip()
"""
#: It searches until it's stopped, and says what it searches.
ENDLESS = """
    elif word == "go":
        say("info depth 1 string " + position)
    elif word == "stop":
        say("bestmove e2e4")
"""


def fake(commands: str) -> list[str]:
    return [sys.executable, "-c", FAKE + commands]


def start(commands: str = ENDLESS) -> uci.Engine:
    return uci.Engine(fake(commands), timeout=LONG)


def start_async(commands: str = ENDLESS) -> uci.AsyncEngine:
    return uci.AsyncEngine(fake(commands), timeout=LONG)


def on_go(action: str) -> list[str]:
    return fake(f'\n    elif word == "go":\n        {action}\n')


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_engine_says_who_it_is() -> None:
    with (
        uci.Engine(stockfish()) as engine,
        chess.engine.SimpleEngine.popen_uci(stockfish()) as other,
    ):
        assert engine.name == other.id["name"]
        assert list(engine.options) == list(other.options)
        for option, theirs in zip(engine.options.values(), other.options.values(), strict=True):
            assert (option.name, option.type) == (theirs.name, theirs.type)
            # UCI's word for an empty text.
            assert option.default == ("" if theirs.default == "<empty>" else theirs.default)
            assert (option.min, option.max, option.var) == (
                theirs.min,
                theirs.max,
                theirs.var or [],
            )


def test_options_are_checked() -> None:
    with uci.Engine(stockfish()) as engine:
        engine.configure({"Hash": 8, "Ponder": False, "Clear Hash": None, "SyzygyPath": ""})
        value: Any
        for name, value, reason in [
            ("hash", 8, "the engine has no option hash, but .*Hash, .*"),
            ("Hash", 0, 'the option Hash takes a number from 1 to [0-9]*, not "0"'),
            ("Hash", True, 'the option Hash takes a number from 1 to [0-9]*, not "true"'),
            ("Clear Hash", True, 'the option Clear Hash takes no value, not "true"'),
            ("MultiPV", 2, "searches set MultiPV, from their number of lines and position"),
        ]:
            with pytest.raises(ValueError) as caught:
                engine.configure({name: value})
            assert re.fullmatch(reason, str(caught.value))


def same_score(ours: Score | None, theirs: chess.engine.Score) -> bool:
    assert ours is not None
    return (ours.cp, ours.mate) == (theirs.score(), theirs.mate())


def test_searches_are_those_of_python_chess() -> None:
    """With one thread and an empty table, the same number of nodes gives the same lines."""
    boards = [
        board.copy() for board in random_games(24, seed=61, plies=30) if board.ply() % 10 == 9
    ]
    assert len(boards) > 50 and any(board.chess960 for board in boards)
    with (
        uci.Engine(stockfish()) as ours,
        chess.engine.SimpleEngine.popen_uci(stockfish()) as theirs,
    ):
        for board in boards:
            if board.is_game_over():
                continue
            ours.new_game()
            limit = chess.engine.Limit(nodes=3000)
            with theirs.analysis(board, limit, multipv=3, game=object()) as search:
                expected = [info for info in search if "pv" in info]
            with ours.analysis(tabiya.from_chess(board), Limit(nodes=3000), multipv=3) as analysis:
                found = [info for info in analysis if info.pv]
            assert len(found) == len(expected) > 0
            for line, other in zip(found, expected, strict=True):
                assert [str(move) for move in line.pv] == [str(move) for move in other["pv"]]
                assert line.turn == board.turn and line.pv_rest == []
                for color in chess.COLORS:
                    assert same_score(line.score_for(color), other["score"].pov(color))
                for bound in ("lower", "upper"):
                    assert (line.bound == bound) == other.get(f"{bound}bound", False)
                fields: Any = other
                assert (line.depth, line.seldepth, line.nodes, line.multipv) == tuple(
                    fields[name] for name in ("depth", "seldepth", "nodes", "multipv")
                )
            best, other_best = analysis.wait(), search.wait()
            assert str(best.move) == str(other_best.move)
            assert str(best.ponder) == str(other_best.ponder)


def test_a_board_is_given_with_its_moves() -> None:
    def searched(board: Board | str | tabiya.Position) -> str:
        with start() as engine, engine.analysis(board) as analysis:
            return next(analysis).string.removeprefix("position fen ")

    start_fen = tabiya.STARTING_FEN
    board = Board()
    assert searched(board) == start_fen
    board.push_san("e4")
    board.push_san("e5")
    assert searched(board) == f"{start_fen} moves e2e4 e7e5"
    assert searched(board.fen()) == searched(board.position) == board.fen()
    # UCI has no null moves, so nothing before the last one is given.
    before = board.copy()
    before.push(Move.null())
    assert searched(before) == before.fen()
    before.push_san("d5")
    fen = before.copy()
    fen.pop()
    assert searched(before) == f"{fen.fen()} moves d7d5"
    # Castling in the notation that the board has now.
    board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board.push_san("O-O")
    assert searched(board).endswith(" moves e1g1")
    board.chess960 = True
    assert searched(board).endswith(" moves e1h1")
    with pytest.raises(tabiya.UnplayableError):
        searched(Board.empty())
    with pytest.raises(tabiya.FenError):
        searched("nonsense")
    other: Any = chess.Board()
    with pytest.raises(TypeError):
        searched(other)
    for edit in ({"turn": tabiya.WHITE}, {"halfmove_clock": 40}):
        board = Board()
        board.push_san("e4")
        for field, value in edit.items():
            setattr(board, field, value)
        assert searched(board) == board.fen()


def test_a_position_without_moves_has_none() -> None:
    with uci.Engine(stockfish()) as engine:
        result = engine.play("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Limit(depth=3))
        assert result.move is None and result.ponder is None
        assert result.lines[0].score == Score("loses", 0)
        assert result.lines[0].score_for(tabiya.WHITE) == Score("wins", 0)


def test_limits_are_checked() -> None:
    for arguments, reason in [
        ({"depth": 0}, "depth must be more than 0, not 0"),
        ({"time": -1.0}, "time must be more than 0, not -1.0"),
        ({"time": float("nan")}, "time must be more than 0, not nan"),
    ]:
        given: Any = arguments
        with pytest.raises(ValueError) as caught:
            Limit(**given)
        assert str(caught.value) == reason
    with start(
        ENDLESS.replace("go", "went") + '    elif word == "go": say("bestmove a2a3 " + line)'
    ) as engine:
        for limit, reason in [
            (Limit(), "nothing limits the search, so it wouldn't end"),
            (
                Limit(time=0.0009),
                "the limit movetime is 0; it must be 1 (millisecond) at least",
            ),
            (Limit(time=float("inf")), "time: expected a finite number of seconds"),
            (Limit(black_clock=1), "the clock of the side to move is missing"),
        ]:
            with pytest.raises(ValueError) as caught:
                engine.play(Board(), limit)
            assert str(caught.value).startswith(reason)
        with pytest.raises(ValueError, match='MultiPV takes a number from 1 to 5, not "6"'):
            engine.analyse(Board(), Limit(depth=1), multipv=6)
        limit = Limit(white_clock=2, black_clock=1.5, white_inc=0, black_inc=0.1, remaining_moves=3)
        assert str(engine.play(Board(), limit).move) == "a2a3"


def test_failures_are_exceptions() -> None:
    with pytest.raises(uci.EngineError, match="can't be started: no-such-engine: "):
        uci.Engine("no-such-engine")
    engine = uci.Engine(on_go("sys.stderr.write('boom'); sys.exit(3)"), timeout=LONG)
    with pytest.raises(
        uci.EngineTerminatedError, match="before bestmove came: exit status: 3"
    ) as ended:
        engine.play(Board(), Limit(depth=1))
    assert (ended.value.status, ended.value.stderr) == (3, "boom")
    with pytest.raises(uci.EngineTerminatedError, match="the engine was ended, because the engine"):
        engine.play(Board(), Limit(depth=1))
    engine.quit()
    with pytest.raises(uci.EngineTerminatedError, match="it was told to quit"):
        engine.play(Board(), Limit(depth=1))
    engine = uci.Engine(on_go("time.sleep(600)"), timeout=LONGER, search_timeout=0.1)
    with pytest.raises(uci.EngineTimeoutError, match="no bestmove after stop within ") as late:
        engine.play(Board(), Limit(depth=1))
    assert late.value.awaited == "bestmove after stop"
    engine = uci.Engine(on_go("say('bestmove e2e5')"), timeout=LONG)
    with pytest.raises(uci.EngineProtocolError, match="e2e5 is not legal") as nonsense:
        engine.play(Board(), Limit(depth=1))
    assert nonsense.value.line == "bestmove e2e5"
    for error in (ended.value, late.value, nonsense.value):
        assert isinstance(error, uci.EngineError)
        copy = pickle.loads(pickle.dumps(error))
        assert str(copy) == str(error) and vars(copy) == vars(error)


def test_a_search_whose_time_is_up_is_stopped() -> None:
    with uci.Engine(fake(ENDLESS), timeout=LONG, search_timeout=0.1) as engine:
        for _ in range(2):
            assert engine.play(Board(), Limit(depth=60)).move == Move.from_uci("e2e4")


def test_what_kills_the_engine_is_named() -> None:
    engine = uci.Engine(on_go("os.kill(os.getpid(), 9)"), timeout=LONG)
    with pytest.raises(uci.EngineTerminatedError) as ended:
        engine.play(Board(), Limit(depth=1))
    assert ended.value.status == -9


def test_nothing_waits_for_ever() -> None:
    for action in [
        "while True: say('info depth 1')",
        "while True: sys.stdout.write('x' * 1000)",
        "os.close(1); time.sleep(600)",
        "import subprocess; subprocess.Popen(['sleep', '600']); os._exit(1)",
    ]:
        engine = uci.Engine(on_go(action), timeout=LONGER, search_timeout=0.1)
        with pytest.raises(uci.EngineError):
            engine.play(Board(), Limit(depth=1))
    with pytest.raises(uci.EngineTimeoutError, match="no uciok within 100ms; it has said nothing"):
        uci.Engine([sys.executable, "-c", "import time; time.sleep(600)"], timeout=0.1)
    ignores_stop = uci.Engine(fake(ENDLESS.replace('"stop"', '"halt"')), timeout=LONGER)
    with ignores_stop.analysis(Board()) as analysis:
        analysis.stop()
        with pytest.raises(uci.EngineTimeoutError, match="bestmove after stop"):
            analysis.wait()
    process = int(ignores_stop.name)
    assert not is_alive(process)
    ignores_quit = uci.Engine(fake("time.sleep(600)"), timeout=LONGER)
    process = int(ignores_quit.name)
    ignores_quit.quit()
    assert not is_alive(process)


def test_an_engine_that_is_forgotten_is_killed() -> None:
    engine = start('    elif word == "go": time.sleep(600)')
    process = int(engine.name)
    assert is_alive(process)
    del engine
    gc.collect()
    assert not is_alive(process)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_kills_nothing() -> None:
    engine = start()
    child = os.fork()
    if child == 0:
        del engine
        gc.collect()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    with engine.analysis(Board()) as analysis:
        assert next(analysis).depth == 1
    engine.quit()


def test_a_search_is_left_and_the_next_begins() -> None:
    with start() as engine:
        for _ in range(3):
            with engine.analysis(Board()) as analysis:
                assert next(analysis).depth == 1
        with engine.analysis(Board()) as analysis:
            for info in analysis:
                assert info.depth == 1
                analysis.stop()
            assert analysis.wait().move == Move.from_uci("e2e4")
            assert list(analysis) == []


def test_a_search_belongs_to_its_with_statement() -> None:
    with start() as engine:
        first = engine.analysis(Board())
        with pytest.raises(RuntimeError, match="has not begun"):
            next(first)
        with first, engine.analysis(Board()) as second:
            assert next(second).depth == 1
            with pytest.raises(RuntimeError, match="another has begun"):
                next(first)
            first.stop()
            second.stop()
            assert second.wait().move == Move.from_uci("e2e4")


class Interrupted(Exception):
    pass


@pytest.fixture
def alarm() -> Iterator[None]:
    """A signal after a moment, whose handler raises an exception."""

    def handle(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_interrupts_a_search_and_the_engine_goes_on(
    request: pytest.FixtureRequest,
) -> None:
    with start() as engine:
        with engine.analysis(Board()) as analysis:
            next(analysis)
            request.getfixturevalue("alarm")
            with pytest.raises(Interrupted):
                analysis.wait()
        with engine.analysis(Board()) as analysis:
            assert next(analysis).depth == 1


@pytest.mark.usefixtures("alarm")
def test_a_signal_interrupts_the_start() -> None:
    with pytest.raises(Interrupted):
        uci.Engine([sys.executable, "-c", "import time; time.sleep(600)"], timeout=LONG)


def test_another_thread_may_stop_a_search() -> None:
    with start() as engine, engine.analysis(Board()) as analysis:
        next(analysis)
        thread = threading.Timer(0.1, analysis.stop)
        thread.start()
        assert analysis.wait().move == Move.from_uci("e2e4")
        thread.join()


def test_another_thread_may_do_nothing_else() -> None:
    with start() as engine, engine.analysis(Board()) as analysis:
        next(analysis)
        thread = threading.Thread(target=analysis.wait)
        thread.start()
        with pytest.raises(RuntimeError, match="another thread waits for this engine"):
            while True:
                engine._native.identity()
                time.sleep(0.001)
        analysis.stop()
        thread.join()


def test_asyncio_plays_and_analyses() -> None:
    async def main() -> None:
        async with uci.AsyncEngine(stockfish()) as engine:
            assert engine.name.startswith("Stockfish")
            await engine.configure({"Hash": 8})
            await engine.new_game()
            board = Board()
            result = await engine.play(board, Limit(nodes=1000))
            assert result.move in board.legal_moves
            assert len(await engine.analyse(board, Limit(nodes=1000), multipv=4)) == 4
            async with engine.analysis(board) as analysis:
                async for info in analysis:
                    if info.depth is not None and info.depth >= 5:
                        analysis.stop()
                assert (await analysis.wait()).move in board.legal_moves
            with pytest.raises(ValueError):
                await engine.play(board, Limit())

    asyncio.run(main())


def test_a_cancelled_task_leaves_an_engine_that_goes_on() -> None:
    async def main() -> None:
        async with start_async() as engine:
            for _ in range(3):
                task = asyncio.create_task(engine.play(Board(), Limit(depth=1)))
                await asyncio.sleep(0.05)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(engine.play(Board(), Limit(depth=1)), 0.05)
            async with engine.analysis(Board()) as analysis:
                async for info in analysis:
                    assert info.depth == 1
                    break
                analysis.stop()
                assert (await analysis.wait()).move == Move.from_uci("e2e4")

    asyncio.run(main())


def test_a_task_that_waits_for_its_turn_is_cancelled_alone() -> None:
    commands = """
    elif word == "go":
        time.sleep(0.5)
        say("info depth 7")
        say("bestmove e2e4")
"""

    async def main() -> None:
        async with start_async(commands) as engine:
            first = asyncio.create_task(engine.play(Board(), Limit(depth=1)))
            second = asyncio.create_task(engine.play(Board(), Limit(depth=1)))
            await asyncio.sleep(0.1)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            assert (await first).move == Move.from_uci("e2e4")

    asyncio.run(main())


def test_two_engines_search_at_once() -> None:
    async def play(engine: uci.AsyncEngine) -> uci.PlayResult:
        async with engine.analysis(Board()) as analysis:
            await anext(analysis)
            await asyncio.sleep(0)
            analysis.stop()
            return await analysis.wait()

    async def main() -> None:
        async with start_async() as first, start_async() as second:
            results = await asyncio.gather(play(first), play(second))
            assert [str(result.move) for result in results] == ["e2e4", "e2e4"]

    asyncio.run(main())


def test_failures_are_exceptions_in_tasks() -> None:
    async def main() -> None:
        with pytest.raises(uci.EngineError, match="can't be started"):
            async with uci.AsyncEngine("no-such-engine"):
                pass
        command = on_go("sys.exit(3)")
        async with uci.AsyncEngine(command, timeout=LONG) as engine:
            with pytest.raises(uci.EngineTerminatedError):
                await engine.play(Board(), Limit(depth=1))

    asyncio.run(main())


def test_scores_are_ordered_like_those_of_python_chess() -> None:
    ours = [Score("cp", value) for value in (-500, 0, 31)]
    ours += [Score("wins", value) for value in range(4)] + [
        Score("loses", value) for value in range(4)
    ]
    theirs: list[chess.engine.Score] = [chess.engine.Cp(value) for value in (-500, 0, 31)]
    theirs += [chess.engine.MateGiven, *map(chess.engine.Mate, (1, 2, 3))]
    theirs += [chess.engine.Mate(-value) for value in range(4)]
    for one, other in zip(ours, theirs, strict=True):
        assert same_score(one, other) and same_score(-one, -other) and -(-one) == one
        for second, other_second in zip(ours, theirs, strict=True):
            assert (one < second) == (other < other_second)
            assert (one >= second) == (other >= other_second)
