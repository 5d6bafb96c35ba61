"""Batches as planes, masks, moves and numbers of moves."""

import ctypes
import importlib
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import chess
import numpy as np
import pytest
from test_batch import BATCH, BOARDS, KNOWN

import tabiya
from tabiya import Batch, encodings

Encoding: TypeAlias = Literal["uci", "az"]
Orientation: TypeAlias = Literal["white", "side"]

ENCODINGS: list[Encoding] = ["uci", "az"]
ORIENTATIONS: list[Orientation] = ["white", "side"]
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


def channels(board: chess.Board, orientation: str) -> list[chess.SquareSet]:
    """The sets of the pieces, written with python-chess."""
    colors = [True, False]
    if orientation == "side" and not board.turn:
        colors = [False, True]
    sets = [board.pieces(role, color) for color in colors for role in range(1, 7)]
    if colors[0]:
        return sets
    return [chess.SquareSet(chess.flip_vertical(int(pieces))) for pieces in sets]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_bitboards_and_planes(orientation: Orientation) -> None:
    bitboards = BATCH.bitboards(orientation=orientation)
    expected = [[int(pieces) for pieces in channels(board, orientation)] for board in BOARDS]
    assert bitboards.tolist() == expected
    planes = BATCH.planes(orientation=orientation)
    bits = np.unpackbits(bitboards.astype("<u8").view(np.uint8), bitorder="little")
    assert (planes.reshape(-1) == bits).all()
    for dtype in (np.float32, np.float16):
        floats = BATCH.planes(dtype, orientation=orientation)
        assert floats.dtype == dtype
        assert (floats == planes).all()


def test_the_picture_of_planes() -> None:
    """Ranks and files as the documentation shows them."""
    batch = Batch.from_fens(["4k3/8/8/8/8/8/P7/4K2N b - - 0 1"])
    white = batch.planes()[0]
    assert np.argwhere(white).tolist() == [[0, 1, 0], [1, 0, 7], [5, 0, 4], [11, 7, 4]]
    side = batch.planes(orientation="side")[0]
    assert np.argwhere(side).tolist() == [[5, 0, 4], [6, 6, 0], [7, 7, 7], [11, 7, 4]]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_extra_planes(orientation: Orientation) -> None:
    planes = BATCH.planes(orientation=orientation, extra=True)
    assert planes.shape == (len(BATCH), 20, 8, 8)
    assert (planes[:, :12] == BATCH.planes(orientation=orientation)).all()
    for dtype in (np.float32, np.float16):
        assert (planes == BATCH.planes(dtype, orientation=orientation, extra=True)).all()
    turns, castling = BATCH.turns(), BATCH.castling()
    flip = ~turns if orientation == "side" else np.zeros(len(BATCH), bool)
    castling[flip] = castling[flip][:, [2, 3, 0, 1]]
    constant = np.column_stack([~turns, castling, np.minimum(BATCH.clocks(), 255)])
    assert (planes[:, [12, 13, 14, 15, 16, 18, 19]] == constant[:, :, None, None]).all()
    square = BATCH.en_passant().astype(int)
    square[flip & (square >= 0)] ^= 56
    expected = np.zeros((len(BATCH), 64), np.uint8)
    rows = np.flatnonzero(square >= 0)
    assert len(rows) > 5
    expected[rows, square[rows]] = 1
    assert (planes[:, 17].reshape(-1, 64) == expected).all()
    fens = [f"4k3/8/8/8/8/8/8/4K2R w - - {row} {row + 1}" for row in range(300)]
    late = Batch.from_fens(fens)
    clocks = np.minimum(late.clocks(), 255)
    for kind in (np.uint8, np.float32, np.float16):
        assert (late.planes(kind, extra=True)[:, 18:, 0, 0] == clocks).all()


def test_the_order_of_uci() -> None:
    """The order is written a second time here, with python-chess."""
    expected: list[str] = []
    for square in chess.SQUARES:
        board = chess.BaseBoard.empty()
        for piece in "QN":
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
            names = [chess.square_name(to) for to in board.attacks(square)]
            expected += [chess.square_name(square) + name for name in names]
    for origin, target in ("21", "78"):
        for file in range(8):
            for other in (file, file - 1, file + 1):
                if 0 <= other < 8:
                    text = f"{'abcdefgh'[file]}{origin}{'abcdefgh'[other]}{target}"
                    expected += [text + role for role in "qrbn"]
    assert expected == encodings.UCI_MOVES
    assert len(set(expected)) == 1968


