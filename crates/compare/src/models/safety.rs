//! Castling, and which moves leave the king safe.

use tabiya::{Bitboard, CastlingSide, Color, File, Piece, Role, Square, attacks};

use super::fault::{ALL_WAYS, Checker, Danger, Path, Rule};
use super::pieces::{is_on, ways};
use super::state::{Kind, Made, Rules, State, offset};

/// What is known of the king's safety before any move.
pub(super) struct Safety<'a> {
    state: &'a State,
    rules: Rules<'a>,
    king: Option<Square>,
    /// The checkers that the program sees.
    pub(super) checkers: Vec<Square>,
    /// The squares that each pinned piece may go to.
    pins: Vec<(Square, Bitboard)>,
}

impl<'a> Safety<'a> {
    pub(super) fn of(state: &'a State, rules: Rules<'a>) -> Self {
        let king = state.board.king(state.turn);
        let attackers = king.map_or(Bitboard::EMPTY, |king| state.attackers(king));
        let mut checkers: Vec<Square> = attackers.into_iter().collect();
        // Leapers and pawns first, and sliders in the order in which rays are followed.
        let place = |square: &Square| {
            let is_near =
                |way: &&(i8, i8)| king.is_some_and(|king| ray(king, **way).any(|it| it == *square));
            match state.board.role_on(*square) {
                Some(Role::Bishop | Role::Rook | Role::Queen) => {
                    1 + ALL_WAYS.iter().take_while(|way| !is_near(way)).count()
                }
                _ => 0,
            }
        };
        checkers.sort_by_key(place);
        checkers.retain(|&square| {
            let role = state.board.role_on(square).unwrap_or(Role::Pawn);
            !rules.has(Rule::CheckIgnoredOf(role))
        });
        let mut safety = Self { state, rules, king, checkers, pins: Vec::new() };
        if let Some(king) = king {
            ALL_WAYS.into_iter().for_each(|way| safety.find_pin(king, way));
        }
        safety
    }

