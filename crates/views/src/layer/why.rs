//! The reason why a square is in a layer, in words.

use tabiya::movegen::CheckFacts;
use tabiya::{Bitboard, Board, Color, Line, PlacedPiece, Position, Role, Square, attacks};

use super::{Layer, table};
use crate::Scene;

/// The reason why a square is in a layer of the scene, in words, such as "the rook on e8 attacks it
/// with the king removed".
///
/// `None` if the square is not in the layer, or if there is nothing to say beyond the layer's
/// [description](super::LayerKind::description).
///
/// ```
/// use tabiya::Square;
/// use tabiya_views::{Layer, PositionText, layer::why};
/// let scene = PositionText::new("4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1").scene().unwrap();
/// let reason = |text: &str, square| why(&scene, &Layer::parse(text).unwrap(), square);
/// assert_eq!(
///     reason("pinned", Square::E2).as_deref(),
///     Some("the bishop on e2 is pinned on the e-file by the rook on e8"),
/// );
/// assert_eq!(
///     reason("checkers", Square::D3).as_deref(),
///     Some("the knight on d3 gives check to the king on e1"),
/// );
/// assert_eq!(reason("pinned", Square::D3), None);
/// ```
pub fn why(scene: &Scene, layer: &Layer, square: Square) -> Option<String> {
    if !layer.squares(scene).ok()?.has(square) {
        return None;
    }
    let (name, argument) = match layer.text().split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (layer.text(), None),
    };
    let reasons = Reasons { board: &scene.setup.board, square };
    let of_board = reasons.of_board(name, argument);
    of_board.or_else(|| reasons.of_position(scene.position.as_ref().ok()?, name, argument))
}

struct Reasons<'a> {
    board: &'a Board,
    square: Square,
}

