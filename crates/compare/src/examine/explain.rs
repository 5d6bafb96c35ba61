//! Searches for the faults that explain an answer, and everything else that was seen.

use tabiya::fen::EnPassantMode;
use tabiya::{Piece, Role, Setup, SplitMix64, Square, UciMove, attacks};

use super::Examiner;
use super::cause::{Cause, Root};
use super::shrink::replay;
use crate::class::Class;
use crate::evidence::Observation;
use crate::models::{Fault, Model, Rule};
use crate::question::Question;
use crate::truth;

/// The most questions that tell faults apart.
const MOST_QUESTIONS: usize = 16;
/// The most further questions of the pool that confirm a fault.
const CONFIRMATIONS: usize = 3;
/// The most variants of the example that confirm it.
const VARIANTS: usize = 10;
/// How often a variant is tried.
const TRIES: usize = 40;
/// Fewer confirmations prove nothing.
const FEWEST: usize = 2;
/// The most candidates that are told apart.
const MOST_CANDIDATES: usize = 60;
/// The most earlier answers of depth 2 and more that a candidate is tested against.
const MOST_COUNTS: usize = 300;
/// The most large ones, which show counters with few bits.
const MOST_LARGE: usize = 40;

impl Examiner<'_> {
    /// Reduces a question whose answer the model doesn't give, and explains it. Returns whether
    /// the model has changed.
    pub(super) fn explain(&mut self, question: &Question) -> bool {
        let original = self.descend(question);
        if self.session.is_stopped() {
            return false;
        }
        let Some(before) = self.evidence.known(&original).cloned() else { return false };
        let since_start = self.since_start.clone();
        match self.ask_new(&original) {
            Ok(again) if self.agrees(&again) => {
                self.after_others(&before, &since_start);
                return false;
            }
            Ok(_) => {}
            Err(_) => return false,
        }
        if self.evidence.known(&original).is_some_and(|seen| self.is_beyond(seen)) {
            return false;
        }
        let smallest = self.shrink(&original, &mut |examiner, it| examiner.differs(it));
        let Ok(seen) = self.ask(&smallest) else { return false };
        if smallest.depth > 1 {
            self.learn_orders(&smallest);
        }
        let is_count = smallest.depth > 1
            || seen.answer.listed(&seen.here).is_none_or(|_| self.lists_agree(&seen));
        let takes_moves = self.session.takes_moves();
        let is_candidate = |fault: &Fault| match is_count && seen.answer.moves.is_some() {
            true => {
                fault.at_leaves
                    || fault.rule.is_of_counts()
                    || fault.rule.is_of_doubles()
                    || fault.rule.is_of_ends()
                    || !takes_moves && fault.rule.is_of_play()
            }
            false => true,
        };
        let model = self.find_model(&seen, is_candidate);
        if let Some(model) = model {
            return self.accept(model, &original, &smallest);
        }
        if seen.is_right {
            return self.refute(&seen);
        }
        if self.session.is_stopped() {
            return false;
        }
        self.without_model(&original, &smallest, is_count);
        false
    }

    /// Explains an answer as it is. Returns whether the model has changed.
    pub(super) fn explain_with(
        &mut self,
        seen: &Observation,
        is_candidate: impl Fn(&Fault) -> bool,
    ) -> bool {
        match self.find_model(seen, is_candidate) {
            Some(model) => self.accept(model, &seen.question, &seen.question),
            None => false,
        }
    }

    /// Is there a fault that explains the answer, without further questions about it?
    pub(super) fn explains_at_once(&mut self, seen: &Observation) -> bool {
        seen.question.depth == 1 && self.explain_with(seen, |fault| !fault.rule.is_of_counts())
    }

    /// Is the list that of the model, so that only a number is wrong?
    fn lists_agree(&self, seen: &Observation) -> bool {
        let listed = seen.answer.listed(&seen.here).map(|mut it| {
            it.sort_unstable();
            it
        });
        let mut right = self.model.list(&seen.question);
        right.sort_unstable();
        listed == Some(right)
    }

    /// Takes back the faults that are wrong about a right answer. What they explained has another
    /// cause. Returns whether there were any.
    fn refute(&mut self, seen: &Observation) -> bool {
        let faults = self.model.faults().to_vec();
        let is_wrong =
            |fault: &Fault| self.evidence.fits(&self.model.without(*fault), seen) == Some(true);
        let Some(refuted) = faults.into_iter().find(is_wrong) else { return false };
        self.model = self.model.without(refuted);
        let is_its = |cause: &Cause| cause.root == Root::Faults(vec![refuted]);
        for cause in &mut self.causes {
            if let Root::Faults(faults) = &mut cause.root
                && faults.len() > 1
            {
                faults.retain(|it| *it != refuted);
            }
        }
        if let Some(place) = self.causes.iter().position(is_its) {
            let cause = self.causes.remove(place);
            let is_count = cause.smallest.depth > 1;
            self.without_model(&cause.original, &cause.smallest, is_count);
        }
        true
    }

    /// Adds the faults of a new model to the causes.
    fn accept(&mut self, model: Model, original: &Question, smallest: &Question) -> bool {
        let model = self.without_needless(model);
        let old = std::mem::replace(&mut self.model, model);
        let gone = |fault: &Fault| !self.model.faults().contains(fault);
        let gone: Vec<Fault> = old.faults().iter().copied().filter(gone).collect();
        // A fault that was refuted leaves its examples to the one in its place.
        let mut examples = vec![(original.clone(), smallest.clone())];
        let mut steps = vec![self.step];
        for cause in &mut self.causes {
            if let Root::Faults(faults) = &mut cause.root {
                let before = faults.len();
                faults.retain(|it| !gone.contains(it));
                if faults.len() < before {
                    examples.push((cause.original.clone(), cause.smallest.clone()));
                    steps.push(cause.step);
                }
            }
        }
        self.causes.retain(|it| it.root != Root::Faults(Vec::new()));
        let new: Vec<Fault> =
            self.model.faults().iter().copied().filter(|it| !old.faults().contains(it)).collect();
        for fault in new {
            // The example must show this fault: the program may be right where another was refuted.
            let shows = |(_, smallest): &&(Question, Question)| {
                self.evidence.known(smallest).is_some_and(|seen| !seen.is_right)
            };
            let Some((original, smallest)) = examples.iter().rfind(shows).cloned() else {
                continue;
            };
            let step = steps.iter().copied().min().unwrap_or(self.step);
            let cause = self.add_example(
                fault.class(),
                Root::Faults(vec![fault]),
                &original,
                &smallest,
                true,
            );
            cause.step = cause.step.min(step);
        }
        self.settle();
        true
    }

    /// The model without the faults that others explain as well.
    fn without_needless(&self, mut model: Model) -> Model {
        for fault in model.faults().to_vec() {
            let fewer = model.without(fault);
            let is_needless = self.evidence.all.iter().all(|seen| {
                seen.is_right && self.evidence.fits(&fewer, seen) != Some(false)
                    || self.evidence.fits(&model, seen) != Some(true)
                    || self.evidence.fits(&fewer, seen) == Some(true)
            });
            if is_needless {
                model = fewer;
            }
        }
        model
    }

    /// The model that explains an answer and all that was seen before: with another fault in the
    /// place of one, or with one fewer, or with one more.
    fn find_model(
        &mut self,
        seen: &Observation,
        is_candidate: impl Fn(&Fault) -> bool,
    ) -> Option<Model> {
        let missing = seen.missing();
        let suggested = missing.iter().filter_map(|mv| Fault::hole(&seen.here, *mv));
        let faults: Vec<Fault> =
            Fault::all().into_iter().chain(suggested).filter(is_candidate).collect();
        // One fault is likelier than two.
        let fewer = self.model.faults().iter().map(|&fault| self.model.without(fault));
        let bases: Vec<Model> = fewer.chain([self.model.clone()]).collect();
        for base in &bases {
            let fewer = (*base != self.model).then(|| base.clone());
            let mut models: Vec<Model> =
                fewer.into_iter().chain(faults.iter().map(|&fault| base.with(fault))).collect();
            models.retain(|model| {
                *model != self.model
                    && self.evidence.fits(model, seen) == Some(true)
                    && self.explains_examples(model)
            });
            models.truncate(MOST_CANDIDATES);
            models.retain(|model| self.is_allowed(base, model));
            let best = self.told_apart(base, models, &seen.question);
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// Does a model explain the examples of the faults that are known?
    fn explains_examples(&self, model: &Model) -> bool {
        let of_faults = self.causes.iter().filter(|it| matches!(it.root, Root::Faults(_)));
        let mut examples = of_faults.filter_map(|it| self.evidence.known(&it.smallest));
        examples.all(|seen| seen.is_right || self.evidence.fits(model, seen) != Some(false))
    }

    /// May a program like this have given all answers so far?
    fn is_allowed(&self, base: &Model, model: &Model) -> bool {
        let (lists, counts): (Vec<_>, Vec<_>) =
            self.evidence.all.iter().partition(|seen| seen.question.depth <= 1);
        let size = |seen: &&Observation| std::cmp::Reverse(seen.answer.count(seen.question.depth));
        let mut counts = counts;
        counts.sort_by_key(size);
        let is_of_counts = model.faults().iter().any(|it| it.rule.is_of_counts());
        let large = if is_of_counts { MOST_LARGE } else { 0 };
        let small = counts
            .into_iter()
            .enumerate()
            .filter(|(index, it)| *index < large || it.answer.count(it.question.depth) < 3_000);
        let small = small.map(|(_, it)| it);
        let is_of_key = model.faults().iter().any(|it| matches!(it.rule, Rule::Key(_)));
        lists.into_iter().chain(small.take(MOST_COUNTS)).all(|seen| {
            let is_explained =
                !seen.is_right && self.evidence.fits(&self.model, seen) == Some(true);
            // What a table keeps depends on the questions before.
            is_of_key && seen.question.depth > 1
                || self.evidence.allows(base, model, seen)
                    && (!is_explained || self.evidence.fits(model, seen) != Some(false))
        })
    }

    /// Asks questions whose answers tell models apart, until one is left or none of the questions
    /// does. The first one left is the simplest.
    fn told_apart(
        &mut self,
        base: &Model,
        mut models: Vec<Model>,
        example: &Question,
    ) -> Option<Model> {
        for _ in 0..MOST_QUESTIONS {
            if models.len() < 2 || self.session.is_stopped() {
                break;
            }
            let Some(question) = self.telling(&models, example) else { break };
            let Ok(seen) = self.ask(&question) else { break };
            // A model that gives the answer is better than one that leaves a part of it to others.
            let fits = |model: &Model| self.evidence.fits(model, &seen) == Some(true);
            let is_given = models.iter().any(fits);
            models.retain(|model| match is_given {
                true => fits(model),
                false => self.evidence.allows(base, model, &seen),
            });
        }
        models.into_iter().find(|model| self.is_confirmed(base, model, example))
    }

    /// Does the program answer as the model says at further questions that the new fault touches?
    /// Some are of the pool, and others are the example with more pieces.
    fn is_confirmed(&mut self, base: &Model, model: &Model, example: &Question) -> bool {
        let takes_moves = self.session.takes_moves();
        let touches = |examiner: &Self, question: &Question| {
            let predict = |model| examiner.evidence.predict(model, question);
            matches!((predict(base), predict(model)), (Some(before), Some(after)) if before.differs(&after))
        };
        let mut variants = fuller(example);
        variants.extend(self.shuffled(base, model, example));
        let (mut confirmations, mut of_pool) = (0, 0);
        let pool = self.pool.clone();
        for (questions, most) in [(variants, VARIANTS), (pool, CONFIRMATIONS)] {
            let mut left = most;
            for question in questions {
                if left == 0 || self.session.is_stopped() {
                    break;
                }
                let is_usable = question.path.is_empty() || takes_moves;
                let is_known = self.evidence.known(&question).is_some();
                if !is_usable || is_known || !touches(self, &question) {
                    continue;
                }
                let Ok(seen) = self.ask(&question) else { continue };
                if !self.evidence.allows(base, model, &seen) {
                    return false;
                }
                left -= 1;
                confirmations += 1;
                of_pool += usize::from(most == CONFIRMATIONS);
            }
        }
        // Where something unknown is wrong as well, variants of one example are no evidence.
        let is_doubtful = self.causes.iter().any(|it| it.class == Class::ListWrong);
        confirmations >= FEWEST && (of_pool >= FEWEST || !is_doubtful)
    }

    /// The question with the pieces elsewhere that don't take part in the moves that the fault changes.
    fn shuffled(&self, base: &Model, model: &Model, question: &Question) -> Vec<Question> {
        let (before, after) = (base.list(question), model.list(question));
        let changed = before.iter().filter(|mv| !after.contains(mv));
        let changed = changed.chain(after.iter().filter(|mv| !before.contains(mv)));
        let start = &question.start;
        let mut kept = start.castling_rights().rooks();
        for mv in changed {
            kept = kept.with(mv.from).with(mv.to);
        }
        let setup = start.to_setup_with(EnPassantMode::Always);
        if let Some(crossed) = setup.en_passant {
            kept |= attacks::king(crossed);
        }
        let mut random = SplitMix64::new(start.count_legal() as u64 + 1);
        let others: Vec<_> = setup.board.iter().filter(|(square, _)| !kept.has(*square)).collect();
        (0..TRIES)
            .filter_map(|_| {
                let mut setup = setup.clone();
                others.iter().for_each(|(square, _)| setup.board.set(*square, None));
                for (_, piece) in &others {
                    let free: Vec<Square> = (!setup.board.occupied() & !kept).into_iter().collect();
                    setup.board.set(free[random.below(free.len())], Some(*piece));
                }
                usable(&setup, question)
            })
            .collect()
    }

    /// The question of the pool to which the models give the most different answers, and which
    /// wasn't asked.
    fn telling(&self, models: &[Model], example: &Question) -> Option<Question> {
        let takes_moves = self.session.takes_moves();
        let mut best: Option<(usize, Question)> = None;
        let mirrored = mirrored(example);
        for question in mirrored.iter().chain(&self.pool) {
            let is_known = self.evidence.known(question).is_some();
            if is_known || !question.path.is_empty() && !takes_moves {
                continue;
            }
            let mut answers: Vec<_> = models
                .iter()
                .filter_map(|model| {
                    let mut predicted = self.evidence.predict(model, question)?;
                    predicted.moves.sort_unstable();
                    Some((predicted.moves, predicted.total))
                })
                .collect();
            answers.sort_unstable();
            answers.dedup();
            if answers.len() > 1 && best.as_ref().is_none_or(|(most, _)| answers.len() > *most) {
                best = Some((answers.len(), question.clone()));
                if answers.len() == models.len() {
                    break;
                }
            }
        }
        best.map(|(_, question)| question)
    }

    /// An answer that no fault explains: what experiments show, or only what is known.
    pub(crate) fn without_model(
        &mut self,
        original: &Question,
        smallest: &Question,
        is_count: bool,
    ) {
        let alone = smallest.by_fen(EnPassantMode::Always);
        let is_played = !smallest.path.is_empty() && !self.differs(&alone);
        if is_played {
            // It was wrong in this process. Is it in a new one, and right by FEN?
            let is_wrong = self.ask_new(smallest).is_ok_and(|seen| !self.agrees(&seen));
            let is_right = self.ask_new(&alone).is_ok_and(|seen| self.agrees(&seen));
            if is_wrong && is_right {
                let root = Root::Experiment;
                let cause = self.add_example(Class::StatePlay, root, original, smallest, true);
                cause.note = Some("the same position by FEN has the right moves".to_owned());
                return;
            }
        }
        let class = if is_count { Class::CountWrong } else { Class::ListWrong };
        self.add_example(class, Root::Unknown, original, smallest, false);
    }
}

/// The question with a few more pieces, in several ways. A list that's cut short, for instance, looks
/// like a missing rule where there are few moves.
fn fuller(question: &Question) -> Vec<Question> {
    let mut random = SplitMix64::new(question.start.count_legal() as u64);
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];
    (0..TRIES)
        .filter_map(|index| {
            let mut setup = question.start.to_setup_with(EnPassantMode::Always);
            for _ in 0..1 + index % 4 {
                let square = Square::ALL[random.below(64)];
                let color = if random.below(3) > 0 {
                    question.start.turn()
                } else {
                    !question.start.turn()
                };
                let role = roles[random.below(roles.len())];
                if setup.board.piece_on(square).is_none() && setup.en_passant != Some(square) {
                    setup.board.set(square, Some(Piece { role, color }));
                }
            }
            usable(&setup, question)
        })
        .collect()
}

/// The question with the colours swapped.
fn mirrored(question: &Question) -> Option<Question> {
    let start = question.start.mirrored();
    let (mut before, mut here) = (question.start.clone(), start.clone());
    let mut path = Vec::new();
    for &mv in &question.path {
        let uci = before.uci(mv);
        let (from, to) = (uci.from.flip_ranks(), uci.to.flip_ranks());
        let same = here.find_uci(UciMove { from, to, ..uci })?;
        path.push(same);
        (before, here) = (before.play(mv), here.play(same));
    }
    Some(Question { start, path, ..question.clone() })
}

/// The question in another setup, if it's small and can be asked.
fn usable(setup: &Setup, question: &Question) -> Option<Question> {
    let (start, path) = replay(setup, question)?;
    let other = Question { start, path, ..question.clone() };
    let most = if other.depth == 1 {
        u128::MAX
    } else {
        2 * truth::perft(&question.position(), other.depth)
    };
    let is_small = truth::has_at_most(&other.position(), other.depth, most.max(3_000));
    (is_small && truth::is_reachable(&other.start)).then_some(other)
}
