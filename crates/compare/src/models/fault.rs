//! The faults that a model can have: each changes one rule, as authors change it by mistake.

use tabiya::{CastlingSide, Color, File, Position, Role};

use crate::class::Class;
use crate::listed::Listed;

/// A mistake: a changed rule, and where it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    /// The side that moves by the changed rule. `None` means both.
    pub(crate) side: Option<Color>,
    /// Does it apply only where the moves of the last ply are counted instead of made (bulk
    /// counting), so that every list is right?
    pub(crate) at_leaves: bool,
}

/// Lines on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lines {
    All,
    Straight,
    Diagonal,
    Ranks,
    Files,
}

/// The group of moves that a program lists twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    All,
    Captures,
    Of(Role),
    Lines(Role, Lines),
    DoublePushes,
    EnPassant,
    Castling,
}

/// Which squares castling forgets to test for pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Path {
    /// All but the king's target.
    AllButTarget,
    /// The king's target.
    Target,
    /// The square that the king crosses.
    Crossed,
    All,
    /// Pieces of the opponent.
    Enemies,
    /// The squares of the rook, in Chess960.
    Rook,
}

/// The attackers that castling doesn't see, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Danger {
    Start,
    Crossed,
    Target,
    CrossedAndTarget,
    All,
}

/// Which of two checkers an evasion answers in double check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Checker {
    Leaper,
    Slider,
    Lowest,
    Highest,
    Either,
}

/// What becomes of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promotes {
    Never,
    /// The pawn stays a pawn.
    ToPawn,
    /// Only these roles: a set of bits 1 << role.
    Only(u8),
}

/// Which promotions a fault changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promotions {
    All,
    Captures,
    Pushes,
    InCheck,
    OfChecker(Option<Role>),
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// The halfmove clock has reached this number.
    Clock(u8),
    BareKings,
    /// Neither side can mate: at most one minor piece.
    Material,
    /// The position has occurred this often.
    Repetition(u8),
}

/// A part of the position that a hash key lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeyPart {
    Side,
    Castling,
    EnPassant,
    Depth,
    /// The first role is taken for the second.
    Roles(Role, Role),
    /// The colours of this role.
    Color(Role),
}

/// What taking back a move forgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Undo {
    Rights,
    EnPassant,
    EnPassantVictim,
    CastlingRook,
    Promotion,
    Captured,
    CapturedRole,
}

