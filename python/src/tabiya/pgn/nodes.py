"""The tree of a game."""

from __future__ import annotations

import abc
import copy
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Generic, Self, TypeVar, cast, overload
from weakref import WeakValueDictionary

from .._tabiya import Board, Move, comment_facts, svg
from ..constants import STARTING_FEN
from . import commands
from .export import StringExporter
from .headers import Headers
from .scores import Cp, Mate, PovScore
from .time_control import TimeControl, parse_time_control
from .visitors import LOGGER, SKIP, BaseVisitor, ResultT, SkipType

GameT = TypeVar("GameT", bound="Game")
MainlineMapT = TypeVar("MainlineMapT")


class GameNode(abc.ABC):
    """A position of a game: the start, which is a ``Game``, or the one after a move."""

    #: The node before; ``None`` at the start.
    parent: GameNode | None
    #: The move that leads here; ``None`` at the start.
    move: Move | None
    #: The continuations, the main one first.
    variations: list[ChildNode]
    #: The comment after the move.
    comment: str
    #: The comment before the move.
    starting_comment: str
    #: The glyphs of the move.
    nags: set[int]

    def __init__(self, *, comment: str = "") -> None:
        self.parent = None
        self.move = None
        self.variations = []
        self.comment = comment
        self.starting_comment = ""
        self.nags = set()

    @abc.abstractmethod
    def board(self) -> Board:
        """A board with this position and the moves that led to it."""

    @abc.abstractmethod
    def ply(self) -> int:
        """The number of half-moves since the start of chess, as ``Board.ply()``."""

    def turn(self) -> bool:
        """The side to move."""
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """The start of the game."""
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> Game:
        """The game, which must be at the root."""
        root = self.root()
        assert isinstance(root, Game), "the root is not a game"
        return root

    def end(self) -> GameNode:
        """The end of the main line after this node."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Is there no continuation?"""
        return not self.variations

    def starts_variation(self) -> bool:
        """Is it the first move of a variation?"""
        return not self.is_main_variation()

    def is_mainline(self) -> bool:
        """Is it in the main line of the game?"""
        node: GameNode = self
        while node.parent is not None:
            # The parent of a node that was removed may have no others.
            variations = node.parent.variations
            if not variations or variations[0] is not node:
                return False
            node = node.parent
        return True

    def is_main_variation(self) -> bool:
        """Is it the main continuation of its parent, or the start of the game?"""
        if self.parent is None or not self.parent.variations:
            return True
        return self.parent.variations[0] is self

    def _index(self, move: int | Move | GameNode) -> int:
        if isinstance(move, int):
            return range(len(self.variations))[move]
        for index, node in enumerate(self.variations):
            if node is move or node.move == move:
                return index
        raise KeyError(move)

    def __getitem__(self, move: int | Move | GameNode) -> ChildNode:
        return self.variations[self._index(move)]

    def __contains__(self, move: int | Move | GameNode) -> bool:
        try:
            self._index(move)
        except KeyError:
            return False
        return True

    def variation(self, move: int | Move | GameNode) -> ChildNode:
        """The continuation with this number or move. Raises ``KeyError`` if there is none."""
        return self[move]

    def has_variation(self, move: int | Move | GameNode) -> bool:
        """Is there such a continuation?"""
        return move in self

    def promote_to_main(self, move: int | Move | GameNode) -> None:
        """Makes a continuation the main one."""
        self.variations.insert(0, self.variations.pop(self._index(move)))

    def promote(self, move: int | Move | GameNode) -> None:
        """Moves a continuation one place forward."""
        index = self._index(move)
        if index > 0:
            self.variations.insert(index - 1, self.variations.pop(index))

    def demote(self, move: int | Move | GameNode) -> None:
        """Moves a continuation one place back."""
        index = self._index(move)
        self.variations.insert(index + 1, self.variations.pop(index))

    def remove_variation(self, move: int | Move | GameNode) -> None:
        """Removes a continuation."""
        del self.variations[self._index(move)]

    def add_variation(
        self,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> ChildNode:
        """Adds a continuation, after those that exist."""
        return ChildNode(self, move, comment=comment, starting_comment=starting_comment, nags=nags)

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Adds a continuation and makes it the main one."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def next(self) -> ChildNode | None:
        """The main continuation."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Mainline[ChildNode]:
        """The nodes of the main line after this node.

        >>> import io, tabiya.pgn
        >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 2. Nf3"))
        >>> [node.san() for node in game.mainline()]
        ['e4', 'e5', 'Nf3']
        """
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> Mainline[Move]:
        """The moves of the main line after this node."""
        return Mainline(self, lambda node: node.move)

    def add_line(
        self,
        moves: Iterable[Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """Adds moves one after the other, and returns the last node.

        The comment and the glyphs are those of the last move, the starting comment of the first.
        """
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        node.comment = " ".join(text for text in (node.comment, comment) if text)
        node.nags.update(nags)
        return node

    def eval(self) -> PovScore | None:
        """The evaluation in the comment, from the point of view of the side to move.

        It is written ``[%eval 0.25]``, or ``+0.32/13 0.02s`` by tournament programs.
        """
        if comment_facts(self.comment, True)[2] is None:
            return None
        turn = self.turn()
        cp, mate, _ = comment_facts(self.comment, not turn)[2] or (0, None, None)
        # That is White's. A mate in 0 has no sign: the side to move is mated.
        score = Mate(mate or 0) if cp is None else Cp(cp)
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> int | None:
        """The depth of the evaluation in the comment."""
        found = comment_facts(self.comment, True)[2]
        return found and found[2]

    def set_eval(self, score: Any | None, depth: int | None = None) -> None:
        """Sets the evaluation in the comment, or removes it. It needs the method ``white()``."""
        self.comment = commands.with_evaluation(self.comment, score, depth)

    def arrows(self) -> list[commands.Arrow]:
        """The arrows and coloured squares in the comment, ``[%cal]`` and ``[%csl]``."""
        return commands.arrows(self.comment)

    def set_arrows(self, arrows: Iterable[Any]) -> None:
        """Sets the arrows in the comment: objects with ``tail``, ``head`` and ``color``, or pairs."""
        self.comment = commands.with_arrows(self.comment, arrows)

    def clock(self) -> float | None:
        """The seconds that the player has left, ``[%clk]``."""
        return comment_facts(self.comment, True)[0]

    def set_clock(self, seconds: float | None) -> None:
        """Sets the seconds that the player has left, or removes them."""
        self.comment = commands.with_time(self.comment, "clk", seconds)

    def emt(self) -> float | None:
        """The seconds that the move took, ``[%emt]``."""
        return comment_facts(self.comment, True)[1]

    def set_emt(self, seconds: float | None) -> None:
        """Sets the seconds that the move took, or removes them."""
        self.comment = commands.with_time(self.comment, "emt", seconds)

    @abc.abstractmethod
    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves from here on to a visitor, and returns its result."""

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the game that begins at this position to a visitor, and returns its result."""
        board = self.board()
        game = self.game()
        headers = game.headers.copy()
        _set_start(headers, board)
        if visitor.begin_game() is not SKIP:
            _visit_headers(headers, visitor)
            if visitor.end_headers() is not SKIP:
                start = Board(board.fen(), chess960=board.chess960)
                visitor.visit_board(start)
                _visit_line(self, start, visitor)
                visitor.visit_result(headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def __copy__(self) -> Self:
        new = _empty(self)
        _set_state(new, *_state(self))
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # If all nodes are known before their attributes are copied, no copy calls another one: a
        # game may be longer than Python's stack.
        nodes = _connected([self], memo)
        for node in nodes:
            memo[id(node)] = _empty(node)
        for node in nodes:
            _set_state(memo[id(node)], *copy.deepcopy(_state(node), memo))
        return cast("Self", memo[id(self)])

    def __reduce__(self) -> tuple[Any, ...]:
        tree = _Tree.of(self)
        return _node, (tree, tree.numbers[id(self)])

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))


class ChildNode(GameNode):
    """A move of a game and the position after it."""

    parent: GameNode
    move: Move

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        self.parent = parent  # pyright: ignore[reportIncompatibleVariableOverride]
        self.move = move  # pyright: ignore[reportIncompatibleVariableOverride]
        self.variations = []
        self.comment = comment
        self.starting_comment = starting_comment
        self.nags = set(nags)
        parent.variations.append(self)

    def board(self) -> Board:
        moves: list[Move] = []
        node: GameNode = self
        while node.move is not None and node.parent is not None:
            moves.append(node.move)
            node = node.parent
        board = node.board()
        for move in reversed(moves):
            board.push(move)
        return board

    def ply(self) -> int:
        number = 0
        node: GameNode = self
        while node.parent is not None:
            number += 1
            node = node.parent
        return number + node.ply()

    def san(self) -> str:
        """The move in standard algebraic notation."""
        return self.parent.board().san(self.move)

    def uci(self, *, chess960: bool | None = None) -> str:
        """The move in UCI."""
        return self.parent.board().uci(self.move, chess960=chess960)

    def end(self) -> ChildNode:
        end = super().end()
        assert isinstance(end, ChildNode)
        return end

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        board = self.parent.board()
        _visit_node(self, board, visitor)
        _visit_line(self, board, visitor)
        return visitor.result()

    def __repr__(self) -> str:
        try:
            board = self.parent.board()
            dots = "." if board.turn else "..."
            text = f"{board.fullmove_number}{dots} {board.san(self.move)}"
        except ValueError:
            text = f"{self.move}: not legal"
        return f"<{type(self).__name__} at {id(self):#x} ({text} ...)>"


class Game(GameNode):
    """A game: its headers, and the start position with the moves after it.

    >>> import tabiya, tabiya.pgn
    >>> game = tabiya.pgn.Game()
    >>> node = game.add_variation(tabiya.Move.from_uci("e2e4"))
    >>> node = node.add_variation(tabiya.Move.from_uci("e7e5"))
    >>> node.comment = "symmetrical"
    >>> print(game.accept(tabiya.pgn.StringExporter(headers=False)))
    1. e4 e5 { symmetrical } *
    """

    #: The tags.
    headers: Headers
    #: What could not be read, or is not legal. The tree has everything before that, and the rest of the
    #: line as a comment.
    errors: list[Exception]

    def __init__(
        self, headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None
    ) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    def board(self) -> Board:
        return self.headers.board()

    def ply(self) -> int:
        return self.board().ply() if "FEN" in self.headers else 0

    def setup(self, board: Board | str) -> None:
        """Sets the start position in the headers."""
        if isinstance(board, str):
            fen = board
            board = Board(fen)
            if not board.is_valid():
                # X-FEN of Chess960 looks like that of chess.
                board = Board(fen, chess960=True)
            board.chess960 = Board(fen, chess960=True).has_chess960_castling_rights()
        _set_start(self.headers, board)

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        if visitor.begin_game() is not SKIP:
            _visit_headers(self.headers, visitor)
            if visitor.end_headers() is not SKIP:
                try:
                    board = self.board()
                except ValueError:
                    # Such a start is an error of the game, which has no moves then.
                    if not self.errors or self.variations:
                        raise
                    _visit_notes(self, visitor)
                else:
                    visitor.visit_board(board)
                    _visit_notes(self, visitor)
                    _visit_line(self, board, visitor)
                visitor.visit_result(self.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def time_control(self) -> TimeControl:
        """The tag ``TimeControl``. Raises ``ValueError`` if it is malformed."""
        return parse_time_control(self.headers.get("TimeControl", ""))

    @classmethod
    def from_board(cls: type[GameT], board: Board) -> GameT:
        """A game with the moves of a board, and its result."""
        game = cls()
        game.setup(board.root())
        node: GameNode = game
        for move in board.move_stack:
            node = node.add_variation(move)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: type[GameT]) -> GameT:
        """A game without tags."""
        return cls(headers={})

    @classmethod
    def builder(cls: type[GameT]) -> GameBuilder[GameT]:
        """A visitor that reads games of this class."""
        return GameBuilder(Game=cls)

    def __repr__(self) -> str:
        white, black, date, site = (
            self.headers.get(name, "?") for name in ("White", "Black", "Date", "Site")
        )
        return f"<{type(self).__name__} at {id(self):#x} ({white!r} vs. {black!r}, {date!r} at {site!r})>"

    def _repr_svg_(self) -> str | None:
        """A picture of the last position, for notebooks; ``None`` if the start can't be read."""
        try:
            board = self.end().board()
        except ValueError:
            return None
        names = ("White", "Black", "Result")
        white, black, result = (self.headers.get(name, "?") for name in names)
        last = board.move_stack[-1] if board.move_stack else None
        return str(svg(board, last_move=last, title=f"{white} - {black}  {result}"))


def _set_start(headers: Headers, board: Board) -> None:
    """Headers of a game that begins at this position."""
    for name in ("FEN", "SetUp", "Variant"):
        headers.pop(name, None)
    fen = board.fen()
    if fen != STARTING_FEN:
        headers["FEN"] = fen
        headers["SetUp"] = "1"
    if board.chess960:
        headers["Variant"] = "Chess960"


def _visit_headers(headers: Headers, visitor: BaseVisitor[Any]) -> None:
    for name, value in headers.items():
        visitor.visit_header(name, value)


#: The errors of a file by the ``id`` of their nodes.
_Errors = Mapping[int, list[Exception]]


def show_game(
    game: Game, visitor: BaseVisitor[Any], found: Iterable[tuple[GameNode, Exception]]
) -> None:
    """Shows the moves of a file, with the errors at their nodes."""
    errors: dict[int, list[Exception]] = {}
    for node, error in found:
        errors.setdefault(id(node), []).append(error)
    try:
        board = game.board()
    except ValueError:
        # That is one of the errors.
        _visit_notes(game, visitor, errors)
    else:
        visitor.visit_board(board)
        _visit_notes(game, visitor, errors)
        _visit_line(game, board, visitor, errors)


def _visit_notes(node: GameNode, visitor: BaseVisitor[Any], errors: _Errors | None = None) -> None:
    """What stands after a move."""
    for nag in sorted(node.nags):
        visitor.visit_nag(nag)
    if node.comment:
        visitor.visit_comment(node.comment)
    for error in errors.get(id(node), ()) if errors else ():
        visitor.handle_error(error)


def _visit_node(
    node: ChildNode, board: Board, visitor: BaseVisitor[Any], errors: _Errors | None = None
) -> None:
    """A move with what stands around it. The board is then that after the move.

    With the errors of a file, the visitor reads the move.
    """
    if node.starting_comment:
        visitor.visit_comment(node.starting_comment)
    if errors is None:
        visitor.visit_move(board, node.move)
    else:
        _parse_move(board, node.move, visitor)
    board.push(node.move)
    visitor.visit_board(board)
    _visit_notes(node, visitor, errors)


def _parse_move(board: Board, move: Move, visitor: BaseVisitor[Any]) -> None:
    """A move of a file, which the visitor may leave out or read as another one."""
    names = ("begin_parse_san", "parse_san")
    if any(getattr(type(visitor), name) is not getattr(BaseVisitor, name) for name in names):
        san = board.san(move).rstrip("+#")
        if visitor.begin_parse_san(board, san) is SKIP:
            return
        try:
            move = visitor.parse_san(board, san)
        except ValueError as error:
            visitor.handle_error(error)
            return
    visitor.visit_move(board, move)


def _visit_line(
    start: GameNode, board: Board, visitor: BaseVisitor[Any], errors: _Errors | None = None
) -> None:
    """The main line after a node, and its variations after the moves that they replace.

    It does not call itself, since variations may be nested deeper than Python's stack. ``board``
    is that of ``start`` before, and as after the last move afterwards.
    """
    #: For each line: its last node, and the siblings of that which are still to be visited.
    lines: list[tuple[ChildNode | GameNode, Iterator[ChildNode]]] = [(start, iter(()))]
    while lines:
        node, siblings = lines[-1]
        sibling = next(siblings, None)
        if sibling is not None:
            move = board.pop()
            if visitor.begin_variation() is SKIP:
                board.push(move)
                visitor.end_variation()
                continue
            _visit_node(sibling, board, visitor, errors)
            lines.append((sibling, iter(())))
            continue
        if node.variations:
            first, *others = node.variations
            _visit_node(first, board, visitor, errors)
            lines[-1] = (first, iter(others))
            continue
        lines.pop()
        if lines:
            # Back to the position after the move that the variation replaces.
            visitor.end_variation()
            outer = lines[-1][0]
            while node.parent is not outer.parent:
                board.pop()
                assert node.parent is not None
                node = node.parent
            board.pop()
            assert outer.move is not None
            board.push(outer.move)


_NodeT = TypeVar("_NodeT", bound=GameNode)


def _empty(node: _NodeT) -> _NodeT:
    """A node of the same class without attributes."""
    return type(node).__new__(type(node))


def _state(node: GameNode) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The attributes of a node, and those in slots if a subclass has some."""
    state: Any = node.__getstate__()
    attributes, slots = cast("Any", state if isinstance(state, tuple) else (state, None))
    return attributes, slots


def _set_state(node: GameNode, attributes: dict[str, Any], slots: dict[str, Any] | None) -> None:
    if hasattr(node, "__setstate__"):
        cast("Any", node).__setstate__(attributes if slots is None else (attributes, slots))
        return
    vars(node).update(attributes)
    for name, value in (slots or {}).items():
        setattr(node, name, value)


def _connected(starts: list[GameNode], known: Container[int] = ()) -> list[GameNode]:
    """The nodes to which parents and variations lead, but not those with a known ``id``."""
    found: dict[int, GameNode] = {}
    ahead: list[GameNode | None] = [*reversed(starts)]
    while ahead:
        node = ahead.pop()
        if node is not None and id(node) not in found and id(node) not in known:
            found[id(node)] = node
            ahead += (node.parent, *node.variations)
    return list(found.values())


class _Tree:
    """A tree as it is pickled: a list of nodes that name their parents and variations by number.

    If they were inside each other, a long game would need more than Python's stack.
    """

    #: The trees that are being pickled, by the ``id`` of the start. All nodes of a tree need the
    #: same object here, so that the pickle has the tree once.
    pickled: WeakValueDictionary[int, _Tree] = WeakValueDictionary()

    def __init__(self, nodes: list[GameNode]) -> None:
        self.nodes = nodes
        self.numbers = {id(node): number for number, node in enumerate(nodes)}

    @classmethod
    def of(cls, node: GameNode) -> _Tree:
        """The tree of a node."""
        root = node.root()
        # A node that was removed from its parent comes last.
        new = cls(_connected([root, node]))
        known = cls.pickled.get(id(root))
        if known is not None and known.numbers == new.numbers:
            return known
        cls.pickled[id(root)] = new
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        types = [type(node) for node in self.nodes]
        return _empty_tree, (types,), [self._packed(node) for node in self.nodes]

    def _packed(self, node: GameNode) -> tuple[Any, ...]:
        """The attributes of a node, and the numbers of its parent and variations."""
        attributes, slots = _state(node)
        others = {name: it for name, it in attributes.items() if name not in ("parent", "variations")}
        parent = None if node.parent is None else self.numbers[id(node.parent)]
        return others, slots, parent, [self.numbers[id(variation)] for variation in node.variations]

    def __setstate__(self, states: list[tuple[Any, ...]]) -> None:
        for node, (attributes, slots, parent, variations) in zip(self.nodes, states, strict=True):
            attributes["parent"] = None if parent is None else self.nodes[parent]
            attributes["variations"] = [self.nodes[variation] for variation in variations]
            _set_state(node, attributes, slots)


def _empty_tree(types: list[type[GameNode]]) -> _Tree:
    """A tree of nodes without attributes, which may refer to each other when they are read."""
    return _Tree([cls.__new__(cls) for cls in types])


def _node(tree: _Tree, number: int) -> GameNode:
    """A node of a pickled tree."""
    return tree.nodes[number]


class Mainline(Generic[MainlineMapT]):
    """The main line after a node, as nodes or moves."""

    def __init__(self, start: GameNode, f: Callable[[ChildNode], MainlineMapT]) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return bool(self.start.variations)

    def __iter__(self) -> Iterator[MainlineMapT]:
        node = self.start
        while node.variations:
            node = node.variations[0]
            yield self.f(node)

    def __reversed__(self) -> Iterator[MainlineMapT]:
        return map(self.f, reversed(list(Mainline(self.start, lambda node: node))))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves without variations to a visitor."""
        board = self.start.board()
        for node in Mainline(self.start, lambda node: node):
            _visit_node(node, board, visitor)
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x} ({self.accept(StringExporter(columns=None, comments=False))})>"


