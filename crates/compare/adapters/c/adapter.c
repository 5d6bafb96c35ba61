/* Lets `tabiya compare` ask a move generator in C: cc -O2 -o adapter adapter.c generator.c && tabiya compare -- ./adapter */
#include <stdio.h>
#include <string.h>
#include "generator.h"

static unsigned long long perft(Position position, int depth, int print) {
    Move moves[MAX_MOVES];
    unsigned long long total = 0;
    int count = depth > 0 ? legal_moves(&position, moves) : 0;
    for (int i = 0; i < count; i++) {
        unsigned long long leaves = perft(play(position, moves[i]), depth - 1, 0);
        char text[6];
        uci(moves[i], text);
        if (print) printf("%s: %llu\n", text, leaves);
        total += leaves;
    }
    return depth > 0 ? total : 1;
}

static Position read_position(char *line) {
    static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    char *fen = strstr(line, " fen "), *rest = strstr(line, " moves");
    Position position = from_fen(fen ? fen + 5 : START);
    for (char *word = strtok(rest ? rest + 6 : "", " \r\n"); word; word = strtok(NULL, " \r\n")) {
        Move moves[MAX_MOVES];
        char text[6] = "";
        int i = 0, count = legal_moves(&position, moves);
        while (i < count && (uci(moves[i], text), strcmp(text, word) != 0)) i++;
        if (i < count) position = play(position, moves[i]);
    }
    return position;
}

int main(void) {
    static char line[1 << 16];
    Position position = {.ep = -1};
    int depth;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4) != 0) {
        if (strncmp(line, "uci", 3) == 0 && line[3] < ' ') puts("uciok");
        if (strncmp(line, "isready", 7) == 0) puts("readyok");
        if (strncmp(line, "position ", 9) == 0) position = read_position(line);
        if (sscanf(line, "go perft %d", &depth) == 1) printf("\nNodes searched: %llu\n\n", perft(position, depth, 1));
        fflush(stdout);
    }
    return 0;
}