def az_index(move: chess.Move, is_flipped: bool) -> int:
    """The number of a move in 8x8x73, written a second time."""
    flip = 56 if is_flipped else 0
    origin, target = move.from_square ^ flip, move.to_square ^ flip
    files = chess.square_file(target) - chess.square_file(origin)
    ranks = chess.square_rank(target) - chess.square_rank(origin)
    if move.promotion not in (None, chess.QUEEN):
        assert move.promotion is not None
        return origin * 73 + 64 + (files + 1) * 3 + move.promotion - 2
    knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    if (files, ranks) in knight:
        return origin * 73 + 56 + knight.index((files, ranks))
    compass = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    distance = max(abs(files), abs(ranks))
    direction = compass.index((files // distance, ranks // distance))
    return origin * 73 + direction * 7 + distance - 1


def uci_index(move: chess.Move, is_flipped: bool) -> int:
    flip = 56 if is_flipped else 0
    turned = chess.Move(move.from_square ^ flip, move.to_square ^ flip, move.promotion)
    return UCI_NUMBERS[turned.uci()]


UCI_NUMBERS = {text: number for number, text in enumerate(encodings.UCI_MOVES)}
INDEX = {"uci": uci_index, "az": az_index}


def written(board: chess.Board) -> list[chess.Move]:
    """The legal moves with castling as UCI writes it in this kind of chess."""
    return [chess.Move.from_uci(board.uci(move)) for move in board.legal_moves]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_legal_masks(encoding: Encoding, orientation: Orientation) -> None:
    mask = BATCH.legal_mask(encoding, orientation=orientation)
    assert mask.shape == (len(BATCH), {"uci": 1968, "az": 4672}[encoding])
    for board, row in zip(BOARDS, mask, strict=True):
        is_flipped = orientation == "side" and not board.turn
        expected = sorted(INDEX[encoding](move, is_flipped) for move in written(board))
        assert np.flatnonzero(row).tolist() == expected, board.fen()
    numbers = BATCH.legal_mask(encoding, dtype=np.uint8, orientation=orientation)
    assert numbers.dtype == np.uint8
    assert (numbers == mask).all()
    moves, offsets = BATCH.legal_moves()
    rows = np.repeat(np.arange(len(BATCH)), np.diff(offsets))
    indices = BATCH.move_indices(moves, encoding, orientation=orientation, offsets=offsets)
    again = np.zeros_like(mask)
    again[rows, indices] = True
    assert (again == mask).all()
    found = BATCH.find_moves(indices, encoding, orientation=orientation, offsets=offsets)
    assert (found == moves).all()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_numbers_of_single_moves(encoding: Encoding) -> None:
    table = {"uci": encodings.UCI_TABLE, "az": encodings.AZ_TABLE}[encoding]
    assert table.shape == ({"uci": 1968, "az": 4672}[encoding], 3)
    assert not table.flags.writeable
    for index, (origin, target, promotion) in enumerate(table.tolist()):
        if origin < 0:
            with pytest.raises(ValueError, match="off the board"):
                encodings.index_move(index, encoding)
            continue
        move = encodings.index_move(index, encoding)
        assert (move.from_square, move.to_square) == (origin, target)
        assert (move.promotion or 0) == promotion
        assert encodings.move_index(move, encoding) == index
        assert encodings.move_index(move.uci(), encoding) == index
        turned = encodings.index_move(index, encoding, orientation="side", turn=False)
        assert turned.from_square == origin ^ 56
        assert encodings.move_index(turned, encoding, orientation="side", turn=False) == index
        assert encodings.move_index(move, encoding, orientation="side", turn=True) == index
    assert (encodings.AZ_TABLE[:, 0] >= 0).sum() == 1792 + 2 * 22 * 3
    for wrong in ("a1b4", "a7b8", "0000", "a1a1", "e2e1n", "b7b8p", "e5e6q"):
        try:
            index = encodings.move_index(wrong, encoding)
        except ValueError:
            continue
        assert wrong in ("a7b8", "e2e1n"), (wrong, index)
    for number in (-1, len(table)):
        with pytest.raises(ValueError, match="expected a number"):
            encodings.index_move(number, encoding)
    for name in ("lc0", None, 3):
        with pytest.raises(ValueError, match="encoding"):
            encodings.move_index("e2e4", name)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="encoding"):
            BATCH.legal_mask(name)  # type: ignore[call-overload]
        with pytest.raises(ValueError, match="orientation"):
            BATCH.planes(orientation=name)  # type: ignore[call-overload]


def test_castling_in_masks() -> None:
    standard = Batch.from_fens([CASTLING])
    chess960 = Batch.from_fens([CASTLING], chess960=True)
    for encoding in ENCODINGS:
        for batch, texts in ((standard, ["e1g1", "e1c1"]), (chess960, ["e1h1", "e1a1"])):
            indices = [encodings.move_index(text, encoding) for text in texts]
            assert batch.legal_mask(encoding)[0, indices].all()
            assert batch[[0, 0]].ucis(["O-O", "O-O-O"]) == texts
            assert batch[[0, 0]].move_indices(texts, encoding).tolist() == indices
            after = batch[[0, 0]].play_many(indices, encoding)
            assert after.ucis() == batch[[0, 0]].play_many(["O-O", "O-O-O"]).ucis()
    # The king is already on its target.
    near = Batch.from_fens(["4k3/8/8/8/8/8/8/6KR w K - 0 1"])
    assert near.legal_mask("az")[0, encodings.move_index("g1h1", "az")]
    assert near.legal_mask("az").sum() == len(near[0].legal_moves())


def test_legal_moves() -> None:
    moves, offsets = BATCH.legal_moves()
    assert [moves.dtype, offsets.dtype] == [np.dtype(np.uint16), np.dtype(np.int64)]
    assert offsets[0] == 0
    for row, position in enumerate(BATCH):
        part = moves[offsets[row] : offsets[row + 1]]
        assert [position.move_from_bits(int(bits)) for bits in part] == position.legal_moves()
    assert BATCH.ucis() == BATCH.ucis(moves, offsets)
    assert BATCH.sans() == BATCH.sans(moves, offsets)
    ucis, sans = BATCH.ucis(), BATCH.sans()
    for row, board in enumerate(BOARDS):
        span = slice(offsets[row], offsets[row + 1])
        expected = {board.uci(move): board.san(move) for move in board.legal_moves}
        assert dict(zip(ucis[span], sans[span], strict=True)) == expected
    room = np.zeros(len(moves) + 5, np.uint16)
    ends = np.zeros(len(offsets), np.int64)
    found, found_ends = BATCH.legal_moves(out=(room, ends))
    assert found_ends is ends
    assert (found == moves).all() and (ends == offsets).all()
    assert np.shares_memory(found, room)
    with pytest.raises(ValueError, match="room for 5"):
        BATCH.legal_moves(out=(room[:5], ends))
    with pytest.raises(ValueError, match="shape"):
        BATCH.legal_moves(out=(room, ends[:-1]))
    with pytest.raises(TypeError, match="dtype"):
        wrong: Any = room.astype(np.int32)
        BATCH.legal_moves(out=(wrong, ends))


def test_play_many() -> None:
    offsets = BATCH.legal_moves()[1]
    can_move = np.diff(offsets) > 0
    batch = BATCH[can_move]
    boards = [board for board, it in zip(BOARDS, can_move, strict=True) if it]
    bits, starts = batch.legal_moves()
    chosen = bits[starts[:-1]]
    texts = batch.ucis(chosen)
    expected: list[tabiya.Position] = []
    for board, text in zip(boards, texts, strict=True):
        board = board.copy(stack=False)
        board.push_uci(text)
        expected.append(tabiya.Position(board.fen(), board.chess960))
    objects = [position.parse(text) for position, text in zip(batch, texts, strict=True)]
    for given in (chosen, texts, batch.sans(chosen), objects, np.array(texts)):
        after = batch.play_many(given)
        assert list(after) == expected
        assert (batch.find_moves(given) == chosen).all()
    for encoding in ENCODINGS:
        for orientation in ORIENTATIONS:
            indices = batch.move_indices(texts, encoding, orientation=orientation)
            for numbers in (indices, indices.astype(np.int32), indices.tolist()):
                after = batch.play_many(numbers, encoding, orientation=orientation)
                assert list(after) == expected


def test_illegal_moves_are_named() -> None:
    batch = Batch.from_fens([tabiya.START, EN_PASSANT, CASTLING])
    good = batch.find_moves(["e2e4", "e5d6", "e1g1"])
    quiet_en_passant = int(good[1]) & 0xFFF
    cases: list[tuple[Any, str]] = [
        (["e2e4", "e5e7", "e1g1"], "row 1: e5e7 is not legal"),
        (["e2e4", "nonsense", "e1g1"], "row 1: "),
        (["e2e4", 3, "e1g1"], "row 1: expected a move"),
        (["e2e4", tabiya.Move.from_uci("e5e8"), "e1g1"], "row 1: e5e8 is not legal"),
        (np.array([good[0], 0x6000, good[2]], np.uint16), "row 1: 0x6000 is not a move"),
        (
            np.array([good[0], quiet_en_passant, good[2]], np.uint16),
            "row 1: e5d6 is not legal: it is an en-passant capture",
        ),
        (np.array([good[0], good[0], good[2]], np.uint16), "row 1: e2e4 is not legal"),
    ]
    for moves, message in cases:
        for method in (batch.play_many, batch.see_many, batch.find_moves, batch.ucis):
            with pytest.raises(tabiya.BatchError) as caught:
                method(moves)
            assert str(caught.value).startswith(message)
            assert caught.value.row == 1
        after, bad = batch.play_many(moves, errors="mask")
        assert bad.tolist() == [False, True, False]
        assert after == batch[[0, 2]].play_many(["e2e4", "e1g1"])
    for index in (-1, 1968, 2**40, encodings.move_index("h7h8q")):
        with pytest.raises(tabiya.BatchError, match="row 0"):
            batch[:1].play_many([index], "uci")
    with pytest.raises(tabiya.BatchError, match="off the board"):
        batch[:1].play_many([0 * 73 + 4 * 7], "az")
    for wrong in ([], ["e2e4"], good[:2], "e2e4", 3, None, good.reshape(1, 3)):
        with pytest.raises((ValueError, TypeError)):
            batch.play_many(wrong)  # type: ignore[arg-type]
    for strange in (good.astype(np.int64), good.astype(float)):
        with pytest.raises(TypeError, match="moves"):
            batch.play_many(strange)
    with pytest.raises(TypeError, match="moves"):
        batch.play_many(np.zeros(3), "uci")
    for offsets in ([0, 1, 2], [0, 2, 1, 3], [1, 2, 3, 3], [0, 1, 2, 2], [0.5, 1, 2, 3], "x"):
        with pytest.raises((ValueError, TypeError)):
            batch.see_many(good, offsets=offsets)  # type: ignore[arg-type]


def test_every_move_value_is_played_or_refused() -> None:
    """All 65,536 values, on a position that has moves of most kinds."""
    fen = "r3k2r/1P6/8/2pP4/8/8/P7/R3K2R w KQkq c6 0 1"
    values = np.arange(65_536, dtype=np.uint16)
    batch = Batch.concat([Batch.from_fens([fen])[[0] * 4096]] * 16)
    after, bad = batch.play_many(values, errors="mask")
    legal = values[~bad].tolist()
    assert sorted(Batch.from_fens([fen]).legal_moves()[0].tolist()) == legal
    assert len(after) == len(legal)


def test_null_moves() -> None:
    batch = Batch.from_fens([tabiya.START, KNOWN[1]])
    after, bad = batch.play_many([tabiya.Move.null()] * 2, errors="mask")
    assert bad.tolist() == [False, True]
    assert after[0] == tabiya.Position().play(tabiya.Move.null())
    with pytest.raises(tabiya.BatchError, match="row 1: the side to move is in check"):
        batch.play_many([tabiya.Move.null()] * 2)
    with pytest.raises(tabiya.BatchError, match="row 0"):
        batch.see_many([tabiya.Move.null()] * 2)


def test_exchanges() -> None:
    moves, offsets = BATCH[:500].legal_moves()
    values = BATCH[:500].see_many(moves, offsets=offsets)
    assert values.dtype == np.int32
    expected = [position.see(move) for position in BATCH[:500] for move in position.legal_moves()]
    assert values.tolist() == expected
    pinned = Batch.from_fens(["4r1k1/8/3p4/4N3/8/8/8/4K2R w - - 0 1"])
    assert pinned.see_many(["Rh8+"]).tolist() == pinned.see_many(["Rh8+"], pins=True).tolist()


OUTPUTS: list[tuple[str, dict[str, Any], Any]] = [
    ("planes", {}, np.uint8),
    ("planes", {"extra": True}, np.float32),
    ("legal_mask", {}, bool),
    ("legal_mask", {"encoding": "az"}, np.uint8),
    ("bitboards", {}, np.uint64),
    ("packed", {}, np.uint8),
    ("keys", {}, np.uint64),
    ("clocks", {}, np.uint16),
    ("castling", {}, bool),
    ("turns", {}, bool),
    ("en_passant", {}, np.int8),
    ("outcomes", {}, np.int8),
    ("openings", {}, np.int16),
    ("is_check", {}, bool),
    ("perft", {"depth": 1}, np.uint64),
    ("move_indices", {"moves": ["e2e4"] * 40}, np.int64),
    ("find_moves", {"moves": ["e2e4"] * 40}, np.uint16),
    ("see_many", {"moves": ["e2e4"] * 40}, np.int32),
]


@pytest.mark.parametrize(("name", "arguments", "dtype"), OUTPUTS)
def test_arrays_of_the_caller(name: str, arguments: dict[str, Any], dtype: Any) -> None:
    batch = Batch.from_fens([tabiya.START] * 40)
    method = getattr(batch, name)
    if name in ("planes", "legal_mask"):
        expected = method(dtype=dtype, **arguments)
    else:
        expected = method(**arguments)
    out = np.full(expected.shape, 7, dtype)
    assert method(out=out, **arguments) is out
    assert (out == expected).all()
    # A part of a larger array.
    store = np.full((3, *expected.shape), 7, dtype)
    assert (method(out=store[1], **arguments) == expected).all()
    assert (store[0] == np.array(7, dtype)).all() and (store[2] == np.array(7, dtype)).all()

    frozen = out.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        method(out=frozen, **arguments)
    wide = np.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), dtype)[..., ::2]
    with pytest.raises(ValueError, match="contiguous"):
        method(out=wide, **arguments)
    if expected.ndim > 1:
        with pytest.raises(ValueError, match="contiguous"):
            method(out=np.asfortranarray(out), **arguments)
    for shape in ((39, *expected.shape[1:]), (*expected.shape, 1), (41, *expected.shape[1:]), ()):
        with pytest.raises(ValueError, match=r"out: expected shape \(40,"):
            method(out=np.zeros(shape, dtype), **arguments)
    for wrong in (np.complex128, "U5", object, np.dtype(np.int32).newbyteorder(">")):
        with pytest.raises(TypeError, match="dtype"):
            method(out=np.zeros(expected.shape, wrong), **arguments)
    for thing in ([0] * 40, "out", memoryview(b"x")):
        with pytest.raises(TypeError, match="out: expected a NumPy array"):
            method(out=thing, **arguments)
    if out.itemsize > 1:
        raw = np.zeros(out.nbytes + 1, np.uint8)[1:]
        with pytest.raises(ValueError, match="aligned"):
            method(out=raw.view(dtype).reshape(out.shape), **arguments)


