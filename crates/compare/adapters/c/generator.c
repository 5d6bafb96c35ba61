#include "generator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const int STEPS[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
static const int LEAPS[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* The square one step away, or -1 beyond the edge. */
static int step(int square, int file, int rank) {
    file += square % 8;
    rank += square / 8;
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}

Position from_fen(const char *fen) {
    Position position = {.ep = -1};
    memset(position.board, '.', 64);
    int file = 0, rank = 7;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') { file = 0; rank--; }
        else if (isdigit((unsigned char)*fen)) file += *fen - '0';
        else if (rank >= 0 && file < 8) position.board[rank * 8 + file++] = *fen;
    }
    while (*fen == ' ') fen++;
    position.white = *fen == 'w';
    while (*fen && *fen != ' ') fen++;
    while (*fen == ' ') fen++;
    for (int i = 0; *fen && *fen != ' '; fen++) if (i < 4) position.castling[i++] = *fen;
    while (*fen == ' ') fen++;
    if (*fen >= 'a' && *fen <= 'h') position.ep = fen[0] - 'a' + 8 * (fen[1] - '1');
    return position;
}

static int holds(const Position *p, int square, int white, const char *roles) {
    char piece = square < 0 ? '.' : p->board[square];
    return piece != '.' && !isupper((unsigned char)piece) == !white && strchr(roles, tolower((unsigned char)piece));
}

static int attacked(const Position *p, int square, int white) {
    int back = white ? -1 : 1;
    if (holds(p, step(square, -1, back), white, "p") || holds(p, step(square, 1, back), white, "p")) return 1;
    for (int i = 0; i < 8; i++) {
        if (holds(p, step(square, LEAPS[i][0], LEAPS[i][1]), white, "n")) return 1;
        int target = step(square, STEPS[i][0], STEPS[i][1]);
        if (holds(p, target, white, "k")) return 1;
        while (target >= 0 && p->board[target] == '.') target = step(target, STEPS[i][0], STEPS[i][1]);
        if (holds(p, target, white, i < 4 ? "qr" : "qb")) return 1;
    }
    return 0;
}

Position play(Position p, Move move) {
    char piece = p.board[move.start], role = tolower((unsigned char)piece);
    int ep = -1;
    p.board[move.start] = '.';
    p.board[move.target] = !move.role ? piece : p.white ? toupper((unsigned char)move.role) : move.role;
    if (role == 'p' && move.target == p.ep) p.board[move.start / 8 * 8 + move.target % 8] = '.';
    if (role == 'p' && abs(move.target - move.start) == 16) ep = (move.start + move.target) / 2;
    if (role == 'k' && abs(move.target - move.start) == 2) {
        int corner = move.target > move.start ? move.start + 3 : move.start - 4;
        p.board[(move.start + move.target) / 2] = p.board[corner];
        p.board[corner] = '.';
    }
    static const struct { int square; const char *lost; } RIGHTS[6] = {
        {0, "Q"}, {4, "KQ"}, {7, "K"}, {56, "q"}, {60, "kq"}, {63, "k"}};
    for (int i = 0; i < 6; i++)
        if (RIGHTS[i].square == move.start || RIGHTS[i].square == move.target)
            for (char *right = p.castling; *right; right++)
                if (strchr(RIGHTS[i].lost, *right)) *right = '-';
    p.ep = ep;
    p.white = !p.white;
    return p;
}

static int add(const Position *p, Move *moves, int count, Move move) {
    Position after = play(*p, move);
    int king = 0;
    while (king < 63 && after.board[king] != (p->white ? 'K' : 'k')) king++;
    if (!attacked(&after, king, !p->white)) moves[count++] = move;
    return count;
}

static int add_pawn(const Position *p, Move *moves, int count, int start, int target) {
    if (target >= 8 && target < 56) return add(p, moves, count, (Move){start, target, 0});
    for (const char *role = "qrbn"; *role; role++) count = add(p, moves, count, (Move){start, target, *role});
    return count;
}

static int pawn_moves(const Position *p, Move *moves, int count, int start) {
    int forward = p->white ? 1 : -1, push = start + 8 * forward;
    if (p->board[push] == '.') {
        count = add_pawn(p, moves, count, start, push);
        if (start / 8 == (p->white ? 1 : 6) && p->board[push + 8 * forward] == '.')
            count = add_pawn(p, moves, count, start, push + 8 * forward);
    }
    for (int side = -1; side <= 1; side += 2) {
        int target = step(start, side, forward);
        if (target >= 0 && (target == p->ep || holds(p, target, !p->white, "pnbrqk")))
            count = add_pawn(p, moves, count, start, target);
    }
    return count;
}

static int castling_moves(const Position *p, Move *moves, int count, int king) {
    for (int way = 1; way >= -1; way -= 2) {
        char right = way > 0 ? 'k' : 'q';
        if (!strchr(p->castling, p->white ? toupper(right) : right)) continue;
        if (p->board[king + way] != '.' || p->board[king + 2 * way] != '.') continue;
        if (way < 0 && p->board[king - 3] != '.') continue;
        if (attacked(p, king, !p->white) || attacked(p, king + way, !p->white)) continue;
        count = add(p, moves, count, (Move){king, king + 2 * way, 0});
    }
    return count;
}

int legal_moves(const Position *p, Move moves[MAX_MOVES]) {
    int count = 0;
    for (int start = 0; start < 64; start++) {
        if (!holds(p, start, p->white, "pnbrqk")) continue;
        char role = tolower((unsigned char)p->board[start]);
        if (role == 'p') { count = pawn_moves(p, moves, count, start); continue; }
        const int(*steps)[2] = role == 'n' ? LEAPS : STEPS;
        for (int i = role == 'b' ? 4 : 0; i < (role == 'r' ? 4 : 8); i++)
            for (int to = step(start, steps[i][0], steps[i][1]); to >= 0; to = step(to, steps[i][0], steps[i][1])) {
                if (holds(p, to, p->white, "pnbrqk")) break;
                count = add(p, moves, count, (Move){start, to, 0});
                if (p->board[to] != '.' || role == 'n' || role == 'k') break;
            }
        if (role == 'k') count = castling_moves(p, moves, count, start);
    }
    return count;
}

MoveText uci(Move move) {
    MoveText uci = {{'a' + move.start % 8, '1' + move.start / 8, 'a' + move.target % 8, '1' + move.target / 8, move.role}};
    return uci;
}
