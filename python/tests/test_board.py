"""`Board` against python-chess, move by move on random games of standard chess and Chess960."""

import random
from typing import Any

import chess
import pytest

import tabiya
from conftest import LONG, random_games

#: Positions with rare rules: promotions, pins, en passant that uncovers an attack, castling.
POSITIONS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 2",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/5kn1/8/7K w - - 98 100",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 99 60",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 149 90",
    "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
    "3bk3/8/8/8/8/8/8/4KB2 w - - 0 1",
]


def sets(board: Any) -> dict[str, set[str]]:
    """Every set of moves of a board."""
    return {
        "legal": {move.uci() for move in board.legal_moves},
        "pseudo-legal": {move.uci() for move in board.pseudo_legal_moves},
        "captures": {move.uci() for move in board.generate_legal_captures()},
        "castling": {move.uci() for move in board.generate_castling_moves()},
        "en passant": {move.uci() for move in board.generate_legal_ep()},
        "pseudo-legal captures": {move.uci() for move in board.generate_pseudo_legal_captures()},
        "pseudo-legal en passant": {move.uci() for move in board.generate_pseudo_legal_ep()},
        "from some squares": {
            move.uci() for move in board.generate_legal_moves(0x00FF_0000_FF00_FF42)
        },
    }


def facts(board: Any, *, claims: bool) -> dict[str, Any]:
    """Facts about a board, as values that both packages share."""
    colors = (True, False)
    outcome = board.outcome()
    found = {
        "fens": [
            board.fen(shredder=shredder, en_passant=en_passant)
            for shredder in (False, True)
            for en_passant in ("legal", "xfen", "fen")
        ],
        "epd": board.epd(),
        "castling": (board.castling_xfen(), board.castling_shredder_fen()),
        "fields": [
            getattr(board, name)
            for name in (
                "turn", "castling_rights", "ep_square", "fullmove_number", "halfmove_clock",
                "chess960", "pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied",
            )
        ],  # fmt: skip
        "occupied_co": [board.occupied_co[color] for color in colors],
        "rights": [
            (
                board.has_castling_rights(color),
                board.has_kingside_castling_rights(color),
                board.has_queenside_castling_rights(color),
            )
            for color in colors
        ],
        "clean": board.clean_castling_rights(),
        "chess960 rights": board.has_chess960_castling_rights(),
        "kings": [board.king(color) for color in colors],
        "check": (board.is_check(), board.checkers_mask(), board.was_into_check()),
        "end": (
            board.is_checkmate(),
            board.is_stalemate(),
            board.is_insufficient_material(),
            [board.has_insufficient_material(color) for color in colors],
            board.is_seventyfive_moves(),
            board.is_fifty_moves(),
            board.is_fivefold_repetition(),
            board.is_game_over(),
            board.result(),
            outcome and (outcome.termination.name, outcome.winner, outcome.result()),
        ),
        "repetitions": [board.is_repetition(count) for count in range(1, 6)],
        "en passant": (board.has_legal_en_passant(), board.has_pseudo_legal_en_passant()),
        "status": (int(board.status()), board.is_valid()),
        "ply": board.ply(),
        "key": board._transposition_key(),
        "start": board.chess960_pos(ignore_turn=True, ignore_castling=True),
        "text": (str(board), board.unicode(), board.unicode(borders=True, orientation=False)),
        "pieces": {square: piece.symbol() for square, piece in board.piece_map().items()},
        "stack": [move.uci() for move in board.move_stack],
    }
    if claims:
        claimed = board.outcome(claim_draw=True)
        found["claims"] = (
            board.can_claim_draw(),
            board.can_claim_fifty_moves(),
            board.can_claim_threefold_repetition(),
            claimed and claimed.termination.name,
            board.is_game_over(claim_draw=True),
            board.result(claim_draw=True),
        )
    return found


