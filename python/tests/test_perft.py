"""Perft: known counts, wrong arguments, progress, and what Ctrl-C leaves behind."""

import errno
import io
import os
import re
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import random_games

import tabiya
from tabiya.progress import NotebookBar, ProgressLine, automatic, shown

START = tabiya.START
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

#: Counts on which many generators agree, by depth from 1.
KNOWN = {
    START: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624, 11030083],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [
        *(46, 2079, 89890, 3894594)
    ],
}
#: The same in Chess960.
KNOWN_960 = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002, 667366],
}


def partial_of(error: BaseException) -> tabiya.PartialCount:
    """The partial count of the exception that stopped it."""
    partial = getattr(error, "partial", None)
    assert isinstance(partial, tabiya.PartialCount)
    return partial


@pytest.mark.parametrize(("fen", "counts"), [*KNOWN.items(), *KNOWN_960.items()])
def test_known_counts(fen: str, counts: list[int]) -> None:
    assert tabiya.perft(0, fen) == 1
    for depth, count in enumerate(counts, 1):
        assert tabiya.perft(depth, fen) == count
        assert sum(tabiya.divide(depth, fen).values()) == count
    position = tabiya.Position(fen)
    others: list[Any] = [{"threads": 1}, {"threads": 3}, {"hash_mib": 1}, {"progress": False}]
    for keywords in others:
        found: Any = tabiya.perft(len(counts), position, **keywords)
        assert found == counts[-1], keywords


def test_divide_is_that_of_another_generator() -> None:
    for number, board in enumerate(random_games(40, seed=5)):
        if number % 50:
            continue
        expected: dict[str, int] = {}
        for move in board.legal_moves:
            board.push(move)
            expected[move.uci()] = board.legal_moves.count()
            board.pop()
        found = tabiya.divide(2, board.fen(en_passant="fen"), chess960=board.chess960)
        assert {str(move): count for move, count in found.items()} == expected
        moves = tabiya.Position(board.fen(en_passant="fen"), board.chess960).legal_moves()
        assert list(found) == moves


def test_categories_are_those_of_the_usual_tables() -> None:
    # The start position at depth 5, and Kiwipete at depth 3.
    names = ["nodes", "captures", "en_passant", "castles", "promotions", "checks", "checkmates"]
    found = tabiya.perft_categories(5)
    assert [found[name] for name in names] == [4865609, 82719, 258, 0, 0, 27351, 347]
    found = tabiya.perft_categories(3, KIWIPETE)
    assert [found[name] for name in names] == [97862, 17102, 45, 3162, 0, 993, 1]
    excluded = tabiya.perft_categories(3, KIWIPETE, checks="mates_excluded", hash_mib=1)
    assert excluded["checks"] == 992
    assert tabiya.perft_categories(0)["nodes"] == 1
    others: list[Any] = [{"threads": 1}, {"hash_mib": 1}, {"chess960": True}]
    for other in others:
        again: Any = tabiya.perft_categories(4, KIWIPETE, **other)
        assert again == tabiya.perft_categories(4, KIWIPETE)


def test_counts_have_128_bits() -> None:
    # With a table, two kings are counted to great depths at once.
    kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert 2**64 < tabiya.perft(26, kings, hash_mib=64) < 2**128
    with pytest.raises(OverflowError, match=r"perft to depth 60 .* 2\*\*128 or more"):
        tabiya.perft(60, kings, hash_mib=64)


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        ((-1,), {}, ValueError, "depth from 0 to 255 plies, not -1"),
        ((256,), {}, ValueError, "not 256"),
        ((10**40,), {}, ValueError, "not 1000"),
        ((1.5,), {}, TypeError, "expected a depth as an int"),
        (("3",), {}, TypeError, "expected a depth as an int"),
        ((2, "x"), {}, tabiya.FenError, "the board has 1 rank"),
        ((2, 7), {}, TypeError, "expected a Position or a FEN"),
        ((2,), {"threads": 0}, ValueError, "positive"),
        ((2,), {"hash_mib": -1}, ValueError, "from 0"),
        ((2,), {"hash_mib": "much"}, ValueError, '"auto"'),
        ((2,), {"hash_mib": 2**40}, MemoryError, "MiB"),
        ((2,), {"hash_mib": 2**64 - 1}, MemoryError, "MiB"),
        ((2,), {"hash_mib": 2**70}, ValueError, "from 0"),
        ((2,), {"progress": 5}, TypeError, "callable"),
    ],
)
def test_wrong_arguments(
    arguments: Any, keywords: Any, error: type[Exception], message: str
) -> None:
    for function in (tabiya.perft, tabiya.divide, tabiya.perft_categories):
        with pytest.raises(error, match=re.escape(message).replace("from\\ 0\\ to", "from . to")):
            function(*arguments, **keywords)


