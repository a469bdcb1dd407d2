// A bot for Qwirkle that needs nothing but node: it lays one tile a turn, where it scores most.
//
// qwirkle-fast match "cmd:node examples/bot.js" random --games 20
// The board as a Map from "x,y" to a tile, my hand, and how many tiles the bag holds, from what follows `position`.
function read(words) {
  const board = new Map(), hands = words[1].split("/"), moves = words.slice(5);
  const [corner, rows] = words[0].includes(":") ? words[0].split(":") : ["0,0", words[0]];
  const [left, top] = corner.split(",").map(Number);
  rows.split("/").forEach((row, i) => {
    let x = left;
    for (const [part] of row.matchAll(/[A-Z][a-z]|\d+/g)) {
      if (/\d/.test(part)) x += Number(part);
      else board.set(`${x++},${top + i}`, part);
    }
  });
  for (const [, tile, cell] of moves.join(" ").matchAll(/(..)@(-?\d+,-?\d+)/g)) board.set(cell, tile);
  const hand = hands[moves.length % hands.length].match(/[A-Z][a-z]/g) ?? [];
  return { board, hand, bag: Math.max(0, 108 - board.size - 6 * hands.length) }; // until it is empty, hands have six
}

// What a tile scores on an empty cell; -1 when it does not fit.
function points(board, x, y, tile) {
  let total = 0;
  for (const [dx, dy] of [[1, 0], [0, 1]]) {
    const line = [tile];
    for (const way of [-1, 1])
      for (let i = way, t; (t = board.get(`${x + i * dx},${y + i * dy}`)); i += way) line.push(t);
    const kinds = (i) => new Set(line.map((t) => t[i])).size;
    if (Math.min(kinds(0), kinds(1)) > 1 || Math.max(kinds(0), kinds(1)) < line.length) return -1;
    if (line.length > 1) total += line.length + (line.length === 6 ? 6 : 0);
  }
  return total;
}

function choose({ board, hand, bag }) {
  if (board.size === 0) { // the opening must be a set of the largest size
    const sets = [..."ROYGBPcxdstv"].map((kind) => [...new Set(hand.filter((tile) => tile.includes(kind)))]);
    return sets.sort((a, b) => b.length - a.length)[0].map((tile, x) => `${tile}@${x},0`).join("+");
  }
  let best = 0, move = "-" + hand.slice(0, bag).join("");
  for (const cell of board.keys())
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const x = Number(cell.split(",")[0]) + dx, y = Number(cell.split(",")[1]) + dy;
      for (const tile of board.has(`${x},${y}`) ? [] : hand) {
        const score = points(board, x, y, tile);
        if (score > best) [best, move] = [score, `${tile}@${x},${y}`];
      }
    }
  return move;
}

let seen;
require("readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const [command, ...words] = text.trim().split(/\s+/);
  if (command === "uqi") console.log("id name one tile a turn\nuqiok");
  else if (command === "isready") console.log("readyok");
  else if (command === "position") seen = read(words);
  else if (command === "go") console.log(`bestmove ${choose(seen)}`);
  else if (command === "quit") process.exit();
});