def attacks(board: Any) -> list[tuple[int, ...]]:
    """Attacks and pins of every square."""
    return [
        (
            board.attackers_mask(True, square),
            board.attackers_mask(False, square),
            int(board.attackers(True, square, 0x0000_0018_1800_0000)),
            board.attacks_mask(square),
            board.pin_mask(True, square),
            board.pin_mask(False, square),
            board.is_attacked_by(True, square),
            board.is_pinned(False, square),
            board.piece_type_at(square) or 0,
        )
        for square in range(64)
    ]


def kinds(board: Any, move: Any) -> tuple[Any, ...]:
    """Facts about a legal move."""
    return (
        board.san(move),
        board.lan(move),
        board.uci(move),
        board.uci(move, chess960=True),
        board.uci(move, chess960=False),
        board.xboard(move),
        board.is_legal(move),
        board.is_pseudo_legal(move),
        board.is_into_check(move),
        board.gives_check(move),
        board.is_capture(move),
        board.is_en_passant(move),
        board.is_castling(move),
        board.is_kingside_castling(move),
        board.is_queenside_castling(move),
        board.is_zeroing(move),
        board.is_irreversible(move),
    )


def ours_of(board: chess.Board) -> tabiya.Board:
    """The same board, without its history."""
    return tabiya.Board(board.fen(shredder=True, en_passant="fen"), chess960=board.chess960)


def test_random_games_agree() -> None:
    ours = tabiya.Board()
    for number, board in enumerate(random_games(4000 if LONG else 40, seed=11)):
        if not board.move_stack:
            ours = ours_of(board)
        else:
            ours.push(tabiya.Move.from_uci(board.peek().uci()))
        assert ours.fen(en_passant="fen") == board.fen(en_passant="fen")
        assert {str(move) for move in ours.legal_moves} == {
            str(move) for move in board.legal_moves
        }
        assert ours.legal_moves.count() == board.legal_moves.count()
        if number % 5 == 0:
            claims = number % 20 == 0
            assert facts(ours, claims=claims) == facts(board, claims=claims)
        if number % 29 == 0:
            assert sets(ours) == sets(board)
            assert attacks(ours) == attacks(board)
        if number % 31 == 0:
            for move in board.legal_moves:
                assert kinds(ours, tabiya.Move.from_uci(move.uci())) == kinds(board, move)


@pytest.mark.parametrize("fen", POSITIONS)
def test_rare_rules_agree(fen: str) -> None:
    theirs, ours = chess.Board(fen), tabiya.Board(fen)
    assert facts(ours, claims=True) == facts(theirs, claims=True)
    assert sets(ours) == sets(theirs)
    assert attacks(ours) == attacks(theirs)
    for move in list(theirs.legal_moves):
        mine = tabiya.Move.from_uci(move.uci())
        assert kinds(ours, mine) == kinds(theirs, move)
        theirs.push(move)
        ours.push(mine)
        assert facts(ours, claims=True) == facts(theirs, claims=True)
        assert sets(ours) == sets(theirs)
        theirs.pop()
        assert ours.pop() == mine
        assert ours == tabiya.Board(fen)


def test_claims_and_repetitions_agree() -> None:
    chance = random.Random(5)
    seen: set[object] = set()
    for _ in range(300 if LONG else 12):
        # With few pieces, positions occur again and the counters grow.
        theirs = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        theirs.halfmove_clock = chance.choice([0, 90, 140])
        ours = tabiya.Board(theirs.fen())
        for _ in range(60):
            moves = sorted(theirs.legal_moves, key=str)
            if not moves:
                break
            # Often the piece goes back to its origin.
            if len(theirs.move_stack) > 1 and chance.random() < 0.7:
                last = theirs.move_stack[-2]
                back = chess.Move(last.to_square, last.from_square)
                moves = [back] if back in moves else moves
            move = chance.choice(moves)
            theirs.push(move)
            ours.push(tabiya.Move.from_uci(move.uci()))
            expected = facts(theirs, claims=True)
            assert facts(ours, claims=True) == expected
            seen.add(expected["claims"][3])
    assert {"THREEFOLD_REPETITION", "FIFTY_MOVES", "FIVEFOLD_REPETITION"} <= seen