/// A changed rule. Directions are steps of files and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    // What the FEN says.
    EpFieldIgnored,
    SideFieldIgnored,
    SideFieldSwapped,
    RightsFromPlacement,
    // En passant: what is generated, and what is legal.
    EpNever,
    EpNeverToward(i8),
    EpNeverToEdge,
    EpNeverFromEdge,
    EpNeverInCheck,
    EpNeverTakesChecker,
    EpNeverBlocks,
    EpIgnoresRank,
    EpIgnoresOtherLines,
    EpIgnoresOwnPin,
    EpIgnoresVictimLine,
    EpUnsafe,
    EpUnsafeInCheck,
    EpWraps,
    EpBackwards,
    EpListedForPieces,
    // En passant: what is played.
    EpKept,
    EpPawnStays,
    EpByAnyPiece,
    // Castling: what is generated, and what is legal.
    CastleNever(Option<CastlingSide>),
    CastleUnsafe(Danger, Option<Role>),
    CastleBFileAttacked,
    CastleBFileOccupied,
    CastleRookAttacked,
    CastlePath(Path, Option<CastlingSide>),
    CastleWithoutRight,
    CastleOwnRookBlocks,
    CastleShield,
    // Castling: what is played.
    RightAfterKingMove,
    RightAfterRookMove,
    /// Only if the rook captures one that has the right as well.
    RightAfterRookTakesRook,
    RightAfterRookCapture,
    RightAfterPromotionCapture,
    RightLostBoth,
    RightLostByAnyRook,
    RightCreated,
    CastledRookOn(File, CastlingSide),
    CastledRookStays,
    // Promotions.
    Promotion(Promotions, Promotes),
    PromotionExtra(Role),
    PromotionTwice(Option<Role>),
    // Pins.
    PinIgnored(Lines),
    PinIgnoredOf(Role),
    PinIgnoredBy(Role),
    PinNever(Lines),
    PinNeverCaptures,
    // The king.
    KingUnsafe,
    KingBlind(Role),
    KingXRay(Option<Role>),
    KingXRayAlong(Lines),
    KingTakesProtected,
    KingNeverSteps(i8, i8),
    KingNeverCaptures,
    // Checks.
    /// Pins hold all the same.
    CheckIgnored,
    CheckAndPinsIgnored,
    /// All pseudo-legal moves are listed in check.
    CheckUntested,
    CheckIgnoredOf(Role),
    CheckDouble(Checker),
    EvasionNever,
    EvasionNeverCaptures(Option<Role>),
    EvasionNeverBlocks(Option<Role>),
    EvasionNeverDoublePush,
    EvasionNeverPush,
    // Pawns.
    DoublePushJumps,
    DoublePushOnto,
    DoublePushFromAnyRank,
    DoublePushFromNextRank,
    DoublePushNever,
    PushOntoEnemy,
    PushOntoOwn,
    PushNever,
    PushBackwards,
    PawnTakesNothing(Option<File>),
    PawnWraps,
    PawnNeverTakes,
    PawnNeverTakesToward(i8),
    PawnNeverTakesOn(File),
    PawnTakesBackwards,
    // Pieces.
    SliderWraps(Lines),
    SliderShort(Option<Role>, i8),
    SliderPassesEnemies,
    SliderPassesOwn,
    SliderNeverToward(Role, i8, i8),
    SliderAlso(Role, i8, i8),
    KnightWraps,
    KnightNeverLeaps(i8, i8),
    KnightAlso(i8, i8),
    KingAlso(i8, i8),
    NeverGoes(Role, u8, u8),
    NeverTakes(Role),
    TakesOwn(Role),
    Twice(Group),
    // The end of the game.
    Ends(End, u8),
    StalemateCounts,
    MateCounts,
    // Counting.
    LeavesPseudoLegal,
    Interior(u8),
    LastTwoPlies,
    DepthOff(i8),
    Bits(u8),
    TotalBits(u8),
    TotalWithoutLast,
    TotalWithoutFirst,
    TotalOneMore,
    // Hash keys and taking back.
    Key(KeyPart),
    TakesBack(Undo),
    /// The same where each move is generated when it's needed.
    TakesBackLazily(Undo),
}

/// The bits of the roles of a promotion.
pub(super) const fn bit(role: Role) -> u8 {
    1 << role as u8
}

const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const SLIDERS: [Role; 3] = [Role::Bishop, Role::Rook, Role::Queen];
const LINES: [Lines; 5] =
    [Lines::All, Lines::Straight, Lines::Diagonal, Lines::Ranks, Lines::Files];
pub(super) const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(super) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(super) const ALL_WAYS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(super) const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Fault {
    /// A fault of both sides, in lists as well as counts.
    pub(crate) const fn of(rule: Rule) -> Self {
        Self { rule, side: None, at_leaves: false }
    }

    /// All faults, the simple ones first: those of both sides, of one side, and of leaf counts.
    pub(crate) fn all() -> Vec<Self> {
        let rules = Rule::all();
        let mut all: Vec<Self> = rules.iter().map(|&rule| Self::of(rule)).collect();
        let lists = rules.iter().filter(|rule| rule.is_of_lists());
        for side in [Color::White, Color::Black] {
            let of_side = |&rule| Self { side: Some(side), ..Self::of(rule) };
            all.extend(rules.iter().filter(|rule| rule.has_sides()).map(of_side));
        }
        all.extend(lists.map(|&rule| Self { at_leaves: true, ..Self::of(rule) }));
        all
    }

    /// The fault that a table of leaps lacks this move.
    pub(crate) fn hole(here: &Position, mv: Listed) -> Option<Self> {
        let role = here.board().role_on(mv.from)?;
        let is_leap = matches!(role, Role::Knight | Role::King) && !mv.castles;
        is_leap.then(|| Self::of(Rule::NeverGoes(role, mv.from as u8, mv.to as u8)))
    }

    /// The class of the bug.
    pub(crate) const fn class(self) -> Class {
        if self.at_leaves { Class::CountingLeaf } else { self.rule.class() }
    }
}

impl Rule {
    /// Does it change which moves are listed, and not how they are played or counted?
    pub(crate) fn is_of_lists(self) -> bool {
        !self.is_of_counts() && !self.is_of_play() && !self.is_of_fen()
    }

