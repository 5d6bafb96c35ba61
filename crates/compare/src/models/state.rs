//! A position that changed rules may bring about, and the moves played in it.

use tabiya::fen::EnPassantMode;
use tabiya::{Board, CastlingSide, Color, Piece, Position, Role, Square};

use super::fault::{Fault, KeyPart, Rule, Undo};
use crate::listed::Listed;
use crate::truth;

/// A position. Kings may be missing, rights may be wrong, and pawns may stand anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(super) board: Board,
    pub(super) turn: Color,
    /// The rooks that have the right to castle, by colour and side.
    pub(super) rights: [[Option<Square>; 2]; 2],
    /// The square that a pawn has just crossed.
    pub(super) en_passant: Option<Square>,
    pub(super) clock: u32,
    /// Is castling written as the king taking its rook?
    chess960: bool,
    /// The keys of the positions before this one, the FEN's first.
    pub(super) before: Vec<u64>,
}

/// The kind of a move, which decides what else changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Plain,
    DoublePush,
    EnPassant,
    /// With the rook on this square.
    Castling(Square),
}

/// A move, legal or not. In castling, `to` is the square where the king lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Made {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    pub(crate) kind: Kind,
}

/// The set of faults as it looks from one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    pub(super) faults: &'a [Fault],
    pub(super) turn: Color,
    pub(super) at_leaves: bool,
}

impl<'a> Rules<'a> {
    /// The changed rules that apply.
    pub(super) fn changed(self) -> impl Iterator<Item = Rule> + 'a {
        let Self { faults, turn, at_leaves } = self;
        let applies = move |fault: &&Fault| {
            fault.side.is_none_or(|side| side == turn) && (at_leaves || !fault.at_leaves)
        };
        faults.iter().filter(applies).map(|fault| fault.rule)
    }

    pub(super) fn has(self, rule: Rule) -> bool {
        self.changed().any(|it| it == rule)
    }

    pub(super) fn any(self, is_such: impl Fn(Rule) -> bool) -> bool {
        self.changed().any(is_such)
    }
}

/// The square that is so many files and ranks away.
pub(super) fn offset(from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    from.offset(files, ranks)
}

pub(super) const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The square whose number is larger by `by`, wherever that is.
pub(super) fn shifted(from: Square, by: i8) -> Option<Square> {
    let index = i8::try_from(from as u8).ok()?.checked_add(by)?;
    u8::try_from(index).ok().and_then(Square::from_index)
}

impl State {
    /// The position of a FEN, as a program with these faults reads it. `en_passant` is the convention
    /// for the field of the FEN.
    pub(crate) fn of(position: &Position, en_passant: EnPassantMode, faults: &[Fault]) -> Self {
        let setup = position.to_setup_with(en_passant);
        let turn = setup.turn;
        let has = |rule| {
            let is_side = |fault: &&Fault| fault.side.is_none_or(|side| side == turn);
            faults.iter().filter(is_side).any(|fault| fault.rule == rule)
        };
        let mut rights = [[None; 2]; 2];
        for color in [Color::White, Color::Black] {
            let king = position.king(color);
            for side in [CastlingSide::King, CastlingSide::Queen] {
                rights[color as usize][side as usize] = setup.castling.rook(color, side, king);
                let back = color.back_rank();
                let file =
                    if side == CastlingSide::King { tabiya::File::H } else { tabiya::File::A };
                let corner = Square::new(file, back);
                let rook = Some(Piece { color, role: Role::Rook });
                let is_home = king == Square::new(tabiya::File::E, back);
                if has(Rule::RightsFromPlacement) && is_home && setup.board.piece_on(corner) == rook
                {
                    rights[color as usize][side as usize] = Some(corner);
                }
            }
        }
        Self {
            board: setup.board,
            turn: match setup.turn {
                turn if has(Rule::SideFieldSwapped) => !turn,
                _ if has(Rule::SideFieldIgnored) => Color::White,
                turn => turn,
            },
            rights,
            en_passant: setup.en_passant.filter(|_| !has(Rule::EpFieldIgnored)),
            clock: u32::from(setup.halfmove_clock),
            chess960: truth::is_chess960(position),
            before: Vec::new(),
        }
    }

