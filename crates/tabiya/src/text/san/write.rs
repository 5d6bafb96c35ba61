//! Writing moves in standard and long algebraic notation.

use core::fmt;

use super::resolve::reach;
use super::{San, SanAction, SanMark, SanPiece};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::setup::Setup;
use crate::text::notation::MoveText;

/// The style in which the squares and pieces of a move are written.
#[derive(Clone, Copy)]
struct Style {
    figurines: bool,
    hyphen: bool,
}

impl Style {
    const SAN: Self = Self { figurines: false, hyphen: false };
    const LAN: Self = Self { figurines: false, hyphen: true };

    fn write(self, san: &San) -> MoveText {
        let mut text = MoveText::new();
        match san.action {
            SanAction::Piece(piece) => self.piece(&mut text, &piece),
            SanAction::Castle(side) => {
                let letters: &[u8] = match side {
                    CastlingSide::King => b"O-O",
                    CastlingSide::Queen => b"O-O-O",
                };
                letters.iter().for_each(|&byte| text.push(byte));
            }
            SanAction::Null => [b'-', b'-'].into_iter().for_each(|byte| text.push(byte)),
        }
        if let Some(mark) = san.mark {
            text.push(mark.sign() as u8);
        }
        text
    }

    fn role(self, text: &mut MoveText, role: Role) {
        if self.figurines {
            // In print, one set of symbols stands for the pieces of both sides.
            text.push_char(role.of(crate::color::Color::White).unicode());
        } else {
            text.push(role.letter().to_ascii_uppercase() as u8);
        }
    }

    #[inline(always)]
    fn piece(self, text: &mut MoveText, piece: &SanPiece) {
        if piece.role != Role::Pawn {
            self.role(text, piece.role);
        }
        if let Some(file) = piece.file {
            text.push(b'a' + file as u8);
        }
        if let Some(rank) = piece.rank {
            text.push(b'1' + rank as u8);
        }
        if piece.is_capture {
            text.push(b'x');
        } else if self.hyphen {
            text.push(b'-');
        }
        text.push_square(piece.to);
        if let Some(role) = piece.promotion {
            text.push(b'=');
            self.role(text, role);
        }
    }
}

impl San {
    /// The text, as the PGN standard requires it.
    ///
    /// ```
    /// use tabiya::san::San;
    /// assert_eq!("e8(q) +".parse::<San>().unwrap().text().as_bytes(), b"e8=Q+");
    /// ```
    pub fn text(&self) -> MoveText {
        Style::SAN.write(self)
    }

    /// The move with chess symbols instead of letters, as in print. The symbols are the same for
    /// both sides.
    ///
    /// ```
    /// use tabiya::Position;
    /// let mv = Position::START.parse_san("Nf3").unwrap();
    /// assert_eq!(Position::START.san(mv).figurines().to_string(), "♘f3");
    /// ```
    pub const fn figurines(self) -> Figurines {
        Figurines(self)
    }
}

/// Displays a move with chess symbols instead of letters; see [`San::figurines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Figurines(San);

impl Figurines {
    /// The text.
    pub fn text(&self) -> MoveText {
        Style { figurines: true, ..Style::SAN }.write(&self.0)
    }
}

impl fmt::Display for Figurines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}

/// Displays a move in long algebraic notation, which names both squares: `Ng1-f3`, `e5xd6`,
/// `e7-e8=Q+`, `O-O`. See [`Position::lan`].
#[doc(alias("long algebraic notation"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lan(San);

impl Lan {
    /// The text.
    pub fn text(&self) -> MoveText {
        Style::LAN.write(&self.0)
    }
}

impl fmt::Display for Lan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}

