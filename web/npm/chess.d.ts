/** A side: White or Black. */
export type Color = "w" | "b";
/** A role: pawn, knight, bishop, rook, queen or king. */
export type PieceSymbol = "p" | "n" | "b" | "r" | "q" | "k";
type File = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h";
type Rank = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8";
export type Square = `${File}${Rank}`;
export type Piece = { color: Color; type: PieceSymbol };

export declare const WHITE = "w";
export declare const BLACK = "b";
export declare const PAWN = "p";
export declare const KNIGHT = "n";
export declare const BISHOP = "b";
export declare const ROOK = "r";
export declare const QUEEN = "q";
export declare const KING = "k";
export declare const DEFAULT_POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** All squares, from a8 to h1. */
export declare const SQUARES: Square[];
/** The tags that every game in PGN has, with the values that mean that nothing is known. */
export declare const SEVEN_TAG_ROSTER: Record<string, string>;

/** Chess960: castling from any squares of king and rook. chess.js doesn't have it. */
export interface Chess960Option {
    chess960?: boolean | undefined;
}

/** Says what's wrong with a FEN, if anything is. */
export declare function validateFen(fen: string, options?: Chess960Option): { ok: boolean; error?: string };

/** The numbers of xoroshiro128**, from a state of 128 bits. */
export declare function xoroshiro128(state: bigint): () => bigint;

/** A move that has been played, or can be. */
export declare class Move {
    private constructor();
    color: Color;
    from: Square;
    /** The target. For castling that of the king, in Chess960 the square of the rook. */
    to: Square;
    piece: PieceSymbol;
    captured?: PieceSymbol;
    promotion?: PieceSymbol;
    /**
     * One letter for each thing that the move does: `n` nothing special, `b` a double push, `c` and
     * `e` a capture, also en passant, `p` a promotion, `k` and `q` castling, `-` a null move.
     * @deprecated chess.js will remove this field: use the methods.
     */
    flags: string;
    san: string;
    /** Origin, target and promotion. */
    lan: string;
    /** The position before the move, in FEN. */
    before: string;
    /** The position after the move, in FEN. */
    after: string;
    /** Does it capture? A capture en passant only answers `isEnPassant`. */
    isCapture(): boolean;
    isPromotion(): boolean;
    isEnPassant(): boolean;
    isKingsideCastle(): boolean;
    isQueensideCastle(): boolean;
    isBigPawn(): boolean;
}

type Comments = { fen: string; comment: string }[];
type MoveFilter = { square?: Square; piece?: PieceSymbol };

/** A game, with the calls of chess.js 1.4. */
export declare class Chess {
    constructor(fen?: string, options?: { skipValidation?: boolean | undefined } & Chess960Option);

    /** Removes the pieces, the moves, the comments and the headers. */
    clear(options?: { preserveHeaders?: boolean | undefined }): void;
    /** Starts a game from a FEN. Missing fields at the end get their usual values. */
    load(
        fen: string,
        options?: { skipValidation?: boolean | undefined; preserveHeaders?: boolean | undefined } & Chess960Option,
    ): void;
    reset(): void;
    /** The FEN, with an en-passant square if a capture there is legal, or if it's forced. */
    fen(options?: { forceEnpassantSquare?: boolean }): string;

    get(square: Square): Piece | undefined;
    findPiece(piece: Piece): Square[];
    /** Puts a piece on a square; `false` if there's no such square or piece, or another king. */
    put(piece: { type: PieceSymbol; color: Color }, square: Square): boolean;
    remove(square: Square): Piece | undefined;
    /** Passes the turn with a null move, unless it's this side's turn already. */
    setTurn(color: Color): boolean;
    /** Gives and takes castling rights; `false` if there's no king and rook in place for one. */
    setCastlingRights(color: Color, rights: Partial<Record<"k" | "q", boolean>>): boolean;
    getCastlingRights(color: Color): { k: boolean; q: boolean };

    /** The squares of the pieces that attack a square: those of the side to move, or of another. */
    attackers(square: Square, attackedBy?: Color): Square[];
    isAttacked(square: Square, attackedBy: Color): boolean;
    isCheck(): boolean;
    inCheck(): boolean;
    isCheckmate(): boolean;
    isStalemate(): boolean;
    isInsufficientMaterial(): boolean;
    isThreefoldRepetition(): boolean;
    isDrawByFiftyMoves(): boolean;
    isDraw(): boolean;
    isGameOver(): boolean;

    /** The legal moves: all, or those of a square or of a role. */
    moves(): string[];
    moves(options: MoveFilter & { verbose: true }): Move[];
    moves(options: MoveFilter & { verbose?: false }): string[];
    moves(options: MoveFilter & { verbose?: boolean }): string[] | Move[];
    /** Plays a move, or throws an `Error`. `null` is a null move. */
    move(move: string | { from: string; to: string; promotion?: string } | null, options?: { strict?: boolean }): Move;
    undo(): Move | null;
    history(): string[];
    history(options: { verbose: true }): Move[];
    history(options: { verbose: false }): string[];
    history(options: { verbose: boolean }): string[] | Move[];

    pgn(options?: { newline?: string; maxWidth?: number }): string;
    /** Loads the main line of a game, with its comments, and throws an `Error` for any other text. */
    loadPgn(pgn: string, options?: { strict?: boolean; newlineChar?: string }): void;
    /** @deprecated Use `setHeader` and `getHeaders`. Headers without a value are `null` here. */
    header(...args: string[]): Record<string, string | null>;
    setHeader(key: string, value: string): Record<string, string>;
    removeHeader(key: string): boolean;
    getHeaders(): Record<string, string>;

    /** The comment on the current position; `undefined`, as in chess.js, if there's none. */
    getComment(): string;
    setComment(comment: string): void;
    removeComment(): string;
    /** @deprecated Use `removeComment`. */
    deleteComment(): string;
    getComments(): Comments;
    removeComments(): Comments;
    /** @deprecated Use `removeComments`. */
    deleteComments(): Comments;

    turn(): Color;
    moveNumber(): number;
    board(): ({ square: Square; type: PieceSymbol; color: Color } | null)[][];
    ascii(): string;
    squareColor(square: Square): "light" | "dark" | null;
    /** The key of the position, in hexadecimal digits. It isn't that of chess.js. */
    hash(): string;
    perft(depth: number): number;
}
