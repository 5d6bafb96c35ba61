//! The board of the faulty program: 64 squares in an array, FEN, making and unmaking a move.
//!
//! Nothing here uses tabiya. The code asks for a fault by name where an author would make the
//! mistake.

use crate::faults::{Fault, Faults};

/// The role of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    const ALL: [(char, Self); 6] = [
        ('p', Self::Pawn),
        ('n', Self::Knight),
        ('b', Self::Bishop),
        ('r', Self::Rook),
        ('q', Self::Queen),
        ('k', Self::King),
    ];

    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(each, _)| *each == letter.to_ascii_lowercase())
            .map(|(_, role)| *role)
    }

    pub(crate) fn letter(self) -> char {
        Self::ALL.iter().find(|(_, role)| *role == self).map_or('?', |(letter, _)| *letter)
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) white: bool,
    pub(crate) role: Role,
}

/// The kind of a move, which decides how the board changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Step,
    DoublePush,
    EnPassant,
    /// The target is the square of the rook.
    Castle,
}

/// A move. For castling, `to` is the square of the rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) promotion: Option<Role>,
    pub(crate) kind: Kind,
}

/// The data that `unmake` needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    moved: Piece,
    captured: Option<(usize, Piece)>,
    castling: [[Option<usize>; 2]; 2],
    ep: Option<usize>,
    halfmoves: u32,
    unseen: Option<usize>,
}

/// A position, with the faults that the program has.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) squares: [Option<Piece>; 64],
    pub(crate) white: bool,
    /// The squares of the castling rooks, by colour (0 Black, 1 White) and castling side (0 queen
    /// side, 1 king side).
    pub(crate) castling: [[Option<usize>; 2]; 2],
    pub(crate) ep: Option<usize>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    /// Has the position occurred twice before?
    pub(crate) repeated: bool,
    /// The checker that the test after the last move did not see.
    pub(crate) unseen: Option<usize>,
    faults: Faults,
}

pub(crate) fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}

pub(crate) fn square(text: &str) -> Option<usize> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
}

