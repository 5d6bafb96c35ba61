//! Every layer, compared with a slow computation square by square.

use std::collections::BTreeSet;

use tabiya::{
    Bitboard, Board, Color, MoveKind, Piece, Position, Role, Setup, Square, fen::EnPassantMode,
};
use tabiya_views::layer::{ArgumentForm, LayerErrorKind, completions, why};
use tabiya_views::{InputError, Layer, LayerKind, Scene};

const POSITIONS: [&str; 13] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // A check by a knight, with a pin.
    "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1",
    // A check by a slider that can be blocked; Black to move.
    "4k3/8/8/8/8/8/r3R3/4K3 b - - 0 1",
    // A double check.
    "k3r3/8/8/8/8/3n4/8/4K2R w K - 0 1",
    // A legal en-passant capture, and castling rights that only Chess960 has.
    "1r2k3/8/8/3pP3/8/8/8/1R2K3 w Bb d6 0 2",
    // A pin on a diagonal; Black to move.
    "7k/6p1/8/3bB3/8/1Q6/6n1/K5R1 b - - 0 1",
    // Both pawns would leave the rank of the king; in the second one, the capturing pawn is pinned.
    "4k3/8/8/K2pP2q/8/8/8/8 w - d6 0 1",
    "4r2k/8/8/3pPP2/8/8/8/4K3 w - d6 0 1",
    // A check that an en-passant capture does not end.
    "4k3/8/8/3pP3/8/8/8/r3K2R w K d6 0 1",
    // A piece that shields the opponent's king, and sliders behind one another.
    "3qk2r/8/8/8/4N3/8/8/R2QRRK1 w k - 0 1",
];

fn scene(fen: &str) -> Scene {
    Setup::from_fen(fen).unwrap().into()
}

type Squares = BTreeSet<Square>;

fn of(squares: impl IntoIterator<Item = Square>) -> Squares {
    squares.into_iter().collect()
}

/// Steps by files and ranks, to the north first and then clockwise.
const DIRECTIONS: [(&str, i8, i8); 8] = [
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
];

/// The squares from one in a direction, to the edge.
fn ray(from: Square, files: i8, ranks: i8) -> Vec<Square> {
    (1..8).map_while(|steps| from.offset(files * steps, ranks * steps)).collect()
}

/// The part of a ray up to and including its first piece.
fn open(ray: &[Square], is_occupied: &dyn Fn(Square) -> bool) -> Vec<Square> {
    let end = ray.iter().position(|&square| is_occupied(square)).map_or(ray.len(), |at| at + 1);
    ray[..end].to_vec()
}

fn steps(from: Square, steps: &[(i8, i8)]) -> Squares {
    steps.iter().filter_map(|&(files, ranks)| from.offset(files, ranks)).collect()
}

fn directions(role: Role) -> Vec<(i8, i8)> {
    let is_of = |files: i8, ranks: i8| match role {
        Role::Rook => files == 0 || ranks == 0,
        Role::Bishop => files != 0 && ranks != 0,
        _ => true,
    };
    let steps = DIRECTIONS.iter().map(|&(_, files, ranks)| (files, ranks));
    steps.filter(|&(files, ranks)| is_of(files, ranks)).collect()
}

