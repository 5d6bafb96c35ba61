"""Replays games with python-chess and compares every field of every line.

The lines come from xtask/src/test/agreement.rs. The only argument is the page that documents packed
positions, whose Python program is run on the packed positions of the games.
"""

import collections
import re
import sys

import chess
import chess.polyglot

TERMINATIONS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient-material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five-moves",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold-repetition",
}


def documented_program(page):
    """The function `pieces` of the page."""
    text = open(page, encoding="utf-8").read()
    names = {}
    exec(re.search(r"```python\n(.*?)```", text, re.S).group(1), names)
    return names["pieces"]


class Disagreement(Exception):
    pass


def same(what, ours, theirs):
    if ours != theirs:
        raise Disagreement(f"{what}: tabiya says {ours}, python-chess says {theirs}")


class Replay:
    def __init__(self, pieces):
        self.pieces = pieces
        self.seen = collections.Counter()

    def begin(self, number, chess960, fen):
        self.board = chess.Board(fen, chess960=chess960 == "1")
        self.occurrences = collections.Counter()
        self.seen["games"] += 1
        self.seen["games of Chess960"] += chess960 == "1"

    def step(self, uci, san, lan, fen, x_fen, outcome, claim, count, key, packed, probe, *many):
        board = self.board
        if uci != "-":
            self.play(uci, san, lan)
        same("FEN", fen, board.fen(shredder=board.chess960))
        same("X-FEN", x_fen, board.fen())
        same("Polyglot key", int(key, 16), chess.polyglot.zobrist_hash(board))
        self.packed(bytes.fromhex(packed))

        position = board._transposition_key()
        self.occurrences[position] += 1
        same("occurrences", int(count), self.occurrences[position])
        self.seen["repeated positions"] += int(count) > 1
        if int(count) > 1 or self.seen["plies"] % 16 == 0:
            same("third occurrence", int(count) >= 3, board.is_repetition(3))

        ended = board.outcome()
        same("outcome", outcome, f"{TERMINATIONS[ended.termination]} {ended.result()}" if ended else "-")
        self.seen[outcome.split()[0]] += 1
        fifty, three = board.is_fifty_moves(), int(count) >= 3
        claimable = "fifty-moves" if fifty else "threefold-repetition" if three else "-"
        same("claim", claim, "-" if ended else claimable)
        self.seen[f"claimable {claim}"] += claim != "-"

        self.probe(probe)
        if many:
            self.every_move(*many, ended)
        self.seen["plies"] += 1

    def play(self, uci, san, lan):
        board = self.board
        move = board.parse_uci(uci)
        same("SAN", san, board.san(move))
        same("parsed SAN", board.parse_san(san), move)
        same("LAN", lan, board.lan(move))
        board.push(move)

    def every_move(self, moves, claims, ended):
        board = self.board
        theirs = {board.uci(move): board.san(move) for move in board.legal_moves}
        ours = dict(pair.split("=", 1) for pair in moves.split(" ") if pair)
        same("SAN of all moves", ours, theirs)
        for uci, san in ours.items():
            same("parsed SAN", board.uci(board.parse_san(san)), uci)
        if not ended:
            same("claim by a move", claims == "1", board.can_claim_draw())
        self.seen["positions with all moves"] += 1

    def probe(self, probe):
        """A text without disambiguation: the same move, or none for both."""
        if probe == "-":
            return
        text, ours = probe.split("=")
        try:
            theirs = self.board.uci(self.board.parse_san(text))
        except ValueError:
            theirs = "-"
        same(f"parsed {text}", ours, theirs)
        self.seen["texts that are no move"] += ours == "-"

    def packed(self, packed):
        theirs = {chess.square_name(at): piece.symbol() for at, piece in self.board.piece_map().items()}
        same("packed pieces", dict(self.pieces(packed)), theirs)
        counters = int.from_bytes(packed[24:26], "big"), int.from_bytes(packed[26:28], "big")
        same("packed counters", counters, (self.board.halfmove_clock, self.board.fullmove_number))
        same("packed notation", packed[28] == 1, self.board.chess960)
        same("packed double push", packed[29], self.board.ep_square or 0)


def main():
    replay = Replay(documented_program(sys.argv[1]))
    game = "no game"
    for number, line in enumerate(sys.stdin, 1):
        kind, *fields = line.rstrip("\n").split("\t")
        try:
            if kind == "game":
                game = " ".join(fields)
                replay.begin(*fields)
            else:
                replay.step(*fields)
        except Exception as error:
            print(f"game {game}\nline {number}: {line}{type(error).__name__}: {error}", file=sys.stderr)
            return 1
    seen = sorted((what, count) for what, count in replay.seen.items() if count and what != "-")
    summary = ", ".join(f"{count} {what}" for what, count in seen)
    print(f"   agreed: {summary}")
    return 0


sys.exit(main())