_Game = Game


class GameBuilder(BaseVisitor[GameT]):
    """Builds the tree of a game. It is the visitor that ``read_game`` uses by default."""

    @overload
    def __init__(self: GameBuilder[Game], *, Game: None = None) -> None: ...
    @overload
    def __init__(self, *, Game: type[GameT]) -> None: ...

    def __init__(self, *, Game: Any = None) -> None:
        self.Game = cast("Any", Game or _Game)

    def begin_game(self) -> None:
        self.game: GameT = self.Game()
        #: The last node of each line around the current place.
        self.variation_stack: list[GameNode] = [self.game]
        #: For each line, the comments before its first move; ``None`` after it.
        self._starts: list[str | None] = [None]

    def begin_headers(self) -> Headers:
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        self.variation_stack[-1].nags.add(nag)

    def begin_variation(self) -> SkipType | None:
        parent = self.variation_stack[-1].parent
        assert parent is not None, "a variation needs a move that it replaces"
        self.variation_stack.append(parent)
        self._starts.append("")
        return None

    def end_variation(self) -> None:
        self.variation_stack.pop()
        # A comment without a move belongs to the move that the variation would have replaced.
        comment = self._starts.pop()
        if comment:
            self.visit_comment(comment)

    def visit_result(self, result: str) -> None:
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def visit_comment(self, comment: str) -> None:
        start = self._starts[-1]
        if start is None:
            node = self.variation_stack[-1]
            node.comment = f"{node.comment} {comment}" if node.comment else comment
        else:
            self._starts[-1] = f"{start} {comment}" if start else comment

    def visit_move(self, board: Board, move: Move) -> None:
        node = self.variation_stack[-1].add_variation(move)
        start = self._starts[-1]
        if start is not None:
            node.starting_comment = start
            self._starts[-1] = None
        self.variation_stack[-1] = node

    def handle_error(self, error: Exception) -> None:
        LOGGER.error("%s while reading %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        return self.game