    /// The move as lists have it. A king that castles to the next square looks like one that steps.
    pub(super) fn listed(&self, mv: Made) -> Listed {
        let Made { from, to, promotion, kind } = mv;
        let is_step = (from.file() as u8).abs_diff(to.file() as u8) < 2;
        let castles = matches!(kind, Kind::Castling(_)) && (self.chess960 || !is_step);
        Listed { from, to, promotion, castles }
    }

    pub(super) const fn rules<'a>(&self, faults: &'a [Fault]) -> Rules<'a> {
        Rules { faults, turn: self.turn, at_leaves: false }
    }

    /// The square beside the capturing pawn, where the pawn captured en passant stands.
    pub(super) fn victim(&self, to: Square) -> Option<Square> {
        offset(to, (0, -forward(self.turn)))
    }

    /// The position after a move.
    pub(crate) fn play(&self, mv: Made, faults: &[Fault]) -> Self {
        let rules = self.rules(faults);
        let us = self.turn;
        let mut next = self.clone();
        next.before.push(self.key(&[]));
        next.clock += 1;
        if !rules.has(Rule::EpKept) {
            next.en_passant = None;
        }
        let moved = self.board.piece_on(mv.from);
        let role = moved.map_or(Role::Pawn, |it| it.role);
        next.board.set(mv.from, None);
        if let Kind::Castling(rook) = mv.kind {
            let side = CastlingSide::of(mv.from, rook);
            next.castle(mv, rook, side, rules);
        } else {
            let mut captured = self.board.piece_on(mv.to).is_some();
            let takes = mv.kind == Kind::EnPassant && !rules.has(Rule::EpPawnStays)
                || rules.has(Rule::EpByAnyPiece)
                    && Some(mv.to) == self.en_passant
                    && role != Role::Pawn;
            if let Some(victim) = self.victim(mv.to).filter(|_| takes) {
                next.board.set(victim, None);
                captured = true;
            }
            if role == Role::Pawn || captured {
                next.clock = 0;
            }
            let role = mv.promotion.unwrap_or(role);
            next.board.set(mv.to, moved.map(|piece| Piece { role, ..piece }));
            if mv.kind == Kind::DoublePush {
                next.en_passant = self.victim(mv.to);
            }
            next.lose_rights(self, mv, rules);
        }
        next.turn = !us;
        next
    }

    fn castle(&mut self, mv: Made, rook: Square, side: CastlingSide, rules: Rules<'_>) {
        let us = self.turn;
        let mut lands = side.rook_target(us);
        for rule in rules.changed() {
            if let Rule::CastledRookOn(file, of) = rule
                && of == side
            {
                lands = Square::new(file, lands.rank());
            }
        }
        let piece = self.board.piece_on(rook);
        if !rules.has(Rule::CastledRookStays) {
            self.board.set(rook, None);
            self.board.set(lands, piece);
        }
        self.board.set(mv.to, Some(Piece { color: us, role: Role::King }));
        self.rights[us as usize] = [None; 2];
    }

    fn lose_rights(&mut self, before: &Self, mv: Made, rules: Rules<'_>) {
        let us = before.turn;
        let role = before.board.role_on(mv.from);
        let home = Square::new(tabiya::File::E, us.back_rank());
        let corner = Square::new(tabiya::File::H, us.back_rank());
        let goes_home = role == Some(Role::Rook) && mv.to == corner;
        if rules.has(Rule::RightCreated) && goes_home && before.board.king(us) == Some(home) {
            self.rights[us as usize][CastlingSide::King as usize] = Some(corner);
        }
        let ours = &mut self.rights[us as usize];
        if role == Some(Role::King) && !rules.has(Rule::RightAfterKingMove) {
            *ours = [None; 2];
        }
        if role == Some(Role::Rook) && rules.has(Rule::RightLostByAnyRook) {
            *ours = [None; 2];
        }
        let takes_right = before.rights[!us as usize].contains(&Some(mv.to));
        let is_kept = rules.has(Rule::RightAfterRookMove)
            || takes_right && rules.has(Rule::RightAfterRookTakesRook);
        let is_lost = ours.contains(&Some(mv.from)) && !is_kept;
        if is_lost {
            for right in ours {
                if *right == Some(mv.from) || rules.has(Rule::RightLostBoth) {
                    *right = None;
                }
            }
        }
        let is_kept = rules.has(Rule::RightAfterRookCapture)
            || rules.has(Rule::RightAfterPromotionCapture) && mv.promotion.is_some();
        if before.board.color_on(mv.to) == Some(!us) && !is_kept {
            for right in &mut self.rights[!us as usize] {
                if *right == Some(mv.to) {
                    *right = None;
                }
            }
        }
    }

    /// What is left of this position when a move, which led to `after`, has been taken back by a
    /// program that forgets something.
    pub(super) fn taken_back(&self, mv: Made, after: &Self, forgets: Undo) -> Self {
        let mut left = self.clone();
        let captured = self.board.piece_on(mv.to).filter(|piece| piece.color != self.turn);
        match forgets {
            Undo::Rights => left.rights = after.rights,
            Undo::EnPassant => left.en_passant = None,
            Undo::EnPassantVictim if mv.kind == Kind::EnPassant => {
                if let Some(victim) = self.victim(mv.to) {
                    left.board.set(mv.to, self.board.piece_on(victim));
                    left.board.set(victim, None);
                }
            }
            Undo::CastlingRook => {
                if let Kind::Castling(rook) = mv.kind {
                    left.board.set(rook, None);
                }
            }
            Undo::Promotion => {
                if let (Some(role), Some(pawn)) = (mv.promotion, self.board.piece_on(mv.from)) {
                    left.board.set(mv.from, Some(Piece { role, ..pawn }));
                }
            }
            Undo::Captured if captured.is_some() => left.board.set(mv.to, None),
            Undo::CapturedRole => {
                if let Some(piece) = captured {
                    left.board.set(mv.to, Some(Piece { role: Role::Pawn, ..piece }));
                }
            }
            Undo::EnPassantVictim | Undo::Captured => {}
        }
        left
    }

    /// A number for the position, without the parts that a faulty key lacks.
    pub(super) fn key(&self, lacks: &[KeyPart]) -> u64 {
        let mut key = 0x9e37_79b9_7f4a_7c15_u64;
        let mut stir = |value: u64| {
            key = (key ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd);
            key ^= key >> 32;
        };
        for (square, mut piece) in self.board.iter() {
            for part in lacks {
                match *part {
                    KeyPart::Roles(taken, of) if piece.role == taken => piece.role = of,
                    KeyPart::Color(role) if piece.role == role => piece.color = Color::White,
                    _ => {}
                }
            }
            stir(square as u64 * 16 + piece.role as u64 * 2 + piece.color as u64);
        }
        if !lacks.contains(&KeyPart::Side) {
            stir(1000 + self.turn as u64);
        }
        if !lacks.contains(&KeyPart::Castling) {
            let rights = self.rights.iter().flatten();
            rights.for_each(|right| stir(2000 + right.map_or(64, |it| it as u64)));
        }
        if !lacks.contains(&KeyPart::EnPassant) {
            stir(3000 + self.en_passant.map_or(64, |it| it as u64));
        }
        key
    }

    /// How often the position has occurred, with this time.
    pub(super) fn times(&self) -> usize {
        let key = self.key(&[]);
        1 + self.before.iter().filter(|it| **it == key).count()
    }
}
