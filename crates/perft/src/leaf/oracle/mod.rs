//! What is true about a node, for the tests of both kernels.
//!
//! The oracle knows what each fact *means* and finds it with boards, loops and legal moves of the
//! library.

pub(crate) mod positions;
mod sharp;

use tabiya::{Bitboard, Board, Color, Legality, Move, MoveKind, Position, Role, Square, attacks};

use crate::node::Node;
use crate::node::rules;

/// Files and ranks of a step in each direction, in the order of the kernel.
pub(in crate::leaf) const STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
/// The mover's pawns go down.
pub(in crate::leaf) const MOVER: Color = Color::Black;
pub(in crate::leaf) const REPLIER: Color = Color::White;

pub(in crate::leaf) fn squares(set: u64) -> impl Iterator<Item = Square> {
    Bitboard(set).iter()
}

/// The squares from `square` on in one direction, `square` without.
pub(in crate::leaf) fn walk(
    square: Square,
    (files, ranks): (i8, i8),
) -> impl Iterator<Item = Square> {
    std::iter::successors(square.offset(files, ranks), move |at| at.offset(files, ranks))
}

pub(in crate::leaf) fn slides(role: Role, lane: usize) -> bool {
    match role {
        Role::Rook => lane & 2 == 0,
        Role::Bishop => lane & 2 != 0,
        Role::Queen => true,
        _ => false,
    }
}

/// A right of the replier's to castle.
pub(in crate::leaf) struct Castling {
    /// The squares that must be empty.
    squares: u64,
    rook: u64,
    /// The squares to which the king goes, its own without.
    path: u64,
    king: Square,
}

impl Castling {
    fn of(king: Square, rook: Square) -> Self {
        let king_to = if rook > king { Square::G1 } else { Square::C1 };
        let rook_to = if rook > king { Square::F1 } else { Square::D1 };
        let row = |a: Square, b: Square| attacks::between(a, b) | a.bitboard() | b.bitboard();
        let squares = row(king, king_to) | row(rook, rook_to);
        let path = row(king, king_to).0 & !king.bitboard().0 | king_to.bitboard().0;
        let rook = rook.bitboard().0;
        Self { squares: squares.0 & !(king.bitboard().0 | rook), rook, path, king }
    }

    /// What is in the way of attacks after castling.
    fn without_king_and_rook(&self, board: &Board) -> Board {
        let mut board = *board;
        board.set(self.king, None);
        squares(self.rook).for_each(|rook| board.set(rook, None));
        board
    }
}

/// What is true about a position in which Black, the mover, is to move.
pub(in crate::leaf) struct Truth {
    pub(in crate::leaf) position: Position,
    pub(in crate::leaf) board: Board,
    pub(in crate::leaf) own: u64,
    pub(in crate::leaf) theirs: u64,
    /// How many of the mover's pieces attack each square.
    pub(in crate::leaf) attackers: [u32; 64],
    pub(in crate::leaf) escapes: u64,
    pub(in crate::leaf) alone: u64,
    pub(in crate::leaf) pinned: u64,
    /// The replier's rights to castle.
    castlings: Vec<Castling>,
    /// The replies to a null move; the mover's king may be taken.
    pub(in crate::leaf) null: u64,
    /// The castlings among them, if the replier's king or rooks are not at home.
    pub(in crate::leaf) unorthodox: u64,
    pub(in crate::leaf) need: [i64; 64],
    pub(in crate::leaf) take: [i64; 64],
}

