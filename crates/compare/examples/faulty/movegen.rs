//! The legal moves, found by pins, checkers and attacked squares.

use crate::board::{Board, Kind, Move, Piece, Role, behind, castling_targets};
use crate::faults::Fault;

type Squares = [Option<Piece>; 64];

const ROOK: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ALL: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The square one step away, if it is on the board.
fn step(from: usize, (file, rank): (i32, i32)) -> Option<usize> {
    let (file, rank) = (from as i32 % 8 + file, from as i32 / 8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| (rank * 8 + file) as usize)
}

/// The squares from this one to the edge.
fn ray(from: usize, direction: (i32, i32)) -> impl Iterator<Item = usize> {
    std::iter::successors(step(from, direction), move |&square| step(square, direction))
}

/// Does a slider of this role move in this direction?
fn slides(role: Role, (file, rank): (i32, i32)) -> bool {
    role == Role::Queen || role == if file == 0 || rank == 0 { Role::Rook } else { Role::Bishop }
}

/// The mistake: an entry of the table of rooks is wrong. From d4, with the nearest pieces on d6 and
/// f4, it lacks d6.
fn is_hole(squares: &Squares, from: usize, to: usize) -> bool {
    let nearest = |direction| ray(from, direction).find(|&square| squares[square].is_some());
    (from, to) == (27, 43) && nearest((0, 1)) == Some(43) && nearest((1, 0)) == Some(29)
}

/// The squares of the pieces of one side that attack a square.
fn attackers(squares: &Squares, target: usize, white: bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut look = |square: Option<usize>, role: Role| {
        found.extend(square.filter(|&square| squares[square] == Some(Piece { white, role })));
    };
    let forward = if white { 1 } else { -1 };
    for side in [-1, 1] {
        look(step(target, (side, -forward)), Role::Pawn);
    }
    for leap in KNIGHT {
        look(step(target, leap), Role::Knight);
    }
    for direction in ALL {
        look(step(target, direction), Role::King);
    }
    for direction in ALL {
        let first =
            ray(target, direction).find_map(|square| squares[square].map(|piece| (square, piece)));
        found.extend(
            first
                .filter(|(_, piece)| piece.white == white && slides(piece.role, direction))
                .map(|(square, _)| square),
        );
    }
    found
}

/// The squares strictly between two squares on a line.
fn between(from: usize, to: usize) -> Vec<usize> {
    for direction in ALL {
        let squares: Vec<usize> = ray(from, direction).take_while(|&square| square != to).collect();
        if ray(from, direction).any(|square| square == to) {
            return squares;
        }
    }
    Vec::new()
}

impl Board {
    /// The checkers of the side to move.
    pub(crate) fn checkers(&self) -> Vec<usize> {
        let Some(king) = self.king(self.white) else { return Vec::new() };
        let mut checkers = self.attackers(&self.squares, king);
        checkers.retain(|&checker| self.unseen != Some(checker));
        checkers
    }

    /// The squares of the opponent's pieces that attack a square.
    fn attackers(&self, squares: &Squares, target: usize) -> Vec<usize> {
        let mut found = attackers(squares, target, !self.white);
        if self.has(Fault::SliderTableHole) {
            found.retain(|&from| !is_hole(squares, from, target));
        }
        found
    }

    /// The checker that the test after this move does not see, which the other side has made.
    pub(crate) fn unseen_checker(&self, mv: Move) -> Option<usize> {
        let king = self.king(self.white)?;
        let by_en_passant = mv.kind == Kind::EnPassant && self.has(Fault::LineEpCheck);
        let by_castling = mv.kind == Kind::Castle && self.has(Fault::LineCastlingCheck);
        let by_promotion = mv.promotion.is_some() && self.has(Fault::LinePromotionCheck);
        if !(by_en_passant || by_castling || by_promotion) {
            return None;
        }
        self.attackers(&self.squares, king).into_iter().find(|&checker| {
            // The mistake: only the squares from which and to which the pawn moves are looked at.
            let is_opened = || between(king, checker).contains(&behind(mv.to, !self.white));
            by_castling || by_promotion && checker != mv.to || by_en_passant && is_opened()
        })
    }