impl Reasons<'_> {
    /// Layers of the pieces.
    fn of_board(&self, name: &str, argument: Option<&str>) -> Option<String> {
        let (board, square) = (self.board, self.square);
        let origin = argument.and_then(|text| text.get(..2)?.parse::<Square>().ok());
        let color = Color::ALL.into_iter().find(|color| Some(color.name()) == argument);
        let attackers = |role: Option<Role>| {
            let pieces = role.map_or(Bitboard::FULL, |role| board.role(role)) & board.color(color?);
            Some(self.attacked_by(board.attackers_to(square) & pieces))
        };
        match (name, origin) {
            ("attacks", Some(origin)) => Some(format!("{} attacks it", self.piece(origin))),
            ("attacks", None) => attackers(None),
            ("pawn-attacks", _) => attackers(Some(Role::Pawn)),
            ("knight-attacks", _) => attackers(Some(Role::Knight)),
            ("bishop-attacks", _) => attackers(Some(Role::Bishop)),
            ("rook-attacks", _) => attackers(Some(Role::Rook)),
            ("queen-attacks", _) => attackers(Some(Role::Queen)),
            ("king-attacks", _) => attackers(Some(Role::King)),
            ("attackers", Some(target)) => Some(format!("{} attacks {target}", self.piece(square))),
            ("xray", Some(slider)) => Some(self.xray(slider)),
            ("xrays", _) => {
                let rays = attacks::rook_rays(square) | attacks::bishop_rays(square);
                let sliders = rays & board.color(color?);
                let behind = |&slider: &Square| {
                    let role = board.role_on(slider).filter(|role| is_slider(*role));
                    role.is_some_and(|role| table::xray(board, role, slider).has(square))
                };
                Some(and(sliders.iter().filter(behind).map(|slider| self.xray(slider))))
            }
            ("ray-before", Some(_)) if board.occupied().has(square) => {
                Some(format!("{} is the first blocker", self.piece(square)))
            }
            ("ray-after", Some(origin)) => {
                let blockers = attacks::between(origin, square) & board.occupied();
                Some(format!("it lies behind {}", self.piece(nearest(blockers, origin)?)))
            }
            _ => None,
        }
    }

    /// Layers of a playable position.
    fn of_position(
        &self,
        position: &Position,
        name: &str,
        argument: Option<&str>,
    ) -> Option<String> {
        let (board, square) = (self.board, self.square);
        let facts = position.legality();
        let checker = facts.checkers.first();
        let no_check = || "there is no check, so every square is allowed".to_owned();
        match name {
            "checkers" => Some(format!(
                "{} gives check to the king on {}{}",
                self.piece(square),
                facts.king,
                along(facts.king, square, self.piece(square).role)
            )),
            "pinned" => Some(self.pinned(position, square)?),
            "pinners" => {
                let behind =
                    |&piece: &Square| board.slider_behind(facts.king, piece) == Some(square);
                let pinned = facts.pinned.iter().find(behind)?;
                let line = Line::through(facts.king, square);
                Some(format!("{} pins {} on the {line}", self.piece(square), self.piece(pinned)))
            }
            "pin-line" => {
                let piece = argument?.parse().ok()?;
                if !facts.pinned.has(piece) {
                    return Some(format!("{} is not pinned", self.piece(piece)));
                }
                self.pinned(position, piece)
            }
            "pin-lines" => {
                let on_line = facts.pinned.iter().filter(|&it| facts.pin_line(it).has(square));
                Some(and(on_line.filter_map(|piece| self.pinned(position, piece))))
            }
            "king-danger" => Some(self.king_danger(position)),
            "capture-mask" | "push-mask" | "check-mask" => Some(match checker {
                None => no_check(),
                Some(checker) if checker == square => {
                    format!("capturing {} ends the check", self.piece(checker))
                }
                Some(checker) => {
                    format!("a piece here blocks the check from {}", self.piece(checker))
                }
            }),
            "targets" => {
                let moves = match argument {
                    None => position.legal_moves(),
                    Some(origin) => {
                        let from = origin.parse::<Square>().ok()?;
                        let mut moves = position.legal_moves();
                        moves.retain(|mv| mv.from() == from);
                        moves
                    }
                };
                let here = moves.iter().filter(|mv| mv.to() == square);
                Some(format!("legal: {}", list(here.map(|mv| position.san(*mv).to_string()))))
            }
            "en-passant" | "en-passant-pseudo-legal" => {
                let captures = table::en_passant(position);
                let traps: Vec<_> = table::en_passant_traps(position).collect();
                Some(and(captures.iter().map(|mv| {
                    let (by, victim) =
                        (self.piece(mv.from()), Square::new(mv.to().file(), mv.from().rank()));
                    match traps.iter().find(|(trap, _)| trap == mv) {
                        Some((_, reason)) => format!("{by} may not capture: {reason}"),
                        None if position.is_legal(*mv) => {
                            format!("{by} can capture {} en passant", self.piece(victim))
                        }
                        None => format!("{by} may not capture: it leaves the king in check"),
                    }
                })))
            }
            "en-passant-trap" => {
                let mut traps = table::en_passant_traps(position);
                let (_, reason) = traps.find(|(mv, _)| mv.from() == square)?;
                Some(reason.to_string())
            }
            "discoverers" => {
                let king = CheckFacts::of(position).king;
                let slider = board.slider_behind(king, square)?;
                let line = Line::through(king, slider);
                let (piece, slider) = (self.piece(square), self.piece(slider));
                Some(format!("when {piece} leaves the {line}, {slider} gives check"))
            }
            "castling" | "castling-king-path" | "castling-clear" => {
                Some(self.castling(position, name))
            }
            _ => None,
        }
    }

    /// A piece that stands on a square.
    fn piece(&self, square: Square) -> PlacedPiece {
        PlacedPiece { role: self.board.role_on(square).unwrap_or(Role::Pawn), square }
    }

    fn attacked_by(&self, attackers: Bitboard) -> String {
        let pieces = list(attackers.iter().map(|attacker| self.piece(attacker).to_string()));
        format!("{pieces} {} it", if attackers.has_many() { "attack" } else { "attacks" })
    }

    fn xray(&self, slider: Square) -> String {
        let blockers = attacks::between(slider, self.square) & self.board.occupied();
        let slider_text = self.piece(slider);
        match nearest(blockers, slider) {
            Some(blocker) => format!("{slider_text} attacks it through {}", self.piece(blocker)),
            None => format!("{slider_text} attacks it"),
        }
    }

    fn pinned(&self, position: &Position, piece: Square) -> Option<String> {
        let king = position.legality().king;
        let by = self.board.slider_behind(king, piece)?;
        let line = Line::through(king, by);
        Some(format!("{} is pinned on the {line} by {}", self.piece(piece), self.piece(by)))
    }

    fn king_danger(&self, position: &Position) -> String {
        let attackers = position.generator().king_attackers(self.square);
        let direct = attackers & self.board.attackers_to(self.square);
        let through = attackers - direct;
        let mut reasons = Vec::new();
        if direct.any() {
            reasons.push(self.attacked_by(direct));
        }
        if through.any() {
            reasons.push(format!("{} with the king removed", self.attacked_by(through)));
        }
        and(reasons.into_iter())
    }

    fn castling(&self, position: &Position, name: &str) -> String {
        let square = self.square;
        let reasons = table::castlings(position).filter_map(|it| {
            let (color, side) = (it.color, it.side);
            let occupant = || match self.board.role_on(square) {
                Some(_) => format!(", but {} stands there", self.piece(square)),
                None => String::new(),
            };
            let attackers = || {
                let enemies = self.board.color(!color);
                let attackers = self.board.attackers_to(square) & enemies;
                match attackers.is_empty() {
                    true => String::new(),
                    false => format!(", but {}", self.attacked_by(attackers)),
                }
            };
            match name {
                "castling" => (it.rook == square)
                    .then(|| format!("{color} has the right to castle with it on the {side}")),
                "castling-king-path" if square == side.king_target(color) => Some(format!(
                    "{color}'s king lands on it when it castles on the {side}{}",
                    attackers()
                )),
                "castling-king-path" => side.king_path(color, it.king).has(square).then(|| {
                    format!("{color}'s king crosses it to castle on the {side}{}", attackers())
                }),
                _ => side.clear_squares(color, it.king, it.rook).has(square).then(|| {
                    format!("it must be empty for {color} to castle on the {side}{}", occupant())
                }),
            }
        });
        and(reasons)
    }
}

/// The line on which a slider gives check.
fn along(king: Square, checker: Square, role: Role) -> String {
    match is_slider(role) {
        true => format!(" along the {}", Line::through(king, checker)),
        false => String::new(),
    }
}

const fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// The square of a line that is nearest to a square at its end.
fn nearest(squares: Bitboard, from: Square) -> Option<Square> {
    if squares.first()? > from { squares.first() } else { squares.last() }
}

/// Clauses, one after another.
fn and(clauses: impl Iterator<Item = String>) -> String {
    clauses.collect::<Vec<_>>().join("; ")
}

/// A list with "and" before its last item.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    match &items[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => items.concat(),
    }
}