def test_inputs_need_not_be_aligned() -> None:
    def misaligned(array: Any) -> Any:
        data = np.zeros(array.nbytes + 1, np.uint8)[1:]
        data[:] = array.view(np.uint8)
        return data.view(array.dtype)

    moves, offsets = BATCH.legal_moves()
    numbers = BATCH.move_indices(moves, "uci", offsets=offsets)
    unaligned = (misaligned(moves), misaligned(offsets))
    assert not unaligned[0].flags.aligned
    found = BATCH.move_indices(unaligned[0], "uci", offsets=unaligned[1])
    assert np.array_equal(found, numbers)
    depths = np.ones(len(BATCH), np.int64)
    assert np.array_equal(BATCH.perft_many(misaligned(depths)), BATCH.perft_many(depths))
    lines = "\n".join(BATCH.fens()).encode()
    starts = [0, *(np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n")) + 1), len(lines)]
    ends = misaligned(np.array(starts, np.int64))
    assert Batch.from_fen_bytes(lines, ends) == BATCH


def test_wrong_dtypes() -> None:
    for dtype in (np.float64, np.int8, bool, "U3", object):
        with pytest.raises(TypeError, match="planes are uint8 or float32 or float16"):
            BATCH.planes(dtype)
    for dtype in (np.float32, np.int8, "U3"):
        with pytest.raises(TypeError, match="masks are bool or uint8"):
            BATCH.legal_mask(dtype=dtype)
    with pytest.raises(TypeError, match="expected dtype float32, not uint8"):
        BATCH[:1].planes(np.float32, out=np.zeros((1, 12, 8, 8), np.uint8))
    with pytest.raises(TypeError):
        BATCH.planes("no such dtype")


def test_arrays_go_through_dlpack() -> None:
    planes = BATCH[:3].planes()
    assert np.shares_memory(np.from_dlpack(planes), planes)


class Tensor:
    """An object that only describes its memory, by version 1 of DLPack or as before it."""

    def __init__(self, array: Any, *, versioned: bool) -> None:
        self.array, self.versioned = array, versioned

    def __dlpack__(self, **keywords: Any) -> Any:
        if keywords and not self.versioned:
            raise TypeError("unexpected keyword argument")
        return self.array.__dlpack__(**keywords)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, key: Any) -> "Tensor":
        return Tensor(self.array[key], versioned=self.versioned)


VERSIONED = [False, True]


@pytest.mark.parametrize("versioned", VERSIONED)
@pytest.mark.parametrize(("name", "arguments", "dtype"), OUTPUTS)
def test_tensors_of_the_caller(
    name: str, arguments: dict[str, Any], dtype: Any, versioned: bool
) -> None:
    batch = Batch.from_fens([tabiya.START] * 40)
    method = getattr(batch, name)
    if name in ("planes", "legal_mask"):
        expected = method(dtype=dtype, **arguments)
    else:
        expected = method(**arguments)
    out = Tensor(np.full(expected.shape, 7, dtype), versioned=versioned)
    assert method(out=out, **arguments) is out
    assert (out.array == expected).all()
    frozen = Tensor(expected.copy(), versioned=versioned)
    frozen.array.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="(read-only|readonly)"):
        method(out=frozen, **arguments)
    wide = np.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), dtype)[..., ::2]
    with pytest.raises(ValueError, match="contiguous"):
        method(out=Tensor(wide, versioned=versioned), **arguments)
    with pytest.raises(ValueError, match=r"out: expected shape \(40,"):
        method(out=Tensor(np.zeros(39, dtype), versioned=versioned), **arguments)
    with pytest.raises(TypeError, match="dtype"):
        method(out=Tensor(np.zeros(expected.shape, complex), versioned=versioned), **arguments)


