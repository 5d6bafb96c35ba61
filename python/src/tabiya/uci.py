"""A client for chess engines that speak UCI: `Engine`, and `AsyncEngine` for ``asyncio``.

The page "Engines" has examples.

No call waits for ever. An engine that crashes, is silent, prints without end or says what UCI
doesn't allow is killed, and the call raises an `EngineError`. After that, every call raises
`EngineTerminatedError`.
"""

from __future__ import annotations

import os
from asyncio import CancelledError, wrap_future
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial, total_ordering, wraps
from typing import Any, Concatenate, Literal, ParamSpec, Self, TypeAlias, TypeVar

from ._tabiya import Board, Move, Position, UciEngine
from .errors import TabiyaError

__all__ = ["Analysis", "AsyncAnalysis", "AsyncEngine", "Engine", "EngineError"]
__all__ += ["EngineProtocolError", "EngineTerminatedError", "EngineTimeoutError"]
__all__ += ["Info", "Limit", "Option", "PlayResult", "Score"]

_T = TypeVar("_T")
_P = ParamSpec("_P")
_Searched: TypeAlias = Position | Board | str
_Command: TypeAlias = str | os.PathLike[str] | Sequence[str]

#: How long we wait for a line before we look whether to stop.
_SLICE = 0.05


class EngineError(TabiyaError):
    """An engine failed, or can't be started."""

    def __str__(self) -> str:
        return str(self.args[0])


class EngineTerminatedError(EngineError):
    """The engine ended, or was ended after an earlier error."""

    @property
    def status(self) -> int | None:
        """The exit code, or minus the number of the signal that ended it; ``None`` if it only closed
        its output, or was ended earlier.
        """
        status: int | None = self.args[1]
        return status

    @property
    def stderr(self) -> str:
        """The last message on its stderr, or nothing."""
        return str(self.args[2])


class EngineTimeoutError(EngineError):
    """The engine did not answer in time."""

    @property
    def awaited(self) -> str:
        """What was waited for, such as ``bestmove``."""
        return str(self.args[1])


class EngineProtocolError(EngineError):
    """The engine said something that UCI doesn't allow."""

    @property
    def line(self) -> str:
        """What it said, at most 200 characters of it."""
        return str(self.args[1])


@dataclass(frozen=True, slots=True)
class Limit:
    """Where a search ends: at the first of these that it reaches. The time is in seconds, and at
    least a thousandth; numbers are at least 1. A clock of 0 is sent as a thousandth.

    >>> from tabiya import uci
    >>> uci.Limit(time=0.5, nodes=1_000_000).depth is None
    True
    """

    #: The time for this move.
    time: float | None = None
    #: The depth in plies.
    depth: int | None = None
    nodes: int | None = None
    #: Find a mate in so many moves.
    mate: int | None = None
    #: The clocks, from which the engine chooses the time. That of the side to move must be there if
    #: anything about clocks is.
    white_clock: float | None = None
    black_clock: float | None = None
    #: What each move adds to the clock.
    white_inc: float | None = None
    black_inc: float | None = None
    #: The moves to the next time control; ``None`` if the time is for all of the game.
    remaining_moves: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            may_be_zero = field.name.endswith(("_clock", "_inc"))
            if value is not None and not (value > 0 or may_be_zero and value == 0):
                least = "0 or more" if may_be_zero else "more than 0"
                raise ValueError(f"{field.name} must be {least}, not {value}")


@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """The value of a position for one side. Better scores are greater; ``-`` is the view of the
    other side.

    >>> from tabiya.uci import Score
    >>> Score("wins", 1) > Score("wins", 5) > Score("cp", 900) > Score("loses", 5)
    True
    >>> str(Score("cp", 35)), str(-Score("wins", 3)), Score("loses", 3).mate
    ('+0.35', '#-3', -3)
    """

    #: ``cp``: hundredths of a pawn. ``wins`` or ``loses``: the side mates, or is mated, in ``value``
    #: moves; in 0 if it has mated, or is.
    kind: Literal["cp", "wins", "loses"]
    value: int

    @property
    def cp(self) -> int | None:
        """Hundredths of a pawn; ``None`` if there is a mate."""
        return self.value if self.kind == "cp" else None

    @property
    def mate(self) -> int | None:
        """The moves to the mate, less than 0 if the side is mated; ``None`` if there is none. A mate
        on the board is 0 for both sides: ``kind`` says whose it is.
        """
        return {"cp": None, "wins": self.value, "loses": -self.value}[self.kind]

    def __neg__(self) -> Score:
        if self.kind == "cp":
            return Score("cp", -self.value)
        return Score("loses" if self.kind == "wins" else "wins", self.value)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._key() < other._key()

    def _key(self) -> tuple[int, int]:
        rank = ("loses", "cp", "wins").index(self.kind)
        return rank, -self.value if self.kind == "wins" else self.value

    def __str__(self) -> str:
        if self.kind == "cp":
            return f"{self.value / 100:+.2f}"
        return f"#{'-' if self.kind == 'loses' else ''}{self.value}"