    /// The legal moves, in the order in which they are found.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        // The mistake: the clock counts plies.
        let is_over = self.has(Fault::FiftyPlies) && self.halfmoves >= 50;
        if is_over || self.has(Fault::FiftyMoves) && self.halfmoves >= 100 {
            return Vec::new();
        }
        if self.has(Fault::BareKings) && self.squares.iter().flatten().count() == 2 {
            return Vec::new();
        }
        if self.has(Fault::Repetition) && self.repeated {
            return Vec::new();
        }
        let checkers = self.checkers();
        let mut moves = self.pseudo_legal_moves(&checkers);
        let pins = self.pins();
        moves.retain(|&mv| self.is_legal(mv, &checkers, &pins));
        if self.has(Fault::ListTooShort) {
            // The mistake: an array with too few elements.
            moves.truncate(60);
        }
        moves
    }

    /// For each square, the squares that a piece pinned there may move to.
    fn pins(&self) -> Vec<Option<Vec<usize>>> {
        let mut pins = vec![None; 64];
        let Some(king) = self.king(self.white) else { return pins };
        if self.has(Fault::PinIgnored) {
            return pins;
        }
        for direction in ALL {
            if self.has(Fault::PinIgnoredDiagonal) && direction.0 != 0 && direction.1 != 0 {
                continue;
            }
            let mut pinned = None;
            for square in ray(king, direction) {
                let Some(piece) = self.squares[square] else { continue };
                match pinned {
                    None if piece.white == self.white => pinned = Some(square),
                    Some(own) if piece.white != self.white && slides(piece.role, direction) => {
                        let mut line = between(king, square);
                        line.push(square);
                        if self.has(Fault::PinTooStrict) {
                            line.clear();
                        }
                        pins[own] = Some(line);
                        break;
                    }
                    _ => break,
                }
            }
        }
        pins
    }

    /// Does a pseudo-legal move leave its king safe?
    fn is_legal(&self, mv: Move, checkers: &[usize], pins: &[Option<Vec<usize>>]) -> bool {
        let Some(king) = self.king(self.white) else { return true };
        let Some(piece) = self.squares[mv.from] else { return false };
        if mv.kind == Kind::Castle {
            return true;
        }
        if piece.role == Role::King {
            return self.king_may_go(king, mv.to);
        }
        if mv.kind == Kind::EnPassant {
            return self.en_passant_is_legal(mv, king, checkers);
        }
        if self.has(Fault::CheckIgnored) && !checkers.is_empty() {
            return true;
        }
        let pinned = pins[mv.from]
            .as_ref()
            .filter(|_| !(self.has(Fault::PinKnight) && piece.role == Role::Knight));
        if pinned.is_some_and(|line| !line.contains(&mv.to)) {
            return false;
        }
        let Some(&checker) = checkers.first() else { return true };
        if checkers.len() > 1 && !self.has(Fault::DoubleCheck) {
            return false;
        }
        if mv.to == checker {
            return !self.has(Fault::EvasionCaptures);
        }
        if !between(king, checker).contains(&mv.to) || self.has(Fault::EvasionBlocks) {
            return false;
        }
        !(self.has(Fault::EvasionDoublePush) && mv.kind == Kind::DoublePush)
    }

    fn king_may_go(&self, king: usize, to: usize) -> bool {
        let mut squares = self.squares;
        let captures = squares[to].is_some();
        if !self.has(Fault::KingXray) {
            squares[king] = None;
        }
        if self.has(Fault::KingTakesProtected) && captures {
            return true;
        }
        let mut danger = self.attackers(&squares, to);
        if self.has(Fault::KingAdjacent) {
            danger.retain(|&square| squares[square].is_some_and(|piece| piece.role != Role::King));
        }
        if self.has(Fault::KingPawnAttack) {
            danger.retain(|&square| squares[square].is_some_and(|piece| piece.role != Role::Pawn));
        }
        danger.is_empty()
    }

    fn en_passant_is_legal(&self, mv: Move, king: usize, checkers: &[usize]) -> bool {
        if self.has(Fault::EpNotAsEvasion) && !checkers.is_empty() {
            return false;
        }
        let mut squares = self.squares;
        squares[mv.to] = squares[mv.from].take();
        squares[behind(mv.to, self.white)] = None;
        let mut opened = self.attackers(&squares, king);
        if self.has(Fault::EpPinRank) {
            // The mistake: neither of the two pawns is pinned by itself.
            opened.retain(|&square| square / 8 != king / 8 || checkers.contains(&square));
        }
        if self.has(Fault::EpPinDiagonal) {
            // The mistake: only the rank is examined.
            opened.retain(|&square| square / 8 == king / 8 || checkers.contains(&square));
        }
        opened.is_empty()
    }

    /// The moves of each piece, even if they leave the king in check. Castling moves are fully
    /// checked.
    pub(crate) fn pseudo_legal_moves(&self, checkers: &[usize]) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in 0..64 {
            let Some(piece) = self.squares[from].filter(|piece| piece.white == self.white) else {
                continue;
            };
            match piece.role {
                Role::Pawn => self.pawn_moves(from, checkers, &mut moves),
                Role::Knight => self.knight_moves(from, &mut moves),
                Role::Bishop => self.slider_moves(from, &BISHOP, &mut moves),
                Role::Rook if self.has(Fault::SliderDirection) => {
                    self.slider_moves(from, &ALL[..5], &mut moves);
                }
                Role::Rook => self.slider_moves(from, &ROOK, &mut moves),
                Role::Queen => {
                    self.slider_moves(from, &ALL, &mut moves);
                    if self.has(Fault::QueenDoubled) {
                        // The mistake: the loop for bishops also takes queens.
                        self.slider_moves(from, &BISHOP, &mut moves);
                    }
                }
                Role::King => {
                    let steps = if self.has(Fault::KingStepMissing) { &ALL[..7] } else { &ALL };
                    for to in steps.iter().filter_map(|&direction| step(from, direction)) {
                        // The mistake: a number is missing in the table, from g2 to h3.
                        if self.has(Fault::KingTableHole) && (from, to) == (14, 23) {
                            continue;
                        }
                        self.step_to(from, to, &mut moves);
                    }
                    self.castling_moves(from, checkers, &mut moves);
                }
            }
        }
        moves
    }

    fn is_own(&self, square: usize) -> bool {
        self.squares[square].is_some_and(|piece| piece.white == self.white)
    }

    fn is_enemy(&self, square: usize) -> bool {
        self.squares[square].is_some_and(|piece| piece.white != self.white)
    }

    fn step_to(&self, from: usize, to: usize, moves: &mut Vec<Move>) {
        if !self.is_own(to) {
            moves.push(Move { from, to, promotion: None, kind: Kind::Step });
        }
        // The mistake: the role of the capturing piece is not tested.
        if self.has(Fault::EpListedForAnyPiece)
            && Some(to) == self.ep
            && self.king(self.white) != Some(from)
        {
            moves.push(Move { from, to, promotion: None, kind: Kind::EnPassant });
        }
    }

    fn knight_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let wrong = self.has(Fault::KnightLeapWrong).then_some((2, 2));
        for leap in KNIGHT.into_iter().chain(wrong) {
            if self.has(Fault::KnightMissing) && leap == (-2, -1) {
                continue;
            }
            let target = if self.has(Fault::KnightWrap) {
                // The mistake: only the two ends of the array are checked.
                let target = from as i32 + leap.1 * 8 + leap.0;
                (0..64).contains(&target).then_some(target as usize)
            } else {
                step(from, leap)
            };
            let Some(to) = target else { continue };
            if self.has(Fault::KnightCapturesOwn)
                && self.is_own(to)
                && self.squares[to].is_some_and(|it| it.role != Role::King)
            {
                moves.push(Move { from, to, promotion: None, kind: Kind::Step });
            }
            self.step_to(from, to, moves);
        }
    }

    fn slider_moves(&self, from: usize, directions: &[(i32, i32)], moves: &mut Vec<Move>) {
        for &direction in directions {
            let mut square = from;
            for steps in 1.. {
                let next = if self.has(Fault::SliderWrap) && direction.1 == 0 {
                    // The mistake: the next index is used as the next file.
                    let next = square as i32 + direction.0;
                    (steps < 8 && (0..64).contains(&next)).then_some(next as usize)
                } else {
                    step(square, direction)
                };
                let Some(to) = next else { break };
                if self.has(Fault::SliderStopsShort) && steps == 7 {
                    break;
                }
                square = to;
                if self.has(Fault::SliderTableHole) && is_hole(&self.squares, from, to) {
                    break;
                }
                self.step_to(from, to, moves);
                let passes = self.has(Fault::SliderPasses) && self.is_enemy(to);
                if self.squares[to].is_some() && !passes {
                    break;
                }
            }
        }
    }

    fn pawn_moves(&self, from: usize, checkers: &[usize], moves: &mut Vec<Move>) {
        let forward = if self.white { 1 } else { -1 };
        let first_rank = if self.white { 1 } else { 6 };
        if let Some(to) = step(from, (0, forward)) {
            let is_free = self.squares[to].is_none();
            if is_free || self.has(Fault::PawnCapturesForward) && self.is_enemy(to) {
                self.pawn_to(from, to, false, checkers, moves);
            }
            let may_double = from / 8 == first_rank
                || self.has(Fault::PawnDoubleAnywhere)
                    && from / 8 == (first_rank as i32 + forward) as usize;
            if let Some(double) = step(to, (0, forward)).filter(|&double| {
                may_double
                    && self.squares[double].is_none()
                    && (is_free || self.has(Fault::PawnDoubleJumps))
                    && (self.white || !self.has(Fault::PawnDoubleMissing))
            }) {
                moves.push(Move { from, to: double, promotion: None, kind: Kind::DoublePush });
            }
        }
        for side in [-1, 1] {
            let wrapped = from as i32 + forward * 8 + side;
            let target = if self.has(Fault::PawnWrap) {
                (0..64).contains(&wrapped).then_some(wrapped as usize)
            } else {
                step(from, (side, forward))
            };
            let nothing = |to: usize| {
                self.has(Fault::PawnCapturesNothing) && self.squares[to].is_none() && to % 8 == 2
            };
            let target = target.filter(|to| !(self.has(Fault::PawnCaptureMissing) && to % 8 == 7));
            if let Some(to) = target.filter(|&to| self.is_enemy(to) || nothing(to)) {
                self.pawn_to(from, to, true, checkers, moves);
            }
            let target = if self.has(Fault::EpWrap) {
                Some(wrapped as usize & 63)
            } else {
                step(from, (side, forward))
            };
            let victim = target.and_then(|to| self.squares[behind(to, self.white)]);
            if target.is_some_and(|to| Some(to) == self.ep && self.squares[to].is_none())
                && victim == Some(Piece { white: !self.white, role: Role::Pawn })
                && !self.has(Fault::EpNotGenerated)
                && !(self.has(Fault::EpEdgeFile)
                    && target.is_some_and(|to| matches!(to % 8, 0 | 7)))
            {
                let to = target.unwrap_or(from);
                moves.push(Move { from, to, promotion: None, kind: Kind::EnPassant });
            }
            // The mistake: a pawn beside the square, in front of it or behind it.
            let backwards = step(from, (side, -forward)).filter(|_| self.has(Fault::EpBackwards));
            if let Some(to) = backwards.filter(|&to| Some(to) == self.ep) {
                moves.push(Move { from, to, promotion: None, kind: Kind::EnPassant });
            }
        }
    }

    fn pawn_to(
        &self,
        from: usize,
        to: usize,
        captures: bool,
        checkers: &[usize],
        moves: &mut Vec<Move>,
    ) {
        let is_knight = self.squares[to].is_some_and(|piece| piece.role == Role::Knight);
        if self.has(Fault::PromotionTakesNoKnight)
            && matches!(to / 8, 0 | 7)
            && is_knight
            && checkers.contains(&to)
        {
            return;
        }
        let mut push = |promotion| moves.push(Move { from, to, promotion, kind: Kind::Step });
        if !matches!(to / 8, 0 | 7) {
            return push(None);
        }
        let as_pawn = self.has(Fault::PromotionTakesCheckerAsPawn) && checkers.contains(&to);
        if as_pawn || self.has(Fault::PromotionPawn) {
            return push(None);
        }
        if self.has(Fault::PromotionNone)
            || self.has(Fault::PromotionAsEvasion) && !checkers.is_empty()
        {
            return;
        }
        push(Some(Role::Queen));
        if self.has(Fault::PromotionOnlyQueen) || self.has(Fault::PromotionOnCapture) && captures {
            return;
        }
        if self.has(Fault::PromotionDoubled) {
            push(Some(Role::Queen));
        }
        if self.has(Fault::PromotionKing) {
            push(Some(Role::King));
        }
        push(Some(Role::Rook));
        push(Some(Role::Bishop));
        push(Some(Role::Knight));
    }

    fn castling_moves(&self, king: usize, checkers: &[usize], moves: &mut Vec<Move>) {
        if self.has(Fault::CastleNotGenerated)
            || !checkers.is_empty() && !self.has(Fault::CastleOutOfCheck)
        {
            return;
        }
        let home = if self.white { 0 } else { 7 };
        for rook in self.castling[usize::from(self.white)].into_iter().flatten() {
            // Skip a right that was kept after the king left its home rank.
            if king / 8 != home {
                continue;
            }
            let mv = Move { from: king, to: rook, promotion: None, kind: Kind::Castle };
            if self.castling_path_is_free(mv) && self.castling_is_safe(mv) {
                moves.push(mv);
            }
        }
    }

    fn castling_path_is_free(&self, mv: Move) -> bool {
        let (king_to, rook_to) = castling_targets(mv);
        let mut path: Vec<usize> = (mv.from.min(king_to)..=mv.from.max(king_to)).collect();
        if !self.has(Fault::Castle960RookPath) {
            path.extend(mv.to.min(rook_to)..=mv.to.max(rook_to));
        } else if mv.from % 8 == 4 && matches!(mv.to % 8, 0 | 7) {
            path.extend(mv.to.min(mv.from)..=mv.to.max(mv.from));
        }
        if self.has(Fault::CastleBFileOccupied) && mv.to < mv.from {
            path.retain(|square| square % 8 != 1);
        }
        if self.has(Fault::CastleThroughPieces) && mv.to > mv.from {
            path.retain(|&square| square == king_to);
        }
        path.into_iter().all(|square| {
            let in_corner = matches!(mv.to % 8, 0 | 7);
            let own_rook = square == mv.to && (in_corner || !self.has(Fault::Castle960OwnRook));
            self.squares[square].is_none() || square == mv.from || own_rook
        })
    }

    fn castling_is_safe(&self, mv: Move) -> bool {
        let (king_to, rook_to) = castling_targets(mv);
        let is_attacked = |squares: &Squares, square: usize| {
            let is_seen = |&from: &usize| match squares[from].map(|piece| piece.role) {
                Some(Role::Pawn) => !self.has(Fault::CastlePawnsUnseen),
                Some(Role::Bishop) => !self.has(Fault::CastleBishopsUnseen),
                _ => true,
            };
            self.attackers(squares, square).iter().any(is_seen)
        };
        let attacked = |square: usize| is_attacked(&self.squares, square);
        for square in mv.from.min(king_to)..=mv.from.max(king_to) {
            let skip =
                square == mv.from || square == king_to || self.has(Fault::CastleThroughCheck);
            if !skip && attacked(square) {
                return false;
            }
        }
        if self.has(Fault::CastleBFileAttacked) && mv.to < mv.from && attacked(mv.from / 8 * 8 + 1)
        {
            return false;
        }
        if self.has(Fault::CastleRookAttacked) && attacked(mv.to) {
            return false;
        }
        if self.has(Fault::CastleIntoCheck) {
            return true;
        }
        if self.has(Fault::Castle960Shield) {
            return !attacked(king_to);
        }
        // The rook may open a line, so the king is tested with both pieces on their target squares.
        let mut squares = self.squares;
        squares[mv.from] = None;
        squares[mv.to] = None;
        squares[king_to] = Some(Piece { white: self.white, role: Role::King });
        squares[rook_to] = Some(Piece { white: self.white, role: Role::Rook });
        !is_attacked(&squares, king_to)
    }
}
