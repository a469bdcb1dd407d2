// The board: a grid of cells with a cursor, drawn anew only where something changed.

import { make } from "./dom.js";
import { cell, key } from "./notation.js";
import { describe, drawing } from "./tiles.js";

const [SMALLEST, LARGEST, STEP] = [18, 72, 1.25];
const COMFORTABLE = 52;
// No position spans more; what cannot be one must not hang the page.
const SPAN = 200;

/**
 * Emits "cell" (detail: { x, y }) when a cell is chosen, "erase" and "digit" for those keys.
 *
 * What is shown: `tiles`, `draft` (laid, but not played) and `ghosts` (a hint) are Maps from "x,y" to a code; `last` is
 * a Set of cells; `badges` a Map from "x,y" to { rank, text, chosen }.
 */
export class Board extends EventTarget {
  constructor(element) {
    super();
    this.element = element;
    this.frame = element.parentElement;
    this.cursor = { x: 0, y: 0 };
    this.content = { tiles: new Map(), draft: new Map(), ghosts: new Map(), last: new Set(), badges: new Map() };
    this.cells = new Map();
    this.size = null; // chosen by the user; null fits the board
    this.name = "";
    element.setAttribute("role", "grid");
    element.setAttribute("aria-label", "Board");
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("click", (event) => {
      const at = event.target.closest?.("[data-at]");
      if (at) this.#choose(...cell(at.dataset.at));
    });
    new ResizeObserver(() => this.#resize()).observe(this.frame);
  }

  show(content) {
    Object.assign(this.content, content);
    const extent = this.#extent();
    const name = Object.values(extent).join();
    if (name !== this.name) this.#rebuild(extent, name);
    for (const [at, element] of this.cells) this.#draw(at, element);
  }

  zoom(direction) {
    const size = this.size ?? this.#fitting();
    this.size = direction ? Math.min(LARGEST, Math.max(SMALLEST, direction > 0 ? size * STEP : size / STEP)) : null;
    this.#resize();
  }

  focus() {
    this.cells.get(key(this.cursor.x, this.cursor.y))?.focus();
  }

  /** The box of all that lies there, with room for what may come; cells that were once shown stay. */
  #extent() {
    const { tiles, draft, ghosts } = this.content;
    const cells = [...tiles.keys(), ...draft.keys(), ...ghosts.keys()].map(cell);
    const margin = tiles.size ? 2 : 3;
    if (!cells.length) cells.push([0, 0]);
    const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
    const box = {
      left: Math.min(...xs) - margin, top: Math.min(...ys) - margin,
      right: Math.max(...xs) + margin, bottom: Math.max(...ys) + margin,
    };
    box.right = Math.min(box.right, box.left + SPAN);
    box.bottom = Math.min(box.bottom, box.top + SPAN);
    return box;
  }

  #rebuild(extent, name) {
    const focused = this.element.contains(document.activeElement);
    this.extent = extent;
    this.name = name;
    this.cells.clear();
    const { left, top, right, bottom } = extent;
    const columns = Array.from({ length: right - left + 1 }, (_, i) => left + i);
    const head = make("div", { class: "row", "aria-hidden": "true" }, make("span", { class: "corner" }),
      ...columns.map((x) => make("span", { class: "label" }, String(x))));
    const rows = [head];
    for (let y = top; y <= bottom; y++) {
      const row = make("div", { class: "row", role: "row" },
        make("span", { class: "label", "aria-hidden": "true" }, String(y)));
      for (const x of columns) {
        const element = make("div", { class: "cell", role: "gridcell", tabindex: "-1", "data-at": key(x, y) });
        this.cells.set(key(x, y), element);
        row.append(element);
      }
      rows.push(row);
    }
    this.element.replaceChildren(...rows);
    this.#resize();
    this.#moveCursor(this.cursor.x, this.cursor.y, focused);
  }

  #draw(at, element) {
    const { tiles, draft, ghosts, last, badges } = this.content;
    const code = tiles.get(at) ?? draft.get(at) ?? ghosts.get(at);
    const kind = tiles.has(at) ? "laid" : draft.has(at) ? "draft" : ghosts.has(at) ? "ghost" : "empty";
    const badge = badges.get(at);
    const state = [code, kind, last.has(at), badge?.rank, badge?.text, badge?.chosen].join("|");
    if (element.state === state) return;
    element.state = state;
    element.className = `cell ${kind}${last.has(at) ? " last" : ""}`;
    const children = [];
    if (code) children.push(drawing(code));
    if (badge) {
      // The larger badge goes where it hides no tile, if it can.
      const [x, y] = cell(at);
      const below = tiles.has(key(x, y - 1)) && !tiles.has(key(x, y + 1)) && !ghosts.has(key(x, y + 1));
      children.push(make("span", { class: `badge${badge.chosen ? " chosen" : ""}${below ? " below" : ""}` },
        make("b", {}, String(badge.rank)), make("span", {}, badge.text)));
    }
    element.replaceChildren(...children);
    const words = { laid: "", draft: ", not played yet", ghost: ", hint", empty: "" }[kind];
    const hint = badge ? `, hint ${badge.rank}, ${badge.text}` : "";
    element.setAttribute("aria-label",
      `${at.replace(",", ", ")}: ${code ? describe(code) : "empty"}${words}${last.has(at) ? ", last move" : ""}${hint}`);
  }

  #fitting() {
    const { left, top, right, bottom } = this.extent;
    const width = (this.frame.clientWidth - 44) / (right - left + 1);
    const height = (this.frame.clientHeight - 40) / (bottom - top + 1);
    return Math.max(SMALLEST, Math.min(COMFORTABLE, Math.floor(Math.min(width, height))));
  }

  #resize() {
    if (this.extent) this.element.style.setProperty("--cell", `${Math.round(this.size ?? this.#fitting())}px`);
  }

  #moveCursor(x, y, focus = true) {
    const { left, top, right, bottom } = this.extent;
    this.cells.get(key(this.cursor.x, this.cursor.y))?.setAttribute("tabindex", "-1");
    this.cursor = { x: Math.min(right, Math.max(left, x)), y: Math.min(bottom, Math.max(top, y)) };
    const element = this.cells.get(key(this.cursor.x, this.cursor.y));
    element.setAttribute("tabindex", "0");
    if (focus) element.focus();
  }

  #choose(x, y) {
    this.#moveCursor(x, y);
    this.#emit("cell", { x, y });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y } = this.cursor;
    const steps = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1],
      Home: [this.extent.left, y], End: [this.extent.right, y],
    };
    if (steps[event.key]) this.#moveCursor(...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#choose(x, y);
    else if (event.key === "Delete" || event.key === "Backspace") this.#emit("erase", { x, y });
    else return;
    event.preventDefault();
  }
}
