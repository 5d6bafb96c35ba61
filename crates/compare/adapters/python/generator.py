"""A small move generator in Python, for the adapter in this folder. Replace it with your own."""

STEPS = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
LOST = {0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k"}


def name(square):
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def step(square, file, rank):
    file, rank = square % 8 + file, square // 8 + rank
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


class Position:
    def __init__(self, board, white, castling, ep):
        self.board, self.white, self.castling, self.ep = board, white, castling, ep

    @classmethod
    def from_fen(cls, fen):
        ranks, side, castling, ep = fen.split()[:4]
        board = []
        for rank in reversed(ranks.split("/")):
            for letter in rank:
                board += ["."] * int(letter) if letter.isdigit() else [letter]
        square = None if ep == "-" else "abcdefgh".index(ep[0]) + 8 * (int(ep[1]) - 1)
        return cls(board, side == "w", castling, square)

    def attacked(self, square, white):
        """Whether a side attacks a square."""
        def holds(target, letters):
            return target is not None and self.board[target] in (letters.upper() if white else letters)

        forward = 1 if white else -1
        if any(holds(step(square, side, -forward), "p") for side in (-1, 1)):
            return True
        if any(holds(step(square, *leap), "n") for leap in LEAPS):
            return True
        for direction in STEPS:
            target = step(square, *direction)
            if holds(target, "k"):
                return True
            while target is not None and self.board[target] == ".":
                target = step(target, *direction)
            if holds(target, "qb" if all(direction) else "qr"):
                return True
        return False

    def own(self, square):
        return self.board[square] != "." and self.board[square].isupper() == self.white

    def pseudo_legal(self):
        for start in filter(self.own, range(64)):
            role = self.board[start].lower()
            if role == "p":
                yield from self.pawn(start)
                continue
            directions = {"n": LEAPS, "r": STEPS[:4], "b": STEPS[4:]}.get(role, STEPS)
            for direction in directions:
                target = step(start, *direction)
                while target is not None and not self.own(target):
                    yield start, target, ""
                    if self.board[target] != "." or role in "nk":
                        break
                    target = step(target, *direction)
            if role == "k":
                yield from self.castle(start)

    def pawn(self, start):
        forward, first = (1, 1) if self.white else (-1, 6)
        targets = []
        push = step(start, 0, forward)
        if self.board[push] == ".":
            targets.append(push)
            if start // 8 == first and self.board[push + 8 * forward] == ".":
                targets.append(push + 8 * forward)
        for target in (step(start, side, forward) for side in (-1, 1)):
            if target is not None and (
                target == self.ep or self.board[target] != "." and not self.own(target)
            ):
                targets.append(target)
        for target in targets:
            for role in "qrbn" if target // 8 in (0, 7) else [""]:
                yield start, target, role

    def castle(self, king):
        rights = "KQ" if self.white else "kq"
        for right, path, crossed in ((rights[0], (1, 2), 1), (rights[1], (-1, -2, -3), -1)):
            if (
                right in self.castling
                and all(self.board[king + offset] == "." for offset in path)
                and not self.attacked(king, not self.white)
                and not self.attacked(king + crossed, not self.white)
            ):
                yield king, king + 2 * crossed, ""

    def play(self, move):
        start, target, role = move
        board, piece, ep = self.board[:], self.board[start], None
        board[start], board[target] = ".", piece
        if role:
            board[target] = role.upper() if self.white else role
        if piece in "Pp":
            if target == self.ep:
                board[start // 8 * 8 + target % 8] = "."
            if abs(target - start) == 16:
                ep = (start + target) // 2
        if piece in "Kk" and abs(target - start) == 2:
            corner, beside = (start + 3, start + 1) if target > start else (start - 4, start - 1)
            board[corner], board[beside] = ".", board[corner]
        lost = LOST.get(start, "") + LOST.get(target, "")
        castling = "".join(right for right in self.castling if right not in lost)
        return Position(board, not self.white, castling, ep)

    def legal_moves(self):
        king = "K" if self.white else "k"
        for move in self.pseudo_legal():
            after = self.play(move)
            if not after.attacked(after.board.index(king), not self.white):
                yield move


def uci(move):
    return name(move[0]) + name(move[1]) + move[2]
