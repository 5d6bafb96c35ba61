"""Trains a small policy network with NumPy alone, in less than a minute on one core.

    pip install ./python
    python python/examples/train_policy.py

A teacher plays games: it takes what wins most in the exchange, and otherwise centralises its pieces. The
network sees the planes of a position from the side to move and learns to choose the teacher's move. It is
one layer: a number for each of the 1968 moves of UCI, of which the mask leaves the legal ones, and a
softmax over these. Positions it has not seen show how often it finds the teacher's move; a random legal
move is the baseline.

For a larger network, give the same arrays to PyTorch: ``torch.from_numpy(planes)``.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabiya import Batch

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Moves = npt.NDArray[np.uint16]

PLANES = 12 * 64
MOVES = 1968

#: The value of each square for being central, in centipawns.
CENTRALITY = np.array(
    [-5 * (abs(2 * file - 7) + abs(2 * rank - 7)) for rank in range(8) for file in range(8)]
)


def teacher_moves(batch: Batch) -> Moves:
    """The teacher's move for each position; every position has a legal move."""
    moves, offsets = batch.legal_moves()
    origin, target = moves & 63, moves >> 6 & 63
    gains = batch.see_many(moves, offsets=offsets)
    scores = 10.0 * gains + CENTRALITY[target] - CENTRALITY[origin]
    # Small differences between all moves, so that one of them is the best.
    scores += moves / 2.0**16
    best = np.maximum.reduceat(scores, offsets[:-1])
    is_best: Flags = scores == np.repeat(best, np.diff(offsets))
    return moves[is_best]


def random_moves(batch: Batch, chance: np.random.Generator) -> Moves:
    """A random legal move for each position."""
    moves, offsets = batch.legal_moves()
    counts = np.diff(offsets)
    chosen: Numbers = offsets[:-1] + (chance.random(len(batch)) * counts).astype(np.int64)
    return moves[chosen]


def games(positions: int, seed: int) -> tuple[Batch, Numbers]:
    """Positions of games with the numbers of the teacher's moves, in random order.

    Many games are played side by side. A third of the moves are random, so that the games differ.
    """
    chance = np.random.default_rng(seed)
    side_by_side = max(64, positions // 40)
    found: list[Batch] = []
    targets: list[Numbers] = []
    batch: Batch = Batch.random(side_by_side, plies=(2, 20), seed=seed)
    while sum(map(len, found)) < positions:
        goes_on: Flags = batch.outcomes() == 0
        batch = batch[goes_on]
        best = teacher_moves(batch)
        found.append(batch)
        targets.append(batch.move_indices(best, "uci", orientation="side"))
        is_random = chance.random(len(batch)) < 1 / 3
        played: Moves = np.where(is_random, random_moves(batch, chance), best)
        batch = batch.play_many(played)
        if len(batch) < side_by_side:
            fresh = side_by_side - len(batch)
            more = Batch.random(fresh, plies=(2, 20), seed=seed + 1000 * len(found))
            batch = Batch.concat([batch, more])
    order = chance.permutation(sum(map(len, found)))[:positions]
    return Batch.concat(found)[order], np.concatenate(targets)[order]


class Network:
    """One layer from planes to moves, trained by Adam."""

    def __init__(self) -> None:
        self.weights: Floats = np.zeros((PLANES, MOVES), np.float32)
        self.mean = np.zeros_like(self.weights)
        self.square = np.zeros_like(self.weights)
        self.steps = 0

    def probabilities(self, planes: Floats, mask: Flags) -> Floats:
        """The chance of each move; moves that are not legal have none."""
        scores = np.where(mask, planes @ self.weights, np.float32(-np.inf))
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances

    def learn(self, planes: Floats, mask: Flags, targets: Numbers) -> float:
        """Makes one step and returns the loss before it."""
        rows = np.arange(len(targets))
        chances = self.probabilities(planes, mask)
        loss = -float(np.log(chances[rows, targets] + 1e-9).mean())
        chances[rows, targets] -= 1
        gradient = planes.T @ chances / np.float32(len(targets))
        self.steps += 1
        self.mean += np.float32(0.1) * (gradient - self.mean)
        self.square += np.float32(0.01) * (gradient * gradient - self.square)
        # Both averages begin at zero, which is corrected here.
        mean = self.mean / np.float32(1 - 0.9**self.steps)
        square = self.square / np.float32(1 - 0.99**self.steps)
        self.weights -= np.float32(0.01) * mean / (np.sqrt(square) + np.float32(1e-7))
        return loss


class Feed:
    """Rows of a batch as arrays, which are made once and written again and again."""

    def __init__(self, rows: int) -> None:
        self.planes: Floats = np.empty((rows, 12, 8, 8), np.float32)
        self.mask = np.empty((rows, MOVES), np.bool_)

    def of(self, batch: Batch) -> tuple[Floats, Flags]:
        planes, mask = self.planes[: len(batch)], self.mask[: len(batch)]
        batch.planes(orientation="side", out=planes)
        batch.legal_mask("uci", orientation="side", out=mask)
        return planes.reshape(len(batch), PLANES), mask


def accuracy(network: Network, feed: Feed, batch: Batch, targets: Numbers) -> float:
    """The share of positions in which the likeliest move is the teacher's."""
    planes, mask = feed.of(batch)
    return float((network.probabilities(planes, mask).argmax(axis=1) == targets).mean())


@dataclass(frozen=True)
class Result:
    """The result of a training."""

    first_loss: float
    last_loss: float
    #: The share of unseen positions in which the network finds the teacher's move.
    accuracy: float
    #: The chance that a random legal move is the teacher's.
    baseline: float


def train(positions: int = 40_000, steps: int = 250, rows: int = 512, seed: int = 0) -> Result:
    """Plays games, trains a network on them, and prints how it goes."""
    start = time.perf_counter()
    batch, targets = games(positions + 1000, seed)
    test, test_targets = batch[:1000], targets[:1000]
    batch, targets = batch[1000:], targets[1000:]
    baseline = float((1 / np.diff(test.legal_moves()[1])).mean())
    print(f"{len(batch):,} positions after {time.perf_counter() - start:.1f} s")
    print(f"a random legal move is the teacher's in {baseline:.1%}\n")
    print("step   loss  accuracy  seconds")

    chance = np.random.default_rng(seed)
    network, feed, test_feed = Network(), Feed(rows), Feed(len(test))
    losses: list[float] = []
    found = 0.0
    for step in range(1, steps + 1):
        chosen = chance.integers(0, len(batch), rows)
        planes, mask = feed.of(batch[chosen])
        losses.append(network.learn(planes, mask, targets[chosen]))
        if step % max(1, steps // 10) == 0:
            found = accuracy(network, test_feed, test, test_targets)
            loss = float(np.mean(losses[-max(1, steps // 10) :]))
            print(f"{step:4}  {loss:5.3f}  {found:8.1%}  {time.perf_counter() - start:7.1f}")
    tenth = max(1, steps // 10)
    first, last = float(np.mean(losses[:tenth])), float(np.mean(losses[-tenth:]))
    return Result(first, last, found, baseline)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--positions", type=int, default=40_000)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    train(options.positions, options.steps, seed=options.seed)


if __name__ == "__main__":
    main()
