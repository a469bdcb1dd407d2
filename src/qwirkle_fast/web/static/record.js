// Records of games: read, stepped through, and reviewed with a graph.

import { button, choice, make, panel, svg } from "./dom.js";
import { moveElement, signed } from "./hints.js";
import { HAND, formatPosition, key, parseMove } from "./notation.js";
import { ask } from "./server.js";

const LONGEST = 10_000_000; // bytes of a file that is read

/** The positions of a game, one before each turn and one at the end, as the player to move sees them. */
export function positions(record) {
  const players = record.hands.length;
  const hands = record.hands.map((hand) => [...hand]);
  const scores = hands.map(() => 0);
  const board = new Map();
  let bag = record.bag.length;
  const found = [];
  let seat = record.turns[0]?.seat ?? 0;
  const keep = (last) => {
    const order = hands.map((_, i) => (seat + i) % players);
    found.push({
      text: formatPosition({
        board, rules: record.rules, scores: order.map((other) => scores[other]),
        hands: order.map((other, i) => (i ? { tiles: [], hidden: hands[other].length } : { tiles: hands[other], hidden: 0 })),
      }),
      last,
    });
  };
  keep(new Set());
  for (const turn of record.turns) {
    const { placed, exchanged } = parseMove(turn.move);
    const hand = hands[turn.seat];
    for (const code of [...placed.map((tile) => tile.code), ...exchanged]) hand.splice(hand.indexOf(code), 1);
    for (const { x, y, code } of placed) board.set(key(x, y), code);
    hand.push(...turn.drawn);
    if (placed.length) bag -= turn.drawn.length;
    scores[turn.seat] += turn.score + (hand.length || bag ? 0 : HAND);
    seat = (turn.seat + 1) % players;
    keep(new Set(placed.map(({ x, y }) => key(x, y))));
  }
  return found;
}

const ENDS = {
  stuck: "nobody can place a tile", dead: "no tile fits any more", exchanges: "too many exchanges in a row", forfeit: "given up",
};

