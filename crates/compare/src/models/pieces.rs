//! The moves of pieces and pawns, before it's asked whether the king is safe.

use tabiya::{Color, Rank, Role, Square};

use super::fault::{
    ALL_WAYS, DIAGONAL, Group, LEAPS, Lines, Promotes, Promotions, Rule, STRAIGHT, bit,
};
use super::state::{Kind, Made, Rules, State, forward, offset, shifted};

/// Does a step belong to these lines?
pub(super) const fn is_on(lines: Lines, (files, ranks): (i8, i8)) -> bool {
    match lines {
        Lines::All => true,
        Lines::Straight => files == 0 || ranks == 0,
        Lines::Diagonal => files != 0 && ranks != 0,
        Lines::Ranks => ranks == 0,
        Lines::Files => files == 0,
    }
}

/// The directions of a slider.
pub(super) const fn ways(role: Role) -> &'static [(i8, i8)] {
    match role {
        Role::Bishop => &DIAGONAL,
        Role::Rook => &STRAIGHT,
        Role::Queen => &ALL_WAYS,
        Role::Pawn | Role::Knight | Role::King => &[],
    }
}

/// Lists the moves of one position.
pub(super) struct Pieces<'a> {
    pub(super) state: &'a State,
    pub(super) rules: Rules<'a>,
    pub(super) checkers: &'a [Square],
    pub(super) moves: Vec<Made>,
}

