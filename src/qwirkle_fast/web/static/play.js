// A game against the engine, which the server keeps.

import { button, choice, make, panel, say } from "./dom.js";
import { Hints, moveElement, moveWords } from "./hints.js";
import { key, parseMove, parsePosition } from "./notation.js";
import { endWords } from "./record.js";
import { ask } from "./server.js";

const LEVELS = [
  ["beginner", "Beginner"], ["casual", "Casual"], ["club", "Club"], ["expert", "Expert"], ["master", "Master"],
];
// Milliseconds before an engine moves, so that each move is seen by who likes to see things move.
const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 500;
const PATIENCE = 1000; // before a busy server is asked again

export class Play {
  /** `review(record)` is called when the person wants to look at the game that is over. */
  constructor(stage, review) {
    this.stage = stage;
    this.review = review;
    this.settings = { game: "classic", opponents: "1", level: "club", order: "first" };
    this.hints = new Hints(stage, (move) => this.#move(move));
    this.players = make("ul", { class: "players" });
    this.log = make("ol", { class: "log", reversed: true });
    this.state = make("p", { class: "quiet", role: "status" });
    this.setup = this.#setup();
    this.elements = [
      panel("Game", this.state, this.players, make("div", { class: "buttons" }, this.again = button("New game", () => this.#leave()))),
      this.hints.element, panel("Moves", this.log), this.setup,
    ];
    [this.gamePanel, , this.movesPanel] = this.elements;
    stage.addEventListener("draft", () => this.active && this.#drafted());
    document.addEventListener("keydown", (event) => {
      if (!this.active || event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "p" && this.ready) this.#move(this.ready);
      else if (event.key === "h" && this.mine) this.hints.ask();
      else return;
      event.preventDefault();
    });
  }

  /** Take over the stage, with the game of that name; without one, with the last, or the choice of a new one. */
  async open(name) {
    this.active = true;
    const wanted = name || this.game?.id;
    if (wanted && wanted !== this.game?.id) {
      try {
        this.#show(await ask(`/v1/games/${encodeURIComponent(wanted)}`));
      } catch (error) {
        this.#leave(error.message);
      }
    } else if (this.game) this.#show(this.game);
    else this.#leave();
  }

  close() {
    this.active = false;
    this.thinking?.abort();
    this.hints.stop();
    this.stage.pick(false);
    document.body.classList.remove("choosing");
  }

  #setup() {
    const setting = (label, name, options) => choice(label, options, this.settings[name],
      (value) => { this.settings[name] = value; });
    return panel("New game",
      setting("Game", "game", [["classic", "Qwirkle"], ["flex", "Qwirkle Flex"], ["flex;tiles=starter", "Flex, 72 tiles"]]),
      setting("Opponents", "opponents", [["1", "one"], ["2", "two"], ["3", "three"]]),
      setting("They play like", "level", LEVELS),
      setting("You sit", "order", [["first", "first"], ["last", "last"]]),
      make("p", { class: "quiet" }, "The player with the largest set opens, whoever sits first."),
      make("div", { class: "buttons" }, button("Start", () => this.#start(), { class: "main", id: "start" })));
  }

  async #start() {
    const { game, opponents, level, order } = this.settings;
    const title = LEVELS.find(([name]) => name === level)[1];
    const others = Array.from({ length: Number(opponents) }, (_, i) => ({ name: opponents === "1" ? title : `${title} ${i + 1}`, level }));
    const players = order === "first" ? [{ name: "You" }, ...others] : [...others, { name: "You" }];
    try {
      this.#show(await ask("/v1/games", { rules: game, players }));
      this.stage.board.focus();
    } catch (error) {
      this.#complain(error.message);
    }
  }

  #leave(words = "") {
    const left = this.game;
    this.game = null;
    this.thinking?.abort();
    this.hints.about(null);
    history[left ? "pushState" : "replaceState"](null, "", "#play");
    this.stage.show({ board: new Map(), hand: [] });
    this.#deed("");
    this.#complain(words);
    this.#arrange();
  }

  #arrange() {
    const playing = Boolean(this.game);
    this.setup.hidden = playing;
    document.body.classList.toggle("choosing", !playing);
    this.gamePanel.hidden = this.movesPanel.hidden = !playing;
    this.hints.element.hidden = !this.mine;
  }

  #complain(words) {
    const notice = document.getElementById("notice");
    notice.textContent = words;
    notice.hidden = !words;
    if (words) say(words);
  }

  #deed(words, ...buttons) {
    document.getElementById("deed").replaceChildren(make("span", { class: "words" }, words), ...buttons);
  }

  get mine() {
    return Boolean(this.game) && !this.game.end && this.game.players[this.game.seat].level === null;
  }

  #show(game) {
    this.game = game;
    this.ready = null;
    this.#complain("");
    history.replaceState(null, "", `#play=${game.id}`);
    const position = parsePosition(game.position);
    const count = game.players.length;
    const { tiles, hidden } = position.hands[(game.viewer - game.seat + count) % count];
    const previous = game.turns.at(-1);
    const last = new Set(previous ? parseMove(previous.move).placed.map(({ x, y }) => key(x, y)) : []);
    this.stage.show({ board: position.board, hand: tiles, hidden, last });
    this.hints.about(this.mine ? game.position : null);
    this.#arrange();
    this.#drawPlayers();
    this.log.replaceChildren(...game.turns.map((turn) => make("li", {},
      make("span", { class: "who" }, game.players[turn.seat].name), moveElement(turn.move),
      make("span", { class: "points" }, `${turn.score} pt`))).reverse());
    if (previous) {
      say(`${game.players[previous.seat].name}: ${moveWords(previous.move)}, ${previous.score} points`);
    }
    if (game.end) this.#ended();
    else if (this.mine) {
      this.state.textContent = "Your turn: choose a tile, then a cell.";
      this.#drafted();
    } else this.#think();
  }

  #drawPlayers() {
    const { players, scores, seat, end, winners, bag } = this.game;
    this.players.replaceChildren(...players.map(({ name }, index) => make("li", {
      class: end ? (winners.includes(index) ? "won" : "") : index === seat ? "to-move" : "",
    }, make("span", {}, name), make("b", {}, String(scores[index])))),
    make("li", { class: "bag" }, make("span", {}, "Tiles in the bag"), make("b", {}, String(bag))));
  }

