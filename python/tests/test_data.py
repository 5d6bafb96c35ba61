"""Training data: files in batches, written and read."""

import gc
import gzip
import os
import pickle
import re
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pytest

import tabiya
from tabiya import Batch, DataError, data
from tabiya.data import NO_MOVE, NO_SCORE, UNKNOWN_RESULT

WRITABLE = [name for name, format in data.FORMATS.items() if format.is_writable]


def random_records(count: int, seed: int = 1) -> data.Records:
    """Positions of random play that go on, with a random move, score, result and ply for each."""
    batch = Batch.random(count, plies=(0, 90), seed=seed)
    batch = batch[batch.outcomes() == 0]
    chance = np.random.default_rng(seed)
    moves, offsets = batch.legal_moves()
    return data.Records(
        batch,
        moves[chance.integers(offsets[:-1], offsets[1:])],
        chance.integers(-3000, 3001, len(batch)).astype(np.int16),
        chance.integers(-1, 2, len(batch)).astype(np.int8),
        chance.integers(0, 200, len(batch)).astype(np.uint16),
    )


def part(rows: slice) -> data.Records:
    """Some of the records."""
    batch, *columns = RECORDS
    return data.Records(batch[rows], *(cast("Any", column)[rows] for column in columns))


RECORDS = random_records(12_000)


class Rows(NamedTuple):
    """The rows of packed files, as a plain reader has them."""

    packed: npt.NDArray[Any]
    moves: npt.NDArray[Any]
    scores: npt.NDArray[Any]
    results: npt.NDArray[Any]
    plies: npt.NDArray[Any]


def plain(path: Path) -> Rows:
    """Reads a file of packed rows with NumPy alone."""
    rows = np.fromfile(path, np.uint8).reshape(-1, 40)
    numbers = rows[:, 32:38].copy().view(">u2")
    results = np.array([-1, 0, 1, UNKNOWN_RESULT], np.int8)[rows[:, 38]]
    return Rows(
        rows[:, :32],
        numbers[:, 0].astype(np.uint16),
        numbers[:, 1].astype(np.uint16).view(np.int16),
        results,
        numbers[:, 2].astype(np.uint16),
    )