def test_other_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="depth from 1 to 255"):
        tabiya.divide(0)
    wrong: Any = "x"
    with pytest.raises(ValueError, match="mates_included"):
        tabiya.perft_categories(2, checks=wrong)


def test_a_callable_sees_the_progress() -> None:
    seen: list[tuple[int, float]] = []
    found = tabiya.perft(7, progress=lambda nodes, share: seen.append((nodes, share)), threads=1)
    assert found == 3195901860
    assert seen == sorted(seen)
    assert all(0 <= share <= 1 for _, share in seen)
    assert seen[-1] == (found, 1.0)


@pytest.mark.parametrize("count", [tabiya.perft, tabiya.perft_categories])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_last_call_says_the_total(count: Any, depth: int) -> None:
    seen: list[tuple[int, float]] = []

    def note(nodes: int, share: float) -> None:
        seen.append((nodes, share))

    count(depth, progress=note)
    assert seen[-1] == ([1, 20, 400, 8902][depth], 1.0)


def test_an_exception_of_the_callable_stops_the_count() -> None:
    def stop(nodes: int, share: float) -> None:
        if nodes:
            raise LookupError("enough")

    # Counts by category report whole subtrees, so the depth must not be too great.
    for function, depth in ((tabiya.perft, 30), (tabiya.divide, 30), (tabiya.perft_categories, 8)):
        with pytest.raises(LookupError, match="enough") as caught:
            function(depth, progress=stop)
        partial = partial_of(caught.value)
        assert partial.depth == depth and partial.nodes > 0 and partial.root_moves == 20
        assert caught.value.__notes__ == [str(partial)]


def test_finished_root_moves_are_known() -> None:
    def stop(nodes: int, share: float) -> None:
        if share > 0.5:
            raise LookupError

    with pytest.raises(LookupError) as caught:
        tabiya.perft(6, KIWIPETE, progress=stop, threads=1)
    partial = partial_of(caught.value)
    assert 0 < len(partial.moves) < partial.root_moves == 48
    assert sum(partial.moves.values()) <= partial.nodes
    position = tabiya.Position(KIWIPETE)
    for move, count in list(partial.moves.items())[:3]:
        assert count == tabiya.perft(5, position.play(move))