  #ended() {
    const { players, turns, winners, viewer, end, id } = this.game;
    const names = winners.map((seat) => players[seat].name).join(" and ");
    const words = winners.includes(viewer) ? (winners.length > 1 ? "A shared win." : "You win.") : `${names} won.`;
    this.state.textContent = `The game is over. ${words}`;
    say(this.state.textContent);
    this.#deed(endWords(end, players[turns.at(-1).seat].name),
      button("Review the game", async () => {
        try {
          this.review(await ask(`/v1/games/${id}/record`));
        } catch (error) {
          this.#complain(error.message);
        }
      }, { class: "main" }), button("New game", () => this.#leave()));
  }

  async #think() {
    const { game } = this;
    this.thinking?.abort();
    const { signal } = this.thinking = new AbortController();
    this.state.textContent = `${game.players[game.seat].name} is thinking …`;
    this.#deed("");
    for (let wait = PACE; !signal.aborted; wait = PATIENCE) {
      await new Promise((done) => { setTimeout(done, wait); });
      if (signal.aborted) return;
      try {
        this.#show(await ask(`/v1/games/${game.id}/moves`, { turn: game.turn }, signal));
        return;
      } catch (error) {
        if (signal.aborted) return;
        const { status, where } = error.problem ?? {};
        if (status === 409 && where === "turn") {
          this.#reload();
          return;
        }
        // Else the server is busy, or the move is being made for another page of the same game.
        if (status !== 503 && !(status === 409 && where === "id")) {
          this.#complain(error.message);
          this.#deed("", button("Go on", () => this.open(game.id)));
          return;
        }
      }
    }
  }

  async #drafted() {
    if (!this.mine) return;
    const { move, picked } = this.stage;
    this.ready = null;
    if (picked) {
      const tiles = [...picked].map((index) => this.stage.hand[index]);
      const words = tiles.length ? "" : "Choose the tiles to give away.";
      this.#deed(words, ...(tiles.length ? [button(`Exchange ${tiles.length}`, () => this.#move(`-${tiles.join("")}`), { class: "main" })] : []),
        button("Cancel", () => this.stage.pick(false)));
      return;
    }
    this.hints.draw();
    if (!move) {
      const { bag } = this.game;
      this.#deed("", bag ? button("Exchange …", () => this.stage.pick(true)) : button("Pass", () => this.#move("-")));
      return;
    }
    const back = button("Take back", () => this.stage.takeBack());
    try {
      const { legal, score, reason } = await ask("/v1/score", { position: this.game.position, move });
      if (move !== this.stage.move) return;
      this.ready = legal ? move : null;
      const words = legal ? (score === 1 ? "1 point" : `${score} points`) : reason;
      this.#deed(words, ...(legal ? [button("Play", () => this.#move(move), { class: "main" })] : []), back);
      say(words);
    } catch (error) {
      this.#complain(error.message);
    }
  }

  async #move(move) {
    const { id, turn } = this.game;
    try {
      this.#show(await ask(`/v1/games/${id}/moves`, { move, turn }));
    } catch (error) {
      if (error.problem?.status === 409 && error.problem.where !== "move") this.#reload();
      else this.#complain(error.message);
    }
  }

  /** Another page has made a move in this game: show how it stands. */
  async #reload() {
    try {
      this.#show(await ask(`/v1/games/${this.game.id}`));
      this.#complain("The game went on in another window: this is how it stands now.");
    } catch (error) {
      this.#complain(error.message);
    }
  }
}