    pub(crate) const fn is_of_fen(self) -> bool {
        matches!(
            self,
            Self::EpFieldIgnored
                | Self::SideFieldIgnored
                | Self::SideFieldSwapped
                | Self::RightsFromPlacement
        )
    }

    pub(crate) const fn is_of_play(self) -> bool {
        use Rule::*;
        matches!(
            self,
            EpKept
                | EpPawnStays
                | EpByAnyPiece
                | RightAfterKingMove
                | RightAfterRookMove
                | RightAfterRookTakesRook
                | RightAfterRookCapture
                | RightAfterPromotionCapture
                | RightLostBoth
                | RightLostByAnyRook
                | RightCreated
                | CastledRookOn(..)
                | CastledRookStays
        )
    }

    pub(crate) const fn is_of_counts(self) -> bool {
        use Rule::*;
        matches!(
            self,
            StalemateCounts
                | MateCounts
                | LeavesPseudoLegal
                | Interior(_)
                | LastTwoPlies
                | DepthOff(_)
                | Bits(_)
                | TotalBits(_)
                | TotalWithoutLast
                | TotalWithoutFirst
                | TotalOneMore
                | Key(_)
                | TakesBack(_)
                | TakesBackLazily(_)
        )
    }

    /// Does it list moves twice, which a program that collects them in a set hides?
    pub(crate) const fn is_of_doubles(self) -> bool {
        matches!(self, Self::Twice(_) | Self::PromotionTwice(_))
    }

    pub(crate) const fn is_of_ends(self) -> bool {
        matches!(self, Self::Ends(..))
    }

    /// Does its count depend on the order of moves?
    pub(crate) const fn depends_on_order(self) -> bool {
        matches!(self, Self::Key(_) | Self::TakesBack(_) | Self::TakesBackLazily(_))
    }

    /// The count to a depth that a program gives whose lists are right, from the right counts to each
    /// depth. `None` if those don't tell it, or aren't known.
    pub(crate) fn count(self, depth: u32, right: &dyn Fn(u32) -> Option<u128>) -> Option<u128> {
        match self {
            Self::Interior(from) => (u32::from(from).min(depth)..=depth).map(right).sum(),
            Self::LastTwoPlies => Some(right(depth)? + right(depth.checked_sub(1)?)?),
            Self::DepthOff(by) => right(depth.saturating_add_signed(i32::from(by))),
            Self::Bits(bits) => Some(right(depth)? & ((1 << bits) - 1)),
            _ => None,
        }
    }

    /// Can an author make the mistake for one colour only?
    fn has_sides(self) -> bool {
        !self.is_of_counts()
            && !matches!(self, Self::Ends(..) | Self::SideFieldIgnored | Self::SideFieldSwapped)
    }

    /// The rules that are one of their kind.
    const SINGLE: &[Self] = {
        use Rule::*;
        &[
            EpFieldIgnored,
            SideFieldIgnored,
            SideFieldSwapped,
            RightsFromPlacement,
            EpNever,
            EpNeverToward(1),
            EpNeverToward(-1),
            EpNeverToEdge,
            EpNeverFromEdge,
            EpNeverInCheck,
            EpNeverTakesChecker,
            EpNeverBlocks,
            EpIgnoresRank,
            EpIgnoresOwnPin,
            EpIgnoresVictimLine,
            EpIgnoresOtherLines,
            EpUnsafeInCheck,
            EpUnsafe,
            EpWraps,
            EpBackwards,
            EpListedForPieces,
            EpKept,
            EpPawnStays,
            EpByAnyPiece,
            CastleBFileAttacked,
            CastleBFileOccupied,
            CastleRookAttacked,
            CastleWithoutRight,
            CastleOwnRookBlocks,
            CastleShield,
            RightAfterKingMove,
            RightAfterRookMove,
            RightAfterRookTakesRook,
            RightAfterPromotionCapture,
            RightAfterRookCapture,
            RightLostBoth,
            RightLostByAnyRook,
            RightCreated,
            CastledRookStays,
            CastledRookOn(File::B, CastlingSide::Queen),
            CastledRookOn(File::E, CastlingSide::King),
            PinNeverCaptures,
            KingTakesProtected,
            KingUnsafe,
            KingNeverCaptures,
            CheckIgnored,
            CheckAndPinsIgnored,
            CheckUntested,
            EvasionNever,
            EvasionNeverDoublePush,
            EvasionNeverPush,
            DoublePushJumps,
            DoublePushOnto,
            DoublePushFromNextRank,
            DoublePushFromAnyRank,
            DoublePushNever,
            PushOntoEnemy,
            PushOntoOwn,
            PushNever,
            PushBackwards,
            PawnWraps,
            PawnNeverTakes,
            PawnNeverTakesToward(1),
            PawnNeverTakesToward(-1),
            PawnTakesBackwards,
            PawnTakesNothing(None),
            SliderPassesEnemies,
            SliderPassesOwn,
            KnightWraps,
            StalemateCounts,
            MateCounts,
            LeavesPseudoLegal,
            Interior(1),
            Interior(0),
            Interior(2),
            LastTwoPlies,
            DepthOff(-1),
            DepthOff(1),
            TotalWithoutLast,
            TotalWithoutFirst,
            TotalOneMore,
            PromotionTwice(None),
            PromotionExtra(Role::King),
            PromotionExtra(Role::Pawn),
        ]
    };