def test_null_moves() -> None:
    theirs, ours = chess.Board(), tabiya.Board()
    for text in ["e2e4", "0000", "d2d4", "0000", "0000", "e7e5"]:
        theirs.push(chess.Move.from_uci(text))
        ours.push(tabiya.Move.from_uci(text))
        assert facts(ours, claims=True) == facts(theirs, claims=True)
    assert ours.san(tabiya.Move.null()) == theirs.san(chess.Move.null()) == "--"
    while theirs.move_stack:
        assert ours.pop().uci() == theirs.pop().uci()
        assert ours.fen(en_passant="fen") == theirs.fen(en_passant="fen")
    for text in ["--", "Z0", "0000", "@@@@"]:
        assert ours.parse_san(text) == tabiya.Move.null()
        assert not ours.push_san(text)


def test_illegal_moves_are_not_pushed() -> None:
    board = tabiya.Board()
    for text in ["e2e5", "e7e5", "e1e2", "e1g1", "a1a1", "e2e4q"]:
        with pytest.raises(tabiya.IllegalMoveError) as caught:
            board.push(tabiya.Move.from_uci(text))
        assert caught.value.fen == tabiya.START
    assert board == tabiya.Board() and not board.move_stack
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    with pytest.raises(TypeError):
        board.push(None)
    with pytest.raises(tabiya.IllegalMoveError):
        board.find_move(tabiya.E2, tabiya.E5)
    with pytest.raises(tabiya.AmbiguousMoveError):
        tabiya.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").push_san("Nd2")
    with pytest.raises(tabiya.InvalidMoveError):
        board.push_san("e9")


def test_a_subclass_may_take_moves_alone() -> None:
    """Type checkers agree."""

    class Recorder(tabiya.Board):
        pushed: tuple[tabiya.Move, ...] = ()

        def push(self, move: tabiya.Move) -> None:
            super().push(move)
            self.pushed += (move,)

    board = Recorder()
    board.push_san("e4")
    assert board.pushed == tuple(board.move_stack) == (tabiya.Move.from_uci("e2e4"),)


def test_both_notations_of_castling() -> None:
    for chess960 in (False, True):
        for text in ["e1g1", "e1h1", "e1c1", "e1a1"]:
            fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
            theirs = chess.Board(fen, chess960=chess960)
            ours = tabiya.Board(fen, chess960=chess960)
            # Two squares are a move of the king only where the board writes castling so.
            legal = theirs.is_legal(chess.Move.from_uci(text))
            assert ours.is_legal(tabiya.Move.from_uci(text)) == legal
            assert ours.parse_uci(text).uci() == theirs.parse_uci(text).uci()
            assert ours.push_uci(text).uci() == theirs.push_uci(text).uci()
            assert ours.fen() == theirs.fen()
            assert ours.peek().uci() == theirs.peek().uci()


def test_moves_of_kings_and_rooks_are_legal_as_in_python_chess() -> None:
    fens = [
        "qnbrkrnb/1ppp2pp/4pp2/P7/8/P1N2NP1/2PPPP1P/Q1BRKR1B w KQkq - 1 7",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
        "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/5KR1 w K - 0 1",
    ]
    for fen in fens:
        for chess960 in (False, True):
            theirs, ours = chess.Board(fen, chess960=chess960), tabiya.Board(fen, chess960=chess960)
            listed = {move.uci() for move in ours.legal_moves}
            assert listed == {move.uci() for move in theirs.legal_moves}
            for origin in range(64):
                for target in range(64):
                    if origin == target:
                        continue
                    move, other = tabiya.Move(origin, target), chess.Move(origin, target)
                    is_legal = theirs.is_legal(other)
                    assert (move in ours.legal_moves) == is_legal == ours.is_legal(move), other
                    is_pseudo_legal = theirs.is_pseudo_legal(other)
                    assert ours.is_pseudo_legal(move) == is_pseudo_legal, other
                    assert (move in ours.pseudo_legal_moves) == is_pseudo_legal, other