@dataclass(frozen=True, slots=True)
class Info:
    """What an engine says about a search. What it doesn't say is ``None`` or empty."""

    #: The side to move, whose view the score is: ``True`` is White.
    turn: bool
    #: The number of the line among several; 1 is the best.
    multipv: int
    #: The score, from the point of view of the side to move.
    score: Score | None
    #: Is the score exact, or does it bound the real one?
    bound: Literal["exact", "lower", "upper"]
    #: The chances in thousandths: win, draw and loss of the side to move.
    wdl: tuple[int, int, int] | None
    #: The depth in plies.
    depth: int | None
    #: The greatest depth that was reached.
    seldepth: int | None
    nodes: int | None
    #: Nodes per second.
    nps: int | None
    tbhits: int | None
    #: How full the hash table is, in thousandths.
    hashfull: int | None
    #: The seconds since the search began.
    time: float | None
    #: The expected moves, each legal after those before it.
    pv: list[Move]
    #: The moves from the first on that isn't legal: the end of a line may come from a table in which
    #: two positions were confused.
    pv_rest: list[Move]
    #: Words for people.
    string: str

    def score_for(self, color: bool) -> Score | None:
        """The score from the point of view of a side."""
        return self.score if self.score is None or color == self.turn else -self.score


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The result of a search."""

    #: The move to play; ``None`` only if there is no legal move.
    move: Move | None
    #: The reply that the engine expects; ``None`` if it names none.
    ponder: Move | None
    #: The last info with a score of each line, the best line first; an exact score if there was one.
    #: An engine that plays from a book has said nothing.
    lines: list[Info]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an engine."""

    name: str
    #: A ``check`` is set to ``True`` or ``False``, a ``spin`` to a number, a ``combo`` to one of the
    #: texts ``var``, a ``string`` to any text of one line, a ``button`` to ``None``. What the engine
    #: says about an ``unreadable`` option isn't as in UCI, so it can't be set.
    type: Literal["check", "spin", "combo", "button", "string", "unreadable"]
    default: bool | int | str | None
    #: The least and the greatest number of a ``spin``.
    min: int | None
    max: int | None
    #: The texts of a ``combo``.
    var: list[str]


class Analysis:
    """A search, line by line, in a ``with`` statement, whose end stops the search."""

    def __init__(self, native: UciEngine, *arguments: Any) -> None:
        self._native, self._arguments = native, arguments
        self._number = 0
        self._result: PlayResult | None = None

    def __enter__(self) -> Self:
        self._number = self._native.begin(*self._arguments)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        while self._result is None:
            step = self._native.poll(self._number, _SLICE)
            if isinstance(step, dict):
                return Info(**step)
            if step is not None:
                move, ponder, lines = step
                self._result = PlayResult(move, ponder, [Info(**line) for line in lines])
        raise StopIteration

    def stop(self) -> None:
        """Asks the engine to stop. What it says until then still comes. This may be called from
        another thread.
        """
        self._native.stop(self._number)

    def wait(self) -> PlayResult:
        """Waits for the end of the search."""
        while self._result is None:
            next(self, None)
        return self._result


