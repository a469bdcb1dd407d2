// The box of tiles to edit a position with: choose one, then touch cells or the hand; or drag it there.

import { button, choice, make, panel } from "./dom.js";
import { BACKGROUNDS, COLOURS, SHAPES, copies, describe, drawing } from "./tiles.js";

export class Palette {
  /** `choose(brush)` is told what is chosen: a code, "erase", or null. */
  constructor(choose) {
    this.choose = choose;
    this.background = "k";
    this.brush = null;
    this.tiles = make("div", { class: "box", role: "group", "aria-label": "Tiles" });
    this.backgrounds = make("div");
    this.eraser = button("Eraser", () => this.set(this.brush === "erase" ? null : "erase"), { "aria-pressed": "false" });
    this.element = panel("Tiles",
      make("p", { class: "quiet" }, "Choose a tile, then tap cells of the board or places of the hand, or drag it there."),
      this.backgrounds, this.tiles, make("div", { class: "buttons" }, this.eraser));
  }

  /** Show what is left of each tile of a position. */
  show(position) {
    this.position = position;
    const flex = position.rules.name === "flex";
    if (this.brush && this.brush !== "erase" && Boolean(this.brush[2]) !== flex) this.set(null);
    this.backgrounds.replaceChildren(...(flex ? [choice("Background", Object.entries(BACKGROUNDS), this.background,
      (value) => {
        this.background = value;
        this.show(position);
      })] : []));
    const used = new Map();
    for (const code of [...position.board.values(), ...position.hands.flatMap((hand) => hand.tiles)]) {
      used.set(code, (used.get(code) ?? 0) + 1);
    }
    const focused = document.activeElement?.dataset.code;
    const buttons = [];
    for (const colour of Object.keys(COLOURS)) {
      for (const shape of Object.keys(SHAPES)) {
        const code = colour + shape + (flex ? this.background : "");
        const left = copies(position.rules, code) - (used.get(code) ?? 0);
        buttons.push(make("button", {
          type: "button", class: left > 0 ? "choose" : "choose gone", "data-code": code, title: describe(code),
          "aria-pressed": String(code === this.brush), "aria-label": `${describe(code)}, ${Math.max(0, left)} left`,
          onclick: () => this.set(this.brush === code ? null : code),
        }, drawing(code), make("span", { class: "left" }, String(Math.max(0, left)))));
      }
    }
    this.tiles.replaceChildren(...buttons);
    if (focused) this.tiles.querySelector(`[data-code="${focused}"]`)?.focus();
  }

  set(brush) {
    this.brush = brush;
    for (const element of this.tiles.children) element.setAttribute("aria-pressed", String(element.dataset.code === brush));
    this.eraser.setAttribute("aria-pressed", String(brush === "erase"));
    this.choose(brush);
  }
}