impl Truth {
    /// The truth about a position as its node has it: with Black to move.
    pub(in crate::leaf) fn of(position: &Position) -> Self {
        let turned = if position.turn() == MOVER { position.clone() } else { position.mirrored() };
        assert_eq!(Node::of(&turned), Node::of(position));
        let position = &turned;
        let board = *position.board();
        let (own, theirs) = (board.color(MOVER).0, board.color(REPLIER).0);
        let king = position.king(REPLIER);
        let attackers = std::array::from_fn(|s| {
            (board.attackers_to(Square::ALL[s]) & board.color(MOVER)).len()
        });
        let mut pinned = 0;
        for square in squares(theirs).filter(|&s| s != king) {
            let mut without = board;
            without.set(square, None);
            let pinner = without.attackers_to(king) & without.color(MOVER);
            if pinner.any() {
                pinned |= square.bitboard().0;
            }
        }
        let rights = position.castling_rights().of(REPLIER).0;
        let at_home = rights & !0x81 == 0 && king == Square::E1;
        let castlings: Vec<_> = squares(rights).map(|rook| Castling::of(king, rook)).collect();
        let possible = |castling: &&Castling| {
            let safe = |s: Square| attackers[s as usize] == 0;
            castling.squares & (own | theirs) == 0 && squares(castling.path).all(safe)
        };
        let (null, unorthodox) = if at_home {
            (castlings.iter().filter(possible).count() as u64, 0)
        } else {
            let castlings = rules::castling_replies(&Node::of(position));
            (castlings, castlings)
        };
        let zone = attacks::king(king).0 & !theirs;
        let with = |n: u32| {
            squares(zone)
                .filter(|&s| attackers[s as usize] == n)
                .fold(0, |set, s| set | s.bitboard().0)
        };
        let mut truth = Self {
            position: position.clone(),
            own,
            theirs,
            attackers,
            escapes: with(0),
            alone: with(1),
            pinned,
            castlings,
            unorthodox,
            null,
            need: [0; 64],
            take: [0; 64],
            board,
        };
        truth.null += truth.replies_to_a_null_move();
        truth.fill_need_and_take();
        truth
    }

    pub(in crate::leaf) fn has(set: u64, square: Square) -> bool {
        Bitboard(set).has(square)
    }

    /// By trying every one on the board; castlings excepted.
    fn replies_to_a_null_move(&self) -> u64 {
        let mut n = 0;
        for from in squares(self.theirs) {
            let piece = self.board.piece_on(from).unwrap();
            let targets = if piece.role == Role::Pawn {
                self.pushes(from) | attacks::pawn(REPLIER, from).0 & self.own
            } else {
                self.board.attacks_from(from).0 & !self.theirs
            };
            for to in squares(targets) {
                let mut after = self.board;
                after.set(from, None);
                after.set(to, Some(piece));
                let king = after.king(REPLIER).unwrap();
                if !after.attackers_to(king).meets(after.color(MOVER)) {
                    let promotes = piece.role == Role::Pawn && Self::has(0xff << 56, to);
                    n += if promotes { 4 } else { 1 };
                }
            }
        }
        n
    }

    /// Where a pawn of the replier can be pushed.
    fn pushes(&self, from: Square) -> u64 {
        let empty = |s: &Square| !Self::has(self.own | self.theirs, *s);
        let one = walk(from, (0, 1)).take(if Self::has(0xff00, from) { 2 } else { 1 });
        one.take_while(empty).fold(0, |set, s| set | s.bitboard().0)
    }

    /// How many squares beyond `square` a slider of the replier could go to.
    pub(in crate::leaf) fn run(&self, square: Square, lane: usize) -> i64 {
        let mut n = 0;
        for at in walk(square, STEPS[lane]) {
            if Self::has(self.theirs, at) {
                break;
            }
            n += 1;
            if Self::has(self.own, at) {
                break;
            }
        }
        n
    }

    /// The first piece that is seen from a square in one direction, if it slides back and is an
    /// unpinned one of the replier's.
    pub(in crate::leaf) fn attacker_along(&self, square: Square, lane: usize) -> bool {
        let first = walk(square, STEPS[lane]).find(|&s| self.board.piece_on(s).is_some());
        first.is_some_and(|s| {
            Self::has(self.theirs & !self.pinned, s) && slides(self.board.role_on(s).unwrap(), lane)
        })
    }

