// The board and the hand together: choosing tiles, laying them by tap, drag or keys, and what is laid but not played.

import { Board } from "./board.js";
import { button, make, say } from "./dom.js";
import { HAND, cell, formatPlacement, key } from "./notation.js";
import { describe, drawing } from "./tiles.js";

/**
 * Emits "draft" when tiles were laid or taken back, "edit" (detail: { at, code }) when a brush touches a cell and
 * "edit-hand" (detail: { index, code }) when it touches the hand; a code of null erases.
 */
export class Stage extends EventTarget {
  constructor() {
    super();
    this.board = new Board(document.getElementById("board"));
    this.rack = document.getElementById("rack");
    this.hand = [];
    this.hidden = 0;
    this.draft = new Map(); // "x,y" to the place in the hand
    this.chosen = null; // a place in the hand
    this.brush = null; // a code, "erase", or null
    this.picked = null; // places in the hand to exchange, a Set while they are being picked
    this.board.addEventListener("cell", ({ detail }) => this.#touch(key(detail.x, detail.y)));
    this.board.addEventListener("erase", ({ detail }) => this.#erase(key(detail.x, detail.y)));
    for (const [id, direction] of [["smaller", -1], ["fit", 0], ["larger", 1]]) {
      document.getElementById(id).addEventListener("click", () => this.board.zoom(direction));
    }
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  /** Show a position's board and the mover's hand; what was laid goes back. */
  show({ board, hand, hidden = 0, last = new Set() }) {
    this.tiles = board;
    this.hand = hand;
    this.hidden = hidden;
    this.picked = null;
    this.draft.clear();
    this.chosen = null;
    this.board.show({ tiles: board, draft: new Map(), ghosts: new Map(), badges: new Map(), last });
    this.#drawRack();
  }

  /** Draw hints: tiles as ghosts, badges, and the tiles of the hand to give away. */
  hint(ghosts, badges, exchanged) {
    this.board.show({ ghosts: this.draft.size ? new Map() : ghosts, badges });
    const left = [...exchanged];
    for (const [index, slot] of [...this.rack.children].entries()) {
      const at = left.indexOf(this.hand[index]);
      if (at >= 0) left.splice(at, 1);
      slot.classList.toggle("given", at >= 0);
    }
  }

  /** What is laid but not played: a Map from "x,y" to codes. */
  get laid() {
    return new Map([...this.draft].map(([at, index]) => [at, this.hand[index]]));
  }

  /** The move that is laid; on the empty board it begins at 0, 0, as the rules of the notation have it. */
  get move() {
    const cells = [...this.laid].map(([at, code]) => [...cell(at), code]);
    const [left, top] = this.tiles.size || !cells.length ? [0, 0] : cells.sort((a, b) => a[1] - b[1] || a[0] - b[0])[0];
    return formatPlacement(new Map(cells.map(([x, y, code]) => [key(x - left, y - top), code])));
  }

  takeBack() {
    this.draft.clear();
    this.#changed();
  }

  pick(picking) {
    this.picked = picking ? new Set() : null;
    if (picking) this.draft.clear();
    this.chosen = null;
    this.#changed();
  }

  setBrush(brush) {
    this.brush = brush;
    this.chosen = null;
    this.#drawRack();
  }

  #changed() {
    this.board.show({ draft: this.laid, ghosts: new Map(), badges: new Map() });
    this.#drawRack();
    this.dispatchEvent(new Event("draft"));
  }

  #edit(at, code) {
    this.dispatchEvent(new CustomEvent("edit", { detail: { at, code } }));
  }

  #touch(at) {
    if (this.brush) {
      this.#edit(at, this.brush === "erase" ? null : this.brush);
    } else if (this.draft.has(at)) {
      say(`${describe(this.hand[this.draft.get(at)])} taken back`);
      this.draft.delete(at);
      this.#changed();
    } else if (this.chosen !== null && !this.tiles.has(at)) {
      this.#lay(this.chosen, at);
    }
  }