    /// All rules without parameters from a position.
    fn all() -> Vec<Self> {
        use Rule::*;
        let mut all = Self::SINGLE.to_vec();
        for side in [None, Some(CastlingSide::King), Some(CastlingSide::Queen)] {
            all.push(CastleNever(side));
            for path in [
                Path::Rook,
                Path::Crossed,
                Path::Target,
                Path::AllButTarget,
                Path::Enemies,
                Path::All,
            ] {
                all.push(CastlePath(path, side));
            }
        }
        for role in [None].into_iter().chain(ROLES[..5].iter().copied().map(Some)) {
            for danger in [
                Danger::Start,
                Danger::Crossed,
                Danger::Target,
                Danger::CrossedAndTarget,
                Danger::All,
            ] {
                all.push(CastleUnsafe(danger, role));
            }
            all.push(EvasionNeverCaptures(role));
        }
        for role in [None].into_iter().chain(SLIDERS.map(Some)) {
            all.extend([EvasionNeverBlocks(role), KingXRay(role)]);
        }
        all.extend(
            [Danger::Target, Danger::CrossedAndTarget].map(|it| CastleUnsafe(it, Some(Role::King))),
        );
        let only = |roles: &[Role]| Promotes::Only(roles.iter().map(|&role| bit(role)).sum());
        let every = bit(Role::Knight) | bit(Role::Bishop) | bit(Role::Rook) | bit(Role::Queen);
        let mut which = vec![Promotions::All, Promotions::Captures, Promotions::Pushes];
        which.extend([Promotions::InCheck, Promotions::OfChecker(None)]);
        which.extend(ROLES[1..5].iter().map(|&role| Promotions::OfChecker(Some(role))));
        for which in which {
            all.extend([Promotes::Never, Promotes::ToPawn].map(|it| Promotion(which, it)));
            all.push(Promotion(which, only(&[Role::Queen])));
            for role in PROMOTED {
                all.push(Promotion(which, Promotes::Only(every & !bit(role))));
            }
        }
        for role in PROMOTED {
            all.push(PromotionTwice(Some(role)));
        }
        for lines in LINES {
            all.extend([PinIgnored(lines), PinNever(lines)]);
        }
        all.extend([Lines::All, Lines::Ranks, Lines::Diagonal].map(SliderWraps));
        all.extend(LINES[1..].iter().map(|&lines| KingXRayAlong(lines)));
        for role in ROLES {
            all.extend([KingBlind(role), NeverTakes(role), TakesOwn(role), Twice(Group::Of(role))]);
        }
        for role in &ROLES[..5] {
            all.extend([PinIgnoredOf(*role), CheckIgnoredOf(*role)]);
        }
        all.extend(SLIDERS.map(PinIgnoredBy));
        all.extend(
            [Lines::Straight, Lines::Diagonal].map(|it| Twice(Group::Lines(Role::Queen, it))),
        );
        all.extend(
            [Group::All, Group::Captures, Group::DoublePushes, Group::EnPassant, Group::Castling]
                .map(Twice),
        );
        for checker in
            [Checker::Leaper, Checker::Slider, Checker::Lowest, Checker::Highest, Checker::Either]
        {
            all.push(CheckDouble(checker));
        }
        for length in 1..7 {
            all.push(SliderShort(None, length));
            all.extend(SLIDERS.map(|role| SliderShort(Some(role), length)));
        }
        for (files, ranks) in ALL_WAYS {
            all.push(KingNeverSteps(files, ranks));
            let is_straight = files == 0 || ranks == 0;
            let (of, other) =
                if is_straight { (Role::Rook, Role::Bishop) } else { (Role::Bishop, Role::Rook) };
            all.extend([of, Role::Queen].map(|role| SliderNeverToward(role, files, ranks)));
            all.push(SliderAlso(other, files, ranks));
            all.push(KnightAlso(files, ranks));
            all.push(KnightAlso(2 * files, 2 * ranks));
            all.push(KingAlso(2 * files, 2 * ranks));
        }
        for (files, ranks) in LEAPS {
            all.extend([KnightNeverLeaps(files, ranks), KingAlso(files, ranks)]);
        }
        for file in File::ALL {
            all.extend([PawnNeverTakesOn(file), PawnTakesNothing(Some(file))]);
        }
        all.extend(Self::of_counts());
        all
    }

