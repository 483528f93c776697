/* A bot for showdown that speaks UGI, the Universal Game Interface. Build it: cc -O2 -o ugi ugi.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rows, cols, king, turn;
static char board[102][102]; /* 'X', 'O' or 0; the border stays 0 */

static char *next(char *line) { /* the first word of a line, or with NULL the next one; "" at its end */
    char *word = strtok(line, " :\n");
    return word ? word : "";
}

static void set_up(void) { /* reads the words after position */
    int is_fen = !strcmp(next(NULL), "fen"), row = 1, col = 1;
    king = !is_fen || (next(NULL), !strcmp(next(NULL), "king"));
    memset(board, 0, sizeof board);
    for (char *sign = is_fen ? next(NULL) : "5/5/5/5/5"; *sign; sign++)
        if (*sign == '/') row++, col = 1;
        else if (*sign == 'X' || *sign == 'O') board[row][col++] = *sign;
        else col += strtol(sign, &sign, 10), sign--;
    rows = row, cols = col - 1, turn = is_fen && *next(NULL) == 'O';
    for (char *word = next(NULL); *word && strcmp(word, "moves");) word = next(NULL);
    while (sscanf(next(NULL), "%d,%d", &row, &col) == 2) board[row][col] = "XO"[turn], turn = 1 - turn;
}

static int is_legal(int row, int col, int side) {
    for (int step = 0; step < 9; step++) /* to the neighbours, row by row; the odd steps are not diagonal */
        if ((king || step % 2) && board[row + step / 3 - 1][col + step % 3 - 1] == "OX"[side]) return 0;
    return !board[row][col];
}

static int room(int side, int *best) { /* counts the legal cells; with `best`, also finds the best of them */
    int count = 0, most = -100000;
    for (int cell = 0; cell < rows * cols; cell++) {
        int row = cell / cols + 1, col = cell % cols + 1;
        if (!is_legal(row, col, side) || (count++, !best)) continue;
        board[row][col] = "XO"[side];
        int promise = room(side, NULL) - room(1 - side, NULL);
        board[row][col] = 0;
        if (promise > most) most = promise, *best = cell;
    }
    return count;
}

int main(void) {
    static char line[200000];
    for (int best = 0; fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4); fflush(stdout)) {
        char *word = next(line);
        int legal = room(turn, &best);
        if (!strcmp(word, "ugi")) puts("id name showdown in C\nugiok");
        if (!strcmp(word, "isready")) puts("readyok");
        if (!strcmp(word, "position")) set_up();
        if (!strcmp(word, "go") && legal) printf("bestmove %d,%d\n", best / cols + 1, best % cols + 1);
        if (!strcmp(word, "go") && !legal) puts("bestmove none");
        if (strcmp(word, "query") || !*(word = next(NULL))) continue;
        puts(!strcmp(word, "result") ? (legal ? "response none" : turn ? "response p1win" : "response p2win")
             : (!strcmp(word, "gameover") ? !legal : !turn) ? "response true" : "response false");
    }
}