@pytest.mark.parametrize("versioned", VERSIONED)
def test_tensors_as_indices_and_moves(versioned: bool) -> None:
    def tensor(array: Any) -> Any:
        return Tensor(np.asarray(array), versioned=versioned)

    rows = np.array([5, 3, -1])
    assert BATCH[tensor(rows)] == BATCH[rows]
    assert BATCH[tensor(BATCH.turns())] == BATCH[BATCH.turns()]
    assert BATCH[tensor(7)] == BATCH[7]
    with pytest.raises(TypeError, match="a batch is indexed by"):
        BATCH[tensor([0.5])]
    batch = Batch.from_fens([tabiya.START] * 3)
    moves, offsets = batch.legal_moves()
    numbers = batch.move_indices(moves, "uci", offsets=offsets)
    again = batch.move_indices(tensor(moves), "uci", offsets=tensor(offsets))
    assert (again == numbers).all()
    assert batch.play_many(tensor(numbers[:3]), "uci") == batch.play_many(numbers[:3], "uci")
    room, ends = tensor(np.zeros(100, np.uint16)), tensor(np.zeros(4, np.int64))
    found: Any
    found_ends: Any
    found, found_ends = batch.legal_moves(out=(room, ends))
    assert found_ends is ends and (ends.array == offsets).all()
    assert np.shares_memory(found.array, room.array) and (found.array == moves).all()
    assert Batch.from_packed(tensor(batch.packed())) == batch
    assert (batch.perft_many(tensor([1, 2, 3])) == [20, 400, 8902]).all()
    with pytest.raises(ValueError, match="shares memory"):
        batch.find_moves(tensor(moves[:3]), out=tensor(moves[:3]))


