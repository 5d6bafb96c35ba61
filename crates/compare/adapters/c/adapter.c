/* Lets `tabiya compare` ask a move generator in C: cc -O2 -o adapter adapter.c generator.c && tabiya compare -- ./adapter */
#include <stdio.h>
#include <string.h>
#include "generator.h"

static unsigned long long perft(Position position, int depth, int print) {
    Move moves[MAX_MOVES];
    unsigned long long total = depth == 0;
    int count = depth > 0 ? legal_moves(&position, moves) : 0;
    for (int i = 0; i < count; i++) {
        /* A move of the last ply isn't played: if it's illegal, that may crash. */
        unsigned long long leaves = depth == 1 ? 1 : perft(play(position, moves[i]), depth - 1, 0);
        if (print) printf("%s: %llu\n", uci(moves[i]).text, leaves);
        total += leaves;
    }
    return total;
}

static Position play_text(Position position, const char *text) {
    Move moves[MAX_MOVES];
    for (int i = legal_moves(&position, moves) - 1; i >= 0; i--)
        if (strcmp(uci(moves[i]).text, text) == 0) return play(position, moves[i]);
    return position;
}

int main(void) {
    static char line[1 << 16], start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Position position = from_fen(start);
    for (int depth; fgets(line, sizeof line, stdin); fflush(stdout)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, "quit") == 0) break;
        if (strcmp(line, "uci") == 0) puts("uciok");
        if (strcmp(line, "isready") == 0) puts("readyok");
        if (sscanf(line, "go perft %d", &depth) == 1) printf("\nNodes searched: %llu\n\n", perft(position, depth, 1));
        if (strncmp(line, "position ", 9) == 0) {
            char *fen = strstr(line, " fen "), *moves = strstr(line, " moves ");
            position = from_fen(fen ? fen + 5 : start);
            for (char *text = moves ? strtok(moves + 7, " ") : NULL; text; text = strtok(NULL, " "))
                position = play_text(position, text);
        }
    }
    return 0;
}