    fn find_pin(&mut self, king: Square, way: (i8, i8)) {
        let (state, rules) = (self.state, self.rules);
        let mut pinned = None;
        for square in ray(king, way) {
            let Some(piece) = state.board.piece_on(square) else { continue };
            match pinned {
                None if piece.color == state.turn => pinned = Some((square, piece.role)),
                Some((own, role))
                    if piece.color != state.turn && ways(piece.role).contains(&way) =>
                {
                    let is_ignored = rules.has(Rule::PinIgnoredOf(role))
                        || rules.has(Rule::PinIgnoredBy(piece.role))
                        || rules.any(|rule| matches!(rule, Rule::PinIgnored(it) if is_on(it, way)));
                    let mut line = attacks::between(king, square).with(square);
                    if rules.has(Rule::PinNeverCaptures) {
                        line = line.without(square);
                    }
                    if rules.any(|rule| matches!(rule, Rule::PinNever(it) if is_on(it, way))) {
                        line = Bitboard::EMPTY;
                    }
                    if !is_ignored {
                        self.pins.push((own, line));
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Does the program take this move for legal?
    pub(super) fn allows(&self, mv: Made) -> bool {
        let (state, rules) = (self.state, self.rules);
        let Some(king) = self.king else { return true };
        let is_check = !self.checkers.is_empty();
        match mv.kind {
            Kind::Castling(_) => return true,
            _ if is_check && rules.has(Rule::CheckUntested) => return true,
            Kind::EnPassant => return self.allows_en_passant(mv, king),
            _ if mv.from == king => return self.allows_king(king, mv.to),
            _ => {}
        }
        if is_check && rules.has(Rule::CheckAndPinsIgnored) {
            return true;
        }
        let pin = self.pins.iter().find(|(square, _)| *square == mv.from);
        if pin.is_some_and(|(_, line)| !line.has(mv.to)) {
            return false;
        }
        if !is_check || rules.has(Rule::CheckIgnored) {
            return true;
        }
        let is_slider = |square: &&Square| {
            matches!(state.board.role_on(**square), Some(Role::Bishop | Role::Rook | Role::Queen))
        };
        let checkers = &self.checkers;
        if checkers.len() > 1 {
            let answered = rules.changed().find_map(|rule| match rule {
                Rule::CheckDouble(Checker::Leaper) => Some(checkers.first()),
                Rule::CheckDouble(Checker::Slider) => Some(checkers.iter().find(is_slider)),
                Rule::CheckDouble(Checker::Lowest) => Some(checkers.iter().min()),
                Rule::CheckDouble(Checker::Highest) => Some(checkers.iter().max()),
                _ => None,
            });
            return match answered {
                Some(checker) => checker.is_some_and(|&it| self.answers(mv, king, it)),
                None if rules.has(Rule::CheckDouble(Checker::Either)) => {
                    checkers.iter().any(|&it| self.answers(mv, king, it))
                }
                None => false,
            };
        }
        self.answers(mv, king, checkers[0])
    }

    /// Does the move take this checker, or block its line?
    fn answers(&self, mv: Made, king: Square, checker: Square) -> bool {
        let rules = self.rules;
        let role = self.state.board.role_on(checker);
        if rules.has(Rule::EvasionNever) {
            return false;
        }
        if mv.to == checker {
            let is_refused =
                |rule| matches!(rule, Rule::EvasionNeverCaptures(of) if of.is_none() || of == role);
            return !rules.any(is_refused);
        }
        let is_refused =
            |rule| matches!(rule, Rule::EvasionNeverBlocks(of) if of.is_none() || of == role);
        let is_push = self.state.board.role_on(mv.from) == Some(Role::Pawn);
        attacks::between(king, checker).has(mv.to)
            && !rules.any(is_refused)
            && !(rules.has(Rule::EvasionNeverDoublePush) && mv.kind == Kind::DoublePush)
            && !(rules.has(Rule::EvasionNeverPush) && is_push && mv.from.file() == mv.to.file())
    }

    fn allows_king(&self, king: Square, to: Square) -> bool {
        let (state, rules) = (self.state, self.rules);
        let captures = state.board.color_on(to) == Some(!state.turn);
        if rules.has(Rule::KingUnsafe) || captures && rules.has(Rule::KingTakesProtected) {
            return true;
        }
        let mut without = state.clone();
        without.board.set(king, None);
        let behind = state.attackers(to);
        let sees = |attacker: Square| {
            let role = state.board.role_on(attacker).unwrap_or(Role::Pawn);
            let way = (
                (to.file() as i8 - attacker.file() as i8).signum(),
                (to.rank() as i8 - attacker.rank() as i8).signum(),
            );
            let is_hidden = |rule| match rule {
                Rule::KingXRay(of) => of.is_none_or(|it| it == role),
                Rule::KingXRayAlong(lines) => is_on(lines, way),
                _ => false,
            };
            let is_blind = rules.has(Rule::KingBlind(role));
            !is_blind && (behind.has(attacker) || !rules.any(is_hidden))
        };
        !without.attackers(to).into_iter().any(sees)
    }

    fn allows_en_passant(&self, mv: Made, king: Square) -> bool {
        let (state, rules) = (self.state, self.rules);
        let Some(victim) = state.victim(mv.to) else { return true };
        let is_check = !self.checkers.is_empty();
        let takes_checker = self.checkers.contains(&victim);
        if is_check && rules.has(Rule::EpNeverInCheck)
            || takes_checker && rules.has(Rule::EpNeverTakesChecker)
            || is_check && !takes_checker && rules.has(Rule::EpNeverBlocks)
        {
            return false;
        }
        if rules.has(Rule::EpUnsafe) || is_check && rules.has(Rule::EpUnsafeInCheck) {
            return true;
        }
        let mut after = state.clone();
        let pawn = state.board.piece_on(mv.from);
        if !rules.has(Rule::EpIgnoresOwnPin) {
            after.board.set(mv.from, None);
        }
        if !rules.has(Rule::EpIgnoresVictimLine) {
            after.board.set(victim, None);
        }
        after.board.set(mv.to, pawn);
        let opened = after.attackers(king).without(victim);
        !opened.into_iter().any(|attacker| {
            let is_on_rank = attacker.rank() == king.rank();
            let is_ignored = is_on_rank && rules.has(Rule::EpIgnoresRank)
                || !is_on_rank && rules.has(Rule::EpIgnoresOtherLines);
            self.checkers.contains(&attacker) || !is_ignored
        })
    }

    /// The castling moves, fully checked.
    pub(super) fn castling(&self, moves: &mut Vec<Made>) {
        let (state, rules) = (self.state, self.rules);
        let us = state.turn;
        let Some(king) = self.king.filter(|king| king.rank() == us.back_rank()) else { return };
        for side in [CastlingSide::King, CastlingSide::Queen] {
            let file = if side == CastlingSide::King { File::H } else { File::A };
            let corner = Square::new(file, us.back_rank());
            let is_home = king.file() == File::E
                && state.board.piece_on(corner) == Some(Piece { color: us, role: Role::Rook });
            let without_right = is_home && rules.has(Rule::CastleWithoutRight);
            let right = state.rights[us as usize][side as usize];
            let Some(rook) = right.or_else(|| without_right.then_some(corner)) else { continue };
            if CastlingSide::of(king, rook) != side || king == rook {
                continue;
            }
            let is_refused = rules.any(
                |rule| matches!(rule, Rule::CastleNever(of) if of.is_none_or(|it| it == side)),
            );
            if !is_refused && self.is_free(king, rook, side) && self.is_safe(king, rook, side) {
                let to = side.king_target(us);
                moves.push(Made { from: king, to, promotion: None, kind: Kind::Castling(rook) });
            }
        }
    }

    fn is_free(&self, king: Square, rook: Square, side: CastlingSide) -> bool {
        let (state, rules) = (self.state, self.rules);
        let us = state.turn;
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let span = |from: Square, to: Square| attacks::between(from, to).with(from).with(to);
        let of_king = span(king, king_to);
        let mut path = of_king | span(rook, rook_to);
        let in_corner = matches!(rook.file(), File::A | File::H);
        for rule in rules.changed() {
            let Rule::CastlePath(forgets, of) = rule else { continue };
            if of.is_some_and(|of| of != side) {
                continue;
            }
            path &= match forgets {
                Path::AllButTarget => Bitboard::EMPTY.with(king_to),
                Path::Target => !Bitboard::EMPTY.with(king_to),
                Path::Crossed => !Bitboard::EMPTY.with(rook_to),
                Path::All => Bitboard::EMPTY,
                Path::Enemies => !state.board.color(!us),
                Path::Rook if king.file() == File::E && in_corner => Bitboard::FULL,
                Path::Rook => of_king,
            };
        }
        if side == CastlingSide::Queen && rules.has(Rule::CastleBFileOccupied) {
            path &= !File::B.bitboard();
        }
        let blocks = rules.has(Rule::CastleOwnRookBlocks) && !in_corner;
        let mut occupied = state.board.occupied().without(king);
        if !blocks {
            occupied = occupied.without(rook);
        }
        !path.meets(occupied)
    }

    fn is_safe(&self, king: Square, rook: Square, side: CastlingSide) -> bool {
        let (state, rules) = (self.state, self.rules);
        let us = state.turn;
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let attacked = |attackers: Bitboard, at: Danger| {
            attackers.into_iter().any(|attacker| {
                let role = state.board.role_on(attacker);
                !rules.any(|rule| {
                    let Rule::CastleUnsafe(danger, of) = rule else { return false };
                    let is_there = danger == at
                        || danger == Danger::All
                        || danger == Danger::CrossedAndTarget && at != Danger::Start;
                    is_there && (of.is_none() || of == role)
                })
            })
        };
        if attacked(state.attackers(king), Danger::Start) {
            return false;
        }
        let crossed = attacks::between(king, king_to);
        if crossed.into_iter().any(|it| attacked(state.attackers(it), Danger::Crossed)) {
            return false;
        }
        let b_file = Square::new(File::B, us.back_rank());
        let is_queen_side = side == CastlingSide::Queen;
        if is_queen_side && rules.has(Rule::CastleBFileAttacked) && state.attackers(b_file).any()
            || rules.has(Rule::CastleRookAttacked) && state.attackers(rook).any()
        {
            return false;
        }
        let mut after = state.clone();
        if !rules.has(Rule::CastleShield) {
            // The rook may open a line, so both pieces are on their new squares.
            let pieces = [
                (king, None),
                (rook, None),
                (king_to, Some(Role::King)),
                (rook_to, Some(Role::Rook)),
            ];
            for (square, role) in pieces {
                after.board.set(square, role.map(|role| Piece { color: us, role }));
            }
        }
        !attacked(after.attackers(king_to), Danger::Target)
    }
}

/// The squares from this one to the edge.
fn ray(from: Square, way: (i8, i8)) -> impl Iterator<Item = Square> {
    std::iter::successors(offset(from, way), move |&square| offset(square, way))
}

impl State {
    /// The opponent's pieces that attack a square.
    pub(super) fn attackers(&self, square: Square) -> Bitboard {
        self.board.attackers_to(square) & self.board.color(!self.turn)
    }

    pub(super) fn is_check(&self, color: Color) -> bool {
        self.board
            .king(color)
            .is_some_and(|king| (self.board.attackers_to(king) & self.board.color(!color)).any())
    }
}