/// Writing moves in algebraic notation.
impl Position {
    /// A legal move in standard algebraic notation. Print it or call `to_string()`;
    /// [`San::text`] needs no heap.
    ///
    /// Only as much of the origin is written as is needed to tell the move from other *legal*
    /// moves: the file if that is enough, otherwise the rank, otherwise both.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").unwrap();
    /// let mv = position.parse_uci("b1d2").unwrap();
    /// assert_eq!(position.san(mv).to_string(), "Nbd2");
    /// // Here the other knight is pinned.
    /// let position = Position::from_fen("4k3/8/8/8/7b/8/5N2/1N2K3 w - - 0 1").unwrap();
    /// assert_eq!(position.san(position.parse_uci("b1d2").unwrap()).to_string(), "Nd2");
    /// let mate = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    /// assert_eq!(mate.san(mate.parse_uci("a1a8").unwrap()).to_string(), "Ra8#");
    /// ```
    #[doc(alias(
        "to_san",
        "algebraic",
        "standard algebraic notation",
        "display_san_move",
        "from_move"
    ))]
    pub fn san(&self, mv: Move) -> San {
        San { action: self.san_action(mv), mark: self.san_mark(mv) }
    }

    /// A legal move in long algebraic notation, which names both squares. Print it or call
    /// `to_string()`.
    ///
    /// ```
    /// use tabiya::Position;
    /// let lan = |text| Position::START.lan(Position::START.parse_uci(text).unwrap()).to_string();
    /// assert_eq!((lan("g1f3"), lan("e2e4")), ("Ng1-f3".to_owned(), "e2-e4".to_owned()));
    /// ```
    #[doc(alias("long algebraic notation"))]
    pub fn lan(&self, mv: Move) -> Lan {
        Lan(San { action: self.lan_action(mv), mark: self.san_mark(mv) })
    }

    /// The piece or pieces that the move moves, with the whole origin.
    fn lan_action(&self, mv: Move) -> SanAction {
        match mv.castling() {
            Some(side) => SanAction::Castle(side),
            None => SanAction::Piece(SanPiece {
                file: Some(mv.from().file()),
                rank: Some(mv.from().rank()),
                ..self.san_piece(mv)
            }),
        }
    }

    /// The piece or pieces that the move moves, with the shortest origin.
    pub(super) fn san_action(&self, mv: Move) -> SanAction {
        self.san_action_among(mv, |role| self.others_to(mv, role))
    }

    /// The same if `others` finds the other pieces of the role (not pawn) that can go to the target.
    #[inline(always)]
    fn san_action_among(&self, mv: Move, others: impl FnOnce(Role) -> Bitboard) -> SanAction {
        if let Some(side) = mv.castling() {
            return SanAction::Castle(side);
        }
        let mut piece = self.san_piece(mv);
        let from = mv.from();
        match piece.role {
            Role::Pawn => piece.file = piece.is_capture.then(|| from.file()),
            role => {
                let others = others(role);
                if others.any() {
                    let same_file = others.meets(from.file().bitboard());
                    let same_rank = others.meets(from.rank().bitboard());
                    piece.file = (!same_file || same_rank).then(|| from.file());
                    piece.rank = same_file.then(|| from.rank());
                }
            }
        }
        SanAction::Piece(piece)
    }

    /// The move without its origin.
    fn san_piece(&self, mv: Move) -> SanPiece {
        SanPiece {
            role: self.role_of(mv),
            file: None,
            rank: None,
            is_capture: mv.is_capture(),
            to: mv.to(),
            promotion: mv.promotion(),
        }
    }

    /// The other pieces of a role (not pawn) that can go to the target of a legal move.
    fn others_to(&self, mv: Move, role: Role) -> Bitboard {
        let to = mv.to();
        let same = self.board().pieces(self.turn(), role).without(mv.from());
        // Usually there is no other piece, and nothing has to be looked up.
        if same.is_empty() {
            return same;
        }
        let others = same & reach(role, to, self.board().occupied());
        if others.is_empty() { others } else { self.legality().allowed(others, to) }
    }

    /// The sign for check or checkmate.
    pub(super) fn san_mark(&self, mv: Move) -> Option<SanMark> {
        self.gives_check(mv).then(|| {
            if self.play(mv).has_legal_move() { SanMark::Check } else { SanMark::Checkmate }
        })
    }
}

/// Writing moves of any board in algebraic notation.
impl Setup {
    /// A legal or pseudo-legal move in standard algebraic notation.
    ///
    /// It names as much of the origin as tells the move from other moves; with a sole king, only
    /// legal ones count. A sole king of the opponent can be in check or mated.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Setup, Square};
    /// // White's rooks can capture the king; it's their turn.
    /// let setup = Setup::from_fen("7k/8/8/8/8/8/8/R6R w - - 0 1").unwrap();
    /// let san = |to, kind| setup.san(Move::new(Square::H1, to, kind)).to_string();
    /// assert_eq!(san(Square::D1, MoveKind::Quiet), "Rhd1");
    /// assert_eq!(san(Square::H2, MoveKind::Quiet), "Rh2+");
    /// assert_eq!(san(Square::H8, MoveKind::Capture), "Rxh8");
    /// ```
    pub fn san(&self, mv: Move) -> San {
        let others = |role| {
            let same = self.board.pieces(self.turn, role).without(mv.from());
            let mut others = Bitboard::EMPTY;
            self.for_each_pseudo_legal(|other| {
                let is_rival = same.has(other.from())
                    && other.to() == mv.to()
                    && other.castling().is_none()
                    && self.allows(other);
                if is_rival {
                    others |= other.from().bitboard();
                }
            });
            others
        };
        let action = self.as_position().san_action_among(mv, others);
        San { action, mark: self.san_mark(mv) }
    }

    /// A legal or pseudo-legal move in long algebraic notation, which names both squares.
    ///
    /// ```
    /// use tabiya::{MoveList, Setup};
    /// let setup = Setup::from_fen("8/8/8/8/8/8/8/7N w - - 0 1").unwrap();
    /// assert_eq!(setup.lan(MoveList::of_setup(&setup).unwrap()[0]).to_string(), "Nh1-f2");
    /// ```
    pub fn lan(&self, mv: Move) -> Lan {
        Lan(San { action: self.as_position().lan_action(mv), mark: self.san_mark(mv) })
    }

    /// The sign for check or checkmate of the opponent's sole king.
    fn san_mark(&self, mv: Move) -> Option<SanMark> {
        let after = self.play(mv);
        let king = after.board.king(after.turn)?;
        after.board.attackers_of(self.turn, king).any().then(|| {
            let mut can_move = false;
            after.for_each_pseudo_legal(|reply| can_move = can_move || after.allows(reply));
            if can_move { SanMark::Check } else { SanMark::Checkmate }
        })
    }
}