    /// The rules of counts: ends of games, numbers with few bits, tables, and taking moves back.
    fn of_counts() -> Vec<Self> {
        use Rule::*;
        let mut all = Vec::new();
        for leaf in [0, 1] {
            all.extend([50, 75, 99, 100].map(|clock| Ends(End::Clock(clock), leaf)));
            all.extend([Ends(End::BareKings, leaf), Ends(End::Material, leaf)]);
            all.extend([2, 3].map(|times| Ends(End::Repetition(times), leaf)));
        }
        for bits in [8, 15, 16, 31, 32] {
            all.extend([Bits(bits), TotalBits(bits)]);
        }
        all.extend([KeyPart::Side, KeyPart::Castling, KeyPart::EnPassant, KeyPart::Depth].map(Key));
        for (index, &first) in ROLES.iter().enumerate() {
            all.extend(ROLES[index + 1..].iter().map(|&second| Key(KeyPart::Roles(first, second))));
            all.push(Key(KeyPart::Color(first)));
        }
        let undo = [
            Undo::Rights,
            Undo::EnPassant,
            Undo::EnPassantVictim,
            Undo::CastlingRook,
            Undo::Promotion,
            Undo::Captured,
            Undo::CapturedRole,
        ];
        // A list that was made before doesn't need the square.
        all.extend(undo.into_iter().filter(|it| *it != Undo::EnPassant).map(TakesBack));
        all.extend(undo.map(TakesBackLazily));
        all
    }

