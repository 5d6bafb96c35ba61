"""The results of a count that was stopped."""

from __future__ import annotations

from dataclasses import dataclass

from ._tabiya import Move

__all__ = ["PartialCount"]


@dataclass(frozen=True, slots=True)
class PartialCount:
    """The count up to the moment when ``perft``, ``divide`` or ``perft_categories`` was stopped.

    It is the attribute ``partial`` of the exception that stopped the count, and its text is a note of
    the exception:

    >>> import tabiya
    >>> def stop(nodes, share):
    ...     raise KeyboardInterrupt
    >>> try:
    ...     tabiya.perft(12, progress=stop)
    ... except KeyboardInterrupt as error:
    ...     error.partial.depth
    12
    """

    #: The depth in plies.
    depth: int
    #: The leaf nodes that were counted; 2**128 - 1 if there were at least as many.
    nodes: int
    #: The elapsed time in seconds.
    seconds: float
    #: The leaf nodes below each finished root move.
    moves: dict[Move, int]
    #: The number of all root moves.
    root_moves: int
    #: For ``perft_categories``, the counts by category, with mates among the checks.
    categories: dict[str, int] | None = None

    def __str__(self) -> str:
        least = "at least " if self.nodes == 2**128 - 1 else ""
        text = f"stopped after {self.seconds:.1f} s: {least}{self.nodes:,} leaf nodes counted"
        text += f" to depth {self.depth}"
        if self.categories is None:
            text += f"; {len(self.moves)} of {self.root_moves} root moves finished"
        return text