class Engine:
    """A running engine: a path or name, or a list of it and its arguments.

    The engine has ``timeout`` seconds to start, to be ready and to stop, and so many more than its
    time for a search, which is then stopped. A search that no time limits may take ``search_timeout``
    seconds.

    An engine belongs to one thread at a time. At the end of a ``with`` statement it quits, and if it
    is forgotten it is killed.

    Raises ``EngineError`` if the engine can't be started or doesn't speak UCI.
    """

    #: What the engine calls itself.
    name: str
    #: The options by name, in the engine's order.
    options: dict[str, Option]

    def __init__(
        self, command: _Command, *, timeout: float = 10.0, search_timeout: float = 3600.0
    ) -> None:
        is_path = isinstance(command, (str, os.PathLike))
        words = [os.fspath(command)] if is_path else list(command)  # type: ignore[arg-type]
        self._native = UciEngine(words, timeout, search_timeout)
        self.name, options = self._native.identity()
        self.options = {option[0]: Option(*option) for option in options}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def configure(self, options: Mapping[str, bool | int | str | None]) -> None:
        """Sets options by their exact names: to ``True`` or ``False``, a number or a text, and a button
        to ``None``. Searches set ``MultiPV`` and ``UCI_Chess960`` themselves.

        Raises ``ValueError`` if there is no such option or it doesn't take the value.
        """
        for name, value in options.items():
            text = "" if value is None else str(value)
            self._native.set_option(name, text.lower() if isinstance(value, bool) else text)

    def new_game(self) -> None:
        """Tells the engine that the next search is of another game."""
        self._native.new_game()

    def play(self, position: _Searched, limit: Limit) -> PlayResult:
        """Searches for a move. Of a ``Board``, the engine learns the moves, too."""
        return self._find(position, limit, 1)

    def analyse(self, position: _Searched, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """The last info with a score of each of the best lines: at most as many as there are moves."""
        return self._find(position, limit, multipv).lines

    def _find(self, position: _Searched, limit: Limit, multipv: int) -> PlayResult:
        if limit == Limit():
            raise ValueError("nothing limits the search, so it wouldn't end")
        with self.analysis(position, limit, multipv=multipv) as search:
            return search.wait()

    def analysis(
        self, position: _Searched, limit: Limit = Limit(), *, multipv: int = 1
    ) -> Analysis:
        """A search for a ``with`` statement, line by line. Without a limit it goes on until it's
        stopped.
        """
        return Analysis(self._native, position, limit, multipv)

    def stop(self) -> None:
        """Asks the engine to stop its search, if there is one. This may be called from another thread."""
        self._native.stop(None)

    def quit(self) -> None:
        """Tells the engine to quit, and kills it if it hasn't after ``timeout`` seconds."""
        self._native.quit()


class AsyncAnalysis:
    """The same in an ``async with`` statement, for ``async for`` and ``await``."""

    def __init__(self, engine: AsyncEngine, analysis: Analysis) -> None:
        self._call, self._analysis = engine.call, analysis

    async def __aenter__(self) -> Self:
        await self._call(self._analysis.__enter__)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        info = await self._call(next, self._analysis, None)
        if info is None:
            raise StopAsyncIteration
        return info

    def stop(self) -> None:
        """Asks the engine to stop. What it says until then still comes."""
        self._analysis.stop()

    async def wait(self) -> PlayResult:
        """Waits for the end of the search."""
        return await self._call(self._analysis.wait)


def _in_thread(
    method: Callable[Concatenate[Engine, _P], _T],
) -> Callable[Concatenate[AsyncEngine, _P], Coroutine[Any, Any, _T]]:
    @wraps(method)
    async def run(self: AsyncEngine, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await self.call(method, self.engine, *args, **kwargs)

    return run


class AsyncEngine:
    """The same with ``asyncio``: ``async with AsyncEngine("stockfish") as engine``.

    A thread waits for the engine. If a task is cancelled that waits for a search, the search is
    stopped, and the engine can be used again at once.
    """

    #: The engine that the thread waits for.
    engine: Engine
    name: str
    options: dict[str, Option]

    def __init__(
        self, command: _Command, *, timeout: float = 10.0, search_timeout: float = 3600.0
    ) -> None:
        self._start = partial(Engine, command, timeout=timeout, search_timeout=search_timeout)
        self._threads = ThreadPoolExecutor(1, "tabiya uci")

    async def __aenter__(self) -> Self:
        self.engine = await wrap_future(self._threads.submit(self._start))
        self.name, self.options = self.engine.name, self.engine.options
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    async def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Calls a function in the thread. If this is cancelled meanwhile, the search is stopped."""
        future = self._threads.submit(function, *args, **kwargs)
        try:
            return await wrap_future(future)
        except CancelledError:
            if future.running():
                self.engine.stop()
            raise

    #: Like ``Engine.configure``.
    configure = _in_thread(Engine.configure)
    #: Like ``Engine.new_game``.
    new_game = _in_thread(Engine.new_game)
    #: Like ``Engine.play``.
    play = _in_thread(Engine.play)
    #: Like ``Engine.analyse``.
    analyse = _in_thread(Engine.analyse)
    #: Like ``Engine.quit``.
    quit = _in_thread(Engine.quit)

    def analysis(
        self, position: _Searched, limit: Limit = Limit(), *, multipv: int = 1
    ) -> AsyncAnalysis:
        """A search for an ``async with`` statement, line by line, like ``Engine.analysis``."""
        return AsyncAnalysis(self, self.engine.analysis(position, limit, multipv=multipv))
