// Hints: asked for as a stream, listed by rank, and drawn on the board.

import { button, choice, make, panel, say } from "./dom.js";
import { key, parseMove, parsePosition } from "./notation.js";
import { ask, listen } from "./server.js";
import { describe, drawing } from "./tiles.js";

const PATIENCE = 1000; // milliseconds until it is said what takes so long

export const percent = (win) => (win === null ? "" : `${(100 * win).toFixed(1)} %`);
export const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(1);

/** A move as small tiles and where they go. */
export function moveElement(text) {
  const { placed, exchanged, hidden } = parseMove(text);
  const codes = placed.length ? placed.map(({ code }) => code) : [...exchanged, ...Array(hidden).fill("back")];
  const words = text === "-" ? "pass" : placed.length ? where(placed) : "exchange";
  return make("span", { class: "move", title: text }, ...codes.map((code) => drawing(code)), make("span", {}, words));
}

function where(placed) {
  const [first, last] = [placed[0], placed.at(-1)];
  const way = placed.length === 1 ? "" : first.y === last.y ? " →" : " ↓";
  return `${first.x}, ${first.y}${way}`;
}

export function moveWords(text) {
  const { placed, exchanged, hidden } = parseMove(text);
  if (placed.length) return placed.map(({ x, y, code }) => `${describe(code)} on ${x}, ${y}`).join("; ");
  return text === "-" ? "pass" : `exchange ${[...exchanged.map(describe), ...(hidden ? [`${hidden} tiles`] : [])].join(", ")}`;
}

export class Hints {
  /** `stage` draws them; `play(move)` is called with the move that the person takes. */
  constructor(stage, play) {
    this.stage = stage;
    this.hints = [];
    this.chosen = 0;
    this.seconds = "1";
    this.askButton = button("Get hints", () => (this.running ? this.stop() : this.ask()), { class: "main", id: "ask" });
    this.list = make("ol", { class: "hints" });
    this.legend = make("div", { hidden: true },
      make("p", { class: "quiet" }, "Equity: the points still to come, less the best other's. On the board: rank and chance to win."),
      make("div", { class: "legend", "aria-hidden": "true" }, make("span", { class: "move" }, "move"),
        make("span", { class: "equity" }, "equity ± error"), make("span", { class: "points" }, "points now"),
        make("span", { class: "win" }, "chance to win")));
    this.state = make("p", { class: "quiet", role: "status" });
    this.playButton = button("Play it", () => play(this.hints[this.chosen].move), { hidden: true });
    this.element = panel("Hints",
      make("div", { class: "buttons" }, this.askButton,
        choice("Time", [["0.2", "0.2 s"], ["1", "1 s"], ["3", "3 s"], ["10", "10 s"], ["30", "30 s"]], this.seconds,
          (value) => { this.seconds = value; })),
      this.state, this.legend, this.list, this.reply = make("p", { class: "quiet" }), make("div", { class: "buttons" }, this.playButton));
  }

  /** What to ask about; what was known of another position goes. */
  about(position) {
    if (position === this.position) return;
    this.stop();
    this.position = position;
    this.#show([], "");
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.askButton.textContent = "Get hints";
  }

  async ask() {
    this.stop();
    const running = this.running = new AbortController();
    this.askButton.textContent = "Stop";
    this.chosen = 0;
    const waiting = setTimeout(() => this.#explain(running), PATIENCE);
    try {
      const question = { position: this.position, time: Number(this.seconds), top: 5 };
      for await (const [event, answer] of listen("/v1/hints/stream", question, running.signal)) {
        if (this.running !== running) return;
        this.#show(answer.hints, answer.hints.length ? "" : this.#whyNone());
        if (event === "done" && this.hints.length) {
          const best = this.hints[0];
          say(`Best: ${moveWords(best.move)}, ${signed(best.equity)} points, ${percent(best.win)} to win`);
        }
      }
    } catch (error) {
      if (this.running === running) this.#show([], error.message);
    } finally {
      clearTimeout(waiting);
      if (this.running === running) this.stop();
    }
  }

  /** Say what takes so long, while there is no answer. */
  async #explain(running) {
    const { compiling } = await ask("/v1/health", undefined, running.signal).catch(() => ({}));
    if (compiling && this.running === running && !this.hints.length) {
      this.state.textContent = "The server is compiling the search, once on a machine: up to a minute.";
    }
  }