class _Description(ctypes.Structure):
    """What a capsule of DLPack before version 1 points to."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Description),
    )


class Written:
    """A tensor of three numbers whose description is written by hand."""

    def __init__(self, *, major: int = 0, flags: int = 0, **changes: Any) -> None:
        self.values = np.arange(4, dtype=np.uint64)
        self.shape = (ctypes.c_int64 * 1)(3)
        fields = {
            "data": self.values.ctypes.data, "device": 1, "dimensions": 1, "kind": 1, "bits": 64,
            "lanes": 1, "shape": ctypes.addressof(self.shape), "byte_offset": 8,
        }  # fmt: skip
        description = _Description(**(fields | changes))
        self.kept = _Versioned(major, 0, None, None, flags, description) if major else description
        self.name = b"dltensor_versioned" if major else b"dltensor"

    def __dlpack__(self, **_keywords: Any) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return new(ctypes.addressof(self.kept), self.name, None)


def test_descriptions_of_tensors() -> None:
    batch = BATCH[:3]
    for major in (0, 1):
        for device in (1, 3, 11):
            out = Written(major=major, device=device)
            assert batch.keys(out=out) is out  # type: ignore[comparison-overlap,arg-type]
            assert out.values.tolist() == [0, *batch.keys().tolist()]
        empty = Written(major=major, data=None, byte_offset=0)
        empty.shape[0] = 0
        assert BATCH[:0].keys(out=empty) is empty  # type: ignore[comparison-overlap,arg-type]
        stride = (ctypes.c_int64 * 1)(1)
        out = Written(major=major, strides=ctypes.addressof(stride))
        batch.keys(out=out)  # type: ignore[arg-type]
        assert out.values.tolist() == [0, *batch.keys().tolist()]
    wrong: list[tuple[Any, type[Exception], str]] = [
        (Written(device=2), ValueError, "out: the tensor is in the memory of another device"),
        (Written(major=1, device=14), ValueError, "move it to the CPU"),
        (Written(kind=4), TypeError, "out: NumPy has no elements like those of the tensor"),
        (Written(lanes=2), TypeError, "NumPy has no elements"),
        (Written(kind=1, bits=4), TypeError, "NumPy has no elements"),
        (Written(major=1, flags=1), ValueError, "out: the array is read-only"),
        (Written(major=2), ValueError, "expected a tensor of DLPack 1, not of DLPack 2"),
    ]
    for tensor, error, message in wrong:
        with pytest.raises(error, match=message):
            batch.keys(out=tensor)
    named = Written()
    named.name = b"used_dltensor"
    with pytest.raises(ValueError, match="PyCapsule"):
        batch.keys(out=named)  # type: ignore[arg-type]


def test_tensors_of_torch() -> None:
    torch = pytest.importorskip("torch")
    batch = BATCH[:50]
    for dtype in (torch.uint8, torch.float32, torch.float16):
        planes = torch.empty((50, 12, 8, 8), dtype=dtype)
        assert batch.planes(out=planes) is planes
        assert (planes.numpy() == batch.planes()).all()
    mask = torch.empty((50, 1968), dtype=torch.bool)
    batch.legal_mask(out=mask)
    assert torch.from_numpy(batch.legal_mask()).equal(mask)
    rows = torch.tensor([4, 2])
    assert batch[rows] == batch[[4, 2]] and batch[rows[0]] == batch[4]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_masks_do_not_depend_on_the_instructions_of_the_cpu(orientation: Orientation) -> None:
    games = [Batch.random(500, seed=seed, chess960=seed == 2) for seed in (1, 2)]
    batch = Batch.concat([*games, BATCH])
    expected = np.zeros((len(batch), 1968), np.uint8)
    for row, position in zip(expected, batch, strict=True):
        for move in position.legal_moves():
            found = chess.Move.from_uci(position.uci(move))
            if orientation == "side" and not position.turn:
                found.from_square ^= 56
                found.to_square ^= 56
            row[encodings.move_index(found.uci(), "uci")] = 1
    # The function is not public: it exists for this test alone.
    native: Any = importlib.import_module("tabiya._tabiya")
    masks: list[bytes] = native._masks_by_each_cpu(batch, orientation)
    assert masks
    for mask in masks:
        assert mask == expected.tobytes()


def test_an_output_shares_no_memory_with_the_input() -> None:
    """Arrays that were made of one buffer may share memory, which NumPy's flags do not tell."""
    batch = tabiya.Batch.from_fens([tabiya.START] * 8)
    room = bytearray(1024)
    moves = np.frombuffer(room, np.uint16)[:8]
    moves[:] = batch[:1].legal_moves()[0][:8]
    before = moves.copy()
    for first in (-7, 0, 1, 7):
        moves = np.frombuffer(room, np.uint16)[8:16]
        moves[:] = before
        out = np.frombuffer(room, np.uint16)[8 + first : 16 + first]
        with pytest.raises(ValueError, match="out: "):
            batch.find_moves(moves, out=out)
        assert (moves == before).all()
    apart = np.frombuffer(room, np.uint16)[16:24]
    assert (batch.find_moves(moves, out=apart) == before).all()
    offsets = np.frombuffer(room, np.int64)[:9]
    offsets[:] = range(9)
    with pytest.raises(ValueError, match="out: "):
        batch.see_many(before, offsets=offsets, out=np.frombuffer(room, np.int32)[:8])
    with pytest.raises(ValueError, match="out: "):
        batch.legal_moves(
            out=(np.frombuffer(room, np.uint16)[:160], np.frombuffer(room, np.int64)[:9])
        )


