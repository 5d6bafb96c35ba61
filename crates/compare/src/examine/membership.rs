//! Finds the list of a program that prints only totals, move by move: if a program refuses a line
//! with an illegal move, it shows which moves it considers legal.

use tabiya::{Move, Position, Role};

use super::candidates::{illegal_moves, special_first};
use super::examiner::Examiner;
use crate::generator::{Divide, Query, Trouble};
use crate::truth;

/// Does a move, with its text, belong to a group?
type Group<'a> = &'a dyn Fn(&Move, &str) -> bool;

impl Examiner<'_> {
    /// Finds the list of moves. If the number of moves is right, the list is assumed to be right:
    /// two errors that cancel out show at greater depths.
    ///
    /// # Errors
    /// [`Trouble::Unsupported`] if the program does not show which moves it considers legal.
    pub(super) fn list_by_lines(&mut self, query: &Query) -> Result<Divide, Trouble> {
        let Some(here) = truth::position_of(query) else { return Err(Trouble::Unsupported) };
        let query = Query { depth: 1, ..query.clone() };
        let got = self.count_moves(&query)?;
        let legal: Vec<String> =
            here.legal_moves().into_iter().map(|mv| here.uci(mv).to_string()).collect();
        if query.moves.is_empty() {
            self.memory.counted.push((here.clone(), got));
        }
        if got == legal.len() as u128 {
            return Ok(Divide::of_moves(legal));
        }
        let model = self.counting_model(&here, 1, legal.len() as u128, got);
        if model.is_some_and(|it| !it.is_special()) || !self.refuses_illegal_moves() {
            return Err(Trouble::Unsupported);
        }
        let off = i128::try_from(got).unwrap_or(i128::MAX) - legal.len() as i128;
        let illegal = illegal_moves(&here);
        if off > illegal.len() as i128 {
            return Err(Trouble::Unsupported);
        }
        // Moves that were listed twice in an earlier answer may be listed twice again.
        if self.memory.has_doubles
            && off > 0
            && let Ok(twice) = self.duplicates(&query, &here, &legal, off)
        {
            return Ok(Divide::of_moves(legal.into_iter().chain(twice).collect()));
        }
        let mut list = Listing { extra: Vec::new(), missing: Vec::new(), off };
        let suspects: Vec<String> = self.memory.suspects.clone();
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
            self.memory.suspects.retain(|it| *it != mv);
            self.memory.suspects.insert(0, mv);
        }
        self.memory.suspects.truncate(12);
        self.memory.miscounts = list.off < 0;
        if list.off != 0 {
            let twice = self.duplicates(&query, &here, &moves, list.off)?;
            self.memory.has_doubles = true;
            moves.extend(twice);
        }
        Ok(Divide::of_moves(moves))
    }

    /// The count at depth 1. The same question is not asked twice in a row.
    pub(super) fn count_moves(&mut self, query: &Query) -> Result<u128, Trouble> {
        if let Some((known, got)) = &self.memory.last_count
            && known == query
        {
            return Ok(*got);
        }
        let got = self.session.count(query)?;
        self.memory.last_count = Some((query.clone(), got));
        Ok(got)
    }

    /// Asks about moves until they explain the number. The promotions of one pawn stay together.
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

    /// Does the program play this move? If so, it answers a question about the position after it.
    fn knows(&mut self, query: &Query, mv: &str) -> Result<bool, Trouble> {
        let moves = query.moves.iter().cloned().chain([mv.to_owned()]).collect();
        let question = Query { moves, ..query.clone() };
        match self.session.count(&question) {
            Ok(_) => Ok(true),
            Err(Trouble::Crash(_) | Trouble::EarlyExit | Trouble::Garbage(_)) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    /// The moves that are counted more than once, if all moves are known and the number is still
    /// too large.
    fn duplicates(
        &mut self,
        query: &Query,
        here: &Position,
        moves: &[String],
        off: i128,
    ) -> Result<Vec<String>, Trouble> {
        let Ok(off) = usize::try_from(off) else { return Err(Trouble::Unsupported) };
        // One ply deeper, the total exceeds the sum by the counts below the duplicated moves.
        let deeper = Query { depth: 2, ..query.clone() };
        let total = self.session.count(&deeper)?;
        let legal: Vec<(Move, String)> =
            here.legal_moves().into_iter().map(|mv| (mv, here.uci(mv).to_string())).collect();
        let mut below = Vec::new();
        for mv in moves {
            let line = query.moves.iter().cloned().chain([mv.clone()]).collect();
            let question = Query { moves: line, ..query.clone() };
            below.push((mv.clone(), self.session.count(&question)?));
        }
        let sum: u128 = below.iter().map(|(_, count)| count).sum();
        let surplus = total.checked_sub(sum).ok_or(Trouble::Unsupported)?;
        // The group must explain both the number of moves and their counts.
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

    /// Does the program give no answer if a move of the line is illegal? This is asked only once.
    fn refuses_illegal_moves(&mut self) -> bool {
        const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        if let Some(known) = self.memory.refuses {
            return known;
        }
        let question = Query::of_fen(FEN, 1);
        let refuses = self.session.takes_moves()
            && self.knows(&question, "e2e4") == Ok(true)
            && self.knows(&question, "e2d4") == Ok(false)
            && self.knows(&question, "d5d6") == Ok(false);
        self.memory.refuses = Some(refuses);
        refuses
    }
}

/// The known facts about a list.
struct Listing {
    extra: Vec<String>,
    missing: Vec<String>,
    /// The number of extra moves minus the number of missing moves, without the known ones.
    off: i128,
}