impl Pieces<'_> {
    pub(super) fn list(&mut self) {
        let us = self.state.turn;
        for (from, piece) in self.state.board.iter().filter(|(_, piece)| piece.color == us) {
            match piece.role {
                Role::Pawn => self.pawn(from),
                Role::Knight | Role::King => self.leaper(from, piece.role),
                role => self.slider(from, role),
            }
        }
        self.double();
    }

    fn color(&self, square: Square) -> Option<Color> {
        self.state.board.color_on(square)
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.color(square) == Some(!self.state.turn)
    }

    fn is_own(&self, square: Square) -> bool {
        self.color(square) == Some(self.state.turn)
    }

    fn push(&mut self, from: Square, to: Square, kind: Kind) {
        self.moves.push(Made { from, to, promotion: None, kind });
    }

    /// A move of a piece, unless the square has one of its own side.
    fn go(&mut self, role: Role, from: Square, to: Square) {
        let rules = self.rules;
        let is_capture = self.is_enemy(to);
        if rules.has(Rule::NeverGoes(role, from as u8, to as u8))
            || is_capture && rules.has(Rule::NeverTakes(role))
            || is_capture && role == Role::King && rules.has(Rule::KingNeverCaptures)
        {
            return;
        }
        let is_king = self.state.board.role_on(to) == Some(Role::King);
        if !self.is_own(to) || rules.has(Rule::TakesOwn(role)) && !is_king {
            self.push(from, to, Kind::Plain);
        }
        let is_en_passant = Some(to) == self.state.en_passant && role != Role::King;
        if is_en_passant && rules.has(Rule::EpListedForPieces) {
            self.push(from, to, Kind::EnPassant);
        }
    }

    fn leaper(&mut self, from: Square, role: Role) {
        let rules = self.rules;
        let ways = if role == Role::Knight { LEAPS } else { ALL_WAYS };
        for way in ways {
            let (files, ranks) = way;
            let is_missing = match role {
                Role::Knight => rules.has(Rule::KnightNeverLeaps(files, ranks)),
                _ => rules.has(Rule::KingNeverSteps(files, ranks)),
            };
            let wraps = role == Role::Knight && rules.has(Rule::KnightWraps);
            let to = if wraps { shifted(from, ranks * 8 + files) } else { offset(from, way) };
            if let Some(to) = to.filter(|_| !is_missing) {
                self.go(role, from, to);
            }
        }
        for rule in rules.changed() {
            let way = match (role, rule) {
                (Role::Knight, Rule::KnightAlso(files, ranks))
                | (Role::King, Rule::KingAlso(files, ranks)) => (files, ranks),
                _ => continue,
            };
            if let Some(to) = offset(from, way) {
                self.go(role, from, to);
            }
        }
    }

    fn slider(&mut self, from: Square, role: Role) {
        let rules = self.rules;
        let also = rules.changed().filter_map(|rule| match rule {
            Rule::SliderAlso(of, files, ranks) if of == role => Some((files, ranks)),
            _ => None,
        });
        let also = also.filter(|way| !ways(role).contains(way));
        for way in ways(role).iter().copied().chain(also) {
            let (files, ranks) = way;
            if rules.has(Rule::SliderNeverToward(role, files, ranks)) {
                continue;
            }
            let wraps = rules.any(|rule| matches!(rule, Rule::SliderWraps(it) if is_on(it, way)));
            let most = rules.changed().filter_map(|rule| match rule {
                Rule::SliderShort(of, most) if of.is_none_or(|of| of == role) => Some(most),
                _ => None,
            });
            let most = most.min().unwrap_or(7);
            let mut at = from;
            for _ in 0..most {
                let next = if wraps { shifted(at, ranks * 8 + files) } else { offset(at, way) };
                let Some(to) = next else { break };
                at = to;
                self.go(role, from, to);
                let passes = self.is_enemy(to) && rules.has(Rule::SliderPassesEnemies)
                    || self.is_own(to) && rules.has(Rule::SliderPassesOwn);
                if self.color(to).is_some() && !passes {
                    break;
                }
            }
        }
    }

    fn pawn(&mut self, from: Square) {
        self.pushes(from);
        let way = forward(self.state.turn);
        for side in [-1, 1] {
            self.captures(from, side, way);
            if self.rules.has(Rule::PawnTakesBackwards)
                && let Some(to) = offset(from, (side, -way)).filter(|&to| self.is_enemy(to))
            {
                self.pawn_to(from, to, true);
            }
        }
    }

    fn pushes(&mut self, from: Square) {
        let rules = self.rules;
        let way = forward(self.state.turn);
        let Some(to) = offset(from, (0, way)) else { return };
        let is_free = self.color(to).is_none();
        let takes = self.is_enemy(to) && rules.has(Rule::PushOntoEnemy)
            || self.is_own(to) && rules.has(Rule::PushOntoOwn);
        if (is_free || takes) && !rules.has(Rule::PushNever) {
            self.pawn_to(from, to, false);
        }
        let back = offset(from, (0, -way)).filter(|&to| self.color(to).is_none());
        if let Some(to) = back.filter(|_| rules.has(Rule::PushBackwards)) {
            self.pawn_to(from, to, false);
        }
        let rank = from.rank().relative_to(self.state.turn);
        let may_double = rank == Rank::Second
            || rank == Rank::Third && rules.has(Rule::DoublePushFromNextRank)
            || rules.has(Rule::DoublePushFromAnyRank);
        if let Some(two) = offset(to, (0, way)).filter(|_| may_double) {
            let jumps = is_free || rules.has(Rule::DoublePushJumps);
            let lands =
                self.color(two).is_none() || self.is_enemy(two) && rules.has(Rule::DoublePushOnto);
            if jumps && lands && !rules.has(Rule::DoublePushNever) {
                self.push(from, two, Kind::DoublePush);
            }
        }
    }

    fn captures(&mut self, from: Square, side: i8, way: i8) {
        let rules = self.rules;
        let state = self.state;
        let wrapped = shifted(from, way * 8 + side);
        let target = if rules.has(Rule::PawnWraps) { wrapped } else { offset(from, (side, way)) };
        let takes_nothing = |to: Square| {
            rules.any(|rule| matches!(rule, Rule::PawnTakesNothing(on) if on.is_none_or(|it| it == to.file())))
        };
        let is_refused = |to: Square| {
            rules.has(Rule::PawnNeverTakes)
                || rules.has(Rule::NeverTakes(Role::Pawn))
                || rules.has(Rule::PawnNeverTakesToward(side))
                || rules.has(Rule::PawnNeverTakesOn(to.file()))
        };
        let is_own_taken = |to: Square| {
            self.is_own(to)
                && rules.has(Rule::TakesOwn(Role::Pawn))
                && state.board.role_on(to) != Some(Role::King)
        };
        if let Some(to) = target.filter(|&to| {
            let is_empty = self.color(to).is_none();
            !is_refused(to)
                && (self.is_enemy(to) || is_empty && takes_nothing(to) || is_own_taken(to))
        }) {
            self.pawn_to(from, to, true);
        }
        let target = if rules.has(Rule::EpWraps) { wrapped } else { offset(from, (side, way)) };
        let back = offset(from, (side, -way)).filter(|_| rules.has(Rule::EpBackwards));
        for to in target.into_iter().chain(back) {
            let is_edge =
                |square: Square| matches!(square.file(), tabiya::File::A | tabiya::File::H);
            let is_refused = rules.has(Rule::EpNever)
                || rules.has(Rule::EpNeverToward(side))
                || rules.has(Rule::EpNeverToEdge) && is_edge(to)
                || rules.has(Rule::EpNeverFromEdge) && is_edge(from);
            let pawn = state.victim(to).and_then(|it| state.board.piece_on(it));
            let is_pawn = pawn.is_some_and(|it| it.role == Role::Pawn && it.color != state.turn);
            let is_empty = self.color(to).is_none();
            if Some(to) == state.en_passant && is_empty && is_pawn && !is_refused {
                self.push(from, to, Kind::EnPassant);
            }
        }
    }

    /// A pawn's move, with its promotions.
    fn pawn_to(&mut self, from: Square, to: Square, captures: bool) {
        let rules = self.rules;
        if rules.has(Rule::NeverGoes(Role::Pawn, from as u8, to as u8)) {
            return;
        }
        if !matches!(to.rank(), Rank::First | Rank::Eighth) {
            return self.push(from, to, Kind::Plain);
        }
        let taken = self.state.board.role_on(to);
        let is_in_check = !self.checkers.is_empty();
        let takes_checker = self.checkers.contains(&to);
        let every = bit(Role::Knight) | bit(Role::Bishop) | bit(Role::Rook) | bit(Role::Queen);
        let mut roles = every;
        for rule in rules.changed() {
            let Rule::Promotion(which, becomes) = rule else { continue };
            let applies = match which {
                Promotions::All => true,
                Promotions::Captures => captures,
                Promotions::Pushes => !captures,
                Promotions::InCheck => is_in_check,
                Promotions::OfChecker(role) => {
                    takes_checker && role.is_none_or(|it| taken == Some(it))
                }
            };
            match becomes {
                _ if !applies => {}
                Promotes::Never => return,
                Promotes::ToPawn => return self.push(from, to, Kind::Plain),
                Promotes::Only(some) => roles &= some,
            }
        }
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King, Role::Pawn] {
            let mut times = usize::from(roles & bit(role) != 0);
            times += rules.changed().filter(|&it| it == Rule::PromotionExtra(role)).count();
            let is_twice =
                |rule| matches!(rule, Rule::PromotionTwice(it) if it.is_none_or(|it| it == role));
            if times > 0 && rules.any(is_twice) {
                times += 1;
            }
            for _ in 0..times {
                self.moves.push(Made { from, to, promotion: Some(role), kind: Kind::Plain });
            }
        }
    }

    /// Lists the moves of a group again.
    fn double(&mut self) {
        let groups: Vec<Group> = self
            .rules
            .changed()
            .filter_map(|rule| match rule {
                Rule::Twice(group) => Some(group),
                _ => None,
            })
            .collect();
        for group in groups {
            let again: Vec<Made> =
                self.moves.iter().copied().filter(|&mv| self.is_in(group, mv)).collect();
            self.moves.extend(again);
        }
    }

    fn is_in(&self, group: Group, mv: Made) -> bool {
        let role = self.state.board.role_on(mv.from);
        let way =
            (mv.to.file() as i8 - mv.from.file() as i8, mv.to.rank() as i8 - mv.from.rank() as i8);
        match group {
            Group::All => true,
            Group::Captures => self.is_enemy(mv.to) || mv.kind == Kind::EnPassant,
            Group::Of(of) => role == Some(of),
            Group::Lines(of, lines) => role == Some(of) && is_on(lines, way),
            Group::DoublePushes => mv.kind == Kind::DoublePush,
            Group::EnPassant => mv.kind == Kind::EnPassant,
            Group::Castling => matches!(mv.kind, Kind::Castling(_)),
        }
    }
}
