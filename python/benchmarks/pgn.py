"""Reading PGN: games to arrays with ``tabiya.read_pgn``, compared with python-chess's reader.

    python benchmarks/pgn.py [--games 20000] [--rounds 5] [--threads 2]

The file is generated: games of random length with tags, and with a clock and an evaluation after
every move. Both readers check every move, and read the same parts: results, ratings and clocks. The
measurements are interleaved, and the median of all rounds counts. python-chess reads fewer games, since
it takes long.
"""

import argparse
import io
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn

import tabiya

HEADERS = """[Event "Rated game"]
[Site "https://example.org/{number}"]
[Date "2024.01.02"]
[Round "-"]
[White "player{white}"]
[Black "player{black}"]
[Result "{result}"]
[WhiteElo "{white_elo}"]
[BlackElo "{black_elo}"]
[ECO "A00"]
[TimeControl "180+2"]

"""


def generate(games: int, *, seed: int = 1) -> str:
    """Random games with clocks and evaluations."""
    chance = random.Random(seed)
    texts: list[str] = []
    moves = ""
    for number in range(games):
        # Random games take long to make, so each is written ten times, with different players.
        if number % 10 == 0:
            moves = movetext(chance)
        result = chance.choice(["1-0", "0-1", "1/2-1/2"])
        texts.append(
            HEADERS.format(
                number=number,
                white=chance.randrange(10**6),
                black=chance.randrange(10**6),
                white_elo=chance.randrange(800, 2800),
                black_elo=chance.randrange(800, 2800),
                result=result,
            )
            + f"{moves}{result}\n\n"
        )
    return "".join(texts)


def movetext(chance: random.Random) -> str:
    """The moves of a random game: about 75 plies, as on servers."""
    words: list[str] = []
    position = tabiya.Position()
    clocks = [180.0, 180.0]
    for ply in range(max(4, round(chance.gauss(75, 30)))):
        moves = position.legal_moves()
        if not moves:
            break
        move = chance.choice(moves)
        side = ply % 2
        clocks[side] = max(1.0, clocks[side] + 2 - chance.expovariate(0.3))
        minutes, seconds = divmod(int(clocks[side]), 60)
        number = f"{ply // 2 + 1}{'.' if side == 0 else '...'}"
        comment = f"{{ [%eval {chance.gauss(0, 2):.2f}] [%clk 0:{minutes:02}:{seconds:02}] }}"
        words.append(f"{number} {position.san(move)} {comment}")
        position = position.play(move)
    return " ".join(words) + " "


def read_ours(path: Path, threads: int, *, positions: bool) -> tuple[int, int]:
    games, plies = 0, 0
    for chunk in tabiya.read_pgn(path, threads=threads, positions=positions):
        games += len(chunk)
        plies += len(chunk.moves)
    return games, plies


def read_theirs(text: str) -> tuple[int, int]:
    """Reads the same data as a program with python-chess would."""
    stream = io.StringIO(text)
    games, plies = 0, 0
    rows: list[tuple[str, int, int]] = []
    while (game := chess.pgn.read_game(stream)) is not None:
        headers = game.headers
        rows.append((headers["Result"], int(headers["WhiteElo"]), int(headers["BlackElo"])))
        board = game.board()
        for node in game.mainline():
            node.clock()
            node.eval()
            board.push(node.move)
            plies += 1
        games += 1
    return games, plies


def measure(read: Callable[[], tuple[int, int]]) -> tuple[float, float, int, int]:
    """Seconds, CPU seconds, games and plies."""
    begin, cpu = time.perf_counter(), time.process_time()
    games, plies = read()
    return time.perf_counter() - begin, time.process_time() - cpu, games, plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    text = generate(arguments.games)
    few = generate(max(10, arguments.games // 400), seed=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text(text)
        ways: dict[str, Callable[[], tuple[int, int]]] = {}
        for threads in sorted({1, arguments.threads}):
            for positions in (True, False):
                kind = "with positions" if positions else "without positions"

                def read(threads: int = threads, positions: bool = positions) -> tuple[int, int]:
                    return read_ours(path, threads, positions=positions)

                ways[f"tabiya, threads={threads}, {kind}"] = read
        ways["python-chess"] = lambda: read_theirs(few)
        found: dict[str, list[tuple[float, float, int, int]]] = {name: [] for name in ways}
        for _ in range(arguments.rounds):
            for name, way in ways.items():
                found[name].append(measure(way))
    size = len(text) / 1e6
    print(
        f"{arguments.games:,} games, {size:.0f} MB, {size * 1e6 / arguments.games:.0f} bytes each"
    )
    print(f"CPU: {cpu_name()}; Python {platform.python_version()}; {arguments.rounds} rounds\n")
    rates = {name: statistics.median(it[2] / it[0] for it in found[name]) for name in ways}
    theirs = rates["python-chess"]
    print(
        f"{'':40} {'games/s':>10} {'plies/s':>12} {'per CPU s':>10} {'CPU/time':>8} {'ratio':>7}"
    )
    for name, rate in rates.items():
        plies = statistics.median(it[3] / it[0] for it in found[name])
        cpu = statistics.median(it[1] / it[0] for it in found[name])
        busy = statistics.median(it[2] / it[1] for it in found[name])
        numbers = f"{rate:10,.0f} {plies:12,.0f} {busy:10,.0f} {cpu:8.2f} {rate / theirs:6.0f}x"
        print(f"{name:40} {numbers}")


def cpu_name() -> str:
    """The name of the CPU."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
