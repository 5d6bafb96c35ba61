//! The list of a program that prints only totals, found out move by move: a program that refuses a line
//! with an illegal move tells which moves it holds for legal.

use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{Bitboard, Move, MoveList, Position, Role, Square, UciMove, attacks};

use super::Hunt;
use crate::generator::{Divide, Query, Trouble};
use crate::truth::{self, Told};

/// The most illegal moves of one position that are asked about.
const MOST: usize = 500;

/// Does a move, with its text, belong to a group?
type Group<'a> = &'a dyn Fn(&Move, &str) -> bool;

impl Hunt<'_> {
    /// The list of moves. Where the number of moves is right, the list is taken for right: two errors
    /// that cancel show at greater depths.
    ///
    /// # Errors
    /// [`Trouble::Unsupported`] if the program does not tell which moves it holds for legal.
    pub(super) fn list_by_lines(&mut self, query: &Query) -> Result<Divide, Trouble> {
        let Some(here) = truth::position_of(query) else { return Err(Trouble::Unsupported) };
        let query = Query { depth: 1, ..query.clone() };
        let got = self.count_moves(&query)?;
        let legal: Vec<String> =
            here.legal_moves().into_iter().map(|mv| here.uci(mv).to_string()).collect();
        if query.moves.is_empty() {
            self.counted.push((here.clone(), got));
        }
        if got == legal.len() as u128 {
            return Ok(listing(legal));
        }
        let model = self.counting_model(&here, 1, got);
        if model.is_some_and(|it| !it.is_special()) || !self.refuses_illegal_moves() {
            return Err(Trouble::Unsupported);
        }
        let off = i128::try_from(got).unwrap_or(i128::MAX) - legal.len() as i128;
        let illegal = illegal_moves(&here);
        if off > illegal.len() as i128 {
            return Err(Trouble::Unsupported);
        }
        // Where moves were listed twice before, they may be so again.
        if self.has_doubles
            && off > 0
            && let Ok(twice) = self.duplicates(&query, &here, &legal, off)
        {
            return Ok(listing(legal.into_iter().chain(twice).collect()));
        }
        let mut list = Listing { extra: Vec::new(), missing: Vec::new(), off };
        let suspects: Vec<String> = self.suspects.clone();
        let (known_legal, known_illegal): (Vec<String>, Vec<String>) =
            suspects.into_iter().partition(|it| legal.contains(it));
        let known_illegal = known_illegal.into_iter().filter(|it| illegal.contains(it));
        self.look(&query, &mut list, known_legal, known_illegal.collect())?;
        let special_first = special_first(&here);
        if off > 0 {
            self.look(&query, &mut list, Vec::new(), illegal)?;
            self.look(&query, &mut list, special_first, Vec::new())?;
        } else {
            self.look(&query, &mut list, special_first, Vec::new())?;
            self.look(&query, &mut list, Vec::new(), illegal)?;
        }
        let mut moves: Vec<String> =
            legal.into_iter().filter(|it| !list.missing.contains(it)).collect();
        moves.extend(list.extra.iter().cloned());
        for mv in list.missing.into_iter().chain(list.extra) {
            self.suspects.retain(|it| *it != mv);
            self.suspects.insert(0, mv);
        }
        self.suspects.truncate(12);
        self.miscounts = list.off < 0;
        if list.off != 0 {
            let twice = self.duplicates(&query, &here, &moves, list.off)?;
            self.has_doubles = true;
            moves.extend(twice);
        }
        Ok(listing(moves))
    }

    /// The count at depth 1. It is not asked twice in a row.
    pub(super) fn count_moves(&mut self, query: &Query) -> Result<u128, Trouble> {
        if let Some((known, got)) = &self.last_count
            && known == query
        {
            return Ok(*got);
        }
        let got = self.count(query)?;
        self.last_count = Some((query.clone(), got));
        Ok(got)
    }

    /// Asks about moves until the number is explained. The promotions of one pawn belong together.
    fn look(
        &mut self,
        query: &Query,
        list: &mut Listing,
        legal: Vec<String>,
        illegal: Vec<String>,
    ) -> Result<(), Trouble> {
        for (moves, is_legal) in [(legal, true), (illegal, false)] {
            let mut group: Option<String> = None;
            for mv in moves {
                let known = if is_legal { &list.missing } else { &list.extra };
                if known.contains(&mv) {
                    continue;
                }
                let belongs = group.as_deref().is_some_and(|it| mv.starts_with(it));
                if list.off == 0 && !belongs {
                    continue;
                }
                if self.knows(query, &mv)? == is_legal {
                    continue;
                }
                group = mv.get(..4).map(str::to_owned);
                if is_legal {
                    list.missing.push(mv);
                    list.off += 1;
                } else {
                    list.extra.push(mv);
                    list.off -= 1;
                }
            }
        }
        Ok(())
    }

    /// Does the program play this move? It answers a question about the position afterwards.
    fn knows(&mut self, query: &Query, mv: &str) -> Result<bool, Trouble> {
        let moves = query.moves.iter().cloned().chain([mv.to_owned()]).collect();
        let question = Query { moves, ..query.clone() };
        match self.count(&question) {
            Ok(_) => Ok(true),
            Err(Trouble::Crash(_) | Trouble::EarlyExit | Trouble::Garbage(_)) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    /// Which moves are counted more than once, if all are known and the number is still too large.
    fn duplicates(
        &mut self,
        query: &Query,
        here: &Position,
        moves: &[String],
        off: i128,
    ) -> Result<Vec<String>, Trouble> {
        let Ok(off) = usize::try_from(off) else { return Err(Trouble::Unsupported) };
        // With one ply more, the count below the moves that are counted twice is too much.
        let deeper = Query { depth: 2, ..query.clone() };
        let total = self.count(&deeper)?;
        let legal: Vec<(Move, String)> =
            here.legal_moves().into_iter().map(|mv| (mv, here.uci(mv).to_string())).collect();
        let mut below = Vec::new();
        for mv in moves {
            let line = query.moves.iter().cloned().chain([mv.clone()]).collect();
            let question = Query { moves: line, ..query.clone() };
            below.push((mv.clone(), self.count(&question)?));
        }
        let sum: u128 = below.iter().map(|(_, count)| count).sum();
        let surplus = total.checked_sub(sum).ok_or(Trouble::Unsupported)?;
        // A group of moves whose number and whose counts explain both.
        let explains = |group: Group<'_>| {
            let of_group: Vec<&(String, u128)> = below
                .iter()
                .filter(|(text, _)| legal.iter().any(|(mv, it)| it == text && group(mv, text)))
                .collect();
            let count: u128 = of_group.iter().map(|(_, count)| count).sum();
            let fits = of_group.len() == off && count == surplus;
            fits.then(|| of_group.into_iter().map(|(mv, _)| mv.clone()).collect::<Vec<String>>())
        };
        let is_straight =
            |mv: &Move| mv.from().file() == mv.to().file() || mv.from().rank() == mv.to().rank();
        for role in ["q", "n", "b", "r", ""] {
            if let Some(found) = explains(&|mv, text| mv.is_promotion() && text.ends_with(role)) {
                return Ok(found);
            }
        }
        for role in Role::ALL {
            let of_role = |mv: &Move| here.role_of(*mv) == role;
            let groups: [Group<'_>; 5] = [
                &|mv, _| of_role(mv),
                &|mv, _| of_role(mv) && is_straight(mv),
                &|mv, _| of_role(mv) && !is_straight(mv),
                &|mv, _| of_role(mv) && mv.is_capture(),
                &|mv, _| of_role(mv) && !mv.is_capture(),
            ];
            if let Some(found) = groups.into_iter().find_map(explains) {
                return Ok(found);
            }
        }
        let one = below.iter().find(|(_, count)| off == 1 && *count == surplus);
        one.map(|(mv, _)| vec![mv.clone()]).ok_or(Trouble::Unsupported)
    }

    /// Does the program give no answer if a move of the line is illegal? Asked once.
    fn refuses_illegal_moves(&mut self) -> bool {
        const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        if let Some(known) = self.refuses {
            return known;
        }
        let question = Query::of_fen(FEN, 1);
        let refuses = self.generator.takes_moves()
            && self.knows(&question, "e2e4") == Ok(true)
            && self.knows(&question, "e2d4") == Ok(false)
            && self.knows(&question, "d5d6") == Ok(false);
        self.refuses = Some(refuses);
        refuses
    }
}

