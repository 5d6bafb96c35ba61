//! The faults that the program can have, each with the class that `tabiya compare` must report.

macro_rules! faults {
    ($($variant:ident $name:literal $class:literal,)*) => {
        /// A mistake that an author makes.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Fault {
            $(#[doc = $name] $variant,)*
        }

        /// Every fault: its name on the command line, and the class of the bug.
        pub(crate) const FAULTS: &[(Fault, &str, &str)] = &[$((Fault::$variant, $name, $class),)*];
    };
}

faults! {
    // En passant
    EpPinRank "ep-pin-rank" "en-passant-pin-rank",
    EpPinDiagonal "ep-pin-diagonal" "en-passant-pin",
    EpNotGenerated "ep-not-generated" "en-passant-missing",
    EpNotAsEvasion "ep-not-as-evasion" "en-passant-evasion",
    EpKeptTooLong "ep-kept-too-long" "en-passant-stale",
    EpEdgeFile "ep-edge-file" "en-passant-edge",
    EpCapturedNotRemoved "ep-captured-not-removed" "en-passant-pawn-stays",
    EpFenIgnored "ep-fen-ignored" "en-passant-field-ignored",
    EpByAnyPiece "ep-by-any-piece" "en-passant-other-piece",
    EpListedForAnyPiece "ep-listed-for-any-piece" "en-passant-other-piece",
    EpWrap "ep-wrap" "en-passant-wrap",
    EpRefused "ep-refused" "en-passant-convention",
    EpBackwards "ep-backwards" "pawn-backwards",
    // Castling
    CastleThroughCheck "castle-through-check" "castling-through-check",
    CastlePawnsUnseen "castle-pawns-unseen" "castling-through-check",
    CastleBishopsUnseen "castle-bishops-unseen" "castling-through-check",
    CastleOutOfCheck "castle-out-of-check" "castling-out-of-check",
    CastleIntoCheck "castle-into-check" "castling-into-check",
    CastleBFileAttacked "castle-b-file-attacked" "castling-b-file-attacked",
    CastleBFileOccupied "castle-b-file-occupied" "castling-b-file-occupied",
    CastleRookAttacked "castle-rook-attacked" "castling-rook-attacked",
    CastleRightAfterKingMove "castle-right-after-king-move" "castling-right-after-king-move",
    CastleRightAfterRookMove "castle-right-after-rook-move" "castling-right-after-rook-move",
    CastleRightAfterRookTakesRook "castle-right-after-rook-takes-rook" "castling-right-after-rook-move",
    CastleRightAfterRookCaptured "castle-right-after-rook-captured" "castling-right-after-rook-capture",
    CastleRightAfterPromotionCapture "castle-right-after-promotion-capture" "castling-right-after-promotion-capture",
    CastleRookMisplaced "castle-rook-misplaced" "castling-rook-misplaced",
    CastleNotGenerated "castle-not-generated" "castling-missing",
    CastleThroughPieces "castle-through-pieces" "castling-through-pieces",
    CastleWithoutRight "castle-without-right" "castling-without-right",
    CastleRightLost "castle-right-lost" "castling-right-lost",
    Castle960Shield "castle-960-shield" "castling-chess960-shield",
    Castle960RookPath "castle-960-rook-path" "castling-chess960-path",
    Castle960OwnRook "castle-960-own-rook" "castling-chess960-crossing",
    CastleRightCreated "castle-right-created" "castling-right-created",
    // Promotions
    PromotionOnlyQueen "promotion-only-queen" "promotion-role",
    PromotionNone "promotion-none" "promotion-missing",
    PromotionPawn "promotion-pawn" "promotion-missing",
    PromotionKing "promotion-king" "promotion-role",
    PromotionDoubled "promotion-doubled" "promotion-duplicated",
    PromotionOnCapture "promotion-on-capture" "promotion-capture",
    PromotionAsEvasion "promotion-as-evasion" "promotion-evasion",
    PromotionTakesNoKnight "promotion-takes-no-knight" "promotion-evasion",
    PromotionTakesCheckerAsPawn "promotion-takes-checker-as-pawn" "promotion-evasion",
    // Pins
    PinIgnored "pin-ignored" "pin-ignored",
    PinIgnoredDiagonal "pin-ignored-diagonal" "pin-ignored",
    PinTooStrict "pin-too-strict" "pin-too-strict",
    PinKnight "pin-knight" "pin-knight",
    // King safety
    KingXray "king-x-ray" "king-x-ray",
    KingTakesProtected "king-takes-protected" "king-takes-protected",
    KingAdjacent "king-adjacent" "king-adjacent",
    KingPawnAttack "king-pawn-attack" "king-into-check",
    KingStepMissing "king-step-missing" "king-missing",
    KingTableHole "king-table-hole" "king-missing",
    // Checks
    DoubleCheck "double-check" "check-double",
    EvasionBlocks "evasion-blocks" "check-evasion-missing",
    EvasionCaptures "evasion-captures" "check-evasion-missing",
    EvasionDoublePush "evasion-double-push" "check-push",
    CheckIgnored "check-ignored" "check-ignored",
    // Pawns
    PawnDoubleJumps "pawn-double-jumps" "pawn-double-push-jumps",
    PawnDoubleAnywhere "pawn-double-anywhere" "pawn-double-push-rank",
    PawnWrap "pawn-wrap" "pawn-wrap",
    PawnCapturesForward "pawn-captures-forward" "pawn-push-blocked",
    PawnCapturesNothing "pawn-captures-nothing" "pawn-capture-empty",
    PawnDoubleMissing "pawn-double-missing" "pawn-double-push-missing",
    PawnCaptureMissing "pawn-capture-missing" "pawn-missing",
    // Sliders and knights
    SliderWrap "slider-wrap" "slider-wrap",
    SliderStopsShort "slider-stops-short" "slider-short",
    SliderPasses "slider-passes" "slider-passes-through",
    SliderDirection "slider-direction" "slider-direction",
    SliderTableHole "slider-table-hole" "list-wrong",
    KnightWrap "knight-wrap" "knight-wrap",
    KnightMissing "knight-missing" "knight-missing",
    KnightCapturesOwn "knight-captures-own" "capture-own-piece",
    KnightLeapWrong "knight-leap-wrong" "leaper-wrong",
    QueenDoubled "queen-doubled" "duplicated-move",
    SideIgnored "side-ignored" "wrong-side",
    ListTooShort "list-too-short" "list-wrong",
    // Game end
    StalemateCounts "stalemate-counts" "end-stalemate",
    FiftyMoves "fifty-moves" "end-fifty-moves",
    FiftyPlies "fifty-plies" "end-fifty-moves",
    BareKings "bare-kings" "end-bare-kings",
    Repetition "repetition" "end-repetition",
    // Counting
    InteriorNodes "interior-nodes" "counting-interior-nodes",
    TotalOff "total-off" "counting-total",
    LeafPseudoLegal "leaf-pseudo-legal" "counting-leaf",
    LeafCheckIgnored "leaf-check-ignored" "counting-leaf",
    LeafEpUnsafe "leaf-ep-unsafe" "counting-leaf",
    LeafPromotionOnce "leaf-promotion-once" "counting-leaf",
    DepthOff "depth-off" "counting-depth",
    SmallCounter "small-counter" "counting-overflow",
    // State
    UndoRights "undo-rights" "state-undo",
    UndoEpCapture "undo-ep-capture" "state-undo",
    UndoCastlingRook "undo-castling-rook" "state-undo",
    UndoPromotion "undo-promotion" "state-undo",
    UndoEpSquare "undo-ep-square" "state-undo",
    LineCastlingRook "line-castling-rook" "state-play",
    LineEpLost "line-ep-lost" "state-play",
    // The check is looked for around the move that gives it, and not on the whole board.
    LineEpCheck "line-ep-check" "state-play",
    LineCastlingCheck "line-castling-check" "state-play",
    LinePromotionCheck "line-promotion-check" "state-play",
    KeyWithoutCastling "key-without-castling" "state-key",
    KeyWithoutEp "key-without-ep" "state-key",
    KeyKnightAsBishop "key-knight-as-bishop" "state-key",
    // The hash table survives from one question to the next, so a key that lacks one of these first
    // goes wrong in the next question.
    KeyWithoutDepth "key-without-depth" "state-key",
    KeyWithoutSide "key-without-side" "state-key",
    CounterNotReset "counter-not-reset" "state-order",
    // Dialogue
    Crash "crash" "dialogue-crash",
    CrashLater "crash-later" "dialogue-crash",
    Hang "hang" "dialogue-hang",
    Garbage "garbage" "dialogue-garbage",
    EarlyExit "early-exit" "dialogue-early-exit",
    EndlessOutput "endless-output" "dialogue-garbage",
    HalfLine "half-line" "dialogue-hang",
}

/// The faults of one program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults(u128);

const _: () = assert!(FAULTS.len() <= 128, "one bit for each fault");

impl Faults {
    /// The faults of these names, with commas between them.
    pub(crate) fn named(names: &str) -> Result<Self, String> {
        names.split(',').try_fold(Self::default(), |faults, name| {
            let found = FAULTS.iter().find(|(_, each, _)| *each == name);
            let (fault, ..) = found.ok_or_else(|| format!("no fault '{name}'"))?;
            Ok(Self(faults.0 | 1 << *fault as u32))
        })
    }

    pub(crate) fn has(self, fault: Fault) -> bool {
        self.0 & 1 << fault as u32 != 0
    }
}
