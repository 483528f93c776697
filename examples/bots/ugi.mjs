// A bot for showdown that speaks UGI: gridlock play showdown --player2 "process:node ugi.mjs"

import readline from "node:readline";

const options = { board: "5x5", adjacency: "king" };
const sides = "XO";
let rows, king, turn; // lists of "X", "O" and "."; whether diagonal cells touch; the side to move, 0 or 1

function setUp(words) {
    const [height, width] = options.board.split("x").map(Number);
    const fen = words[1] === "fen";
    const text = fen ? words[4] : Array(height).fill(width).join("/");
    rows = text.split("/").map((row) => [...row.replace(/\d+/g, (count) => ".".repeat(Number(count)))]);
    king = (fen ? words[3] : options.adjacency) === "king";
    turn = fen ? sides.indexOf(words[5]) : 0;
    for (const move of words.includes("moves") ? words.slice(words.indexOf("moves") + 1) : []) {
        const [row, col] = move.split(",").map(Number);
        rows[row - 1][col - 1] = sides[turn];
        turn = 1 - turn;
    }
}

function room(side) { // the empty cells that touch no marker of the other side
    const steps = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => [down, across]));
    const near = steps.filter(([down, across]) => king || !down || !across);
    const blocked = (row, col) => near.some(([down, across]) => rows[row + down]?.[col + across] === sides[1 - side]);
    const empty = rows.flatMap((signs, row) => signs.map((sign, col) => sign === "." && [row, col])).filter(Boolean);
    return empty.filter(([row, col]) => !blocked(row, col));
}

function promise([row, col]) {
    rows[row][col] = sides[turn];
    const more = room(turn).length - room(1 - turn).length;
    rows[row][col] = ".";
    return more;
}

const answers = {
    ugi: () => "id name showdown in JavaScript\noption name board type string default 5x5\nugiok",
    isready: () => "readyok",
    setoption: (words) => void (options[words[2]] = words[4]),
    position: setUp,
    go: () => {
        const best = room(turn).sort((one, other) => promise(other) - promise(one))[0];
        return best ? `bestmove ${best[0] + 1},${best[1] + 1}` : "bestmove none";
    },
    query: (words) => {
        const over = room(turn).length === 0;
        return `response ${{ gameover: over, p1turn: turn === 0 }[words[1]] ?? (over ? `p${2 - turn}win` : "none")}`;
    },
    quit: () => process.exit(),
};

setUp(["position", "startpos"]);
readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const words = line.trim().split(/[ :]+/);
    const answer = answers[words[0]]?.(words);
    if (answer) console.log(answer);
});
