/* A bot for Qwirkle in C that lays one tile a turn, where it scores most: cc -O2 -o bot examples/bot.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TILE(x, y) board[(y) + 256][(x) + 256] /* two letters, 0 where none lies */
static char board[512][512][2], hand[6][3], text[1 << 16], move[128];
static int laid, count, bag, where[128][2];
static void lay(const char *t, int x, int y) { memcpy(TILE(x, y), t, 2), where[laid][0] = x, where[laid++][1] = y; }
static void read_position(const char *text) { /* what follows `position`: BOARD HANDS SCORES RULES moves M1 M2 ... */
    const char *at = strchr(text, ':'), *hands = strchr(text, ' ') + 1, *moves = strstr(text, " moves ");
    int x, y = 0, left = 0, mine = 0, seats = 1, corner = at ? sscanf(text, "%d,%d", &left, &y) : 0;
    memset(board, 0, sizeof board), memset(hand, 0, sizeof hand), laid = count = 0;
    for (x = left, at = corner ? at + 1 : text; *at != ' ' && *at != '-';)
        if (*at == '/') x = left, y++, at++;
        else if (*at <= '9') x += (int)strtol(at, (char **)&at, 10);
        else lay(at, x++, y), at += 2;
    for (at = text; (at = strchr(at, '@')); at++) if (sscanf(at, "@%d,%d", &x, &y) == 2) lay(at - 2, x, y);
    for (at = hands; *at != ' '; at++) seats += *at == '/';
    for (at = moves ? moves + 1 : ""; (at = strchr(at, ' ')); at++) mine = (mine + 1) % seats;
    for (at = hands; mine; at++) mine -= *at == '/';
    for (; *at >= 'A' && count < 6; at += 2) memcpy(hand[count++], at, 2);
    bag = 108 - laid - 6 * seats; /* while it lasts, every hand has six */
}
static int points(int x, int y, const char *tile) { /* what it scores on a cell; 0 when it does not fit */
    int total = 0;
    for (int down = 0, length = 1; down < 2 && !*TILE(x, y); down++, length = 1) {
        int colours = 1 << tile[0] % 32, shapes = 1 << tile[1] % 32, right = !down;
        for (int way = -1; way < 2; way += 2)
            for (int i = x + way * right, j = y + way * down; *TILE(i, j); i += way * right, j += way * down, length++)
                colours |= 1 << TILE(i, j)[0] % 32, shapes |= 1 << TILE(i, j)[1] % 32;
        int n = __builtin_popcount(colours), m = __builtin_popcount(shapes);
        if (n + m != length + 1 || (n > 1 && m > 1)) return 0; /* one colour and every shape another, or the reverse */
        total += length > 1 ? length + 6 * (length == 6) : 0;
    }
    return total;
}
static void choose(void) { /* a set to open with, or the best of all cells beside the grid, or an exchange */
    int best = sprintf(move, "-") - 1;
    for (int k = 0; k < count && k < bag; k++) strcat(move, hand[k]);
    for (int kind = 0, n = 0; !laid && kind < 12; kind++, n = 0) { /* the opening must be a set of the largest size */
        char set[64] = "";
        for (int k = 0; k < count; k++)
            if (hand[k][kind / 6] == "ROYGBPcxdstv"[kind] && !strstr(set, hand[k]))
                sprintf(set + strlen(set), &"+%s@%d,0"[!n], hand[k], n), n++;
        if (n > best) best = n, strcpy(move, set);
    }
    for (int i = 0; i < 4 * laid * count; i++) {
        int way = i % 4, x = where[i / 4 % laid][0] + (way == 0) - (way == 1);
        int y = where[i / 4 % laid][1] + (way == 2) - (way == 3), k = i / 4 / laid;
        if (points(x, y, hand[k]) > best) best = points(x, y, hand[k]), sprintf(move, "%s@%d,%d", hand[k], x, y);
    }
}
int main(void) {
    for (; fgets(text, sizeof text, stdin) && strncmp(text, "quit", 4); fflush(stdout)) {
        if (!strncmp(text, "uqi", 3)) puts("id name one tile a turn\nuqiok");
        if (!strncmp(text, "isready", 7)) puts("readyok");
        if (!strncmp(text, "position ", 9)) read_position(text + 9);
        if (!strncmp(text, "go", 2)) choose(), printf("bestmove %s\n", move);
    }
}