def collected(batches: Any) -> Rows:
    """All records of the batches."""
    items = list(batches)
    rows = [Rows(item.batch.packed(), *item[1:]) for item in items]
    return Rows(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def lines(rows: Rows) -> list[bytes]:
    """Each record as bytes."""
    columns = [column.reshape(len(column), -1).copy().view(np.uint8) for column in rows]
    return [row.tobytes() for row in np.concatenate(columns, axis=1)]


def assert_same(one: Rows, other: Rows) -> None:
    assert lines(one) == lines(other)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of 480 kB in all, in several blocks, and one of a single block."""
    folder = tmp_path_factory.mktemp("data")
    paths = [folder / f"{name}.packed" for name in "abc"]
    for path, rows in zip(paths, (slice(7000), slice(7000, 11_500), slice(11_500, None)), strict=True):
        data.write(path, *part(rows))
    return paths


def whole(files: list[Path]) -> Rows:
    return Rows(*(np.concatenate(it) for it in zip(*map(plain, files), strict=True)))


def test_what_is_written_is_what_a_plain_reader_reads(files: list[Path]) -> None:
    assert_same(whole(files), collected([RECORDS]))


@pytest.mark.parametrize("threads", [1, 3, None])
def test_the_order_is_that_of_the_files(files: list[Path], threads: int | None) -> None:
    batches = list(data.open(files).batches(1000, threads=threads))
    sizes = [len(item.batch) for item in batches]
    assert set(sizes[:-1]) == {1000} and 0 < sizes[-1] <= 1000
    assert_same(collected(batches), whole(files))
    first = batches[0]
    assert [column.dtype for column in first[1:]] == [np.uint16, np.int16, np.int8, np.uint16]
    assert all(len(column) == len(first.batch) for column in first)


def test_missing_values(tmp_path: Path) -> None:
    path = tmp_path / "one.packed"
    data.write(path, Batch.from_fens(["4k3/8/8/8/8/8/8/4K2R b K - 0 5"]))
    (found,) = data.open(path).batches(8)
    values = [column.tolist() for column in found[1:]]
    assert values == [[NO_MOVE], [NO_SCORE], [UNKNOWN_RESULT], [9]]
    data.write(path, *found)
    assert_same(collected(data.open(path).batches(8)), collected([found]))


def test_shuffling_depends_on_the_seed_alone(files: list[Path]) -> None:
    opened = data.open(files)
    shuffled = [
        collected(opened.batches(512, shuffle_buffer=3000, seed=7, threads=threads))
        for threads in (1, 2, 5)
    ]
    assert_same(shuffled[0], shuffled[1])
    assert_same(shuffled[0], shuffled[2])
    original = lines(whole(files))
    assert sorted(lines(shuffled[0])) == sorted(original)
    assert lines(shuffled[0]) != original
    other = collected(opened.batches(512, shuffle_buffer=3000, seed=8))
    assert lines(other) != lines(shuffled[0])
    assert sorted(lines(other)) == sorted(original)


def test_a_large_buffer_makes_every_order_possible(tmp_path: Path) -> None:
    """Each record comes in each place about equally often."""
    path = tmp_path / "five.packed"
    data.write(path, *part(slice(5))._replace(plies=np.arange(5, dtype=np.uint16)))
    counts = np.zeros((5, 5), int)
    for seed in range(1000):
        (records,) = data.open(path).batches(5, shuffle_buffer=5, seed=seed, threads=1)
        counts[np.arange(5), records.plies] += 1
    # The standard deviation is 13.
    assert counts.min() > 140 and counts.max() < 260


@pytest.mark.parametrize("shards", [2, 3, 7])
def test_shards_have_everything_once(files: list[Path], shards: int) -> None:
    """Also if they shuffle with different seeds."""
    opened = data.open(files)
    parts = [
        lines(collected(opened.batches(100, shard=(it, shards), shuffle_buffer=500, seed=it)))
        for it in range(shards)
    ]
    assert all(parts)
    together = [line for part in parts for line in part]
    assert sorted(together) == sorted(lines(whole(files)))


def test_filters_agree_with_numpy(files: list[Path]) -> None:
    batch, moves = RECORDS.batch, RECORDS.moves
    is_capture = moves & 0x4000 != 0
    wanted = ~batch.is_check() & ~is_capture & (abs(RECORDS.scores.astype(int)) <= 1000)
    filter = "not check and not capture and abs(score) <= 1000"
    found = collected(data.open(files).batches(777, filter=filter))
    assert 0 < wanted.sum() < len(batch)
    assert_same(found, Rows(*(column[wanted] for column in whole(files))))


def test_epochs(files: list[Path]) -> None:
    opened, count = data.open(files[2]), len(plain(files[2]).moves)
    items = list(opened.batches(100, epochs=3))
    assert sorted(lines(collected(items))) == sorted(lines(plain(files[2])) * 3)
    assert {len(item.batch) for item in items[:-1]} == {100}
    with opened.batches(64, epochs=None, shuffle_buffer=10) as endless:
        assert sum(len(next(endless).batch) for _ in range(5 * count // 64)) > 4 * count
    assert next(endless, None) is None
    for arguments in ({"filter": "pieces > 32"}, {"shard": (9, 10)}):
        with pytest.raises(ValueError, match="has no record"):
            next(cast("Any", opened.batches)(10, epochs=None, **arguments))


def damaged(path: Path) -> list[int]:
    """Writes a file with four bad rows of two kinds, and returns their numbers."""
    rows = np.fromfile(path, np.uint8).reshape(-1, 40)
    rows[[10, 2500], 7] ^= 0xFF
    rows[[20, 4000], 38] = 9
    rows.tofile(path)
    return [10, 20, 2500, 4000]


def test_bad_records(files: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "bad.packed"
    path.write_bytes(files[0].read_bytes())
    good, bad = plain(path), damaged(path)
    opened = data.open(path)

    batches = opened.batches(1000)
    assert_same(collected(batches), Rows(*(np.delete(column, bad, axis=0) for column in good)))
    assert batches.bad == {"position": 2, "result": 2}
    assert len(batches.messages) == 4
    assert batches.messages[1] == f"{path}: offset 800: 9 isn't a result of this format"

    batches = opened.batches(1000, errors="keep")
    kept = Rows(*(np.delete(column, [10, 2500], axis=0) for column in good))
    kept.results[[19, 3998]] = UNKNOWN_RESULT
    assert_same(collected(batches), kept)

    batches = opened.batches(4, errors="stop")
    first = [next(batches) for _ in range(3)]
    assert_same(collected(first), Rows(*(column[:10] for column in good)))
    with pytest.raises(DataError) as error:
        next(batches)
    assert (error.value.file, error.value.offset) == (str(path), 400)
    assert next(batches, None) is None
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value) == f"{path}: offset 400: {error.value.reason}"


def test_a_file_that_goes_away(tmp_path: Path) -> None:
    paths = [tmp_path / "a.packed", tmp_path / "b.packed"]
    for path in paths:
        data.write(path, *part(slice(100)))
    opened = data.open(paths)
    paths[1].unlink()
    batches = opened.batches(60)
    assert [len(next(batches).batch) for _ in range(2)] == [60, 40]
    with pytest.raises(FileNotFoundError) as error:
        next(batches)
    assert error.value.filename == str(paths[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts the threads of the process")
def test_threads_end_with_the_iterator(files: list[Path]) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/task"))

    opened, before = data.open(files), count()
    for number in range(12):
        batches = opened.batches(50, shuffle_buffer=number % 3 * 100, epochs=None, threads=3)
        # Also one that has never been used, and one whose filter leaves nothing.
        for _ in range(number % 4):
            next(batches)
        if number % 2:
            batches.close()
            assert list(batches) == []
        del batches
        opened.batches(50, filter="pieces > 32", epochs=2, threads=2)
    gc.collect()
    end = time.monotonic() + 60
    while count() > before:
        assert time.monotonic() < end, "threads are left"
        time.sleep(0.01)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_ctrl_c(tmp_path: Path) -> None:
    """A pipe to which nobody writes."""
    path = tmp_path / "pipe.packed"
    os.mkfifo(path)
    batches = data.open(path).batches(10)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        next(batches)
    timer.join()
    # It can be used further.
    row = RECORDS.batch[:1]
    data.write(tmp_path / "row.packed", row)
    with path.open("wb") as file:
        file.write((tmp_path / "row.packed").read_bytes() + b"\0" * 39)
    assert [records.batch for records in batches] == [row]
    assert batches.bad == {"truncated": 1}


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"size": 0}, ValueError, "size: expected a number from 1"),
        ({"size": 1.5}, TypeError, "integer"),
        ({"shuffle_buffer": -1}, ValueError, "shuffle_buffer: expected"),
        ({"shard": (2, 2)}, ValueError, "shard: expected a number from 0 to below 2"),
        ({"shard": 1}, TypeError, "shard: expected a pair"),
        ({"seed": 2**64}, ValueError, "seed: expected"),
        ({"epochs": 0}, ValueError, "epochs: expected"),
        ({"threads": 0}, ValueError, "threads: expected"),
        ({"errors": "ignore"}, ValueError, 'errors: expected "skip", "keep" or "stop"'),
        ({"filter": "score > "}, ValueError, r"filter: .*\n  score > \n          \^$"),
    ],
)
def test_mistaken_calls(
    files: list[Path], arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        cast("Any", data.open(files).batches)(**{"size": 10, **arguments})


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        data.open([tmp_path / "missing.packed"])
    with pytest.raises(ValueError, match="at least one path"):
        data.open([])
    path = tmp_path / "file.zip"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"expected one of \.\w+, .*\.packed, .* as extension"):
        data.open(path)
    with pytest.raises(ValueError, match="format: expected one of .*packed, .*, not 'zip'"):
        data.open(path, format="zip")
    assert list(data.open(path, format="packed").batches(10)) == []
    for name in ("a.packed.gz", "a.csv.bz2", "a.zst"):
        packed = tmp_path / name
        packed.write_bytes(b"")
        for arguments in ({}, {"format": "csv"}):
            with pytest.raises(ValueError, match="compressed files aren't read"):
                data.open(packed, **arguments)
    with pytest.raises(ValueError, match="compressed files aren't"):
        data.write(tmp_path / "b.csv.gz", RECORDS.batch)
    assert not (tmp_path / "b.csv.gz").exists()


@pytest.mark.parametrize("errors", ["skip", "keep", "stop"])
@pytest.mark.parametrize("format", data.FORMATS)
def test_files_of_another_format(format: str, errors: Any, files: list[Path], tmp_path: Path) -> None:
    """A file that can't be read at all is an error, however bad records are treated."""
    foreign = tmp_path / "file"
    chance = np.random.default_rng(1)
    contents = [
        chance.bytes(100_000),
        gzip.compress(files[0].read_bytes()),
        files[0].read_bytes() if format != "packed" else b"fen,move,score,result,ply\n" * 3,
    ]
    # PGN passes over what isn't a game, so every text is PGN.
    for content in contents if format != "pgn" else []:
        foreign.write_bytes(content)
        for shard in ((0, 1), (1, 2)):
            batches = data.open(foreign, format=format).batches(10, errors=errors, shard=shard)
            with pytest.raises(DataError) as error:
                next(batches)
            assert (error.value.file, error.value.offset) == (str(foreign), 0)
            assert f"so it isn't {format}" in error.value.reason
    foreign.unlink(missing_ok=True)
    foreign.mkdir()
    with pytest.raises(OSError):
        next(data.open(foreign, format=format).batches(10, errors=errors))


def test_one_good_record_is_enough(files: list[Path], tmp_path: Path) -> None:
    """A bad beginning doesn't make a file one of another format."""
    path = tmp_path / "bad.packed"
    path.write_bytes(bytes(40 * 300) + files[0].read_bytes()[:40])
    batches = data.open(path).batches(10)
    assert [len(records.batch) for records in batches] == [1]
    assert sum(batches.bad.values()) == 300 and len(batches.messages) == 20


@pytest.mark.parametrize("format", WRITABLE)
def test_every_format_both_ways(format: str, tmp_path: Path) -> None:
    """What a format holds comes back."""
    holds = data.FORMATS[format].holds
    path = tmp_path / "file"
    written = part(slice(3000))
    if "move numbers" in holds:
        # Some formats count the plies from them.
        clocks = written.batch.clocks()
        plies = 2 * (clocks[:, 1].astype(int) - 1) + ~written.batch.turns()
        written = written._replace(plies=plies.astype(np.uint16))
    columns: dict[str, Any] = {name: getattr(written, name) for name in written._fields[1:] if name in holds}
    data.write(path, written.batch, **columns, format=format)
    records = list(data.open(path, format=format).batches(5000))
    assert len(records) == 1
    (found,) = records
    for name, column in columns.items():
        if name == "results" and "the side to move" not in holds:
            column = np.where(written.batch.turns(), column, -column)
        assert np.array_equal(getattr(found, name), column), name

    def features(batch: Batch) -> Any:
        return np.sort(batch.features(orientation="side")[:, 0])

    assert (features(found.batch) == features(written.batch)).all()
    if "castling rights" in holds and "the side to move" in holds:
        assert (found.batch.castling() == written.batch.castling()).all()
    if "move numbers" in holds and "halfmove clocks" in holds:
        assert found.batch == written.batch


def test_append(tmp_path: Path) -> None:
    for name in ("a.packed", "a.csv"):
        path = tmp_path / name
        for rows in (slice(100), slice(100, 250)):
            data.write(path, *part(rows), append=True)
        (found,) = data.open(path).batches(300)
        expected = part(slice(250))
        assert found.batch == expected.batch
        pairs = zip(found[1:], expected[1:], strict=True)
        assert all(np.array_equal(cast("Any", one), cast("Any", other)) for one, other in pairs)
        data.write(path, *part(slice(10)))
        (found,) = data.open(path).batches(300)
        assert len(found.batch) == 10


def test_what_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "file.packed"
    start = Batch.from_fens([tabiya.START] * 2)
    for arguments, text in [
        ({"scores": [1]}, "scores: expected one for each of 2 positions, not 1"),
        ({"scores": [1, 40_000]}, "scores: expected numbers from -32767 to 32767, .* not 40000 in row 1"),
        ({"results": [5, 0]}, "results: expected numbers from -1 to 1, or 2, not 5 in row 0"),
        ({"moves": ["e4", "e5"]}, "row 1: e5 is not legal"),
        ({"moves": np.array([0, 0x0FFF], np.uint16)}, "row 1: .*not legal"),
        ({"format": "pgn"}, "can be read, but not written"),
        ({"format": "bulletformat", "moves": ["e4", "e4"]}, "moves: the format bulletformat doesn't hold"),
        ({"format": "bulletformat"}, "row 0: bulletformat can't hold records without"),
    ]:
        with pytest.raises(ValueError, match=text):
            data.write(path, start, **arguments)  # type: ignore[arg-type]
        assert not path.exists()
    with pytest.raises(TypeError, match="scores: expected integers, not float64"):
        data.write(path, start, scores=[0.5, 1.0])
    mate = Batch.from_fens([tabiya.START, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
    with pytest.raises(tabiya.BatchError, match="no legal move") as error:
        data.write(path, mate)
    assert error.value.row == 1
    with pytest.raises(FileNotFoundError):
        data.write(tmp_path / "missing" / "file.packed", start)


def test_pickling_data(files: list[Path]) -> None:
    opened = pickle.loads(pickle.dumps(data.open(files)))
    assert_same(collected(opened.batches(1000)), whole(files))


class Worker(NamedTuple):
    id: int
    num_workers: int


class Tensor(np.ndarray[Any, Any]):
    """An array with a method of PyTorch's."""

    def float(self) -> "Tensor":
        return cast("Tensor", self.astype(np.float32))


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A module with what a dataset and the page use of PyTorch."""
    fake: Any = types.ModuleType("torch")
    fake.worker = None
    fake.from_numpy = lambda array: array.view(Tensor)
    fake.utils = types.ModuleType("torch.utils")
    fake.utils.data = types.ModuleType("torch.utils.data")
    fake.utils.data.IterableDataset = type("IterableDataset", (), {})
    fake.utils.data.get_worker_info = lambda: fake.worker
    fake.utils.data.DataLoader = lambda dataset, **_: islice(dataset, 3)
    for module in (fake, fake.utils, fake.utils.data):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "tabiya._torch", raising=False)
    yield fake
    sys.modules.pop("tabiya._torch", None)


def test_workers_of_pytorch_share_the_shard(files: list[Path], torch: Any) -> None:
    opened = data.open(files)
    found: list[bytes] = []
    shared: list[bytes]
    for rank in range(2):
        dataset = opened.torch(128, shard=(rank, 2), seed=3, shuffle_buffer=100)
        assert isinstance(dataset, torch.utils.data.IterableDataset)
        alone = sorted(lines(collected(dataset)))
        shared = []
        for number in range(3):
            torch.worker = Worker(number, 3)
            shared += lines(collected(dataset))
        torch.worker = None
        assert sorted(lines(collected(opened.batches(99, shard=(rank, 2))))) == alone
        found += shared
    assert sorted(found) == sorted(lines(whole(files)))
    lengths = opened.torch(1000, transform=lambda records: len(records.batch))
    assert sum(lengths) == len(RECORDS.batch)
    with pytest.raises(ValueError, match="size: expected"):
        opened.torch(0)


def test_the_recipe_for_pytorch(files: list[Path], torch: Any) -> None:
    page = Path(__file__).parents[1] / "docs/data.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    (code,) = [block for block in blocks if "DataLoader" in block]
    names: dict[str, Any] = {"data": data, "paths": files}
    exec(code, names)
    assert names["features"].shape == (16384, 2, 32)
    assert names["scores"].dtype == np.float32


def test_without_pytorch(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.data", None)
    monkeypatch.delitem(sys.modules, "tabiya._torch", raising=False)
    with pytest.raises(ImportError, match="torch"):
        data.open(files).torch(10)
