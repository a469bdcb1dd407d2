// The analysis board: any position, edited by hand, stepped through from a record, or from a link.

import { button, choice, field, make, panel, say } from "./dom.js";
import { Hints } from "./hints.js";
import { DEFAULTS, EMPTY, HAND, formatPosition, key, parseMove, parsePosition, toAddress } from "./notation.js";
import { Palette } from "./palette.js";
import { Records } from "./record.js";
import { Problem, ask } from "./server.js";
import { copies } from "./tiles.js";

const EXAMPLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic";
const PLAYERS = ["To move", "Next", "3rd", "4th", "5th", "6th"];

export class Analysis {
  constructor(stage) {
    this.stage = stage;
    this.past = [];
    this.hints = new Hints(stage, (move) => this.#play(move));
    this.palette = new Palette((brush) => stage.setBrush(brush));
    this.records = new Records((text, last) => this.#show(text, { last, past: false }));
    this.fields = make("div", { class: "fields" });
    this.text = make("input", { type: "text", spellcheck: "false", autocomplete: "off",
      onchange: () => this.#show(this.text.value.trim()) });
    this.copyButton = button("Copy link", () => this.#copy());
    const position = panel("Position", this.fields,
        field("In one line", this.text, "wide"),
        make("div", { class: "buttons" }, this.copyButton,
          button("Fill the hand", () => this.#fill(), { title: "Draw what the hand lacks from what is unseen" }),
          button("Next player", () => this.#rotate(), { title: "Let the next player be the one to move" }),
          button("Clear", () => this.#show(EMPTY)), button("Example", () => this.#show(EXAMPLE))));
    this.panels = [this.hints.element, this.palette.element, position];
    for (const [name, listener] of [
      ["draft", () => this.#drafted()],
      ["edit", ({ detail }) => this.#edit((position) => {
        if (detail.code) position.board.set(detail.at, detail.code);
        else position.board.delete(detail.at);
      })],
      ["edit-hand", ({ detail }) => this.#edit((position) => {
        const { tiles } = position.hands[0];
        if (!detail.code) tiles.splice(detail.index, 1);
        else if (detail.index < tiles.length) tiles[detail.index] = detail.code;
        else tiles.push(detail.code);
        position.hands[0].hidden = Math.max(0, Math.min(position.hands[0].hidden, HAND - tiles.length));
      })],
    ]) stage.addEventListener(name, (event) => this.active && listener(event));
    document.addEventListener("keydown", (event) => {
      if (!this.active || event.target.closest("input, select, textarea")) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "z") this.#undo();
      else if (event.key === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) this.hints.ask();
      else return;
      event.preventDefault();
    });
  }

  /** The panels; a record that is looked at comes first. */
  get elements() {
    const { element, record } = this.records;
    return record ? [element, ...this.panels] : [...this.panels, element];
  }

  /** Take over the stage, with the position of an address; without one, with the last. */
  open(text) {
    this.active = true;
    this.#show(text || this.current || EMPTY, { past: false });
  }

  close() {
    this.active = false;
    this.hints.stop();
    this.stage.setBrush(null);
    this.palette.set(null);
  }

  review(record) {
    this.records.load(record);
  }

  /** `past`: can it be undone?  `step`: is it an entry of its own in the browser's history? */
  #show(text, { last = new Set(), past = true, step = past } = {}) {
    const position = parsePosition(text);
    if (!position) {
      if (!this.position) this.#show(EMPTY); // there is always one to go on from
      this.text.value = text;
      this.#complain("This is no position in one line.");
      this.#check(text);
      return;
    }
    const before = this.current;
    if (past && before && text !== before) this.past.push(before);
    while (this.past.at(-1) === text) this.past.pop();
    this.current = text;
    this.position = position;
    const { tiles, hidden } = position.hands[0];
    this.stage.show({ board: position.board, hand: tiles, hidden, last });
    this.palette.show(position);
    this.text.value = text;
    this.#drawFields();
    this.hints.about(text);
    history[step && before && text !== before ? "pushState" : "replaceState"](null, "", `#analyse=${toAddress(text)}`);
    this.#check(text);
  }

  /** Ask the server whether it is a position, and how many placements there are. */
  async #check(text) {
    this.checking?.abort();
    const { signal } = this.checking = new AbortController();
    this.#deed("");
    try {
      const { count } = await ask("/v1/moves", { position: text, count: true }, signal);
      this.#complain("");
      this.#deed(count === 1 ? "1 placement" : `${count.toLocaleString("en")} placements`);
    } catch (error) {
      if (error instanceof Problem) this.#complain(error.message);
    }
  }

  #complain(words) {
    const notice = document.getElementById("notice");
    notice.textContent = words;
    notice.hidden = !words;
    if (words) say(words);
  }

  #deed(words, ...buttons) {
    if (this.past.length && !buttons.length) buttons.push(button("Undo", () => this.#undo(), { title: "Ctrl Z" }));
    document.getElementById("deed").replaceChildren(make("span", { class: "words" }, words), ...buttons);
  }

  async #drafted() {
    this.hints.draw();
    const { move } = this.stage;
    if (!move) {
      this.#check(this.current);
      return;
    }
    this.checking?.abort();
    const { signal } = this.checking = new AbortController();
    const back = button("Take back", () => this.stage.takeBack());
    try {
      const { legal, score, reason } = await ask("/v1/score", { position: this.current, move }, signal);
      const words = legal ? (score === 1 ? "1 point" : `${score} points`) : reason;
      this.#deed(words, ...(legal ? [button("Play", () => this.#play(move), { class: "main" })] : []), back);
      say(words);
    } catch (error) {
      if (error instanceof Problem) this.#deed(error.message, back);
    }
  }

  async #play(move) {
    try {
      const { next } = await ask("/v1/apply", { position: this.current, move });
      const last = new Set(parseMove(move).placed.map(({ x, y }) => key(x, y)));
      this.#show(next, { last });
      say("played");
    } catch (error) {
      this.#complain(error.message);
    }
  }

  #undo() {
    if (this.past.length) this.#show(this.past.at(-1), { past: false, step: true });
  }

  #edit(change) {
    const position = parsePosition(this.current);
    change(position);
    this.#show(formatPosition(position));
  }

