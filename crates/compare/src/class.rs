//! The classes of bugs: the documented list.

use std::fmt;
use std::str::FromStr;

/// Defines the classes: variant, name, description and hint.
macro_rules! classes {
    ($($(#[$group:meta])* $variant:ident $name:literal $what:literal $hint:literal;)*) => {
        /// The kind of bug that a finding shows.
        ///
        /// ```
        /// use tabiya_compare::Class;
        /// let class: Class = "en-passant-pin-rank".parse().unwrap();
        /// assert_eq!(class, Class::EnPassantPinRank);
        /// assert!(class.hint().starts_with("Remove both pawns"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Class {
            $(#[doc = $what] $variant,)*
        }

        impl Class {
            /// All classes, the elementary ones of each group first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name for programs, in lower case with hyphens.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// A description of the bug, in one line.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $what,)* }
            }

            /// A hint where to look in the code.
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint,)* }
            }
        }
    };
}

classes! {
    // En passant.
    EnPassantMissing "en-passant-missing"
        "A legal en-passant capture is not generated."
        "Look at the attacks of pawns on the en-passant square, which is empty: a test for an opponent's piece there fails.";
    EnPassantEdge "en-passant-edge"
        "An en-passant capture on or next to the edge of the board is not generated."
        "Look at the masks of the a-file and the h-file in the code for en passant.";
    EnPassantEvasion "en-passant-evasion"
        "An en-passant capture that takes the checking pawn, or blocks a check, is not generated."
        "The captured pawn is not on the target square: test the check mask for both squares.";
    EnPassantPinRank "en-passant-pin-rank"
        "An en-passant capture opens the rank to the king: two pawns leave it at once."
        "Remove both pawns and add the capturing one before looking for attackers of the king along the rank.";
    EnPassantPin "en-passant-pin"
        "An en-passant capture by a pinned pawn, or of a pawn that shields the king on a diagonal or file."
        "Test en-passant captures for pins of both pawns, or make the move and look for attackers of the king.";
    EnPassantStale "en-passant-stale"
        "The en-passant square stays longer than one ply."
        "Clear the en-passant square in every move, before a double push sets it.";
    EnPassantPawnStays "en-passant-pawn-stays"
        "The pawn captured en passant stays on the board."
        "Look at the code that plays an en-passant capture: the captured pawn is beside the start square, not on the target square.";
    EnPassantFieldIgnored "en-passant-field-ignored"
        "The en-passant field of the FEN is ignored: the capture appears only when the double push is played."
        "Look at the fourth field in the FEN parser.";
    EnPassantOtherPiece "en-passant-other-piece"
        "A piece other than a pawn captures en passant, or removes a pawn by moving to the en-passant square."
        "Test the role of the moving piece before a move to the en-passant square becomes an en-passant capture.";
    EnPassantWrap "en-passant-wrap"
        "A pawn captures en passant across the edge of the board."
        "Mask the a-file or the h-file when pawns next to the captured pawn are looked for.";
    EnPassantConvention "en-passant-convention"
        "The move list depends on whether the FEN names an en-passant square where no pawn can capture."
        "Accept the en-passant square after every double push as well as only where a capture is possible.";

    // Castling.
    CastlingMissing "castling-missing"
        "A legal castling move is not generated."
        "Look at the squares between king and rook, the attacked squares, and the castling rights of this side.";
    CastlingThroughCheck "castling-through-check"
        "The king castles across an attacked square."
        "Test every square from the king's start to its target for attackers, for all roles that attack.";
    CastlingOutOfCheck "castling-out-of-check"
        "The king castles while it is in check."
        "Generate no castling moves in check.";
    CastlingIntoCheck "castling-into-check"
        "The king castles to an attacked square."
        "Test the target square of the king as well as the square it crosses.";
    CastlingThroughPieces "castling-through-pieces"
        "Castling although there is a piece between king and rook."
        "Test that the squares between king and rook are empty, for each side.";
    CastlingBFileOccupied "castling-b-file-occupied"
        "Castling on the queen side although the square on the b-file is occupied."
        "Three squares must be empty on the queen side: the rook crosses the b-file.";
    CastlingBFileAttacked "castling-b-file-attacked"
        "Castling on the queen side is forbidden because the square on the b-file is attacked."
        "Only the squares of the king must be free of attack; the b-file must merely be empty.";
    CastlingRookAttacked "castling-rook-attacked"
        "Castling is forbidden because the rook is attacked."
        "Only the squares of the king must be free of attack; leave out the rook's squares.";
    CastlingWithoutRight "castling-without-right"
        "Castling without the right to it in the FEN."
        "Look at the third field in the FEN parser, and test the right of this side before castling.";
    CastlingRightAfterKingMove "castling-right-after-king-move"
        "The right to castle is kept after the king has moved."
        "Remove both rights of a side when its king moves, captures and castling moves included.";
    CastlingRightAfterRookMove "castling-right-after-rook-move"
        "The right to castle is kept after the rook has moved."
        "Remove a right when a move starts on the rook's square.";
    CastlingRightAfterRookCapture "castling-right-after-rook-capture"
        "The right to castle is kept after the rook has been captured."
        "Remove a right when any move ends on the rook's square.";
    CastlingRightAfterPromotionCapture "castling-right-after-promotion-capture"
        "The right to castle is kept after a promoting pawn has captured the rook."
        "Promotions have a path of their own in the code that plays moves: remove the right there as well.";
    CastlingRightLost "castling-right-lost"
        "A move removes a right to castle that should stay."
        "Look at the mask of rights that a move removes: a wrong square or the wrong side.";
    CastlingRookMisplaced "castling-rook-misplaced"
        "The rook is on a wrong square after castling."
        "Look at the start and target squares of the rook, for both colours and both sides.";
    CastlingRightCreated "castling-right-created"
        "A move creates a right to castle that the position did not have."
        "Rights only ever disappear: look for code that derives them from the places of king and rook.";
    CastlingChess960Crossing "castling-chess960-crossing"
        "Castling in Chess960 is not generated where king and rook cross each other, or hardly move."
        "Take king and rook off the board before you test which squares are empty: each may be in the way of the other.";
    CastlingChess960Path "castling-chess960-path"
        "Castling in Chess960 although a piece is in the way of the king or of the rook."
        "Test the squares from the rook to its target as well as the king's.";
    CastlingChess960Shield "castling-chess960-shield"
        "Castling in Chess960 although the rook shields the king from an enemy rook or queen."
        "Look for attackers of the king's target with the castling rook off the board.";

    // Promotions.
    PromotionMissing "promotion-missing"
        "A pawn on its seventh rank has no promotions, or moves to the last rank as a pawn."
        "Generate the four promotions instead of a push to the last rank.";
    PromotionRole "promotion-role"
        "A promotion has a wrong role, or a role is missing."
        "A pawn promotes to a knight, a bishop, a rook and a queen, each once.";
    PromotionDuplicated "promotion-duplicated"
        "A promotion is listed twice."
        "Look for a second loop over the roles, or a push to the last rank that both code paths generate.";
    PromotionCapture "promotion-capture"
        "A capture on the last rank does not promote, or lacks promotions."
        "Captures to the last rank need the same four roles as pushes.";
    PromotionEvasion "promotion-evasion"
        "A promotion that answers a check is not generated."
        "The code for evasions needs promotions as well: a block or a capture on the last rank.";

    // Pins.
    PinIgnored "pin-ignored"
        "A pinned piece leaves the line to its king."
        "Restrict a pinned piece to the line between its king and the pinner, or test for check after the move.";
    PinTooStrict "pin-too-strict"
        "A pinned piece may not move along the line of the pin, or capture the pinner."
        "A pinned piece keeps the moves on the line, up to and including the capture of the pinner.";
    PinKnight "pin-knight"
        "A pinned knight moves."
        "A pinned knight never has a legal move: leave pinned knights out.";

    // The safety of the king.
    KingIntoCheck "king-into-check"
        "The king moves to an attacked square."
        "Test the target squares of the king for attackers of every role, pawns included.";
    KingXRay "king-x-ray"
        "The king steps back along the line of a checking slider: it hides the square from the slider itself."
        "Take the king off the board before the squares that sliders attack are computed.";
    KingTakesProtected "king-takes-protected"
        "The king captures a protected piece."
        "The squares that the opponent attacks include its own pieces: do not mask these out.";
    KingAdjacent "king-adjacent"
        "The kings are next to each other."
        "The opponent's king attacks as well: add its squares to the attacked ones.";
    KingMissing "king-missing"
        "A legal move of the king is not generated."
        "Look at the attacked squares: one of them is not attacked, or an unprotected piece counts as protected.";

    // Checks.
    CheckIgnored "check-ignored"
        "A move does not answer a check."
        "In check only moves of the king, captures of the checker and blocks are legal.";
    CheckDouble "check-double"
        "A piece other than the king moves in double check."
        "With two checkers only the king may move: count the checkers.";
    CheckEvasionMissing "check-evasion-missing"
        "A capture of the checker or a block is not generated."
        "The check mask has the checker and all squares between it and the king.";
    CheckPush "check-push"
        "A pawn push that blocks a check is not generated, a double push for instance."
        "Cut double pushes with the check mask, but not the single push on the way.";

    // Pawns.
    PawnDoublePushJumps "pawn-double-push-jumps"
        "A double push jumps over a piece, or ends on one."
        "Both squares must be empty: make double pushes from single ones.";
    PawnDoublePushRank "pawn-double-push-rank"
        "A double push from a rank other than the pawn's first."
        "Test the rank for each colour: the second for White, the seventh for Black.";
    PawnDoublePushMissing "pawn-double-push-missing"
        "A legal double push is not generated."
        "Test the rank for each colour, and that both squares are empty.";
    PawnPushBlocked "pawn-push-blocked"
        "A pawn pushes onto an occupied square."
        "A push needs an empty square: pawns capture only on diagonals.";
    PawnCaptureEmpty "pawn-capture-empty"
        "A pawn moves on a diagonal without a capture."
        "A pawn captures only an opponent's piece, or en passant.";
    PawnWrap "pawn-wrap"
        "A pawn captures across the edge of the board."
        "Mask the a-file or the h-file before pawns are shifted sideways.";
    PawnBackwards "pawn-backwards"
        "A pawn moves or captures backwards."
        "A pawn of White moves up the board only, one of Black down only, en-passant captures included.";
    PawnMissing "pawn-missing"
        "A legal push or capture of a pawn is not generated."
        "Look at the direction of pawns for each colour, and at the masks of the edge files.";

    // Sliders and leapers.
    SliderWrap "slider-wrap"
        "A slider crosses the edge of the board."
        "Stop rays at the edge: test the file before each step, or use a table of distances.";
    SliderShort "slider-short"
        "A slider stops before the end of its ray."
        "Look at the limit of the loop, at the blocker itself (a capture belongs to the ray), and at the magic masks.";
    SliderPassesThrough "slider-passes-through"
        "A slider passes through a piece."
        "End a ray at the first blocker of either colour.";
    SliderDirection "slider-direction"
        "A slider moves in another piece's direction."
        "A bishop moves on diagonals, a rook on files and ranks, a queen on all.";
    KnightWrap "knight-wrap"
        "A knight or a king crosses the edge of the board."
        "Mask one file for each step sideways: two for the wide jumps of a knight.";
    KnightMissing "knight-missing"
        "A legal move of a knight is not generated."
        "Look at the table of knight moves, its corners and edges first.";
    LeaperWrong "leaper-wrong"
        "A knight or a king moves to a square that it does not reach."
        "Look at the table of moves of knights and kings.";
    CaptureOwnPiece "capture-own-piece"
        "A piece captures a piece of its own side."
        "Remove the squares of one's own pieces from the targets.";
    WrongSide "wrong-side"
        "A piece of the opponent moves."
        "Look at the second field of the FEN, and at the side to move after each move.";

    // The end of a game.
    EndStalemate "end-stalemate"
        "Stalemate or checkmate is counted as a move, or the position counts as a leaf node."
        "Without legal moves a position has no leaf nodes below: its count is 0 at every depth but 0.";
    EndFiftyMoves "end-fifty-moves"
        "The fifty-move rule ends the count."
        "Perft counts moves, not games: leave the halfmove clock out.";
    EndBareKings "end-bare-kings"
        "Insufficient material ends the count."
        "Perft counts moves, not games: leave the test of material out.";
    EndRepetition "end-repetition"
        "A repetition ends the count."
        "Perft counts moves, not games: leave the test of repetitions out.";

    // Counting.
    CountingInteriorNodes "counting-interior-nodes"
        "The count includes interior nodes, not only leaf nodes."
        "Add nothing for a position above the last ply: only the moves of the last ply count.";
    CountingTotal "counting-total"
        "The total is not the sum of the divide."
        "Sum up the counts of the moves at the root, in 64 bits, and print that.";
    CountingDepth "counting-depth"
        "The count belongs to another depth."
        "Look at the depth at which the recursion ends, and at bulk counting on the last ply.";
    CountingLeaf "counting-leaf"
        "The move lists are right, but a deeper count is wrong."
        "Look at the code that only the counting uses: bulk counting on the last ply, sums, recursion.";
    CountingOverflow "counting-overflow"
        "A count wraps around."
        "Use 64 bits for counts.";
    DuplicatedMove "duplicated-move"
        "A move is listed twice."
        "Look for two code paths that generate the same move, such as queens in the loops for rooks and bishops.";

    // State carried along a line.
    StatePlay "state-play"
        "The move list is wrong after moves, but right for the same position as FEN."
        "Look at the code that plays moves: what the board holds after the last one differs from its FEN.";
    StateUndo "state-undo"
        "The position is damaged when a move is taken back."
        "Compare every field of the position before a move and after it is taken back: captured pieces, rights, en passant, clocks.";
    StateKey "state-key"
        "The hash key misses a part of the position: positions that differ share a count."
        "Hash the side to move, the castling rights, the en-passant file and, in perft, the depth.";
    StateOrder "state-order"
        "The answer depends on the questions before it."
        "Clear hash tables and other state for a new position, or find what survives.";

    // The dialogue.
    DialogueCrash "dialogue-crash"
        "The program crashes."
        "Run it with this question in a debugger.";
    DialogueHang "dialogue-hang"
        "The program does not answer in time."
        "Flush the output after each answer, and look for an endless loop. A slow program gets more \
         time with `--limit 30`.";
    DialogueGarbage "dialogue-garbage"
        "The answer cannot be read."
        "Print one move and its count in each line, then the total.";
    DialogueEarlyExit "dialogue-early-exit"
        "The program ends before it has answered."
        "Read commands until `quit`, or end only after the answer is printed.";

    // Bugs that no other class covers.
    ListWrong "list-wrong"
        "The list of moves is wrong, and no bug that we know explains it."
        "Look at what the wrong moves have in common: the piece, the squares, the kind of move.";
    CountWrong "count-wrong"
        "The count is wrong although the lists are right, and no mistake that we know gives it."
        "Look at the code that only the counting uses: bulk counting, taking moves back, hash tables.";
}

impl Class {
    /// Is the dialogue itself at fault, and not an answer?
    pub(crate) const fn is_dialogue(self) -> bool {
        use Class::{DialogueCrash, DialogueEarlyExit, DialogueGarbage, DialogueHang};
        matches!(self, DialogueCrash | DialogueHang | DialogueGarbage | DialogueEarlyExit)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A text is not the name of a [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a class of bugs")]
pub struct ClassNameError;

impl FromStr for Class {
    type Err = ClassNameError;

    fn from_str(name: &str) -> Result<Self, ClassNameError> {
        Self::ALL.iter().copied().find(|class| class.name() == name).ok_or(ClassNameError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for class in Class::ALL {
            assert_eq!(class.name().parse(), Ok(*class));
            assert!(
                class
                    .name()
                    .chars()
                    .all(|it| it == '-' || it.is_ascii_lowercase() || it.is_ascii_digit())
            );
            assert!(class.description().ends_with('.') && class.hint().ends_with('.'), "{class}");
        }
    }
}