    fn fill_need_and_take(&mut self) {
        let (mut need, mut take) = ([0; 64], [0; 64]);
        for from in squares(self.theirs & !self.pinned) {
            let role = self.board.role_on(from).unwrap();
            for lane in (0..8).filter(|&lane| slides(role, lane)) {
                // Who takes the slider takes all its moves.
                need[from as usize] += self.run(from, lane);
                for at in walk(from, STEPS[lane]) {
                    if Self::has(self.theirs, at) {
                        take[at as usize] += 1;
                        break;
                    }
                    need[at as usize] += self.run(at, lane);
                    if Self::has(self.own, at) {
                        break;
                    }
                }
            }
            if role == Role::Knight {
                for to in attacks::knight(from) {
                    if Self::has(self.theirs, to) {
                        take[to as usize] += 1;
                    } else {
                        need[from as usize] += 1;
                    }
                }
            }
            if role == Role::Pawn {
                let kinds = if Self::has(0xff << 48, from) { 4 } else { 1 };
                need[from as usize] += kinds * i64::from(Bitboard(self.pushes(from)).len());
                for to in attacks::pawn(REPLIER, from) {
                    take[to as usize] += kinds;
                    if Self::has(self.own, to) {
                        need[from as usize] += kinds;
                    }
                }
                let one = from.offset(0, 1).unwrap();
                let empty = |s| !Self::has(self.own | self.theirs, s);
                if !Self::has(self.theirs, one) {
                    need[one as usize] += kinds;
                }
                if Self::has(0xff00, from) {
                    let two = one.offset(0, 1).unwrap();
                    // The double push needs both squares, and each counts if the other is empty.
                    if empty(two) && !Self::has(self.theirs, one) {
                        need[one as usize] += 1;
                    }
                    if empty(one) && !Self::has(self.theirs, two) {
                        need[two as usize] += 1;
                    }
                }
            }
        }
        for from in squares(self.own) {
            let guarded = match self.board.role_on(from).unwrap() {
                Role::Knight => attacks::knight(from),
                Role::Pawn => attacks::pawn(MOVER, from),
                _ => continue,
            };
            need[from as usize] += i64::from((guarded & Bitboard(self.alone)).len());
        }
        (self.need, self.take) = (need, take);
    }

    /// The board after an ordinary move.
    pub(in crate::leaf) fn after(&self, mv: Move) -> Board {
        let mut after = self.board;
        after.set(mv.to(), after.piece_on(mv.from()));
        after.set(mv.from(), None);
        after
    }

    pub(in crate::leaf) fn value(&self, square: Square) -> i64 {
        self.need[square as usize] - self.take[square as usize]
    }

    /// Compares the squares that the replier attacks, as far as they matter: through the king,
    /// where it could go.
    pub(in crate::leaf) fn expect_danger(&self, facts: &Legality, danger: u64) {
        let mut without = self.board;
        without.set(facts.king, None);
        let attacked = |board: &Board, s: Square| board.attackers_to(s).meets(board.color(REPLIER));
        let ring = attacks::king(facts.king);
        for square in Square::ALL {
            let is = Self::has(danger, square);
            if square == self.position.king(REPLIER) {
                // A kernel may say that a king attacks its own square.
            } else if ring.has(square) {
                assert_eq!(is, attacked(&without, square), "danger on {square}");
            } else if !facts.is_check() {
                assert_eq!(is, attacked(&self.board, square), "danger on {square}");
            }
        }
    }

    /// Compares the squares of a set that the mover attacks, and those that it attacks at least
    /// twice.
    pub(in crate::leaf) fn expect_attacked(&self, set: u64, once: u64, twice: u64) {
        for square in squares(set) {
            let n = self.attackers[square as usize];
            assert_eq!(Self::has(once, square), n >= 1, "attacked: {square}");
            assert_eq!(Self::has(twice, square), n >= 2, "attacked twice: {square}");
        }
    }
}

/// Does one piece move, and keep its role?
pub(in crate::leaf) fn is_ordinary(mv: Move) -> bool {
    matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture | MoveKind::DoublePush)
}

/// How many replies capture en passant.
pub(in crate::leaf) fn en_passant_replies(child: &Position) -> u64 {
    child.legal_moves().iter().filter(|mv| mv.is_en_passant()).count() as u64
}