SCRIPT = """
import tabiya
def report(nodes, share):
    # Something has been counted: the test may send the signal.
    if nodes and not report.told:
        print("counting", flush=True)
        report.told = True
report.told = False
try:
    {call}
except KeyboardInterrupt as error:
    print("partial", error.partial.depth, error.partial.nodes, flush=True)
    print("note", error.__notes__[0], flush=True)
    raise
print("finished", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by number")
@pytest.mark.parametrize(
    "call",
    [
        "tabiya.perft(40, progress=report)",
        "tabiya.perft(40, progress=report, threads=1)",
        "tabiya.divide(40, progress=report, hash_mib=64)",
        "tabiya.perft_categories(8, progress=report)",
    ],
)
def test_ctrl_c_stops_the_count(call: str) -> None:
    program = [sys.executable, "-c", SCRIPT.format(call=call)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None and run.stderr is not None
        assert run.stdout.readline() == "counting\n"
        run.send_signal(signal.SIGINT)
        # Without the signal, it would count for days.
        word, depth, nodes = run.stdout.readline().split()
        assert word == "partial" and int(nodes) > 0
        note = run.stdout.readline()
        assert (
            note.startswith("note stopped after")
            and f"leaf nodes counted to depth {depth}" in note
        )
        assert "finished\n" not in run.stdout.read()
        # The note is part of the traceback, and the process ends as others do at Ctrl-C.
        assert f"leaf nodes counted to depth {depth}" in run.stderr.read()
        assert run.wait() == -signal.SIGINT


class SignalOnce:
    """Sends a signal from another thread as soon as something has been counted."""

    def __init__(self, number: int) -> None:
        self.thread = threading.Thread(target=os.kill, args=(os.getpid(), number))

    def __call__(self, nodes: int, share: float) -> None:
        if nodes and self.thread.ident is None:
            self.thread.start()


def test_the_handler_of_a_signal_may_raise_anything() -> None:
    class Enough(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Enough

    if not hasattr(signal, "SIGUSR1"):
        pytest.skip("the system has no such signals")
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(Enough) as caught:
            tabiya.perft(40, progress=SignalOnce(signal.SIGUSR1))
        assert partial_of(caught.value).depth == 40
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_an_exception_of_the_last_call_has_the_count() -> None:
    def fail_at_the_end(nodes: int, share: float) -> None:
        if share == 1:
            raise BrokenPipeError("gone")

    for count in (tabiya.perft, tabiya.divide, tabiya.perft_categories):
        with pytest.raises(BrokenPipeError, match="gone") as caught:
            count(5, progress=fail_at_the_end)
        partial = partial_of(caught.value)
        assert (partial.depth, partial.nodes) == (5, 4865609)
        assert any("4,865,609 leaf nodes" in note for note in caught.value.__notes__)
        if count is tabiya.perft_categories:
            assert partial.categories == tabiya.perft_categories(5)
        else:
            assert partial.moves == tabiya.divide(5)


def test_the_note_about_an_overflow_says_so() -> None:
    def fail_at_the_end(nodes: int, share: float) -> None:
        if share == 1:
            raise BrokenPipeError("gone")

    fen = "7k/5K2/8/8/8/8/8/8 b - - 0 1"
    for count in (tabiya.perft, tabiya.perft_categories):
        with pytest.raises(BrokenPipeError, match="gone") as caught:
            count(60, fen, hash_mib=16, progress=fail_at_the_end)
        assert partial_of(caught.value).nodes == 2**128 - 1
        (note,) = caught.value.__notes__
        assert ": at least 340,282,366,920,938,463,463,374,607,431,768,211,455 leaf nodes" in note


def test_other_threads_run_meanwhile() -> None:
    """The count ends because another thread works and then stops it."""
    begun, turns = threading.Event(), 0

    def work() -> None:
        nonlocal turns
        begun.wait(60)
        for _ in range(100_000):
            turns += 1
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        tabiya.perft(40, progress=False, threads=1)
    thread.join()
    assert turns == 100_000


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.is_used = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.is_used.set()
        return super().write(text)


def test_a_terminal_has_a_line_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    line = automatic("perft 9")
    assert isinstance(line, ProgressLine)
    line(1234567, 0.5)
    line(2345678, 0.75)
    line.close()
    text = terminal.getvalue()
    assert "perft 9:  50 %, 1,234,567 leaf nodes" in text
    assert text.endswith("\r")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert automatic("perft 9") is None
    assert isinstance(shown("perft 9"), ProgressLine)
    none: Any = None
    monkeypatch.setattr(sys, "stderr", none)
    assert automatic("perft 9") is None
    assert shown("perft 9") is None
    assert tabiya.perft(5, progress=True) == 4865609


def test_a_closed_terminal_does_not_stop_the_count() -> None:
    closed = Terminal()
    closed.close()
    line = ProgressLine("perft 9", closed)
    line(1, 0.5)
    line.close()


class FailingTerminal(Terminal):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


def test_a_terminal_that_fails_does_not_stop_the_count() -> None:
    for gone in (BrokenPipeError(errno.EPIPE, "gone"), io.UnsupportedOperation("not writable")):
        ProgressLine("perft 9", FailingTerminal(gone))(1, 0.5)


def test_a_notebook_that_fails_at_the_end_does_not_lose_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Handle:
        def update(self, bar: Any) -> None:
            if not repr(bar):
                raise RuntimeError("not now")

    bar = NotebookBar("perft 9")
    monkeypatch.setattr(bar, "_handle", Handle())
    bar(1, 0.5)
    bar.close()


def test_the_line_is_not_wider_than_its_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Narrow(Terminal):
        def fileno(self) -> int:
            return 2

    def size(descriptor: int) -> os.terminal_size:
        return os.terminal_size((columns, 24))

    monkeypatch.setattr(os, "get_terminal_size", size)
    terminal, columns = Narrow(), 40
    line = ProgressLine("perft 12", terminal)
    line(10**14, 0.5)
    columns = 20
    line(10**14, 0.75)
    # Some terminals say that they have no columns.
    columns = 0
    line(10**14, 0.75)
    columns = 80
    line.close()
    assert terminal.getvalue().split("\r")[1:] == [
        "perft 12:  50 %, 100,000,000,000,000 le",
        "perft 12:  75 %, 10",
        "perft 12:  75 %, 100,000,000,000,000 leaf nodes",
        " " * 47,
        "",
    ]


@pytest.mark.parametrize("share", [0.2, 1e-9, 1e-320])
def test_only_a_time_that_means_something_is_shown(
    monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    terminal = Terminal()
    line = ProgressLine("perft 216", terminal)
    moments = iter([0.0, 1000.0])
    clock = SimpleNamespace(monotonic=lambda: next(moments))
    monkeypatch.setattr("tabiya.progress.time", clock)
    line(0, 0.0)
    line(10**12, share)
    shown_at_last = terminal.getvalue().rpartition("\r")[2]
    assert "1,000 million/s" in shown_at_last
    assert shown_at_last.endswith("1:06:40 left" if share == 0.2 else "million/s")


def test_a_notebook_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown_here: list[str] = []

    class Handle:
        def update(self, bar: Any) -> None:
            shown_here.append(bar._repr_html_())

    class Module:
        """The part of IPython that the bar needs."""

        kernel = True

        def get_ipython(self) -> Any:
            return self

        def display(self, bar: Any, display_id: bool) -> Handle:
            assert display_id
            shown_here.append(bar._repr_html_())
            return Handle()

    monkeypatch.setitem(sys.modules, "IPython", Module())
    monkeypatch.setitem(sys.modules, "IPython.display", Module())
    bar = automatic("perft <9>")
    assert isinstance(bar, NotebookBar)
    bar(10, 0.25)
    bar(20, 0.5)
    bar.close()
    assert len(shown_here) == 3
    assert 'value="0.2500"' in shown_here[0] and "perft &lt;9&gt;" in shown_here[0]
    assert shown_here[2] == ""


def test_the_display_comes_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    def stop() -> None:
        terminal.is_used.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=stop).start()
        tabiya.perft(40)
    text = terminal.getvalue()
    assert "perft 40:" in text and text.endswith("\r")


class EndingDisplay:
    """A display that a signal interrupts when it is closed."""

    def __call__(self, nodes: int, share: float) -> None:
        raise TimeoutError

    def close(self) -> None:
        signal.raise_signal(signal.SIGINT)


def ending_display(what: str) -> EndingDisplay:
    return EndingDisplay()


def test_a_signal_while_the_display_is_closed_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.progress.shown", ending_display)
    for count in (tabiya.perft, tabiya.divide, tabiya.perft_categories):
        with pytest.raises(KeyboardInterrupt) as caught:
            count(4, progress=True, threads=1)
        assert partial_of(caught.value).nodes == 197281


def test_what_cannot_be_attached_does_not_hide_the_exception(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(partial: tabiya.PartialCount) -> str:
        raise RecursionError

    def stop(nodes: int, share: float) -> None:
        raise TimeoutError

    monkeypatch.setattr(tabiya.PartialCount, "__str__", fail)
    with pytest.raises(TimeoutError):
        tabiya.perft(40, progress=stop)


def test_perft_works_after_a_fork() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("the system cannot fork")
    assert tabiya.perft(5) == 4865609
    program = (
        "import os, tabiya\n"
        "tabiya.perft(5)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if tabiya.perft(6, threads=2) == 119060324 else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_chess960_by_keyword() -> None:
    assert tabiya.perft(4, chess960=True) == 197281
    moves = tabiya.divide(2, KIWIPETE, chess960=True)
    assert tabiya.Move.from_uci("e1h1") in moves and tabiya.Move.from_uci("e1g1") not in moves