def test_moves_of_a_loop_stay_while_the_board_changes() -> None:
    board = tabiya.Board(POSITIONS[0])
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += len(board.legal_moves)
        board.pop()
    assert count == 2039
    moves = board.legal_moves
    assert tabiya.Move.from_uci("e1g1") in moves and len(moves) == 48
    board.push_san("O-O")
    # The set follows the board.
    assert tabiya.Move.from_uci("e1g1") not in moves and bool(moves)


def test_perft_with_push_and_pop() -> None:
    def perft(board: tabiya.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += perft(board, depth - 1)
            board.pop()
        return total

    board = tabiya.Board()
    assert perft(board, 4) == 197_281
    assert board == tabiya.Board()


def test_san_of_the_peer_is_read() -> None:
    texts = ["Nf6", "e5", "e7e5", "g8f6", "Ng8f6", "e7-e5", "e5+", "e5#", "O-O", "0-0", "Ke7"]
    texts += ["Nbd2", "e8=Q", "exd5", "", "e9", "P@e4", "NF6", "Qh4", "e.p.", "h6", "xx", "Nxf6"]
    theirs = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    ours = tabiya.Board(theirs.fen())
    for text in texts:
        try:
            expected = theirs.parse_san(text).uci()
        except ValueError as error:
            with pytest.raises(tabiya.MoveError) as caught:
                ours.parse_san(text)
            assert type(caught.value).__name__ == type(error).__name__, text
        else:
            assert ours.parse_san(text).uci() == expected


def test_lines() -> None:
    theirs = chess.Board()
    chance = random.Random(3)
    line: list[chess.Move] = []
    for _ in range(40):
        move = chance.choice(sorted(theirs.legal_moves, key=str))
        line.append(move)
        theirs.push(move)
    moves = [tabiya.Move.from_uci(move.uci()) for move in line]
    assert tabiya.Board().variation_san(moves) == chess.Board().variation_san(line)
    ours, theirs = tabiya.Board(), chess.Board()
    for move, mine in zip(line, moves, strict=True):
        assert ours.san_and_push(mine) == theirs.san_and_push(move)
    assert ours.root() == tabiya.Board() and ours.ply() == 40
    black, other = tabiya.Board(), chess.Board()
    black.push_san("e4")
    other.push_san("e4")
    reply = ["e7e5", "g1f3", "b8c6"]
    assert black.variation_san(map(tabiya.Move.from_uci, reply)) == other.variation_san(
        map(chess.Move.from_uci, reply)
    )
    with pytest.raises(tabiya.IllegalMoveError):
        black.variation_san(moves)


def test_idioms_of_scripts() -> None:
    """Colours as 0 and 1, complements of sets, and no move."""
    board = tabiya.Board()
    black: Any = 1 - tabiya.WHITE
    assert board.king(black) == tabiya.E8
    assert board.pieces(tabiya.PAWN, black) == board.pieces(tabiya.PAWN, tabiya.BLACK)
    board.turn ^= True
    assert board.turn is tabiya.BLACK
    board.turn = True
    quiet = list(board.generate_legal_moves(to_mask=~board.occupied))
    assert len(quiet) == 20
    assert tabiya.SquareSet(5) & ~1 == tabiya.SquareSet(4)
    assert None not in board.legal_moves
    assert not board.is_legal(None)
    white, neither = black + 1, black + 2
    assert tabiya.Piece(1, white) == tabiya.Piece(tabiya.PAWN, tabiya.WHITE)
    with pytest.raises(TypeError, match="expected a colour"):
        board.king(neither)


def test_errors_say_what_was_expected() -> None:
    board = tabiya.Board()
    theirs: Any = chess.Move.from_uci("e2e4")
    number: Any = 5
    with pytest.raises(TypeError, match="from_chess converts moves"):
        board.push(theirs)
    with pytest.raises(TypeError, match="move_from_bits"):
        board.position.play(number)
    with pytest.raises(TypeError, match="expected a Move, not"):
        board.is_capture(number)
    with pytest.raises(TypeError, match="not a single text"):
        tabiya.Bitboard("e4")
    assert tabiya.perft(2, board) == 400
