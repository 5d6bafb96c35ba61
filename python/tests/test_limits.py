"""Sizes that do not fit into memory, Ctrl-C in the middle of long work, and boards that several threads use."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")

#: The beginning of a program that must not use more than so many MiB on top of its current memory.
LIMIT = """
import resource
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
"""

#: Calls with a size for which there is no memory. Each is tried in a process of its own, because a
#: process that is aborted reports nothing.
LARGE = {
    "concat": "tabiya.Batch.concat([batch] * 10_000)",
    "indices": "batch[np.zeros(20_000_000, np.int64)]",
    "small indices": "batch[np.broadcast_to(np.zeros(1, np.int8), (10**9,))]",
    "random": "tabiya.Batch.random(10_000_000)",
    "a very large number": "tabiya.Batch.random(10**18)",
    "fens": "tabiya.Batch.from_fens([tabiya.START] * 5_000_000)",
    "masked fens": "tabiya.Batch.from_fens([tabiya.START] * 5_000_000, errors='mask')",
    "packed": "tabiya.Batch.from_packed(np.zeros((5_000_000, 32), np.uint8), errors='mask')",
}


@needs_proc
@pytest.mark.parametrize("name", LARGE)
def test_a_size_that_does_not_fit_into_memory(name: str) -> None:
    run(f"{LIMIT}\nlimit(256)\nexpect_no_memory(lambda: {LARGE[name]})\n")


def run(program: str) -> None:
    """Runs a program in a process of its own, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


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