  #whyNone() {
    const empty = !parsePosition(this.position).hands[0].tiles.length;
    return empty ? "The hand is empty: give it tiles first." : "The game is over: there is no move.";
  }

  #show(hints, words) {
    this.hints = hints;
    this.state.textContent = words || this.#summary();
    this.playButton.hidden = !hints.length;
    const focused = [...this.list.querySelectorAll("button")].indexOf(document.activeElement);
    this.legend.hidden = !hints.length;
    this.list.replaceChildren(...hints.map((hint, index) => make("li", {}, this.#row(hint, index))));
    if (focused >= 0) this.list.querySelectorAll("button")[focused]?.focus();
    this.draw();
  }

  #summary() {
    if (!this.hints.length) return "";
    if (this.hints[0].exact) return "Solved to the end of the game.";
    const simulations = this.hints.reduce((sum, hint) => sum + hint.simulations, 0);
    return `${simulations.toLocaleString("en")} games looked at`;
  }

  #row(hint, index) {
    const bar = make("span", { class: "bar" }, make("span"));
    bar.firstChild.style.width = `${100 * (hint.win ?? 0)}%`;
    return make("button", {
      type: "button", class: "hint", "aria-pressed": String(index === this.chosen),
      "aria-label": `Hint ${index + 1}: ${moveWords(hint.move)}; ${hint.score} points now, equity ${signed(hint.equity)}, ` +
        `${percent(hint.win)} to win`,
      onclick: () => {
        this.chosen = index;
        for (const [other, element] of [...this.list.querySelectorAll("button")].entries()) {
          element.setAttribute("aria-pressed", String(other === index));
        }
        this.draw();
      },
    },
    make("b", { class: "rank" }, String(index + 1)), moveElement(hint.move),
    make("span", { class: "points" }, `${hint.score} pt`),
    make("span", { class: "equity" }, signed(hint.equity), make("small", {}, hint.stderr ? ` ±${hint.stderr.toFixed(1)}` : "")),
    make("span", { class: "win" }, percent(hint.win), bar));
  }

  /** What is likely to follow the chosen hint. */
  #drawReply(hint) {
    const words = !hint ? [] : hint.line?.length > 1 ? ["Then: ", ...hint.line.slice(1, 4).map(moveElement)]
      : hint.reply ? ["Then perhaps: ", moveElement(hint.reply.move), ` (${Math.round(100 * hint.reply.chance)} %)`] : [];
    this.reply.replaceChildren(...words);
  }

  /** The chosen hint as ghosts, and a badge of each hint's rank and win chance where nothing else has one. */
  draw() {
    const ghosts = new Map();
    const badges = new Map();
    const order = [this.chosen, ...this.hints.keys()].filter((index, at, all) => this.hints[index] && all.indexOf(index) === at);
    for (const index of order) {
      const hint = this.hints[index];
      const { placed } = parseMove(hint.move);
      const chosen = index === this.chosen;
      if (chosen) for (const { x, y, code } of placed) ghosts.set(key(x, y), code);
      const free = placed.map(({ x, y }) => key(x, y)).find((at) => !badges.has(at) && (chosen || !ghosts.has(at)));
      if (!free) continue;
      const text = hint.win === null ? signed(hint.equity) : chosen ? `${percent(hint.win)} to win` : `${Math.round(100 * hint.win)} %`;
      badges.set(free, { rank: index + 1, text, chosen });
    }
    this.#drawReply(this.hints[this.chosen]);
    this.stage.hint(ghosts, badges, this.hints[this.chosen] ? parseMove(this.hints[this.chosen].move).exchanged : []);
  }
}
