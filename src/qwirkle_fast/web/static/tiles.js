// What tiles are called and how they look; the drawings come from the package as one sprite.

import { svg } from "./dom.js";

export const COLOURS = { R: "red", O: "orange", Y: "yellow", G: "green", B: "blue", P: "purple" };
export const SHAPES = { c: "circle", x: "cross", d: "diamond", s: "square", t: "star", v: "clover" };
export const BACKGROUNDS = { k: "black", w: "white", m: "mixed" };

/** Put the drawings into the page, where `drawing` points to. */
export async function loadTiles() {
  const text = await (await fetch("/page/tiles.svg")).text();
  const sprite = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sprite, true));
}

/** The picture of a tile, or of a back for "back". */
export function drawing(code) {
  return svg("svg", { class: "tile", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("use", { href: `#tile-${code}` }));
}

export function describe(code) {
  const name = `${COLOURS[code[0]]} ${SHAPES[code[1]]}`;
  return code[2] ? `${name} on ${BACKGROUNDS[code[2]]}` : name;
}

/** How many of each tile a game has. */
export function copies(rules, code) {
  if (rules.name === "classic") return 3;
  return code[2] === "m" && rules.tiles === "starter" ? 0 : 1;
}