    const fn class(self) -> Class {
        use Rule::*;
        match self {
            EpFieldIgnored => Class::EnPassantFieldIgnored,
            SideFieldIgnored | SideFieldSwapped => Class::WrongSide,
            RightsFromPlacement | CastleWithoutRight => Class::CastlingWithoutRight,
            EpNever | EpNeverToward(_) => Class::EnPassantMissing,
            EpNeverToEdge | EpNeverFromEdge => Class::EnPassantEdge,
            EpNeverInCheck | EpNeverTakesChecker | EpNeverBlocks => Class::EnPassantEvasion,
            EpIgnoresRank => Class::EnPassantPinRank,
            EpIgnoresOtherLines | EpIgnoresOwnPin | EpIgnoresVictimLine | EpUnsafe
            | EpUnsafeInCheck => Class::EnPassantPin,
            EpWraps => Class::EnPassantWrap,
            EpBackwards | PushBackwards | PawnTakesBackwards => Class::PawnBackwards,
            EpListedForPieces | EpByAnyPiece => Class::EnPassantOtherPiece,
            EpKept => Class::EnPassantStale,
            EpPawnStays => Class::EnPassantPawnStays,
            CastleNever(_) => Class::CastlingMissing,
            CastleUnsafe(Danger::Start, _) => Class::CastlingOutOfCheck,
            CastleUnsafe(Danger::Target, _) => Class::CastlingIntoCheck,
            CastleUnsafe(..) => Class::CastlingThroughCheck,
            CastleBFileAttacked => Class::CastlingBFileAttacked,
            CastleBFileOccupied => Class::CastlingBFileOccupied,
            CastleRookAttacked => Class::CastlingRookAttacked,
            CastlePath(Path::Rook, _) => Class::CastlingChess960Path,
            CastlePath(..) => Class::CastlingThroughPieces,
            CastleOwnRookBlocks => Class::CastlingChess960Crossing,
            CastleShield => Class::CastlingChess960Shield,
            RightAfterKingMove => Class::CastlingRightAfterKingMove,
            RightAfterRookMove | RightAfterRookTakesRook => Class::CastlingRightAfterRookMove,
            RightAfterRookCapture => Class::CastlingRightAfterRookCapture,
            RightAfterPromotionCapture => Class::CastlingRightAfterPromotionCapture,
            RightLostBoth | RightLostByAnyRook => Class::CastlingRightLost,
            RightCreated => Class::CastlingRightCreated,
            CastledRookOn(..) | CastledRookStays => Class::CastlingRookMisplaced,
            Promotion(Promotions::All | Promotions::Pushes, Promotes::Never | Promotes::ToPawn) => {
                Class::PromotionMissing
            }
            Promotion(Promotions::All | Promotions::Pushes, Promotes::Only(_))
            | PromotionExtra(_) => Class::PromotionRole,
            Promotion(Promotions::Captures, _) => Class::PromotionCapture,
            Promotion(Promotions::InCheck | Promotions::OfChecker(_), _) => Class::PromotionEvasion,
            PromotionTwice(_) => Class::PromotionDuplicated,
            PinIgnoredOf(Role::Knight) => Class::PinKnight,
            PinIgnored(_) | PinIgnoredOf(_) | PinIgnoredBy(_) => Class::PinIgnored,
            PinNever(_) | PinNeverCaptures => Class::PinTooStrict,
            KingBlind(Role::King) => Class::KingAdjacent,
            KingUnsafe | KingBlind(_) => Class::KingIntoCheck,
            KingXRay(_) | KingXRayAlong(_) => Class::KingXRay,
            KingTakesProtected => Class::KingTakesProtected,
            KingNeverSteps(..)
            | KingNeverCaptures
            | NeverGoes(Role::King, ..)
            | NeverTakes(Role::King) => Class::KingMissing,
            CheckIgnored | CheckAndPinsIgnored | CheckUntested | CheckIgnoredOf(_) => {
                Class::CheckIgnored
            }
            CheckDouble(_) => Class::CheckDouble,
            EvasionNever | EvasionNeverCaptures(_) | EvasionNeverBlocks(_) => {
                Class::CheckEvasionMissing
            }
            EvasionNeverDoublePush | EvasionNeverPush => Class::CheckPush,
            DoublePushJumps | DoublePushOnto => Class::PawnDoublePushJumps,
            DoublePushFromAnyRank | DoublePushFromNextRank => Class::PawnDoublePushRank,
            DoublePushNever => Class::PawnDoublePushMissing,
            PushOntoEnemy | PushOntoOwn => Class::PawnPushBlocked,
            PawnTakesNothing(_) => Class::PawnCaptureEmpty,
            PawnWraps => Class::PawnWrap,
            PushNever
            | PawnNeverTakes
            | PawnNeverTakesToward(_)
            | PawnNeverTakesOn(_)
            | NeverTakes(Role::Pawn)
            | NeverGoes(Role::Pawn, ..) => Class::PawnMissing,
            SliderWraps(_) => Class::SliderWrap,
            SliderShort(..) | SliderNeverToward(..) => Class::SliderShort,
            SliderPassesEnemies | SliderPassesOwn => Class::SliderPassesThrough,
            SliderAlso(..) => Class::SliderDirection,
            KnightWraps => Class::KnightWrap,
            KnightNeverLeaps(..) | NeverGoes(Role::Knight, ..) | NeverTakes(Role::Knight) => {
                Class::KnightMissing
            }
            NeverGoes(..) | NeverTakes(_) => Class::SliderShort,
            KnightAlso(..) | KingAlso(..) => Class::LeaperWrong,
            TakesOwn(_) => Class::CaptureOwnPiece,
            Twice(_) => Class::DuplicatedMove,
            Ends(End::Clock(_), _) => Class::EndFiftyMoves,
            Ends(End::BareKings | End::Material, _) => Class::EndBareKings,
            Ends(End::Repetition(_), _) => Class::EndRepetition,
            StalemateCounts | MateCounts => Class::EndStalemate,
            LeavesPseudoLegal => Class::CountingLeaf,
            Interior(_) | LastTwoPlies => Class::CountingInteriorNodes,
            DepthOff(_) => Class::CountingDepth,
            Bits(_) | TotalBits(_) => Class::CountingOverflow,
            TotalWithoutLast | TotalWithoutFirst | TotalOneMore => Class::CountingTotal,
            Key(_) => Class::StateKey,
            TakesBack(_) | TakesBackLazily(_) => Class::StateUndo,
        }
    }
}