/// What is known about a list.
struct Listing {
    extra: Vec<String>,
    missing: Vec<String>,
    /// How many more moves are extra than missing, beyond those that are known.
    off: i128,
}

fn listing(moves: Vec<String>) -> Divide {
    Divide { moves: moves.into_iter().map(|mv| (mv, None)).collect(), total: None }
}

/// The legal moves, those first that are often forgotten.
fn special_first(here: &Position) -> Vec<String> {
    let mut moves: Vec<Move> = here.legal_moves().into_iter().collect();
    moves.sort_by_key(|&mv| {
        let is_pinned = here.pinned().has(mv.from());
        let is_double = (mv.from() as u8).abs_diff(mv.to() as u8) == 16;
        match here.role_of(mv) {
            _ if mv.is_en_passant() => 0,
            _ if mv.castling().is_some() => 1,
            // The promotions of one pawn stay together.
            _ if mv.is_promotion() => 2,
            _ if is_pinned => 3,
            Role::Pawn if is_double => 4,
            _ => 5,
        }
    });
    moves.into_iter().map(|mv| here.uci(mv).to_string()).collect()
}

/// Illegal moves that generators are known to make: first those that only the king's safety forbids,
/// then castling, pawns, and pieces that jump, take their own side, or cross the edge of the board.
fn illegal_moves(here: &Position) -> Vec<String> {
    let mut moves: Vec<UciMove> = Vec::new();
    let pseudo = MoveList::of::<PseudoLegal<Legal>>(here);
    moves.extend(pseudo.into_iter().map(|mv| here.uci(mv)));
    castling(here, &mut moves);
    pawns(here, &mut moves);
    officers(here, &mut moves);
    strange(here, &mut moves);
    let mut told: Vec<String> = Vec::new();
    for mv in moves {
        let text = mv.to_string();
        let is_legal = matches!(truth::resolve(here, &text), Told::Legal(_));
        if !is_legal && mv.from != mv.to && !told.contains(&text) {
            told.push(text);
        }
    }
    // No role: not a move for the library, but for some programs.
    for mv in here.legal_moves().into_iter().filter(|mv| mv.is_promotion()) {
        for role in ["k", "p"] {
            let text = format!("{}{}{role}", mv.from(), mv.to());
            if !told.contains(&text) {
                told.insert(0, text);
            }
        }
    }
    told.truncate(MOST);
    told
}