impl Board {
    /// Does the program have this fault?
    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.faults.has(fault)
    }

    pub(crate) fn king(&self, white: bool) -> Option<usize> {
        let king = Some(Piece { white, role: Role::King });
        (0..64).find(|&square| self.squares[square] == king)
    }

    /// Reads a FEN. The counters may be missing.
    pub(crate) fn from_fen(fen: &str, faults: Faults) -> Result<Self, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        if fields.len() < 4 {
            return Err(format!("{} fields in '{fen}'", fields.len()));
        }
        let mut board = Self {
            squares: [None; 64],
            white: fields[1] == "w" || faults.has(Fault::SideIgnored),
            castling: [[None; 2]; 2],
            ep: square(fields[3]),
            halfmoves: fields.get(4).and_then(|text| text.parse().ok()).unwrap_or(0),
            fullmoves: fields.get(5).and_then(|text| text.parse().ok()).unwrap_or(1),
            repeated: false,
            unseen: None,
            faults,
        };
        for (row, rank) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let role =
                    Role::from_letter(letter).ok_or_else(|| format!("'{letter}' is no piece"))?;
                if row > 7 || file > 7 {
                    return Err(format!("the board of '{fen}' is too large"));
                }
                board.squares[(7 - row) * 8 + file] =
                    Some(Piece { white: letter.is_uppercase(), role });
                file += 1;
            }
        }
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            let white = letter.is_uppercase();
            let king = board.king(white).ok_or("castling without a king")?;
            let first = if white { 0 } else { 56 };
            let rook =
                |&square: &usize| board.squares[square] == Some(Piece { white, role: Role::Rook });
            // `K` and `Q` mean the outermost rook; the letter of a file means the rook on that
            // file.
            let found = match letter.to_ascii_lowercase() {
                'k' => (king + 1..first + 8).rev().find(rook),
                'q' => (first..king).find(rook),
                file @ 'a'..='h' => Some(first + (file as usize - 'a' as usize)),
                _ => None,
            };
            let rook = found.ok_or_else(|| format!("no rook for castling '{letter}'"))?;
            board.castling[usize::from(white)][usize::from(rook > king)] = Some(rook);
        }
        if board.has(Fault::CastleWithoutRight) {
            for (white, king) in [(false, 60), (true, 4)] {
                let here =
                    |square: usize, role| board.squares[square] == Some(Piece { white, role });
                for (side, rook) in [(0, king - 4), (1, king + 3)] {
                    if here(king, Role::King) && here(rook, Role::Rook) {
                        board.castling[usize::from(white)][side] = Some(rook);
                    }
                }
            }
        }
        if board.has(Fault::EpFenIgnored) {
            board.ep = None;
        }
        if board.has(Fault::EpRefused) && board.ep.is_some_and(|target| !board.attacks(target)) {
            return Err(format!("no pawn can capture on {}", fields[3]));
        }
        Ok(board)
    }

    /// Does a pawn of the side to move attack a square?
    fn attacks(&self, target: usize) -> bool {
        let pawn = Some(Piece { white: self.white, role: Role::Pawn });
        let beside = behind(target, self.white);
        let next_to = |square: usize| square / 8 == beside / 8 && square.abs_diff(beside) == 1;
        (0..64).any(|square| next_to(square) && self.squares[square] == pawn)
    }

    /// Plays a move.
    pub(crate) fn make(&mut self, mv: Move) -> Undo {
        let us = self.white;
        let moved = self.squares[mv.from].unwrap_or(Piece { white: us, role: Role::Pawn });
        let mut undo = Undo {
            moved,
            captured: None,
            castling: self.castling,
            ep: self.ep,
            halfmoves: self.halfmoves,
            unseen: self.unseen.take(),
        };
        let old_ep = self.ep;
        if !self.has(Fault::EpKeptTooLong) {
            self.ep = None;
        }
        self.repeated = false;
        self.halfmoves += 1;
        self.squares[mv.from] = None;
        if mv.kind == Kind::Castle {
            undo.captured = self.squares[mv.to].map(|piece| (mv.to, piece));
            self.make_castling(mv, moved);
        } else {
            undo.captured = self.squares[mv.to].map(|piece| (mv.to, piece));
            if mv.kind == Kind::EnPassant && !self.has(Fault::EpCapturedNotRemoved) {
                let victim = behind(mv.to, us);
                undo.captured = self.squares[victim].take().map(|piece| (victim, piece));
            }
            // The mistake: any piece that moves to the en-passant square takes the pawn.
            if self.has(Fault::EpByAnyPiece) && Some(mv.to) == old_ep && moved.role != Role::Pawn {
                let victim = behind(mv.to, us);
                undo.captured = self.squares[victim].take().map(|piece| (victim, piece));
            }
            if moved.role == Role::Pawn || undo.captured.is_some() {
                self.halfmoves = 0;
            }
            let role = mv.promotion.unwrap_or(moved.role);
            self.squares[mv.to] = Some(Piece { white: us, role });
            if mv.kind == Kind::DoublePush {
                self.ep = Some((mv.from + mv.to) / 2);
            }
            self.lose_rights(mv, moved, undo.captured);
        }
        self.fullmoves += u32::from(!us);
        self.white = !us;
        self.unseen = self.unseen_checker(mv);
        undo
    }

    fn make_castling(&mut self, mv: Move, king: Piece) {
        let rank = mv.from / 8 * 8;
        let (king_to, mut rook_to) = castling_targets(mv);
        self.squares[mv.to] = None;
        if self.has(Fault::CastleRookMisplaced) && rook_to == rank + 3 {
            rook_to = rank + 1;
        }
        self.squares[king_to] = Some(king);
        self.squares[rook_to] = Some(Piece { white: king.white, role: Role::Rook });
        self.castling[usize::from(king.white)] = [None; 2];
    }

    fn lose_rights(&mut self, mv: Move, moved: Piece, captured: Option<(usize, Piece)>) {
        let us = usize::from(moved.white);
        // The mistake: `else if`, so that a move loses the right of one side only.
        let takes_right = self.has(Fault::CastleRightAfterRookTakesRook)
            && self.castling[1 - us].contains(&Some(mv.to));
        // The mistake: the rights are derived from where king and rook stand.
        let home = if moved.white { 0 } else { 56 };
        if self.has(Fault::CastleRightCreated)
            && moved.role == Role::Rook
            && mv.to == home + 7
            && self.king(moved.white) == Some(home + 4)
        {
            self.castling[us][1] = Some(mv.to);
        }
        if moved.role == Role::King && !self.has(Fault::CastleRightAfterKingMove) {
            self.castling[us] = [None; 2];
        }
        for side in 0..2 {
            if self.castling[us][side] == Some(mv.from)
                && !self.has(Fault::CastleRightAfterRookMove)
                && !takes_right
            {
                self.castling[us][side] = None;
                if self.has(Fault::CastleRightLost) {
                    self.castling[us] = [None; 2];
                }
            }
            let forgotten = self.has(Fault::CastleRightAfterRookCaptured)
                || self.has(Fault::CastleRightAfterPromotionCapture) && mv.promotion.is_some();
            if captured.is_some() && self.castling[1 - us][side] == Some(mv.to) && !forgotten {
                self.castling[1 - us][side] = None;
            }
        }
    }

    /// Takes a move back.
    pub(crate) fn unmake(&mut self, mv: Move, undo: Undo) {
        self.white = !self.white;
        let us = self.white;
        self.fullmoves -= u32::from(!us);
        self.halfmoves = undo.halfmoves;
        self.unseen = undo.unseen;
        if !self.has(Fault::UndoRights) {
            self.castling = undo.castling;
        }
        self.ep = undo.ep.filter(|_| !self.has(Fault::UndoEpSquare));
        if mv.kind == Kind::Castle {
            let (king_to, mut rook_to) = castling_targets(mv);
            if self.has(Fault::CastleRookMisplaced) && rook_to % 8 == 3 {
                rook_to -= 2;
            }
            self.squares[king_to] = None;
            self.squares[rook_to] = None;
            self.squares[mv.from] = Some(undo.moved);
            let rook = undo.captured.map(|(_, piece)| piece);
            self.squares[mv.to] = if self.has(Fault::UndoCastlingRook) { None } else { rook };
            return;
        }
        self.squares[mv.to] = None;
        let role = if self.has(Fault::UndoPromotion) {
            mv.promotion.unwrap_or(undo.moved.role)
        } else {
            undo.moved.role
        };
        self.squares[mv.from] = Some(Piece { white: us, role });
        if let Some((square, piece)) = undo.captured {
            // The mistake: the pawn taken en passant comes back on the target square of the
            // capturing pawn.
            let square = if self.has(Fault::UndoEpCapture) { mv.to } else { square };
            self.squares[square] = Some(piece);
        }
    }
}

/// The squares of the king and the rook after castling.
pub(crate) fn castling_targets(mv: Move) -> (usize, usize) {
    let rank = mv.from / 8 * 8;
    if mv.to > mv.from { (rank + 6, rank + 5) } else { (rank + 2, rank + 3) }
}

/// The square behind the target of a pawn, where the pawn taken en passant stands.
pub(crate) fn behind(target: usize, white: bool) -> usize {
    (if white { target.wrapping_sub(8) } else { target + 8 }) & 63
}