def test_an_output_runs_no_code_that_changes_the_input() -> None:
    batch = tabiya.Batch.random(300, plies=10, seed=1)
    moves, offsets = batch.legal_moves()
    expected = batch.move_indices(moves, "uci", offsets=offsets)
    kept = offsets.copy()

    class Hostile(np.ndarray[Any, Any]):
        @property
        def flags(self) -> Any:
            offsets[:] = offsets[::-1].copy()
            return super().flags

    out: Any = np.zeros(len(moves), np.int64).view(Hostile)
    found = batch.move_indices(moves, "uci", offsets=offsets, out=out)
    assert (np.asarray(found) == expected).all() and (offsets == kept).all()
    batch.see_many(moves, offsets=offsets, out=np.zeros(len(moves), np.int32).view(Hostile))
    room = np.zeros(8 * len(moves) + 1, np.uint8)
    with pytest.raises(ValueError, match="out: expected an aligned C-contiguous array"):
        batch.move_indices(moves, "uci", offsets=offsets, out=room[1:].view(np.int64))


def test_masks_may_hold_other_bytes_than_0_and_1() -> None:
    batch = tabiya.Batch.random(256, plies=10)
    mask = np.arange(256, dtype=np.uint8).view(np.bool_)
    assert batch[mask] == batch[1:]
    assert batch[mask[::-1]] == batch[:-1]