/** Why a game ended, in words; `name` made the last move. */
export function endWords(end, name) {
  const words = end === "out" ? `${name} played the last tile` : ENDS[end] ?? end;
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

const whose = (name) => (name === "You" ? "Your" : `${name}'s`);

export class Records {
  /** `show(text, last)` is given a position of the record and the cells of the move that led to it. */
  constructor(show) {
    this.show = show;
    this.at = 0;
    this.paste = make("textarea", { rows: "3", spellcheck: "false", "aria-label": "A game record as JSON" });
    this.state = make("p", { class: "quiet", role: "status" });
    this.steps = make("div", { class: "steps", hidden: true });
    this.element = panel("Game record",
      make("div", { class: "buttons" },
        make("label", { class: "file" }, "Open a file",
          make("input", { type: "file", accept: ".json,.jsonl,application/json", onchange: (event) => this.#open(event.target) }))),
      make("details", {}, make("summary", {}, "Or paste one"), this.paste,
        make("div", { class: "buttons" }, button("Read", () => this.#read(this.paste.value)))),
      this.state, this.steps);
  }

  async #open(input) {
    const [file] = input.files;
    if (file) this.#read(file.size > LONGEST ? "" : await file.text());
    input.value = "";
  }

  #read(text) {
    try {
      const line = text.trim().split("\n")[0];
      this.load(JSON.parse(line.endsWith("}") ? line : text));
    } catch {
      this.state.textContent = "This is no game record, expected the JSON of one.";
    }
  }

  load(record) {
    this.found = positions(record);
    this.record = record;
    this.turns = null;
    this.state.textContent = "";
    this.slider = make("input", { type: "range", min: "0", max: String(this.found.length - 1), value: "0",
      "aria-label": "Turn", oninput: () => this.go(Number(this.slider.value)) });
    this.words = make("p", { class: "turn" });
    this.graph = make("div", { class: "graph" });
    this.reviewButton = button("Review", () => (this.reviewing ? this.reviewing.abort() : this.#review()), { class: "main" });
    this.depth = "1000";
    const step = (text, name, to) => button(text, () => this.go(to()), { "aria-label": name });
    this.steps.replaceChildren(
      make("div", { class: "buttons" },
        step("«", "First turn", () => 0), step("‹", "One turn back", () => this.at - 1),
        step("›", "One turn on", () => this.at + 1), step("»", "Last turn", () => this.found.length - 1)),
      this.slider, this.words, this.graph,
      make("div", { class: "buttons" }, this.reviewButton,
        choice("How deep", [["200", "quick"], ["1000", "good"], ["5000", "deep"]], this.depth, (value) => { this.depth = value; })));
    this.steps.hidden = false;
    this.element.parentElement?.prepend(this.element);
    this.go(0);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.found.length - 1, at));
    this.slider.value = String(this.at);
    const { text, last } = this.found[this.at];
    const { players, turns, end } = this.record;
    const turn = turns[this.at];
    this.slider.setAttribute("aria-valuetext", `${this.at} of ${turns.length}`);
    this.words.replaceChildren(turn
      ? make("span", {}, `Turn ${this.at + 1} of ${turns.length}: ${players[turn.seat]} `, moveElement(turn.move), ` ${turn.score} pt`)
      : make("span", {}, end ? `The end: ${endWords(end, players[turns.at(-1)?.seat ?? 0])} ` : "So far: ",
        players.map((name, seat) => `${name} ${this.record.scores[seat]}`).join(", ")));
    const judged = this.turns?.[this.at];
    if (judged) this.words.append(make("small", {}, ...judgement(judged)));
    this.#draw();
    this.show(text, last);
  }

  async #review() {
    this.reviewing = new AbortController();
    this.reviewButton.textContent = "Stop";
    this.state.textContent = "Looking at every turn …";
    try {
      const answer = await ask("/v1/review", { record: this.record, simulations: Number(this.depth) }, this.reviewing.signal);
      this.turns = answer.turns;
      this.state.textContent = "";
      this.go(this.at);
    } catch (error) {
      this.state.textContent = error.name === "AbortError" ? "" : error.message;
    } finally {
      this.reviewing = null;
      this.reviewButton.textContent = "Review";
    }
  }

  /** The graph: before each turn the first seat's chance to win, and the points each turn lost. */
  #draw() {
    if (!this.turns) return;
    this.graph.replaceChildren(graph(this.turns, this.record.players, this.at, (at) => this.go(at)));
  }
}

function judgement({ best, lost }) {
  return [" best: ", moveElement(best.move), lost > 0.05 ? ` (${signed(-lost)} points lost)` : " (nothing lost)"];
}

function graph(turns, players, at, go) {
  const [width, height, base] = [320, 140, 100];
  const x = (turn) => 8 + (turn + 0.5) * ((width - 16) / turns.length);
  // With more than two players only the first seat's own turns tell its chance.
  const known = turns.map(({ seat, best }, turn) => ({ turn, win: seat === 0 ? best.win : 1 - best.win, seat }))
    .filter(({ seat, win }) => win !== null && (seat === 0 || players.length === 2));
  const y = (win) => 4 + (1 - win) * (base - 8);
  const line = known.map(({ turn, win }, at) => `${at ? "L" : "M"}${x(turn).toFixed(1)} ${y(win).toFixed(1)}`).join("");
  const most = Math.max(4, ...turns.map(({ lost }) => lost));
  const bars = turns.map(({ lost, seat }, turn) => svg("rect", {
    class: `loss seat${seat % 2}`, x: x(turn) - 2, width: 4, y: base + 4, height: Math.max(0.5, (Math.max(0, lost) / most) * 34),
  }));
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${whose(players[0])} chance to win over ${turns.length} turns, and the points that each turn lost` },
  svg("rect", { class: "plot", x: 0, y: 0, width, height: base, rx: 6 }),
  svg("line", { class: "even", x1: 0, x2: width, y1: y(0.5), y2: y(0.5) }),
  svg("path", { class: "curve", d: line }), ...bars,
  svg("line", { class: "now", x1: x(Math.min(at, turns.length - 1)), x2: x(Math.min(at, turns.length - 1)), y1: 0, y2: height }));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width * width - 8) / ((width - 16) / turns.length) - 0.5));
  });
  const legend = make("p", { class: "quiet" }, `Line: ${whose(players[0])} chance to win. Bars: points lost in a turn.`);
  return make("div", {}, picture, legend);
}

