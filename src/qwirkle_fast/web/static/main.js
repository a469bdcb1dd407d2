// The page: which view the address asks for, light or dark, letters or none.

import { Analysis } from "./analysis.js";
import { fromAddress } from "./notation.js";
import { Play } from "./play.js";
import { Stage } from "./stage.js";
import { loadTiles } from "./tiles.js";

const stage = new Stage();
const side = document.getElementById("side");
const analysis = new Analysis(stage);
const play = new Play(stage, (record) => {
  location.hash = "#analyse";
  open("analyse");
  analysis.review(record);
});
const views = { analyse: analysis, play };
let shown = null;

/** Show a view; `what` is the position or the game that the address names. */
function open(name, what = "") {
  if (shown !== views[name]) {
    shown?.close();
    shown = views[name];
    side.replaceChildren(...shown.elements);
    document.body.dataset.view = name;
    for (const other of Object.keys(views)) {
      document.getElementById(`to-${other}`).setAttribute("aria-current", other === name ? "page" : "false");
    }
  }
  shown.open(what);
}

function follow() {
  const [, name, what] = location.hash.match(/^#(analyse|play)(?:=(.*))?$/) ?? [null, "analyse", ""];
  open(name, fromAddress(what ?? ""));
}

/** A setting that lasts, where the browser keeps such things. */
const kept = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* then it does not last */ } },
};

const themes = ["auto", "light", "dark"];
const themeButton = document.getElementById("theme");
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  themeButton.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[theme];
  themeButton.setAttribute("aria-label", `Theme: ${theme}`);
}
themeButton.addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
  kept.set("theme", next);
  setTheme(next);
});
setTheme(themes.includes(kept.get("theme")) ? kept.get("theme") : "auto");

const lettersButton = document.getElementById("letters");
function setLetters(wanted) {
  document.body.classList.toggle("no-letters", !wanted);
  lettersButton.setAttribute("aria-pressed", String(wanted));
}
lettersButton.addEventListener("click", () => {
  const wanted = document.body.classList.contains("no-letters");
  kept.set("letters", wanted ? "yes" : "no");
  setLetters(wanted);
});
setLetters(kept.get("letters") !== "no");

addEventListener("hashchange", follow);
loadTiles();
follow();
