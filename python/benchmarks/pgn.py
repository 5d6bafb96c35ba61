"""Reading PGN: games to arrays with ``tabiya.read_pgn``, compared with python-chess's reader.

    python benchmarks/pgn.py [--games 20000] [--rounds 5] [--threads 2]

The file is generated: games of random length with tags, and with a clock and an evaluation after
every move. Both readers check every move, and read the same parts: results, ratings and clocks. The
measurements are interleaved, and the median of the processor times counts, of all threads together.
python-chess reads fewer games, since it takes long.
"""

import argparse
import io
import random
import tempfile
from functools import partial
from pathlib import Path

import chess.pgn
from measure import Contestant, interleaved, machine, table, versions

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


def read_ours(path: Path, threads: int, *, positions: bool) -> int:
    chunks = tabiya.read_pgn(path, threads=threads, positions=positions)
    return sum(len(chunk) for chunk in chunks)


def read_theirs(text: str) -> int:
    """Reads the same data as a program with python-chess would."""
    stream = io.StringIO(text)
    games = 0
    rows: list[tuple[str, int, int]] = []
    while (game := chess.pgn.read_game(stream)) is not None:
        headers = game.headers
        rows.append((headers["Result"], int(headers["WhiteElo"]), int(headers["BlackElo"])))
        board = game.board()
        for node in game.mainline():
            node.clock()
            node.eval()
            board.push(node.move)
        games += 1
    return games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    text = generate(arguments.games)
    few = max(10, arguments.games // 400)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text(text)
        contestants: dict[str, Contestant] = {}
        for threads in sorted({1, arguments.threads}):
            for positions in (True, False):
                kind = "with positions" if positions else "without positions"
                read = partial(read_ours, path, threads, positions=positions)
                contestants[f"tabiya, threads={threads}, {kind}"] = Contestant(
                    read, arguments.games
                )
        contestants["python-chess"] = Contestant(partial(read_theirs, generate(few, seed=2)), few)
        found = interleaved(contestants, rounds=arguments.rounds)
    size = len(text) / 1e6
    print(
        f"{arguments.games:,} games, {size:.0f} MB, {size * 1e6 / arguments.games:.0f} bytes each"
    )
    print(f"{machine()}, {versions('chess')}; {arguments.rounds} rounds\n")
    print(table(found, against="python-chess", unit="games"))


if __name__ == "__main__":
    main()