  #rotate() {
    this.#edit(({ hands, scores }) => {
      hands.push(hands.shift());
      scores.push(scores.shift());
    });
  }

  #fill() {
    this.#edit((position) => {
      const { board, hands, rules } = position;
      const codes = [];
      for (const colour of "ROYGBP") {
        for (const shape of "cxdstv") {
          for (const background of rules.name === "flex" ? "kwm" : [""]) {
            const code = colour + shape + background;
            codes.push(...Array(copies(rules, code)).fill(code));
          }
        }
      }
      for (const code of [...board.values(), ...hands.flatMap((hand) => hand.tiles)]) {
        if (codes.includes(code)) codes.splice(codes.indexOf(code), 1);
      }
      const room = codes.length - hands.slice(1).reduce((sum, hand) => sum + hand.hidden, 0);
      for (let wanted = Math.min(HAND - hands[0].tiles.length, room); wanted > 0; wanted--) {
        hands[0].tiles.push(...codes.splice(Math.floor(Math.random() * codes.length), 1));
      }
      hands[0].hidden = 0;
    });
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.copyButton.textContent = "Copied";
    } catch {
      this.copyButton.textContent = "Copy the address instead";
    }
    setTimeout(() => { this.copyButton.textContent = "Copy link"; }, 2000);
  }

  #drawFields() {
    const { rules, hands, scores } = this.position;
    const number = (label, value, least, most, change) => field(label,
      make("input", { type: "number", min: least, max: most, value, inputmode: "numeric",
        onchange: (event) => {
          const given = Math.round(Number(event.target.value) || 0);
          this.#edit((position) => change(position, Math.min(most, Math.max(least, given))));
        } }));
    const option = (label, name, values) => choice(label, values, rules[name] ?? DEFAULTS[name],
      (value) => this.#edit((position) => { position.rules[name] = value; }));
    const flex = rules.name === "flex";
    const open = this.fields.querySelector("details")?.open ?? false;
    const focused = [...this.fields.querySelectorAll("input, select")].indexOf(document.activeElement);
    this.fields.replaceChildren(
      choice("Game", [["classic", "Qwirkle"], ["flex", "Qwirkle Flex"]], rules.name, (name) => {
        const players = hands.map(() => "?6");
        this.#show(`- ${["-", ...players.slice(1)].join("/")} ${hands.map(() => 0).join("/")} ${name}`);
      }),
      choice("Players", ["2", "3", "4", "5", "6"].map((n) => [n, n]), String(hands.length),
        (value) => this.#edit((position) => {
          position.hands.length = position.scores.length = Math.min(hands.length, Number(value));
          while (position.hands.length < Number(value)) {
            position.hands.push({ tiles: [], hidden: HAND });
            position.scores.push(0);
          }
        })),
      make("details", { open },
        make("summary", {}, "Scores, hidden tiles, options"),
        ...hands.map((hand, seat) => make("div", { class: "pair" },
          number(`${PLAYERS[seat]}: points`, scores[seat], 0, 100000, (position, value) => { position.scores[seat] = value; }),
          number("hidden tiles", hand.hidden, 0, HAND - hand.tiles.length,
            (position, value) => { position.hands[seat].hidden = value; }))),
        make("div", { class: "pair" },
          option("Opening", "opening", [["largest", "the largest set"], ["any", "any placement"]]),
          option("A tie is opened by", "first", [["oldest", "the oldest"], ["youngest", "the youngest"]])),
        make("div", { class: "pair" },
          number("Exchanges in a row that end it", rules.exchange_cap ?? 10, 1, 1000,
            (position, value) => { position.rules.exchange_cap = value; }),
          flex ? option("Tiles", "tiles", [["full", "all 108"], ["starter", "72, none mixed"]]) : null,
          flex ? number("Shortest diagonal", rules.diagonal_min ?? 2, 2, 6,
            (position, value) => { position.rules.diagonal_min = value; }) : null)));
    if (focused >= 0) this.fields.querySelectorAll("input, select")[focused]?.focus();
  }
}
