/* A showdown bot for the simplest protocol: it reads a line with the moves so far, and answers with a move.
   Build it: cc -O2 -o simple simple.c
   Play against it: gridlock play showdown --player2 "line:./simple" */

#include <stdio.h>
#include <string.h>

static int rows, cols, king;
static char board[102][102]; /* 'X', 'O' or 0; the border stays 0 */

static int is_legal(int row, int col, char other) {
    if (board[row][col]) return 0;
    for (int down = -1; down <= 1; down++)
        for (int across = -1; across <= 1; across++)
            if ((king || !down || !across) && board[row + down][col + across] == other) return 0;
    return 1;
}

static int room(char other) {
    int count = 0;
    for (int row = 1; row <= rows; row++)
        for (int col = 1; col <= cols; col++) count += is_legal(row, col, other);
    return count;
}

int main(void) {
    static char line[200000];
    while (fgets(line, sizeof line, stdin)) { /* such as: showdown 5x5 king moves 3,3 1,1 */
        char adjacency[16], mine = 'X', theirs = 'O', *move;
        memset(board, 0, sizeof board);
        if (sscanf(line, "%*s %dx%d %15s", &rows, &cols, adjacency) != 3) break;
        king = !strcmp(adjacency, "king");
        for (move = strtok(strstr(line, "moves"), " \n"); move; move = strtok(NULL, " \n")) {
            int row, col;
            if (sscanf(move, "%d,%d", &row, &col) != 2) continue; /* the word moves, or a swap */
            board[row][col] = mine;
            char last = mine;
            mine = theirs, theirs = last;
        }
        int best = -100000, best_row = 0, best_col = 0;
        for (int row = 1; row <= rows; row++)
            for (int col = 1; col <= cols; col++) {
                if (!is_legal(row, col, theirs)) continue;
                board[row][col] = mine;
                int promise = room(theirs) - room(mine);
                board[row][col] = 0;
                if (promise > best) best = promise, best_row = row, best_col = col;
            }
        printf("%d,%d\n", best_row, best_col);
        fflush(stdout);
    }
    return 0;
}
