// A showdown bot for the simplest protocol: it reads a line with the moves so far, and answers with a move.
// Play against it: gridlock play showdown --player2 "line:node simple.mjs"

import readline from "node:readline";

function touch(one, other, king) {
    const down = Math.abs(one[0] - other[0]);
    const across = Math.abs(one[1] - other[1]);
    return king ? Math.max(down, across) === 1 : down + across === 1;
}

// The empty cells that touch none of the opponent's markers.
function room(cells, own, against, king) {
    const same = (cell) => (marker) => marker[0] === cell[0] && marker[1] === cell[1];
    const free = cells.filter((cell) => !own.some(same(cell)) && !against.some(same(cell)));
    return free.filter((cell) => !against.some((marker) => touch(cell, marker, king)));
}

// The legal move that leaves the opponent the fewest cells and this player the most.
function choose(board, king, moves) {
    const [rows, cols] = board.split("x").map(Number);
    const cells = [];
    for (let row = 1; row <= rows; row++) for (let col = 1; col <= cols; col++) cells.push([row, col]);
    const taken = moves.filter((move) => move !== "swap").map((move) => move.split(",").map(Number));
    const mine = taken.filter((_, at) => (taken.length - at) % 2 === 0);
    const theirs = taken.filter((_, at) => (taken.length - at) % 2 === 1);
    const promise = (cell) =>
        room(cells, [...mine, cell], theirs, king).length - room(cells, theirs, [...mine, cell], king).length;
    return room(cells, mine, theirs, king).reduce((best, cell) => (promise(cell) > promise(best) ? cell : best));
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const words = line.trim().split(" "); // such as: showdown 5x5 king moves 3,3 1,1
    const moves = words.slice(words.indexOf("moves") + 1);
    console.log(choose(words[1], words[2] === "king", moves).join(","));
});