fn castling(here: &Position, moves: &mut Vec<UciMove>) {
    let us = here.turn();
    let king = here.king(us);
    if king.rank() != us.back_rank() {
        return;
    }
    let rooks = here.board().pieces(us, Role::Rook);
    for rook in rooks {
        if rook.rank() != king.rank() {
            continue;
        }
        let side = tabiya::CastlingSide::of(king, rook);
        moves.push(UciMove { from: king, to: side.king_target(us), promotion: None });
        moves.push(UciMove { from: king, to: rook, promotion: None });
    }
}

fn pawns(here: &Position, moves: &mut Vec<UciMove>) {
    let us = here.turn();
    let pawns = here.board().pieces(us, Role::Pawn);
    let mut push = |from: Square, to: Square| {
        if to.rank() == (!us).back_rank() {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                moves.push(UciMove { from, to, promotion: Some(role) });
            }
        }
        moves.push(UciMove { from, to, promotion: None });
    };
    for from in pawns {
        let Some(one) = from.step(us.forward()) else { continue };
        // Onto a piece, over a piece, from any rank.
        push(from, one);
        if let Some(two) = one.step(us.forward()) {
            push(from, two);
        }
        // On a diagonal onto an empty square or a piece of the same side, and across the edge.
        for to in attacks::pawn(us, from) {
            push(from, to);
        }
        for by in [7_i8, 9] {
            let by = if us == tabiya::Color::White { by } else { -by };
            if let Some(to) = shifted(from, by) {
                push(from, to);
            }
        }
    }
}