  #lay(index, at) {
    if (this.tiles.has(at) || this.draft.has(at)) return;
    for (const [other, place] of this.draft) if (place === index) this.draft.delete(other);
    this.draft.set(at, index);
    this.chosen = null;
    say(`${describe(this.hand[index])} laid on ${at.replace(",", ", ")}`);
    this.#changed();
  }

  #erase(at) {
    if (this.draft.delete(at)) this.#changed();
    else if (this.brush && this.tiles.has(at)) this.#edit(at, null);
  }

  #choose(index) {
    if (this.brush) {
      const code = this.brush === "erase" ? null : this.brush;
      this.dispatchEvent(new CustomEvent("edit-hand", { detail: { index, code } }));
      return;
    }
    if (index >= this.hand.length) return;
    if (this.picked) {
      if (!this.picked.delete(index)) this.picked.add(index);
      this.#changed();
      return;
    }
    for (const [at, place] of this.draft) {
      if (place === index) {
        this.draft.delete(at);
        this.#changed();
        return;
      }
    }
    this.chosen = this.chosen === index ? null : index;
    say(this.chosen === null ? "no tile chosen" : `${describe(this.hand[index])} chosen`);
    this.#drawRack();
  }

  #drawRack() {
    const used = new Set(this.draft.values());
    const focused = [...this.rack.children].indexOf(document.activeElement);
    const slots = [];
    for (let index = 0; index < Math.max(HAND, this.hand.length + this.hidden); index++) {
      const code = this.hand[index];
      const hidden = !code && index < this.hand.length + this.hidden;
      const state = used.has(index) ? "used" : this.picked?.has(index) ? "picked" : "";
      const pressed = this.chosen === index || Boolean(this.picked?.has(index));
      const words = code ? describe(code) + (used.has(index) ? ", laid" : "") : hidden ? "hidden tile" : "no tile";
      slots.push(button(code || hidden ? drawing(code ?? "back") : "", () => this.#choose(index), {
        class: `slot ${state}`, "data-slot": String(index), "aria-pressed": String(pressed),
        "aria-label": `Tile ${index + 1}: ${words}`, title: words,
      }));
    }
    this.rack.replaceChildren(...slots);
    if (focused >= 0) this.rack.children[focused]?.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (/^[1-6]$/.test(event.key)) this.#choose(Number(event.key) - 1);
    else if (event.key === "Escape") {
      this.chosen = null;
      if (this.draft.size) this.takeBack();
      else this.#drawRack();
    } else return;
    event.preventDefault();
  }

  // Dragging, with mouse, pen or finger: from the hand, from what is laid, and from the box of tiles.

  #grab(event) {
    const source = event.target.closest?.("[data-slot], [data-code], .cell.draft");
    if (!source || event.button !== 0 || this.picked) return;
    const index = source.dataset.slot !== undefined ? Number(source.dataset.slot)
      : source.dataset.at !== undefined ? this.draft.get(source.dataset.at) : null;
    const code = source.dataset.code ?? this.hand[index];
    if (!code || code === "erase") return;
    const start = { x: event.clientX, y: event.clientY };
    let flying = null;
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      if (!flying && Math.hypot(now.clientX - start.x, now.clientY - start.y) > 6) {
        flying = make("div", { class: "flying" }, drawing(code));
        document.body.append(flying);
      }
      if (flying) {
        now.preventDefault();
        flying.style.transform = `translate(${now.clientX}px, ${now.clientY}px)`;
      }
    };
    const end = (now) => {
      if (now.pointerId !== event.pointerId) return;
      for (const [name, listener] of listeners) removeEventListener(name, listener);
      if (!flying) return;
      flying.remove();
      // The click that follows a drag is none.
      const swallow = (click) => click.stopPropagation();
      addEventListener("click", swallow, true);
      setTimeout(() => removeEventListener("click", swallow, true));
      if (now.type === "pointerup") this.#drop(document.elementFromPoint(now.clientX, now.clientY), index, code);
    };
    const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [name, listener] of listeners) addEventListener(name, listener);
  }

  #drop(target, index, code) {
    const at = target?.closest("[data-at]")?.dataset.at;
    const slot = target?.closest("[data-slot]")?.dataset.slot;
    if (index !== null && at) this.#lay(index, at);
    else if (index !== null) {
      const from = [...this.draft].find(([, place]) => place === index);
      if (from) this.draft.delete(from[0]);
      if (from) this.#changed();
    } else if (at) this.#edit(at, code);
    else if (slot !== undefined) {
      this.dispatchEvent(new CustomEvent("edit-hand", { detail: { index: Number(slot), code } }));
    }
  }
}

