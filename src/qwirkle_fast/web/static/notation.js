// Positions and moves as text, as the server writes them.  What is not in form is the server's to explain.

export const DEFAULTS = { diagonal_min: 2, exchange_cap: 10, first: "oldest", opening: "largest", tiles: "full" };
export const EMPTY = "- -/?6 0/0 classic";
export const HAND = 6;

export const key = (x, y) => `${x},${y}`;
export const cell = (at) => at.split(",").map(Number);

const TILE = /[ROYGBP][cxdstv][kwm]?/g;
const HAND_TEXT = /^(?:-|(?:[ROYGBP][cxdstv][kwm]?)+(?:\?\d)?|\?\d)$/;

/** { board: Map from "x,y" to a code, hands: [{ tiles, hidden }], scores, rules }; null for what is not in form. */
export function parsePosition(text) {
  const fields = text.trim().split(" ");
  if (fields.length !== 4) return null;
  const [boardText, handsText, scoresText, rulesText] = fields;
  const board = new Map();
  const [, left, top, rows] = boardText.match(/^(?:(-?\d+),(-?\d+):)?([^:]*)$/) ?? [];
  if (rows === undefined) return null;
  if (rows !== "-") {
    for (const [index, row] of rows.split("/").entries()) {
      if (!/^(?:\d{0,7}[ROYGBP][cxdstv][kwm]?)+$/.test(row)) return null;
      let x = Number(left ?? 0);
      for (const [part] of row.matchAll(/\d+|[ROYGBP][cxdstv][kwm]?/g)) {
        if (/\d/.test(part)) x += Number(part);
        else board.set(key(x++, Number(top ?? 0) + index), part);
      }
    }
  }
  const handTexts = handsText.split("/");
  if (handTexts.length < 2 || handTexts.length > 6 || !handTexts.every((hand) => HAND_TEXT.test(hand))) return null;
  const hands = handTexts.map((hand) => {
    const [tiles, hidden] = hand.split("?");
    return { tiles: tiles === "-" ? [] : tiles.match(TILE) ?? [], hidden: Number(hidden ?? 0) };
  });
  const [name, ...options] = rulesText.split(";");
  if (name !== "classic" && name !== "flex") return null;
  const rules = { name };
  for (const option of options) {
    const [word, value] = option.split("=");
    if (!(word in DEFAULTS)) return null;
    rules[word] = typeof DEFAULTS[word] === "number" ? Number(value) : value;
  }
  const scores = scoresText.split("/").map(Number);
  return scores.length === hands.length && scores.every(Number.isInteger) ? { board, hands, scores, rules } : null;
}

export function formatPosition({ board, hands, scores, rules }) {
  const hand = ({ tiles, hidden }) => tiles.join("") + (hidden ? `?${hidden}` : "") || "-";
  const options = Object.keys(DEFAULTS).filter((name) => (rules[name] ?? DEFAULTS[name]) !== DEFAULTS[name]);
  const words = [rules.name, ...options.map((name) => `${name}=${rules[name]}`)];
  return [formatBoard(board), hands.map(hand).join("/"), scores.join("/"), words.join(";")].join(" ");
}

function formatBoard(board) {
  if (!board.size) return "-";
  const cells = [...board].map(([at, code]) => [...cell(at), code]).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const left = Math.min(...cells.map(([x]) => x));
  const top = cells[0][1];
  let [text, row, column] = ["", top, left];
  for (const [x, y, code] of cells) {
    if (y !== row) {
      text += "/".repeat(y - row);
      [row, column] = [y, left];
    }
    text += (x > column ? x - column : "") + code;
    column = x + 1;
  }
  return (left || top ? `${left},${top}:` : "") + text;
}

/** { placed: [{ x, y, code }], exchanged: [codes], hidden }. */
export function parseMove(text) {
  if (text.startsWith("-")) {
    const [tiles, hidden] = text.slice(1).split("?");
    return { placed: [], exchanged: tiles.match(TILE) ?? [], hidden: Number(hidden ?? 0) };
  }
  const placed = text.split("+").map((part) => {
    const [code, at] = part.split("@");
    const [x, y] = cell(at);
    return { x, y, code };
  });
  return { placed, exchanged: [], hidden: 0 };
}

/** The text of a placement, from a Map of "x,y" to codes. */
export function formatPlacement(placed) {
  const cells = [...placed].map(([at, code]) => [...cell(at), code]).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return cells.map(([x, y, code]) => `${code}@${x},${y}`).join("+");
}

/** A position's text for the address: it needs no escapes there but for its spaces. */
export const toAddress = (text) => text.replaceAll(" ", "+");

export function fromAddress(text) {
  try {
    return decodeURIComponent(text).replaceAll("+", " ");
  } catch {
    return text; // a stray % is the server's to complain about
  }
}