def test_masked_texts_are_missing() -> None:
    for kind in ("U80", "S80", object):
        texts = np.ma.array(np.array([tabiya.START, "nonsense"], kind), mask=[False, True])
        with pytest.raises(tabiya.BatchError, match="row 1: the value is missing"):
            tabiya.Batch.from_fens(texts)
        batch, bad = tabiya.Batch.from_fens(texts, errors="mask")
        assert (len(batch), bad.tolist()) == (1, [False, True])


def test_masked_numbers_are_refused() -> None:
    """NumPy's own conversion would use what is behind the mask."""
    batch = tabiya.Batch.random(3, plies=4)
    moves, offsets = batch.legal_moves()
    start = tabiya.Position().packed()
    def hidden(values: Any, **mask: Any) -> np.ndarray[Any, Any]:
        return np.ma.masked_array(values, **mask)

    last = np.array([False, False, True])
    packed = hidden(batch.packed(), mask=np.repeat(last[:, None], 32, axis=1))
    calls: list[Callable[[], object]] = [
        lambda: tabiya.Batch.from_packed(packed),
        lambda: tabiya.Batch.from_packed(packed, errors="mask"),
        lambda: tabiya.Position.from_packed(packed[2]),
        lambda: tabiya.Batch.from_fen_bytes(b"", hidden([0, 0], mask=[False, True])),
        lambda: batch[hidden([0, 1, 2], mask=last)],
        lambda: batch[hidden([True, True, True], mask=last)],
        lambda: batch.perft_many(hidden([1, 1, 1], mask=last)),
        lambda: batch.ucis(hidden(moves, mask=moves == moves[0]), offsets),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="the array has masked values"):
            call()
    # A mask that hides nothing is none.
    assert tabiya.Batch.from_packed(hidden(batch.packed())) == batch
    assert tabiya.Position.from_packed(hidden(np.frombuffer(start, np.uint8))) == tabiya.Position()
    assert batch[hidden([2, 0], mask=[False, False])] == batch[[2, 0]]


def test_fens_in_a_packed_structure_are_read() -> None:
    rows = np.zeros(3, dtype=[("label", "u1"), ("fen", "U90")])
    rows["fen"] = tabiya.START
    for count in range(4):
        assert len(tabiya.Batch.from_fens(rows["fen"][:count])) == count


def lc0_moves() -> list[str]:
    """The texts of Lc0's moves, written with python-chess."""
    squares = chess.SQUARE_NAMES
    moves: list[str] = []
    for origin in chess.SQUARES:
        board = chess.BaseBoard.empty()
        board.set_piece_at(origin, chess.Piece(chess.QUEEN, True))
        reached = board.attacks(origin) | chess.SquareSet(chess.BB_KNIGHT_ATTACKS[origin])
        moves += [squares[origin] + squares[target] for target in sorted(reached)]
    for origin in range(chess.A7, chess.H7 + 1):
        for target in (origin + 7, origin + 8, origin + 9):
            if chess.square_distance(origin, target) == 1:
                moves += [squares[origin] + squares[target] + role for role in "qrb"]
    return moves


def test_the_moves_of_lc0() -> None:
    moves = lc0_moves()
    assert len(moves) == 1858
    rows = [(row[0], row[1], row[2]) for row in encodings.LC0_TABLE.tolist()]
    texts = [chess.Move(origin, target, role or None).uci() for origin, target, role in rows]
    assert texts == moves
    # As Lc0 and Ceres print them.
    printed = {"b1a3": 34, "g1h3": 161, "b2b4": 234, "f2f4": 351, "h5h4": 1124, "b8a8": 1638}
    for text, number in printed.items():
        assert encodings.move_index(text, "lc0", orientation="side") == number
        assert str(encodings.index_move(number, "lc0", orientation="side")) == text
    assert encodings.move_index("a6a5", "lc0", orientation="side", turn=False) == 425
    assert encodings.move_index("a7b8n", "lc0", orientation="side") == moves.index("a7b8")