fn officers(here: &Position, moves: &mut Vec<UciMove>) {
    let board = here.board();
    let us = here.turn();
    let own = board.color(us);
    for (role, steps) in [
        (Role::Knight, &[-17_i8, -15, -10, -6, 6, 10, 15, 17][..]),
        (Role::Bishop, &[-9, -7, 7, 9]),
        (Role::Rook, &[-8, -1, 1, 8]),
        (Role::Queen, &[-9, -8, -7, -1, 1, 7, 8, 9]),
        (Role::King, &[-9, -8, -7, -1, 1, 7, 8, 9]),
    ] {
        let is_leaper = matches!(role, Role::Knight | Role::King);
        for from in board.pieces(us, role) {
            let reached = match role {
                Role::Knight => attacks::knight(from),
                Role::King => attacks::king(from),
                // As if the pieces were not there: sliders that pass through.
                Role::Bishop => attacks::bishop(from, Bitboard::EMPTY),
                Role::Rook => attacks::rook(from, Bitboard::EMPTY),
                _ => attacks::queen(from, Bitboard::EMPTY),
            };
            let over = reached & !own;
            for to in over.into_iter().chain(reached & own) {
                moves.push(UciMove { from, to, promotion: None });
            }
            // The number of the next square is taken for the next file.
            for &step in steps {
                let most = if is_leaper { 1 } else { 7 };
                let mut at = from;
                for _ in 0..most {
                    let Some(to) = shifted(at, step) else { break };
                    at = to;
                    if !reached.has(to) && !own.has(to) {
                        moves.push(UciMove { from, to, promotion: None });
                    }
                    if board.occupied().has(to) {
                        break;
                    }
                }
            }
        }
    }
}

/// Directions and leaps that are not those of the piece, and moves of the other side.
fn strange(here: &Position, moves: &mut Vec<UciMove>) {
    let board = here.board();
    let us = here.turn();
    let free = !board.color(us);
    for from in board.color(us) {
        let near = |to: &Square| {
            let files = (from.file() as u8).abs_diff(to.file() as u8);
            let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
            files.max(ranks) <= 3
        };
        let to = match board.role_on(from) {
            Some(Role::Knight) => free.into_iter().filter(near).collect(),
            Some(Role::King) => attacks::knight(from) & free,
            _ => (attacks::queen(from, board.occupied()) | attacks::knight(from)) & free,
        };
        moves.extend(to.into_iter().map(|to| UciMove { from, to, promotion: None }));
    }
    for from in board.color(!us) {
        let reached = board.attacks_from(from) & !board.color(!us);
        let push = from.step((!us).forward()).filter(|_| board.role_on(from) == Some(Role::Pawn));
        for to in push.into_iter().chain(reached) {
            moves.push(UciMove { from, to, promotion: None });
        }
        if let Some(two) = push.and_then(|it| it.step((!us).forward())) {
            moves.push(UciMove { from, to: two, promotion: None });
        }
    }
}

/// The square whose number is larger by `step`.
fn shifted(from: Square, step: i8) -> Option<Square> {
    let number = i8::try_from(from as u8).ok()?.checked_add(step)?;
    usize::try_from(number).ok().and_then(|it| Square::ALL.get(it).copied())
}
