/* A small move generator in C, for the adapter beside it. Replace it with your own. */
#ifndef GENERATOR_H
#define GENERATOR_H

#define MAX_MOVES 256

typedef struct {
    char board[64];     /* FEN letters, '.' for an empty square, a1 first */
    int white;          /* whether White is to move */
    char castling[5];   /* as in the FEN */
    int ep;             /* the en-passant square, or -1 */
} Position;

typedef struct {
    int start, target;
    char role;          /* 'q', 'r', 'b' or 'n' for a promotion, otherwise 0 */
} Move;

typedef struct {
    char text[6];
} MoveText;

Position from_fen(const char *fen);
Position play(Position position, Move move);
int legal_moves(const Position *position, Move moves[MAX_MOVES]);
MoveText uci(Move move);

#endif