def test_masks_and_numbers_of_lc0() -> None:
    moves = lc0_moves()
    mask = BATCH.legal_mask("lc0", orientation="side")
    numbers: list[int] = []
    for row, board in zip(mask, BOARDS, strict=True):
        expected: list[int] = []
        for move in board.legal_moves:
            origin, target = move.from_square, move.to_square
            if board.is_castling(move):
                kingside = board.is_kingside_castling(move)
                own = board.castling_rights & (chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
                target = max(chess.SquareSet(own)) if kingside else min(chess.SquareSet(own))
            if not board.turn:
                origin, target = origin ^ 56, target ^ 56
            role = move.promotion if move.promotion != chess.KNIGHT else None
            expected.append(moves.index(chess.Move(origin, target, role).uci()))
        assert np.flatnonzero(row).tolist() == sorted(expected)
        numbers += expected[:1] or [-1]
    going = np.array(numbers) >= 0
    batch, chosen = BATCH[going], np.array(numbers)[going]
    bits = batch.find_moves(chosen, "lc0", orientation="side")
    assert (batch.move_indices(bits, "lc0", orientation="side") == chosen).all()
    assert batch.play_many(chosen, "lc0", orientation="side") == batch.play_many(bits)
    assert (BATCH.legal_mask("lc0", dtype=np.uint8, orientation="side") == mask).all()


@pytest.mark.parametrize("fen", [CASTLING, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"])
@pytest.mark.parametrize("chess960", [False, True])
def test_castling_of_lc0(fen: str, chess960: bool) -> None:
    batch = Batch.from_fens([fen] * 2, chess960=chess960)
    numbers = batch.move_indices(["O-O", "O-O-O"], "lc0", orientation="side")
    # Lc0 prints 103 for castling on the king side.
    assert numbers.tolist() == [103, lc0_moves().index("e1a1")]
    bits = batch.find_moves(numbers, "lc0", orientation="side")
    assert batch.sans(bits) == ["O-O", "O-O-O"]
    with pytest.raises(tabiya.BatchError, match="row 0"):
        batch.play_many([lc0_moves().index("e1g1"), 103], "lc0", orientation="side")


def test_lc0_needs_the_side_to_move() -> None:
    calls: list[Callable[[], object]] = [
        lambda: BATCH.legal_mask("lc0"),
        lambda: BATCH[:1].move_indices(["e4"], "lc0"),
        lambda: BATCH[:1].find_moves([317], "lc0"),
        lambda: encodings.move_index("e2e4", "lc0"),
        lambda: encodings.index_move(0, "lc0"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match='give orientation="side"'):
            call()


def test_features() -> None:
    """By the formula of the documentation, on the boards of python-chess."""
    for orientation in ORIENTATIONS:
        found = BATCH.features(orientation=orientation, padding=768)
        assert found.shape == (len(BATCH), 2, 32) and found.dtype == np.int32
        for rows, board in zip(found.tolist(), BOARDS, strict=True):
            first = board.turn if orientation == "side" else True
            for row, view in zip(rows, (first, not first), strict=True):
                expected = [
                    384 * (piece.color != view)
                    + 64 * (piece.piece_type - 1)
                    + (square if view else chess.square_mirror(square))
                    for square, piece in sorted(board.piece_map().items())
                ]
                assert row == expected + [768] * (32 - len(expected))
    out = np.empty((len(BATCH), 2, 32), np.int32)
    assert BATCH.features(out=out, threads=3) is out
    assert (out == np.where(BATCH.features(padding=768) == 768, -1, BATCH.features())).all()
    with pytest.raises(TypeError, match="out: expected dtype int32"):
        BATCH.features(out=out.astype(np.int64))


def test_layers() -> None:
    names = ["checkers", "pinned", "attacks:white", "attacks:e4", "between:a1-h8"]
    found = BATCH.layers(names)
    assert found.shape == (len(BATCH), 5) and found.dtype == np.uint64
    for row, board in zip(found.tolist(), BOARDS, strict=True):
        own = chess.SquareSet(board.occupied_co[board.turn])
        attacks = chess.SquareSet()
        for square in chess.SquareSet(board.occupied_co[chess.WHITE]):
            attacks |= board.attacks(square)
        expected = [
            board.checkers(),
            chess.SquareSet(square for square in own if board.is_pinned(board.turn, square)),
            attacks,
            board.attacks(chess.E4),
            chess.SquareSet.between(chess.A1, chess.H8),
        ]
        assert row == [int(squares) for squares in expected]
    out = np.empty((len(BATCH), 5), np.uint64)
    assert BATCH.layers(iter(names), out=out, threads=2) is out
    assert (out == found).all()
    assert BATCH.layers([]).shape == (len(BATCH), 0)


def test_every_layer_without_an_argument() -> None:
    """As for single positions."""
    names = [text for text in tabiya.layers() if ":" not in text]
    assert len(names) > 10
    found = BATCH[:300].layers(names)
    for row, position in zip(found.tolist(), BATCH[:300], strict=True):
        assert row == [int(tabiya.layer(position, name)) for name in names]


def test_mistaken_layers() -> None:
    with pytest.raises(ValueError, match="there is no layer \"chekers\"; did you mean checkers"):
        BATCH.layers(["pinned", "chekers"])
    with pytest.raises(TypeError, match="expected a list of layers, not a single text"):
        BATCH.layers("checkers")
    with pytest.raises(TypeError, match="expected the name of a layer"):
        BATCH.layers([1])  # type: ignore[list-item]
