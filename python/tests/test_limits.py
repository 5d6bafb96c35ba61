"""Too little memory, Ctrl-C in the middle of long work, and boards that several threads use."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")

#: The beginning of a program that must not use more than so many MiB on top of its current memory.
LIMIT = """
import resource, sys
from itertools import cycle, repeat
from pathlib import Path
import numpy as np
import tabiya

def limit(mebibytes):
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (mebibytes << 20),) * 2)

def expect_no_memory(call):
    try:
        call()
    except MemoryError:
        return
    raise SystemExit("no MemoryError")

batch = tabiya.Batch.random(1000, plies=20)
list(tabiya.read_pgn(b"1. e4 e5 *", threads=2))
"""

#: Calls whose results are too large for the limit. Each is tried in a process of its own, because a
#: process that is aborted reports nothing.
LARGE = {
    "concat": "tabiya.Batch.concat([batch] * 10_000)",
    "indices": "batch[np.zeros(20_000_000, np.int64)]",
    "small indices": "batch[np.broadcast_to(np.zeros(1, np.int8), (10**9,))]",
    "mask": "large[np.ones(len(large), bool)]",
    "slice": "large[::-1]",
    "random": "tabiya.Batch.random(10_000_000)",
    "a very large number": "tabiya.Batch.random(10**18)",
    "fens": "tabiya.Batch.from_fens(repeat(tabiya.START))",
    "fens of a list": "tabiya.Batch.from_fens([tabiya.START] * 5_000_000)",
    "masked fens": "tabiya.Batch.from_fens([tabiya.START] * 5_000_000, errors='mask')",
    "texts of nothing": "tabiya.Batch.from_fens(np.broadcast_to(np.zeros(1, 'U0'), (10**9,)))",
    "positions": "tabiya.Batch.from_positions(repeat(tabiya.Position()))",
    "packed": "tabiya.Batch.from_packed(np.zeros((5_000_000, 32), np.uint8), errors='mask')",
    "moves": "batch.play_many(repeat('e2e4'))",
    "legal moves": "large.legal_moves()",
    "texts of FENs": "large.fens()",
    "bytes of FENs": "large.fen_bytes()",
    "planes": "large.planes()",
    # There is memory for the bytes, but not for all of the objects.
    "objects of texts": "medium.fens()",
    "objects of moves": "few.sans()",
    "objects of positions": "list(medium)",
    "copies of a position": "[tabiya.Position().play('e4') for _ in repeat(None)]",
    "copies of a board": "[tabiya.Board().copy() for _ in repeat(None)]",
    "a game": "tabiya.Game.from_pgn(text)",
    "a copy of a game": "game.copy()",
    "positions of a game": "game.positions",
    "moves of a game": "[game.sans() for _ in range(20)]",
    "names of tags": "tabiya.read_pgn(b'1. e4 *', tags=repeat('x' * 1000))",
    "layers": "tabiya.svg(tabiya.START, layers=repeat('checkers'))",
    "arrows": "tabiya.svg(tabiya.START, arrows=repeat('e2e4'))",
    "pictures": "tabiya.svg(tabiya.START, layers=['checkers'] * 30_000, separate=True)",
    "pictures with arrows": "tabiya.svg(tabiya.START, layers=['checkers'] * 10_000,"
    " arrows=['e2e4'] * 20_000, separate=True)",
    "sets as layers": "tabiya.svg(tabiya.START, layers=[tabiya.Bitboard(5)] * 2_000_000,"
    " separate=True)",
    "a title": "tabiya.svg(tabiya.START, title='&' * (20 << 20))",
    "moves of an EPD": "tabiya.Board().epd(bm=first)",
    "a line": "tabiya.Board().variation_san(line)",
    "the text of a picture": "str(picture)",
    "a picture in a notebook": "picture._repr_svg_()",
    "history": "tabiya.Board().__setstate__((None, ([0] * 6, [0, 0], True, 0, None, 0, 1, False),"
    " [(None, None)] * 10**7))",
}


#: The objects that the calls above need: the name, the code that makes it, and the MiB that are
#: free after that.
NEEDED = [
    ("large", "large = tabiya.Batch.random(3_000_000, plies=2)", 48),
    ("medium", "medium = tabiya.Batch.random(300_000, plies=2)", 34),
    ("few", "few = tabiya.Batch.random(30_000, plies=2)", 20),
    ("text", "text = '1. Nf3 Nf6 2. Ng1 Ng8 ' * 32_500", 4),
    ("picture", "picture = tabiya.svg(tabiya.START, title='x' * (8 << 20))", 4),
    ("first", "first = repeat('e4')", 4),
    ("line", "line = cycle(['g1f3', 'g8f6', 'f3g1', 'f6g8'])", 4),
    ("game", "game = tabiya.Game.from_pgn('1. Nf3 Nf6 2. Ng1 Ng8 ' * 32_500)", 4),
]


@needs_proc
@pytest.mark.parametrize("name", LARGE)
def test_too_little_memory(name: str) -> None:
    call = LARGE[name]
    needed = [(made, room) for name, made, room in NEEDED if re.search(rf"\b{name}\b", call)]
    (before, mebibytes) = needed[0] if needed else ("", 256)
    run(f"{LIMIT}\n{before}\nlimit({mebibytes})\nexpect_no_memory(lambda: {call})\n")


#: Calls with millions of bad rows, and the MiB that are free.
BAD_ROWS = [
    ("batch.play_many([1] * 3_000_000)", 200),
    ("batch.play_many([object] * 3_000_000, errors='mask')", 300),
    ("batch.find_moves([1] * 3_000_000, offsets=[0] * 1000 + [3_000_000])", 200),
    ("batch.play_many([317] * 2_000_000 + ['e2e4'], encoding='uci')", 160),
    ("tabiya.Batch.from_fens([1] * 3_000_000)", 200),
    ("tabiya.Batch.from_fens([None] * 3_000_000, errors='mask')", 150),
]


@needs_proc
@pytest.mark.parametrize(("call", "mebibytes"), BAD_ROWS)
def test_bad_rows_need_little_memory(call: str, mebibytes: int) -> None:
    """No text is made for each of them."""
    program = textwrap.dedent(f"""
        limit({mebibytes})
        try:
            {call}
        except (MemoryError, ValueError):
            pass
        else:
            raise SystemExit("no error")
    """)
    run(LIMIT + program)


def test_a_deep_count_leaves_the_stack_of_the_caller_alone() -> None:
    """A thread of Python may have little. There is one legal move after the other."""
    program = textwrap.dedent("""
        import threading
        import tabiya

        fen = "5b1k/4p1p1/4P1P1/8/8/4p1p1/4P1P1/5B1K w - - 0 1"
        batch, found = tabiya.Batch.from_fens([fen]), []
        threading.stack_size(128 << 10)
        for threads in (1, 2, None):
            count = lambda: found.extend(batch.perft(255, threads=threads))
            thread = threading.Thread(target=count)
            thread.start()
            thread.join()
        assert found == [1, 1, 1], found
    """)
    run(program)


def run(program: str, *, arenas: int = 1) -> None:
    """Runs a program in a process of its own, which must succeed."""
    # With 0, its default, the C library may reserve memory for each thread before the limit is set.
    environment = os.environ | {"MALLOC_ARENA_MAX": str(arenas)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=environment,
    )
    assert done.returncode == 0, done.stderr


@needs_proc
def test_without_memory_for_threads_others_do_the_work() -> None:
    """As many as there is memory for. A thread that begins with too little ends the process."""
    run(
        LIMIT
        + textwrap.dedent("""
        large = tabiya.Batch.random(300_000, plies=2)
        known = large.outcomes(threads=1)
        limit(64)
        assert (large.outcomes(threads=300) == known).all()
        assert tabiya.perft(6, threads=300) == 119_060_324
        assert tabiya.perft_categories(5, threads=300)["nodes"] == 4_865_609
        limit(16)
        assert (large.outcomes(threads=300) == known).all()
        expect_no_memory(lambda: tabiya.perft(6, threads=1))
        """)
    )


@needs_proc
def test_a_picture_is_written_to_a_device_without_a_copy() -> None:
    run(
        LIMIT
        + textwrap.dedent("""
        picture = tabiya.svg(tabiya.START, title="x" * (16 << 20))
        limit(16)
        picture.save("/dev/null")
        """)
    )


@needs_proc
@pytest.mark.parametrize("threads", [1, 3])
def test_too_little_memory_for_games(threads: int) -> None:
    """The games of the chunks before are there; then there is a ``MemoryError``."""
    program = LIMIT + textwrap.dedent(f"""
        moves = " ".join(f"{{n}}. Nf3 Nf6 {{n + 1}}. Ng1 Ng8" for n in range(1, 81, 2))
        data = (moves + " *\\n\\n").encode() * 20_000
        threads = {threads}
        limit(96)
        reader, games = tabiya.read_pgn(data, chunk=10_000, threads=threads), []
        try:
            for chunk in reader:
                games.append(chunk)
        except MemoryError as error:
            # Python itself says nothing.
            assert str(error) == "" or "the games" in str(error), error
        else:
            raise SystemExit("no MemoryError")
        assert all(0 < len(chunk) <= 10_000 for chunk in games)
        assert list(reader) == []
    """)
    run(program)


@needs_proc
@pytest.mark.parametrize("mebibytes", [2, 8, 16, 24, 40, 56])
def test_too_little_memory_for_the_text_of_games(mebibytes: int) -> None:
    """A chunk of long games has tens of megabytes."""
    program = LIMIT + textwrap.dedent(f"""
        note = "{{" + "x" * 200 + "}}"
        moves = (f"{{n}}. Nf3 {{note}} Nf6 {{n + 1}}. Ng1 {{note}} Ng8 " for n in range(1, 140, 2))
        data = ("".join(moves) + "*\\n\\n").encode() * 1000
        limit({mebibytes})
        try:
            for chunk in tabiya.read_pgn(data, threads=1):
                pass
        except MemoryError as error:
            assert str(error) == "" or "the games" in str(error), error
        else:
            raise SystemExit("no MemoryError")
    """)
    run(program)


@needs_proc
def test_little_memory_for_tags() -> None:
    """A thread that has no heap of its own takes a page for each text of its own."""
    program = LIMIT.partition("batch =")[0] + textwrap.dedent("""
        names = ["Event", "Site", "White", "Black", "Date", "Round", "Result"]
        tags = "".join(f'[{name} "a value of {name}"]\\n' for name in names)
        data = (tags + "\\n1. e4 e5 *\\n\\n").encode() * 100_000
        limit(60)
        games = 0
        for chunk in tabiya.read_pgn(data, threads=8, tags=names, positions=False):
            assert set(chunk.tags["Site"]) == {"a value of Site"}
            games += len(chunk)
        assert games == 100_000
    """)
    run(program, arenas=0)


@needs_proc
def test_other_threads_run_while_memory_is_filled() -> None:
    """One of them may be the one that sends the signal of Ctrl-C."""
    program = textwrap.dedent("""
        import resource, sys, threading
        from pathlib import Path
        import tabiya

        ROWS, BYTES = 5_000_000, 5_000_000 * 96
        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

        # Whoever waits for the interpreter gets it as soon as the call lets go of it.
        sys.setswitchinterval(1e-6)
        before, found = resident(), []

        def look():
            while not is_over:
                found.append(resident() - before)

        is_over = False
        thread = threading.Thread(target=look)
        thread.start()
        tabiya.Batch.random(ROWS, plies=0, threads=1)
        is_over = True
        thread.join()
        assert any(BYTES / 10 < size < BYTES / 2 for size in found), found[:20]
    """)
    run(program)


@needs_proc
def test_signals_come_while_memory_is_filled() -> None:
    """A signal is handled long before all memory of a large batch has been touched."""
    program = textwrap.dedent("""
        import resource, signal
        from pathlib import Path
        import tabiya

        ROWS, BYTES = 5_000_000, 5_000_000 * 96
        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

        class Enough(Exception):
            pass

        def handle(*_):
            global found
            found = resident()
            raise Enough

        signal.signal(signal.SIGPROF, handle)
        before = resident()
        # After a millisecond of work.
        signal.setitimer(signal.ITIMER_PROF, 0.001)
        try:
            tabiya.Batch.random(ROWS, plies=0)
        except Enough:
            assert found - before < BYTES / 2, (found - before, BYTES)
        else:
            raise SystemExit("no signal")
    """)
    run(program)


def test_signals_come_while_a_batch_becomes_a_list() -> None:
    program = textwrap.dedent("""
        import signal
        import tabiya

        class Enough(Exception):
            pass

        def handle(*_):
            raise Enough

        batch, seen = tabiya.Batch.random(1_000_000, plies=0), []
        signal.signal(signal.SIGPROF, handle)
        signal.setitimer(signal.ITIMER_PROF, 0.001)
        try:
            list(map(seen.append, batch))
        except Enough:
            assert len(seen) < len(batch)
        else:
            raise SystemExit("no signal")
    """)
    run(program)


@pytest.mark.parametrize(
    "call", ["tabiya.SquareSet(repeat(0))", "tabiya.Board().variation_san(repeat(null))"]
)
def test_signals_end_what_reads_an_iterator_without_end(call: str) -> None:
    """No Python code runs meanwhile that would handle them."""
    program = textwrap.dedent(f"""
        import signal
        from itertools import repeat
        import tabiya

        class Enough(Exception):
            pass

        def handle(*_):
            raise Enough

        null = tabiya.Move.null()
        signal.signal(signal.SIGPROF, handle)
        signal.setitimer(signal.ITIMER_PROF, 0.01)
        try:
            {call}
        except Enough:
            pass
    """)
    run(program)


def test_signals_come_while_a_picture_is_drawn() -> None:
    program = textwrap.dedent("""
        import signal, time
        import tabiya

        arrows = ["e2e4"] * 16_000
        begin = time.process_time()
        picture = tabiya.svg(tabiya.START, arrows=arrows)
        needed = time.process_time() - begin
        handled = 0

        def handle(*_):
            global handled
            handled += 1

        signal.signal(signal.SIGPROF, handle)
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
        assert tabiya.svg(tabiya.START, arrows=arrows) == picture
        signal.setitimer(signal.ITIMER_PROF, 0)
        # Otherwise there is one, after the call. The system may look at the timer every 10 ms only.
        assert handled > min(4, needed / 0.06), (handled, needed)
    """)
    run(program)


def test_the_first_of_two_signals_ends_a_call_with_several_threads() -> None:
    """The second comes while the threads stop, and is handled after the call."""
    program = textwrap.dedent("""
        import signal, time
        import tabiya

        class First(Exception):
            pass

        class Second(Exception):
            pass

        def first(*_):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            raise First

        def second(*_):
            raise Second

        signal.signal(signal.SIGPROF, first)
        signal.signal(signal.SIGALRM, second)
        batch = tabiya.Batch.random(200)
        for _ in range(5):
            try:
                try:
                    signal.setitimer(signal.ITIMER_PROF, 0.01)
                    batch.perft(6, threads=2)
                except First:
                    while True:
                        time.sleep(1)
            except Second as error:
                assert isinstance(error.__context__, First), repr(error.__context__)
    """)
    run(program)


@pytest.mark.parametrize("place", ["numpy", "errors"])
def test_the_import_raises_what_interrupts_it(place: str) -> None:
    """An exception of a signal handler, for example."""
    program = textwrap.dedent(f"""
        import sys, types
        import numpy.lib

        class Stop(BaseException):
            pass

        class Errors(types.ModuleType):
            def __getattr__(self, name):
                if name == "FenError":
                    raise Stop
                return ValueError if name.endswith("Error") else super().__getattribute__(name)

        def interrupted(version):
            raise Stop

        version = numpy.lib.NumpyVersion
        if "{place}" == "numpy":
            numpy.lib.NumpyVersion = interrupted
        else:
            sys.modules["tabiya.errors"] = Errors("tabiya.errors")
        try:
            import tabiya
        except Stop:
            pass
        else:
            raise SystemExit("it was not interrupted")
        numpy.lib.NumpyVersion = version
        if "{place}" == "numpy":
            import tabiya
            assert len(tabiya.encodings.UCI_MOVES) == 1968
            try:
                tabiya.Position("x")
            except tabiya.FenError:
                pass
    """)
    run(program)


def test_first_calls_of_several_threads_on_a_board() -> None:
    """Nothing that is made once, such as the object of a move, lets others run in a call."""
    program = textwrap.dedent("""
        import contextlib, sys, threading
        import tabiya

        sys.setswitchinterval(1e-6)
        board, errors, start = tabiya.Board(), [], threading.Barrier(4)
        texts = [f"{file}2{file}{rank}" for file in "abcdefgh" for rank in "34"]
        expected = tabiya.TabiyaError, IndexError

        def use():
            start.wait()
            try:
                for text in texts:
                    with contextlib.suppress(expected):
                        board.set_fen("nonsense")
                    with contextlib.suppress(expected):
                        board.push(text)
                    with contextlib.suppress(expected):
                        board.pop()
            except RuntimeError as error:
                errors.append(error)

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors, errors
    """)
    for _ in range(10):
        run(program)


def test_calls_of_several_threads_on_a_board() -> None:
    """Whatever runs Python code, such as an exception, has given the board back before."""
    program = textwrap.dedent("""
        import collections, gc, sys, threading
        import tabiya

        # What garbage collection runs may be anything, so calls may then meet.
        gc.disable()
        sys.setswitchinterval(1e-6)
        board, errors = tabiya.Board(), collections.Counter()
        e4, bad = tabiya.Move.from_uci("e2e4"), tabiya.Move.from_uci("e2e5")
        calls = {
            "push": lambda: board.push(bad),
            "push_san": lambda: board.push_san("nonsense"),
            "find_move": lambda: board.find_move(12, 60),
            "set_fen": lambda: board.set_fen("nonsense"),
            "set_epd": lambda: board.set_epd("nonsense"),
            "status": board.status,
            "outcome": board.outcome,
            "epd": lambda: board.epd(bm=(move for move in [e4])),
            "turn": lambda: setattr(board, "turn", True),
            "fen": board.fen,
            "legal_moves": lambda: list(board.legal_moves),
        }

        def use(first):
            names = list(calls)[first:] + list(calls)[:first]
            for _ in range(1000):
                for name in names:
                    try:
                        calls[name]()
                    except tabiya.TabiyaError:
                        pass
                    except RuntimeError as error:
                        errors[name, str(error)] += 1

        threads = [threading.Thread(target=use, args=[3 * number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors, errors
        assert board == tabiya.Board()
    """)
    run(program)
