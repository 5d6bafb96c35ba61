//! What the replier's king sees, and which moves change what it can do or what checks it faces.

use tabiya::attacks;

use super::digits::Digits;
use super::{Board, OneNode};
use crate::leaf::machine::Machine;
use crate::node::sets::{NOT_A, NOT_H, between, count, each, index, square};
use crate::node::tables::{KING, KNIGHT, NEAR, PAWN_UP};

/// What is known of the squares around the replier's king.
#[derive(Default)]
pub(super) struct KingView {
    pub sharp: Sharp,
    /// The squares that the king sees.
    pub seen: u64,
    /// What the mover attacks near the king, and what it attacks at least twice.
    pub once: u64,
    pub twice: u64,
    /// Squares to which the king could go.
    pub escapes: u64,
    pub escapes_lost: EscapesLost,
    /// Squares next to the king that one piece alone guards, and the pieces that do.
    pub guarded_alone: u64,
    pub guards: u64,
    /// The replier's pieces next to its king that one piece of the mover's attacks. The king may take
    /// back there.
    pub retaken: u64,
}

/// The table of sharp moves, as sets.
#[derive(Default)]
pub(super) struct Sharp {
    /// Pieces whose every move is sharp.
    pub from: u64,
    /// Squares that are sharp to enter, because a piece there closes the line of a slider; those where
    /// it closes two; the squares to which such lines lead.
    pub to: u64,
    pub to_twice: u64,
    pub watched: u64,
    /// Squares that are sharp to enter for knights, for pawns, for what moves like a rook, like a
    /// bishop: from there they give check.
    pub to_knight: u64,
    pub to_pawn: u64,
    pub to_orthogonal: u64,
    pub to_diagonal: u64,
}

/// From where each kind of piece would attack escapes: how many of them.
#[derive(Default)]
pub(super) struct EscapesLost {
    pub orthogonal: Digits<3>,
    pub diagonal: Digits<3>,
    pub pawn: Digits<2>,
}

impl<M: Machine> OneNode<'_, M> {
    /// Finds which moves concern the replier's king (Lemma 1).
    #[inline(always)]
    pub(super) fn look_at_king(&mut self) {
        let king = self.board.node.replier.king;
        self.king.sharp.to_knight = KNIGHT[index(king)];
        self.king.sharp.to_pawn = PAWN_UP[index(king)];
        self.king.attack(&self.board);
        self.look_at_castlings();
        self.look_along_lines();
        let ring = KING[index(king)];
        self.king.escapes = ring & !self.board.theirs & !self.king.once;
        self.need.null += count(self.king.escapes);
        self.king.look_around(&self.board, ring);
    }
}

impl KingView {
    /// Finds what the mover attacks near the king.
    #[inline(always)]
    fn attack<M: Machine>(&mut self, board: &Board<'_, M>) {
        let m = &board.node.mover;
        let near = &NEAR[index(board.node.replier.king)];
        let mut add = |set: u64| {
            self.twice |= self.once & set;
            self.once |= set;
        };
        for from in each(m.orthogonal & near[0]) {
            add(board.rook(from));
        }
        for from in each(m.diagonal & near[1]) {
            add(board.bishop(from));
        }
        for from in each(m.knights & near[2]) {
            add(KNIGHT[index(from)]);
        }
        // One by one: a square may be attacked by two pawns.
        add(m.pawns >> 9 & NOT_H);
        add(m.pawns >> 7 & NOT_A);
        add(KING[index(m.king)]);
    }

    /// Finds what concerns the squares next to the king (Lemma 15).
    #[inline(always)]
    fn look_around<M: Machine>(&mut self, board: &Board<'_, M>, ring: u64) {
        let m = &board.node.mover;
        let zone = ring & !board.theirs;
        let once = ring & self.once & !self.twice;
        self.retaken = once & board.theirs;
        self.guarded_alone = once & zone;
        self.sharp.watched |= zone & self.once;
        if self.escapes != 0 {
            self.escapes_lost.pawn.add(self.escapes << 7 & NOT_H);
            self.escapes_lost.pawn.add(self.escapes << 9 & NOT_A);
            if m.orthogonal != 0 {
                for escape in each(self.escapes) {
                    self.escapes_lost.orthogonal.add(board.rook(escape));
                }
            }
            if m.diagonal != 0 {
                for escape in each(self.escapes) {
                    self.escapes_lost.diagonal.add(board.bishop(escape));
                }
            }
        }
        for at in each(self.guarded_alone) {
            let i = index(at);
            self.guards |= KNIGHT[i] & m.knights | PAWN_UP[i] & m.pawns | KING[i] & m.king;
        }
        if zone != 0 {
            let near = &NEAR[index(board.node.replier.king)];
            for slider in each(m.orthogonal & near[0]) {
                let reach = board.rook(slider);
                let through = board.machine.rook(slider, board.occupied ^ reach & board.own);
                self.look_along(board, zone, slider, reach, through);
            }
            for slider in each(m.diagonal & near[1]) {
                let reach = board.bishop(slider);
                let through = board.machine.bishop(slider, board.occupied ^ reach & board.own);
                self.look_along(board, zone, slider, reach, through);
            }
        }
    }

    /// Finds what a slider guards, and what it would guard through one piece of its own side (Lemma 6).
    #[inline(always)]
    fn look_along<M: Machine>(
        &mut self,
        board: &Board<'_, M>,
        zone: u64,
        slider: u64,
        reach: u64,
        through: u64,
    ) {
        if reach & self.guarded_alone != 0 {
            self.guards |= slider;
        }
        let mut lines = 0;
        for at in each(reach & zone) {
            lines |= between(slider, at);
        }
        self.sharp.close(lines);
        for at in each(through & !reach & (self.escapes | self.guarded_alone)) {
            self.sharp.from |= between(slider, at) & board.own;
        }
    }
}

impl Sharp {
    /// Notes squares where pieces close the line of a slider.
    #[inline(always)]
    pub(super) fn close(&mut self, line: u64) {
        self.to_twice |= self.to & line;
        self.to |= line;
    }

    /// Notes the mover's pieces that a slider of its own would attack a square through (Lemma 6).
    #[inline(always)]
    pub(super) fn discover<M: Machine>(&mut self, board: &Board<'_, M>, at: u64) {
        let m = &board.node.mover;
        let orthogonal = attacks::rook_rays(square(at)).0 & m.orthogonal;
        let diagonal = attacks::bishop_rays(square(at)).0 & m.diagonal;
        for slider in each(orthogonal | diagonal) {
            let shields = between(at, slider) & board.occupied;
            if shields & shields.wrapping_sub(1) == 0 {
                self.from |= shields & board.own;
            }
        }
    }
}