fn is_slider(role: &Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// In each direction, the squares after the first piece, up to the second.
fn xray(slider: Role, from: Square, is_occupied: &dyn Fn(Square) -> bool) -> Squares {
    let behind = |(files, ranks)| {
        let ray = ray(from, files, ranks);
        let first = open(&ray, is_occupied).len();
        open(&ray[first..], is_occupied)
    };
    of(directions(slider).into_iter().flat_map(behind))
}

fn slides(role: Role, from: Square, is_occupied: &dyn Fn(Square) -> bool) -> Squares {
    of(directions(role)
        .into_iter()
        .flat_map(|(files, ranks)| open(&ray(from, files, ranks), is_occupied)))
}

fn attacks(piece: Piece, from: Square, is_occupied: &dyn Fn(Square) -> bool) -> Squares {
    match (piece.role, piece.color) {
        (Role::Pawn, Color::White) => steps(from, &[(-1, 1), (1, 1)]),
        (Role::Pawn, Color::Black) => steps(from, &[(-1, -1), (1, -1)]),
        (Role::Knight, _) => {
            let all = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
            steps(from, &all)
        }
        (Role::King, _) => steps(from, &directions(Role::Queen)),
        (slider, _) => slides(slider, from, is_occupied),
    }
}

/// A copy of the board as an array of squares, from which pieces can be removed.
struct Mailbox([Option<Piece>; 64]);

impl Mailbox {
    fn new(board: &Board) -> Self {
        Self(Square::ALL.map(|square| board.piece_on(square)))
    }

    fn without(&self, square: Square) -> Self {
        let mut squares = self.0;
        squares[square as usize] = None;
        Self(squares)
    }

    fn on(&self, square: Square) -> Option<Piece> {
        self.0[square as usize]
    }

    fn with(&self, condition: impl Fn(Piece) -> bool) -> Squares {
        of(Square::ALL.into_iter().filter(|&square| self.on(square).is_some_and(&condition)))
    }

    fn attacks_from(&self, square: Square) -> Squares {
        let piece = self.on(square).expect("a piece");
        attacks(piece, square, &|square| self.on(square).is_some())
    }

    fn attackers(&self, target: Square, color: Color) -> Squares {
        let mut attackers = self.with(|piece| piece.color == color);
        attackers.retain(|&square| self.attacks_from(square).contains(&target));
        attackers
    }

    fn attacks_by(&self, color: Color) -> Squares {
        let pieces = self.with(|piece| piece.color == color);
        of(pieces.into_iter().flat_map(|square| self.attacks_from(square)))
    }
}

/// The line through two squares, in both directions, and the squares strictly between them.
fn line_and_between(a: Square, b: Square) -> (Squares, Squares) {
    for (_, files, ranks) in DIRECTIONS {
        let forth = ray(a, files, ranks);
        if let Some(place) = forth.iter().position(|&square| square == b) {
            let line = forth.iter().copied().chain([a]).chain(ray(a, -files, -ranks));
            return (of(line), of(forth[..place].iter().copied()));
        }
    }
    (Squares::new(), Squares::new())
}

/// The king of the side to move, the checkers and the pinned pieces.
struct Facts {
    king: Square,
    checkers: Squares,
    pinned: Squares,
}

fn facts(position: &Position, mailbox: &Mailbox) -> Facts {
    let us = position.turn();
    let is_our_king = |piece: Piece| piece.color == us && piece.role == Role::King;
    let king = mailbox.with(is_our_king).into_iter().next().unwrap();
    let checkers = mailbox.attackers(king, !us);
    let mut pinned = mailbox.with(|piece| piece.color == us && piece.role != Role::King);
    // A piece is pinned if the king would be attacked by something else without it.
    pinned.retain(|&square| mailbox.without(square).attackers(king, !us) != checkers);
    Facts { king, checkers, pinned }
}

/// The squares that a layer of a playable position should show; `None` for an argument that it
/// cannot have.
fn expected(kind: &LayerKind, argument: &str, scene: &Scene) -> Option<Squares> {
    let mailbox = Mailbox::new(&scene.setup.board);
    match kind.name() {
        "board" => Some(Squares::new()),
        "castling" => Some(of(scene.setup.castling.rooks())),
        "castling-king-path" | "castling-clear" => Some(castling(kind.name(), scene, &mailbox)),
        _ => of_board(kind, argument, &mailbox)
            .unwrap_or_else(|| of_position(kind, argument, scene, &mailbox)),
    }
}

/// The squares of a layer that the board alone gives; `None` for another layer.
fn of_board(kind: &LayerKind, argument: &str, mailbox: &Mailbox) -> Option<Option<Squares>> {
    let is_occupied = |square: Square| mailbox.on(square).is_some();
    let square = || argument.parse::<Square>().unwrap();
    let role = |role: Role| Some(mailbox.with(|piece| piece.role == role));
    let would_attack =
        |color: Color, role: Role| Some(attacks(Piece { color, role }, square(), &is_occupied));
    let slider = || mailbox.on(square()).map(|piece| piece.role).filter(is_slider);
    let ray_of = || {
        let (square, direction) = argument.split_once('-').unwrap();
        let (_, files, ranks) = *DIRECTIONS.iter().find(|(name, ..)| *name == direction).unwrap();
        ray(square.parse().unwrap(), files, ranks)
    };
    let pair = || {
        let (a, b) = argument.split_once('-').unwrap();
        line_and_between(a.parse().unwrap(), b.parse().unwrap())
    };
    let color = match argument {
        "white" => Color::White,
        _ => Color::Black,
    };
    let attacks_of = |role: Role| {
        let pieces = mailbox.with(|piece| piece == role.of(color));
        Some(of(pieces.into_iter().flat_map(|square| mailbox.attacks_from(square))))
    };
    let shown = match (kind.name(), kind.form()) {
        ("occupancy", _) => Some(mailbox.with(|_| true)),
        ("white", _) => Some(mailbox.with(|piece| piece.color == Color::White)),
        ("black", _) => Some(mailbox.with(|piece| piece.color == Color::Black)),
        ("pawns", _) => role(Role::Pawn),
        ("knights", _) => role(Role::Knight),
        ("bishops", _) => role(Role::Bishop),
        ("rooks", _) => role(Role::Rook),
        ("queens", _) => role(Role::Queen),
        ("kings", _) => role(Role::King),
        ("attacks", ArgumentForm::Color) => Some(mailbox.attacks_by(color)),
        ("attacks", _) => is_occupied(square()).then(|| mailbox.attacks_from(square())),
        ("attackers", _) => {
            let sides = Color::ALL.map(|color| mailbox.attackers(square(), color));
            Some(of(sides.into_iter().flatten()))
        }
        ("white-pawn", _) => would_attack(Color::White, Role::Pawn),
        ("black-pawn", _) => would_attack(Color::Black, Role::Pawn),
        ("knight", _) => would_attack(Color::White, Role::Knight),
        ("bishop", _) => would_attack(Color::White, Role::Bishop),
        ("rook", _) => would_attack(Color::White, Role::Rook),
        ("queen", _) => would_attack(Color::White, Role::Queen),
        ("king", _) => would_attack(Color::White, Role::King),
        ("pawn-attacks", _) => attacks_of(Role::Pawn),
        ("knight-attacks", _) => attacks_of(Role::Knight),
        ("bishop-attacks", _) => attacks_of(Role::Bishop),
        ("rook-attacks", _) => attacks_of(Role::Rook),
        ("queen-attacks", _) => attacks_of(Role::Queen),
        ("king-attacks", _) => attacks_of(Role::King),
        ("xray", _) => slider().map(|slider| xray(slider, square(), &is_occupied)),
        ("xrays", _) => {
            let pieces = mailbox.with(|piece| piece.color == color && is_slider(&piece.role));
            Some(of(pieces
                .into_iter()
                .flat_map(|square| xray(mailbox.on(square).unwrap().role, square, &is_occupied))))
        }
        ("relevant", _) => slider().map(|slider| {
            // A square is relevant if a single piece on it changes the attacks.
            let empty = slides(slider, square(), &|_| false);
            let mut relevant = empty.clone();
            relevant.retain(|&blocker| slides(slider, square(), &|it| it == blocker) != empty);
            relevant
        }),
        ("ray", _) => Some(of(ray_of())),
        ("ray-before", _) => Some(of(open(&ray_of(), &is_occupied))),
        ("ray-after", _) => {
            let ray = ray_of();
            Some(of(ray[open(&ray, &is_occupied).len()..].iter().copied()))
        }
        ("between", _) => Some(pair().1),
        ("line", _) => Some(pair().0),
        _ => return None,
    };
    Some(shown)
}

/// The squares of a layer that depends on who is to move.
fn of_position(
    kind: &LayerKind,
    argument: &str,
    scene: &Scene,
    mailbox: &Mailbox,
) -> Option<Squares> {
    let position = scene.position.as_ref().unwrap();
    let facts = facts(position, mailbox);
    let is_occupied = |square: Square| mailbox.on(square).is_some();
    let square = || argument.parse::<Square>().unwrap();
    let all = || of(Square::ALL);
    let pin_line = |square: Square| match facts.pinned.contains(&square) {
        true => line_and_between(facts.king, square).0,
        false => all(),
    };
    let captures = || match facts.checkers.len() {
        0 => all(),
        1 => facts.checkers.clone(),
        _ => Squares::new(),
    };
    let pushes = || match (facts.checkers.len(), facts.checkers.first()) {
        (0, _) => all(),
        (1, Some(checker)) => line_and_between(facts.king, *checker).1,
        _ => Squares::new(),
    };
    let moves = position.legal_moves();
    let us = position.turn();
    // Pawns beside the pawn that has just moved, as the field of the FEN says.
    let passing = || {
        let to = position.to_setup_with(EnPassantMode::Always).en_passant;
        let beside = to.map(|to| attacks(Role::Pawn.of(!us), to, &is_occupied));
        let mut pawns = beside.unwrap_or_default();
        pawns.retain(|&pawn| mailbox.on(pawn) == Some(Role::Pawn.of(us)));
        (to, pawns)
    };
    match (kind.name(), kind.form()) {
        ("checkers", _) => Some(facts.checkers),
        ("pinned", _) => Some(facts.pinned),
        ("pinners", _) => Some(of(facts.pinned.iter().flat_map(|&square| {
            let attackers = mailbox.without(square).attackers(facts.king, !us);
            attackers
                .into_iter()
                .filter(|attacker| !facts.checkers.contains(attacker))
                .collect::<Vec<_>>()
        }))),
        ("pin-line", _) => is_occupied(square()).then(|| pin_line(square())),
        ("pin-lines", _) => {
            Some(of(facts.pinned.iter().flat_map(|&square| line_and_between(facts.king, square).0)))
        }
        ("king-danger", _) => Some(mailbox.without(facts.king).attacks_by(!position.turn())),
        ("capture-mask", _) => Some(captures()),
        ("push-mask", _) => Some(pushes()),
        ("check-mask", _) => Some(of(captures().into_iter().chain(pushes()))),
        ("targets", ArgumentForm::Nothing) => Some(moves.iter().map(|mv| mv.to()).collect()),
        ("targets", _) => is_occupied(square())
            .then(|| moves.iter().filter(|mv| mv.from() == square()).map(|mv| mv.to()).collect()),
        ("en-passant", _) => {
            let captures = moves.iter().filter(|mv| mv.kind() == MoveKind::EnPassant);
            Some(captures.map(|mv| mv.to()).collect())
        }
        ("en-passant-pseudo-legal", _) => {
            let (to, pawns) = passing();
            Some(of(to.into_iter().filter(|_| !pawns.is_empty())))
        }
        ("en-passant-trap", _) => {
            let (to, mut pawns) = passing();
            // After the capture, something attacks the king that did not attack it before.
            pawns.retain(|&pawn| {
                let to = to.unwrap();
                let victim = Square::new(to.file(), pawn.rank());
                let mut after = mailbox.without(pawn).without(victim);
                after.0[to as usize] = mailbox.on(pawn);
                !after.attackers(facts.king, !us).is_subset(&facts.checkers)
            });
            Some(pawns)
        }
        ("discoverers", _) => {
            let king =
                mailbox.with(|piece| piece == Role::King.of(!us)).into_iter().next().unwrap();
            let mut ours = mailbox.with(|piece| piece.color == us);
            ours.retain(|&square| !mailbox.without(square).attackers(king, us).is_empty());
            Some(ours)
        }
        (name, _) => panic!("there is a new layer, {name}: say here what it shows"),
    }
}

/// The squares of a layer about the rights to castle.
fn castling(name: &str, scene: &Scene, mailbox: &Mailbox) -> Squares {
    // Squares from one to another on a rank, with both.
    let rank_path = |from: Square, to: Square| {
        let (low, high) = (from.min(to) as u8, from.max(to) as u8);
        (low..=high).filter_map(Square::from_index).collect::<Squares>()
    };
    // King, rook and their targets, for each right.
    let all = Square::ALL.into_iter().filter(|&rook| scene.setup.castling.has(rook)).map(|rook| {
        let color = mailbox.on(rook).unwrap().color;
        let king = mailbox.with(|piece| piece == Role::King.of(color)).into_iter().next().unwrap();
        let files = if rook > king { [6, 5] } else { [2, 3] };
        let rank = king as u8 / 8 * 8;
        let [king_to, rook_to] = files.map(|file| Square::from_index(rank + file).unwrap());
        (king, king_to, rook, rook_to)
    });
    match name {
        "castling-king-path" => of(all.flat_map(|(king, king_to, ..)| {
            let mut path = rank_path(king, king_to);
            path.remove(&king);
            path.insert(king_to);
            path
        })),
        _ => of(all.flat_map(|(king, king_to, rook, rook_to)| {
            let mut path = rank_path(king, king_to);
            path.extend(rank_path(rook, rook_to));
            path.remove(&king);
            path.remove(&rook);
            path
        })),
    }
}

/// All arguments that a form allows, with the empty text for none.
fn arguments(form: ArgumentForm) -> Vec<String> {
    let squares = || Square::ALL.into_iter();
    match form {
        ArgumentForm::Nothing => vec![String::new()],
        ArgumentForm::Color => vec!["white".to_owned(), "black".to_owned()],
        ArgumentForm::Square => squares().map(|square| square.to_string()).collect(),
        ArgumentForm::Squares => {
            squares().flat_map(|a| squares().map(move |b| format!("{a}-{b}"))).collect()
        }
        ArgumentForm::Ray => squares()
            .flat_map(|a| DIRECTIONS.map(|(direction, ..)| format!("{a}-{direction}")))
            .collect(),
    }
}

fn text(kind: &LayerKind, argument: &str) -> String {
    let colon = if argument.is_empty() { "" } else { ":" };
    format!("{}{colon}{argument}", kind.name())
}

#[test]
fn every_layer_agrees_with_a_slow_computation() {
    // Emulated machines are slow.
    let positions = if std::env::var_os("TABIYA_SHORT_TESTS").is_some() { 2 } else { usize::MAX };
    for (number, fen) in POSITIONS.into_iter().enumerate().take(positions) {
        let scene = scene(fen);
        for kind in LayerKind::ALL {
            // Pairs of squares do not depend on the position.
            if kind.form() == ArgumentForm::Squares && number > 0 {
                continue;
            }
            for argument in arguments(kind.form()) {
                let text = text(kind, &argument);
                let found = Layer::parse(&text).unwrap().squares(&scene);
                match expected(kind, &argument, &scene) {
                    Some(expected) => {
                        assert_eq!(found.map(of), Ok(expected), "{text} in {fen}");
                    }
                    None => {
                        let error = found.unwrap_err();
                        let span = text.len() - argument.len()..text.len();
                        assert_eq!((error.input(), error.span()), (&*text, span), "{text}");
                        let square = argument.parse().unwrap();
                        let kind = match scene.setup.board.role_on(square) {
                            Some(role) => LayerErrorKind::NotASlider(role, square),
                            None => LayerErrorKind::EmptySquare(square),
                        };
                        assert_eq!(error.kind(), &kind, "{text} in {fen}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_layer_shows_something_in_one_of_the_positions() {
    for kind in LayerKind::ALL.iter().filter(|kind| kind.name() != "board") {
        let is_seen = POSITIONS.into_iter().map(scene).any(|scene| {
            let texts = arguments(kind.form()).into_iter().map(|argument| text(kind, &argument));
            let layers = texts.map(|text| Layer::parse(&text).unwrap());
            let mut squares = layers.filter_map(|layer| layer.squares(&scene).ok());
            squares.any(|squares| squares.any() && squares != Bitboard::FULL)
        });
        assert!(is_seen, "{kind}");
    }
}

#[test]
fn a_setup_that_is_not_playable_has_the_layers_of_its_board() {
    let scene = scene("8/8/8/8/8/8/8/R7 w - - 0 1");
    for kind in LayerKind::ALL {
        let argument = match kind.form() {
            ArgumentForm::Nothing => "",
            ArgumentForm::Color => "white",
            ArgumentForm::Square => "a1",
            ArgumentForm::Squares => "a1-c3",
            ArgumentForm::Ray => "a1-n",
        };
        let text = text(kind, argument);
        let found = Layer::parse(&text).unwrap().evaluate(&scene);
        if kind.needs_position() {
            let error = found.unwrap_err();
            let message =
                format!("the layer {} needs a playable position: White has no king", kind.name());
            assert_eq!(error.to_string(), message);
            assert_eq!(error.span(), 0..kind.name().len());
            assert!(matches!(error.kind(), LayerErrorKind::NotPlayable(_)));
        } else {
            assert_eq!(found.unwrap().name, text);
        }
    }
}

#[test]
fn errors_of_texts_point_at_their_place() {
    for (text, part, message) in [
        ("attcks:e2", 0..6, "there is no layer \"attcks\""),
        ("", 0..0, "there is no layer \"\""),
        (":e4", 0..0, "there is no layer \"\""),
        ("Checkers", 0..8, "there is no layer \"Checkers\""),
        ("checkers:e2", 8..11, "the layer checkers takes no argument"),
        ("checkers:", 8..9, "the layer checkers takes no argument"),
        ("attacks", 7..7, "the layer attacks needs a square, such as e4, or white or black"),
        ("attacks:", 8..8, "the layer attacks needs a square, such as e4, or white or black"),
        ("attacks:e9", 8..10, "the layer attacks needs a square, such as e4, or white or black"),
        ("attacks:White", 8..13, "the layer attacks needs a square, such as e4, or white or black"),
        ("targets:x", 8..9, "the layer targets needs a square, such as e4"),
        ("knight:e44", 7..10, "the layer knight needs a square, such as e4"),
        ("between:a1", 8..10, "the layer between needs two squares, such as a1-d4"),
        ("line:a1-b2-c3", 5..13, "the layer line needs two squares, such as a1-d4"),
        (
            "ray:e2-up",
            4..9,
            "the layer ray needs a square and one of n, ne, e, se, s, sw, w, nw, such as c3-ne",
        ),
        (
            "ray-after:é",
            10..12,
            "the layer ray-after needs a square and one of n, ne, e, se, s, sw, w, nw, such as c3-ne",
        ),
    ] {
        let error = Layer::parse(text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.span()), (message, part), "{text}");
        assert_eq!(error.input(), text);
    }
}

#[test]
fn a_misspelt_name_is_corrected() {
    let hint = |text: &str| Layer::parse(text).unwrap_err().hint();
    for (text, name) in [
        ("attcks:e2", "attacks"),
        ("Checkers", "checkers"),
        ("kingdanger", "king-danger"),
        ("pined", "pinned"),
    ] {
        assert_eq!(hint(text), Some(format!("did you mean {name}?")), "{text}");
    }
    for text in ["", "zobrist", "attacks:e9"] {
        assert_eq!(hint(text), None, "{text}");
    }
}

#[test]
fn two_squares_without_a_line_are_explained() {
    let note = |text: &str| {
        let found = Layer::parse(text).unwrap().evaluate(&scene(POSITIONS[0])).unwrap();
        assert_eq!(found.note.is_some(), found.squares.is_empty() && text.contains('-'), "{text}");
        found.note
    };
    let none = "a1 and b3 do not share a line";
    assert_eq!(note("between:a1-b3").as_deref(), Some(none));
    assert_eq!(note("line:a1-b3").as_deref(), Some(none));
    assert_eq!(note("between:a1-b2").as_deref(), Some("a1 and b2 are neighbours"));
    assert_eq!(note("line:e4-e4").as_deref(), Some("e4 and e4 are the same square"));
    for text in ["line:a1-b2", "between:a1-c3", "checkers"] {
        assert_eq!(note(text), None, "{text}");
    }
}

#[test]
fn lists_are_split_at_commas_between_layers() {
    let split = |text: &'static str| Layer::split(text).collect::<Vec<_>>();
    assert_eq!(split("checkers"), ["checkers"]);
    assert_eq!(split("checkers,pinned"), ["checkers", "pinned"]);
    assert_eq!(split("between:e1,e8"), ["between:e1,e8"]);
    assert_eq!(
        split("pinned,between:e1-e8,ray:c3,nw,line:a1,h8"),
        ["pinned", "between:e1-e8", "ray:c3,nw", "line:a1,h8"]
    );
    // Wrong texts are kept, so the error can show them.
    assert_eq!(split(""), [""]);
    assert_eq!(split("checkers,"), ["checkers", ""]);
    assert_eq!(split(",,x:,y"), ["", "", "x:", "y"]);
    assert_eq!(split("attacks:e1,e8"), ["attacks:e1", "e8"]);
}

#[test]
fn completions_lead_to_every_layer() {
    for kind in LayerKind::ALL {
        for argument in arguments(kind.form()) {
            let text = text(kind, &argument);
            // No line leads from a square to itself.
            if argument.split_once('-').is_some_and(|(a, b)| a == b) {
                continue;
            }
            let colon = text.find(':').map_or(text.len(), |colon| colon + 1);
            let names = completions(&text[..colon.min(3)]);
            assert!(names.iter().any(|it| text.starts_with(&it.text)), "{text}: {names:?}");
            if kind.form() == ArgumentForm::Squares && !argument.starts_with("a1") {
                continue;
            }
            let arguments = completions(&text[..text.len() - 1]);
            assert!(arguments.iter().any(|it| it.text == text), "{text}: {arguments:?}");
        }
    }
    assert!(completions("zobrist").is_empty() && completions("attacks:x").is_empty());
    // Every completion that needs no further argument is a layer.
    for completion in completions("") {
        assert!(completion.text.ends_with(':') || Layer::parse(&completion.text).is_ok());
        assert!(!completion.description.is_empty());
    }
}

/// Every square of a layer has a reason if the layer has reasons, and no other square has one.
#[test]
fn squares_of_layers_have_reasons() {
    // Layers whose description says everything.
    const PLAIN: [&str; 22] = [
        "occupancy",
        "white",
        "black",
        "pawns",
        "knights",
        "bishops",
        "rooks",
        "queens",
        "kings",
        "white-pawn",
        "black-pawn",
        "knight",
        "bishop",
        "rook",
        "queen",
        "king",
        "relevant",
        "ray",
        "between",
        "line",
        "board",
        "ray-before",
    ];
    for fen in POSITIONS {
        let scene = scene(fen);
        for kind in LayerKind::ALL.iter().filter(|kind| kind.form() != ArgumentForm::Squares) {
            for argument in arguments(kind.form()) {
                let text = text(kind, &argument);
                let layer = Layer::parse(&text).unwrap();
                let squares = layer.squares(&scene).unwrap_or_default();
                for square in Square::ALL {
                    let reason = why(&scene, &layer, square);
                    if !squares.has(square) {
                        assert_eq!(reason, None, "{text} {square} {fen}");
                    } else if !PLAIN.contains(&kind.name()) {
                        let reason = reason.unwrap_or_default();
                        assert!(!reason.is_empty(), "{text} {square} in {fen}");
                    }
                }
            }
        }
    }
}

/// A position, a layer, a square of it, and why it is there.
const REASONS: &[(&str, &str, Square, &str)] = &[
    (POSITIONS[4], "king-danger", Square::F2, "the knight on d3 attacks it"),
    (POSITIONS[6], "king-danger", Square::E1, "the knight on d3 and the rook on e8 attack it"),
    (POSITIONS[12], "king-danger", Square::E7, "the queen on d8 and the king on e8 attack it"),
    (POSITIONS[5], "king-danger", Square::E1, "the rook on e2 attacks it"),
    (
        "7k/8/8/8/8/8/8/r3K3 w - - 0 1",
        "king-danger",
        Square::F1,
        "the rook on a1 attacks it with the king removed",
    ),
    (
        "7k/8/8/8/8/8/8/r3K3 w - - 0 1",
        "checkers",
        Square::A1,
        "the rook on a1 gives check to the king on e1 along the first rank",
    ),
    (POSITIONS[4], "pinners", Square::E8, "the rook on e8 pins the bishop on e2 on the e-file"),
    (
        POSITIONS[4],
        "pin-lines",
        Square::E7,
        "the bishop on e2 is pinned on the e-file by the rook on e8",
    ),
    (POSITIONS[4], "pin-line:e1", Square::A1, "the king on e1 is not pinned"),
    (POSITIONS[4], "capture-mask", Square::D3, "capturing the knight on d3 ends the check"),
    (POSITIONS[5], "push-mask", Square::E5, "a piece here blocks the check from the rook on e2"),
    (POSITIONS[0], "push-mask", Square::E5, "there is no check, so every square is allowed"),
    (
        POSITIONS[0],
        "attacks:white",
        Square::F3,
        "the knight on g1, the pawn on e2 and the pawn on g2 attack it",
    ),
    (POSITIONS[0], "knight-attacks:white", Square::F3, "the knight on g1 attacks it"),
    (POSITIONS[0], "attackers:f3", Square::G1, "the knight on g1 attacks f3"),
    (POSITIONS[0], "targets", Square::E4, "legal: e4"),
    (POSITIONS[0], "targets", Square::F3, "legal: f3 and Nf3"),
    (POSITIONS[0], "xrays:white", Square::A5, "the rook on a1 attacks it through the pawn on a2"),
    (
        POSITIONS[12],
        "discoverers",
        Square::E4,
        "when the knight on e4 leaves the e-file, the rook on e1 gives check",
    ),
    (
        POSITIONS[9],
        "en-passant-trap",
        Square::E5,
        "capturing en passant would open the fifth rank to the queen on h5, and the king on a5 would be in check",
    ),
    (
        POSITIONS[10],
        "en-passant-trap",
        Square::E5,
        "the pawn on e5 is pinned on the e-file by the rook on e8",
    ),
    (
        POSITIONS[7],
        "en-passant",
        Square::D6,
        "the pawn on e5 can capture the pawn on d5 en passant",
    ),
    (
        POSITIONS[11],
        "en-passant-pseudo-legal",
        Square::D6,
        "the pawn on e5 may not capture: it leaves the king in check",
    ),
    (
        POSITIONS[0],
        "castling",
        Square::H8,
        "Black has the right to castle with it on the king side",
    ),
    (
        POSITIONS[0],
        "castling-king-path",
        Square::C1,
        "White's king lands on it when it castles on the queen side",
    ),
    (
        POSITIONS[0],
        "castling-clear",
        Square::B1,
        "it must be empty for White to castle on the queen side, but the knight on b1 stands there",
    ),
    (
        POSITIONS[12],
        "castling-king-path",
        Square::F8,
        "Black's king crosses it to castle on the king side, but the rook on f1 attacks it",
    ),
    (
        "4k3/8/8/p7/8/p7/8/R3K3 w - - 0 1",
        "ray-after:a1-n",
        Square::A5,
        "it lies behind the pawn on a3",
    ),
    (
        "4k3/8/8/p7/8/p7/8/R3K3 w - - 0 1",
        "ray-before:a1-n",
        Square::A3,
        "the pawn on a3 is the first blocker",
    ),
];

#[test]
fn reasons_name_pieces_and_lines() {
    for &(fen, layer, square, reason) in REASONS {
        let found = why(&scene(fen), &Layer::parse(layer).unwrap(), square);
        assert_eq!(found.as_deref(), Some(reason), "{layer} {square} in {fen}");
    }
}
