// The page of a game, made of what the game says of itself: a board, its position, questions, play, plans step by step.

import { Refused, ask, cancel } from "./api.js";
import { Board } from "./board.js";
import { compare } from "./compare.js";
import { check, field, h, save, say, select, svgOf } from "./dom.js";
import * as States from "./state.js";

const HAND = "hand";
const SIZES = ["rows", "columns", "mines"];
const WORDS = { analyse: "Analyse", setup: "Set up", play: "Play" };

export class GamePage {
  constructor(game, root) {
    this.game = game;
    this.root = root;
    this.past = [];
    this.future = [];
    this.busy = false;
    this.frames = null;
    this.board = new Board({
      click: (spot) => this.click(spot),
      menu: this.can("new") && this.can("review") && !this.can("reply") ? (spot) => this.flag(spot) : null,
      key: (spot, key) => this.key(spot, key),
      paints: () => this.mode === "setup" && this.brush !== HAND,
    });
    this.state = States.read(location.hash);
    this.build();
    this.listener = () => {
      this.state = States.read(location.hash);
      this.build();
      this.refresh(false);
    };
    addEventListener("popstate", this.listener);
    this.refresh(false);
  }

  close() {
    removeEventListener("popstate", this.listener);
    clearInterval(this.timer);
    cancel();
  }

  // -- what the game can do

  can(what) {
    return this.game.can.includes(what);
  }

  get versus() {
    return this.can("reply");
  }

  get solitaire() {
    return this.can("move") && !this.versus;
  }

  get modes() {
    return ["analyse", ...(this.can("move") ? ["play"] : []), ...(this.can("paint") ? ["setup"] : [])];
  }

  get mode() {
    const chosen = this.state.settings.mode;
    return this.modes.includes(chosen) ? chosen : this.versus ? "play" : "analyse";
  }

  get brush() {
    const chosen = this.state.settings.brush;
    return chosen === HAND || this.game.brushes.some(({ name }) => name === chosen) ? chosen : this.game.brushes[0].name;
  }

  get over() {
    return Boolean(this.shown?.standing?.over);
  }

  // -- the page

  build() {
    const game = this.game;
    this.facts = h("dl", { class: "facts", "aria-label": "In figures" });
    this.said = h("ul", { class: "said", "aria-label": "What follows" });
    this.captions = h("div", { class: "captions" });
    this.legend = h("ul", { class: "legend", "aria-label": "Legend" });
    this.standing = h("p", { class: "standing", role: "status" });
    this.trouble = h("div", { class: "trouble", role: "alert", hidden: true });
    this.steps = h("div", { class: "steps" });
    this.table = h("div", {});
    this.others_row = h("div", { class: "row" });
    this.history = h("div", { class: "history" });
    this.brushes = h("div", { class: "brushes" });
    const modes = this.modes.length > 1 && h("div", { class: "modes", role: "group", "aria-label": "Mode" },
      this.modes.map((mode) => h("button", {
        type: "button", "aria-pressed": String(mode === this.mode), onclick: () => this.set({ mode }),
      }, WORDS[mode])));
    const left = h("section", { class: "left", "aria-label": game.title },
      modes, this.trouble, (this.loud = this.#loud() || h("div", {})), this.brushes, this.#quick(), this.board.frame, this.#zoom(), this.others_row, this.standing, this.captions, this.steps,
      this.legend);
    const right = h("section", { class: "right", "aria-label": "Questions and settings" },
      h("div", { class: "card answers" }, h("h2", {}, "What follows"), this.#questions(), this.facts, this.said, this.table),
      this.history,
      this.versus && this.mode === "play" && this.#players(),
      this.#source(),
      this.#export());
    this.root.replaceChildren(
      h("h1", {}, game.title), h("p", { class: "rules" }, game.rules || game.summary), h("div", { class: "columns" }, left, right));
    document.title = `${game.title} – cpsolve`;
    this.#brushes();
  }

  #loud() {
    // a number without which nothing exact can be said is asked for where nobody overlooks it
    const option = this.game.options.find((each) => each.name === "mines");
    if (!option || this.state.new) return null;
    const value = this.options().mines;
    const input = h("input", {
      type: "number", min: "0", inputmode: "numeric", value: value ?? "", class: "mines",
      onchange: (event) => this.change({ options: { ...this.options(), mines: event.target.value === "" ? undefined : Number(event.target.value) } }),
    });
    return h("div", { class: value === undefined || value === null ? "loud missing" : "loud" },
      field("How many mines are there in all?", input, value === undefined ? "Risks are exact only if this is known." : ""));
  }

  options() {
    if (Object.keys(this.state.options).length || this.state.instance !== null) return this.state.options;
    const first = this.game.instances.find((each) => each.name === this.state.named) || this.game.instances[0];
    return this.state.new ? {} : first?.options || {};
  }

  #quick() {
    const buttons = [];
    if (this.can("move")) {
      buttons.push(h("button", { type: "button", onclick: () => this.step(-1), title: "Undo (u)" }, "↶ Undo"));
      buttons.push(h("button", { type: "button", onclick: () => this.step(1), title: "Redo (r)" }, "↷ Redo"));
    } else if (this.can("paint")) {
      buttons.push(h("button", { type: "button", onclick: () => this.undoEdit(this.past, this.future) }, "↶ Undo"));
      buttons.push(h("button", { type: "button", onclick: () => this.undoEdit(this.future, this.past) }, "↷ Redo"));
    }
    if (this.solitaire && this.mode === "play") {
      buttons.push(h("button", {
        type: "button", class: "flagging", "aria-pressed": String(Boolean(this.state.settings.flag)),
        onclick: () => this.set({ flag: !this.state.settings.flag }),
      }, "⚑ Flag mode"));
      buttons.push(check("risks", Boolean(this.state.settings.hints), (hints) => this.set({ hints })));
    }
    if (this.versus) buttons.push(check("scores", Boolean(this.state.settings.scores), (scores) => this.set({ scores })));
    if (this.versus && this.can("why")) buttons.push(check("ask why", Boolean(this.asking), (on) => { this.asking = on; }));
    return buttons.length ? h("div", { class: "quick" }, buttons) : null;
  }

  #zoom() {
    const by = (factor) => () => {
      this.board.zoom = Math.min(4, Math.max(0.5, this.board.zoom * factor));
      this.board.fit();
    };
    return h("div", { class: "zoom" },
      h("button", { type: "button", class: "plain", "aria-label": "Smaller board", onclick: by(1 / 1.25) }, "−"),
      h("button", { type: "button", class: "plain", "aria-label": "Larger board", onclick: by(1.25) }, "+"));
  }

  #questions() {
    const button = (words, act, title = "") => h("button", { type: "button", title, onclick: act }, words);
    const methods = Object.entries(this.game.methods);
    const out = [];
    const walking = this.can("best");
    if (walking && methods.length > 1) {
      const words = methods.map(([name, note]) => [name, note ? `${name}: ${note}` : name]);
      out.push(field("Method", select(words, this.state.settings.method || methods[0][0], (method) => this.set({ method }))));
    }
    const row = [button(this.versus ? "Scores" : this.solitaire ? "Analyse" : "Solve", () => this.solve(true))];
    if (this.can("hint")) row.push(button("Hint", () => this.question("hint")));
    this.lookBack = this.can("review") && button(this.versus ? "Where did I lose?" : "Look back", () => this.question("review"));
    if (this.lookBack) {
      this.lookBack.hidden = !this.state.lines.some((line) => line.length);
      row.push(this.lookBack);
    }
    if (this.can("best")) row.push(button("Every shortest plan", () => this.best(0)));
    if (walking) row.push(button("Compare methods", () => this.compare()));
    if (this.can("count")) row.push(button("Count", () => this.count()));
    out.push(h("div", { class: "row" }, row));
    return out;
  }

  #players() {
    const levels = [["person", "a person"], ...this.game.levels.map(({ level, words }) => [level, `computer ${level}: ${words}`])];
    return h("div", { class: "card" }, h("h2", {}, "Who plays"),
      this.game.players.map((player) =>
        field(`Player ${player}`, select(levels, this.side(player), (value) => this.set({ [`player_${player}`]: value })))));
  }

  side(player) {
    const chosen = this.state.settings[`player_${player}`];
    if (chosen === undefined || chosen === "person") return "person";
    return /^\d+$/.test(chosen) ? Number(chosen) : chosen;
  }

  #source() {
    const game = this.game;
    const out = [h("h2", {}, "Position")];
    if (game.instances.length) {
      const names = [["", "choose …"], ...game.instances.map(({ name }) => [name, name])];
      out.push(field("Ready-made", select(names, this.state.named ?? "", (name) => name && this.begin({ named: name }))));
    }
    if (this.can("new")) out.push(this.#newGame());
    const typed = this.text?.value ?? "";
    this.text = h("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", placeholder: "Paste a position in any format, or drop a file here" });
    this.text.value = typed;
    this.text.addEventListener("input", () => { this.typing = true; });
    this.text.addEventListener("dragover", (event) => event.preventDefault());
    this.text.addEventListener("drop", async (event) => {
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      this.text.value = await file.text();
      this.paste();
    });
    out.push(field("As text", this.text));
    const others = game.options.filter((option) => option.name !== "mines");
    this.others = others.map((option) => {
      const input = h("input", { type: option.kind === "text" ? "text" : "number", "data-name": option.name, "data-kind": option.kind });
      const given = this.state.options[option.name];
      if (given !== undefined) input.value = given;
      return [option, input];
    });
    if (others.length) {
      out.push(h("details", {}, h("summary", {}, "More about the text"), this.others.map(([option, input]) => field(option.name, input, option.help))));
    }
    const file = h("input", { type: "file", class: "unseen", tabindex: "-1", "aria-hidden": "true", onchange: async (event) => {
      this.text.value = await event.target.files[0].text();
      this.paste();
    } });
    out.push(h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.paste() }, "Read the text"),
      h("button", { type: "button", onclick: () => file.click() }, "Open a file"), file));
    return h("div", { class: "card" }, out);
  }

  #newGame() {
    const values = { ...(this.state.new || {}) };
    const controls = new Map();
    const forget = (name) => { // a level and a size exclude each other
      delete values[name];
      const control = controls.get(name)?.querySelector("select, input");
      if (control) control.value = "";
    };
    const made = this.game.new_options.map((option) => {
      const set = (value) => {
        if (value === "" || value === undefined) delete values[option.name];
        else values[option.name] = value;
        if (option.name === "level") SIZES.forEach(forget);
        else if (SIZES.includes(option.name)) forget("level");
      };
      if (option.kind === "switch") return check(option.help.replace(/\.$/, ""), Boolean(values[option.name]), set);
      const words = option.help.split(":")[0].replace(/\.$/, "");
      if (option.choices.length) {
        const choices = [...(option.default && option.name !== "level" ? [] : [["", "–"]]), ...option.choices.map((each) => [each, each])];
        return field(words, select(choices, values[option.name] ?? option.default ?? "", set));
      }
      const input = h("input", {
        type: "number", min: option.least, value: values[option.name] ?? "", placeholder: option.default ?? "", title: words,
        oninput: (event) => set(event.target.value === "" ? "" : Number(event.target.value)),
      });
      return field(option.name.replace("_", " "), input);
    });
    this.game.new_options.forEach((option, place) => controls.set(option.name, made[place]));
    const start = () => {
      if (this.solitaire && values.seed === undefined) values.seed = Math.floor(Math.random() * 2 ** 31);
      const settings = this.can("move") ? { mode: "play" } : { mode: "setup" };
      this.begin({ new: { ...values } }, settings);
    };
    return h("details", { open: this.versus || this.mode === "play" }, h("summary", {}, this.can("move") ? "New game" : "Empty board"),
      h("div", { class: "grid" }, made), h("button", { type: "button", class: "main", onclick: start }, "Begin"));
  }

  #export() {
    const button = (words, act) => h("button", { type: "button", onclick: act }, words);
    this.exported = h("pre", { hidden: true, tabindex: "0" });
    return h("div", { class: "card" }, h("h2", {}, "Share and export"),
      h("div", { class: "row" },
        button("Copy the link", () => this.copy()),
        this.game.formats.map((name) => button(name, () => this.write(name))),
        button("JSON", () => this.json()), button("SVG", () => this.svg()), button("PNG", () => this.png())),
      this.exported);
  }

  #brushes() {
    if (this.mode !== "setup") return;
    const button = (name, words) => h("button", { type: "button", "aria-pressed": String(name === this.brush), onclick: () => this.set({ brush: name }) }, words);
    this.hand = button(HAND, "✋ Move the board"); // where a finger that paints could not scroll
    this.hand.hidden = true;
    this.brushes.replaceChildren(h("div", { role: "group", "aria-label": "Brush" }, this.game.brushes.map(({ name, words }) => button(name, words)), this.hand));
  }

  // -- changes

  push() {
    history.pushState(null, "", `#${States.write(this.state)}`);
  }

  set(settings) {
    Object.assign(this.state.settings, settings);
    this.push();
    this.build();
    this.refresh(false);
  }

  begin(source, settings = {}) {
    this.past.push(this.snapshot());
    this.future = [];
    States.begin(this.state, source);
    Object.assign(this.state.settings, settings);
    this.push();
    this.build();
    this.refresh(false);
  }

  snapshot() {
    return JSON.stringify(this.state);
  }

  undoEdit(from, to) {
    if (!from.length) return say(from === this.past ? "nothing to undo" : "nothing to redo");
    to.push(this.snapshot());
    this.state = JSON.parse(from.pop());
    this.push();
    this.build();
    this.refresh(false);
  }

  change({ options }) {
    const clean = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    // the text that is being typed stays: only what is asked beside it has changed
    this.past.push(this.snapshot());
    this.future = [];
    States.begin(this.state, { instance: this.shown?.instance ?? this.state.instance, options: clean });
    this.push();
    this.loud.replaceWith((this.loud = this.#loud() || h("div", {})));
    this.refresh(false);
  }

  paste() {
    this.typing = false;
    const options = { ...(this.solitaire ? this.mineOption() : {}) };
    for (const [option, input] of this.others) if (input.value !== "") options[option.name] = option.kind === "text" ? input.value : Number(input.value);
    this.begin({ instance: this.text.value, options }, this.mode === "play" && this.solitaire ? { mode: "analyse" } : {});
  }

  mineOption() {
    const value = this.root.querySelector("input.mines")?.value;
    return value === undefined || value === "" ? {} : { mines: Number(value) };
  }

  step(by) {
    if (by < 0 && !this.state.at) return this.undoEdit(this.past, this.future);
    const length = this.state.lines[this.state.line].length;
    let at = this.state.at + by;
    // against the computer one goes back to one's own last move
    if (this.versus && this.game.players.some((player) => this.side(player) !== "person") && at > 0 && at < length) at += by;
    this.state.at = Math.min(length, Math.max(0, at));
    this.paused = by < 0;
    this.push();
    this.refresh(false);
  }

  // -- talking with the server

  async guarded(work) {
    this.trouble.hidden = true;
    try {
      return await work();
    } catch (error) {
      if (error.name === "AbortError") say("cancelled");
      else {
        this.failure = error;
        const place = error instanceof Refused && error.line ? ` (line ${error.line}, column ${error.column})` : "";
        this.complain(`${error.message}${place}`);
      }
      return null;
    }
  }

  complain(words, ...ways) {
    this.trouble.replaceChildren(h("p", {}, words), ...(ways.length ? [h("div", { class: "row" }, ways)] : []));
    this.trouble.hidden = false;
  }

  lost(words) {
    // nothing can be shown: what is wrong, and how one gets on from here
    const afresh = () => this.begin({}, { mode: undefined });
    const ways = [h("button", { type: "button", onclick: afresh }, "Start afresh")];
    if (!(this.failure instanceof Refused) || this.failure.status >= 500) {
      ways.unshift(h("button", { type: "button", onclick: () => this.refresh(false) }, "Try again"));
    } else if (this.state.instance !== null) {
      this.text.value = this.state.instance;
      ways.unshift(h("button", { type: "button", onclick: () => this.text.focus() }, "Correct the text"));
    } else if (this.state.at) {
      ways.unshift(h("button", { type: "button", onclick: () => { this.state.at -= 1; this.refresh(); } }, "Without the last move"));
    }
    this.complain(words, ...ways);
  }

  ask(action, more = {}, how = {}) {
    return ask(`${this.game.name}/${action}`, { ...States.question(this.state), ...more }, how);
  }

  async refresh(push = true) {
    if (push) this.push();
    this.stop();
    this.frames = null;
    this.steps.replaceChildren();
    this.table.replaceChildren();
    this.board.frame.classList.toggle("painting", this.mode === "setup" && this.brush !== HAND);
    const before = this.shown;
    const shown = await this.guarded(() => this.ask("draw", {}, { alone: "draw" }));
    if (!shown) return this.trouble.hidden ? null : this.lost(this.trouble.textContent);
    if (this.shown !== before) return null; // something was painted or moved meanwhile: this is how it was before
    if (shown.understood) { // another's format: from here on it is in ours
      Object.assign(this.state, { instance: shown.instance, options: shown.options || {} });
      history.replaceState(null, "", `#${States.write(this.state)}`);
      this.build();
    }
    this.accept(shown);
    this.tell([]);
    if (shown.understood) this.standing.textContent = `Understood: ${shown.understood}`;
    if (this.solitaire && (this.mode !== "play" || this.state.settings.hints) && !this.over) await this.solve(false);
    if (this.versus && (this.mode === "analyse" || this.state.settings.scores) && !this.over) await this.solve(false);
    await this.reply();
    if (this.state.broken) {
      this.complain(`The link is not whole: its part ${this.state.broken.join(" and ")} cannot be read. This is the first board instead.`);
      delete this.state.broken;
    }
  }

  accept(shown) {
    this.shown = shown;
    if (shown.new && this.state.new) this.state.new = { ...shown.new };
    this.picture(shown.picture);
    if (shown.standing) this.standing.textContent = shown.standing.words;
    if (this.text && shown.instance !== undefined && !this.typing) this.text.value = shown.instance;
    this.markLegal();
    this.drawHistory();
  }

  markLegal() {
    if (!this.versus || this.mode !== "play") return;
    const legal = this.shown?.standing?.legal || [];
    this.board.mark(new Set(legal), "legal");
    // moves that are no place on the board are buttons below it
    const others = legal.filter((move) => !this.board.spot(move));
    this.others_row.replaceChildren(...others.map((move) => h("button", { type: "button", onclick: () => this.move(move) }, move[0].toUpperCase() + move.slice(1))));
  }

  picture(picture) {
    if (!picture) return;
    this.board.show(picture);
    if (this.hand) this.hand.hidden = !this.board.overflows && this.brush !== HAND;
    const said = this.shown?.standing?.words;
    this.captions.replaceChildren(...(picture.captions || []).filter((caption) => caption !== said).map((caption) => h("p", {}, caption)));
    if (picture.legend) {
      this.legend.replaceChildren(...picture.legend.map(({ words, svg }) => h("li", {}, svgOf(svg), h("span", {}, words))));
    }
  }

  tell(sentences, facts = []) {
    this.facts.replaceChildren(...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    this.said.replaceChildren(...sentences.map((sentence) => h("li", {}, sentence)));
    if (sentences.length) say(sentences.join(". "));
  }

  answered(answer) {
    this.answer = answer;
    this.picture(answer.picture);
    this.markLegal();
    const told = [...answer.sentences, ...(answer.picture?.captions || [])];
    const reason = answer.reason && !told.some((words) => words.includes(answer.reason)) ? [answer.reason] : [];
    this.tell([...answer.sentences, ...reason], answer.facts);
    if (answer.frames) this.film(answer.frames, answer.moves || []);
    else this.bestLine(answer);
  }

  async solve(asked) {
    const method = this.can("best") || (this.game.animated && !this.versus) ? { method: this.state.settings.method || undefined, frames: true } : {};
    const answer = await this.guarded(() => this.ask("solve", method, { alone: "solve" }));
    if (answer) this.answered(answer);
    else if (asked) say(this.trouble.textContent);
  }

  async question(action, more = {}) {
    const answer = await this.guarded(() => this.ask(action, more, { alone: "solve" }));
    if (answer) this.answered(answer);
  }

  bestLine(answer) {
    // the line of best play can be walked through
    if (!this.versus || !answer.line?.length || this.over) return;
    const moves = answer.line.map((move) => (Array.isArray(move) ? move.join(",") : String(move)));
    this.steps.replaceChildren(h("div", { class: "row" },
      h("button", { type: "button", onclick: () => { for (const move of moves) States.play(this.state, move); this.state.at -= moves.length - 1; this.pausedForLine = true; this.refresh(); } },
        "Step through best play")));
  }

  async count() {
    const answer = await this.guarded(() => this.ask("count"));
    if (answer) this.tell([`${BigInt(answer.count).toLocaleString("en")} ${answer.noun}${answer.count === "1" ? "" : "s"}`]);
  }

  async best(number) {
    const answer = await this.guarded(() => this.ask("best", { number, frames: true }));
    if (!answer) return;
    this.answered(answer);
    this.tell([`shortest plan number ${number + 1}${answer.more ? "" : ", the last"}: ${answer.cost} moves`]);
    this.table.replaceChildren(h("div", { class: "row" },
      h("button", { type: "button", disabled: !number, onclick: () => this.best(number - 1) }, "Previous plan"),
      h("button", { type: "button", disabled: !answer.more, onclick: () => this.best(number + 1) }, "Next plan")));
  }

  // -- moves

  async click(spot) {
    if (this.mode === "setup") return this.brush === HAND ? null : this.paint(spot, this.brush);
    if (this.mode === "play" && this.solitaire) {
      const open = !(this.shown?.standing?.legal || []).includes(spot);
      return this.state.settings.flag && !open ? this.flag(spot) : this.move(spot, open);
    }
    if (this.mode === "play" && this.versus && !this.asking && (this.shown?.standing?.legal || []).includes(spot)) return this.move(spot);
    if (this.can("why")) return this.question("why", { spot });
    return null;
  }

  flag(spot) {
    return this.mode === "play" && this.solitaire ? this.move(`f${spot}`) : null;
  }

  key(spot, key) {
    if (key === "u") return this.step(-1), true;
    if (key === "r") return this.step(1), true;
    if (key === "h" && this.can("hint")) return this.question("hint"), true;
    if (key === "w" && this.can("why")) return this.question("why", { spot }), true;
    if (key === "f" && this.mode === "play") return this.flag(spot), true;
    const brush = this.game.brushes.find(({ name }) => name.toLowerCase() === key.toLowerCase());
    if (brush && this.mode === "setup") return this.paint(spot, brush.name), true;
    return false;
  }

  async move(move, quietly = false) {
    if (this.busy || this.over) return;
    if (!this.state.new && !this.versus) return this.complain("Begin a new game to play; a position that was entered is analysed.");
    await this.make({ move }, quietly);
  }

  async make(more, quietly = false) {
    this.busy = true;
    const shown = await this.guarded(() => this.ask("move", more));
    this.busy = false;
    if (!shown) {
      if (quietly && !this.trouble.hidden) { // no mistake, only nothing that could be done there
        this.trouble.hidden = true;
        this.tell([this.trouble.textContent]);
      }
      return;
    }
    States.play(this.state, shown.move);
    if (shown.new) this.state.new = { ...shown.new };
    this.push();
    this.stop();
    this.steps.replaceChildren();
    this.accept(shown);
    this.tell([]);
    say(`${shown.move}. ${shown.standing?.words || ""}`);
    if (!this.over && (this.solitaire ? this.state.settings.hints : this.state.settings.scores)) await this.solve(false);
    await this.reply();
  }

  async reply() {
    if (!this.versus || this.mode !== "play" || this.over || this.busy || this.paused) {
      this.paused = false;
      return;
    }
    if (this.pausedForLine || this.state.at < this.state.lines[this.state.line].length) {
      this.pausedForLine = false;
      return;
    }
    const level = this.side(this.shown?.standing?.to_move);
    if (level === "person") return;
    const seed = (this.state.settings.seed ??= Math.floor(Math.random() * 2 ** 31));
    await this.make({ level, seed });
  }

  paint(spot, brush) {
    // one after another: each begins where the last one ended
    this.strokes = (this.strokes || 0) + 1;
    this.painting = (this.painting || Promise.resolve()).then(() => this.paintOne(spot, brush));
    return this.painting;
  }

  async paintOne(spot, brush) {
    const before = this.snapshot();
    const shown = await this.guarded(() => this.ask("paint", { spot, brush }));
    this.strokes -= 1;
    if (!shown) return;
    this.past.push(before);
    this.future = [];
    States.begin(this.state, { instance: shown.instance, options: shown.options || {} });
    this.push();
    this.stop();
    this.steps.replaceChildren();
    this.accept(shown);
    this.tell([]);
    if (this.solitaire && !this.strokes) await this.solve(false); // once, after the last cell of a stroke
  }

  // -- the line of moves and its branches

  drawHistory() {
    const lines = this.state.lines;
    if (this.lookBack) this.lookBack.hidden = !lines.some((line) => line.length);
    if (!lines.some((line) => line.length)) return this.history.replaceChildren();
    const go = (line, at) => () => {
      Object.assign(this.state, { line, at });
      this.paused = true;
      this.refresh();
    };
    const shown = (line, number) => h("ol", { class: "moves", "aria-label": number === this.state.line ? "Moves" : `Branch ${number + 1}` },
      line.map((move, place) => h("li", {}, h("button", {
        type: "button", class: "move", "aria-current": number === this.state.line && place + 1 === this.state.at ? "step" : null, onclick: go(number, place + 1),
      }, move))));
    this.history.replaceChildren(h("div", { class: "card" }, h("h2", {}, lines.length > 1 ? `Moves, ${lines.length} branches` : "Moves"), lines.map(shown)));
  }

  // -- plans, step by step

  film(frames, moves) {
    this.frames = frames;
    this.at = frames.length - 1;
    const whole = this.answer.picture;
    const slider = h("input", { type: "range", min: 0, max: frames.length - 1, value: this.at, "aria-label": "Step", oninput: (event) => show(Number(event.target.value)) });
    const word = h("span", { class: "step", role: "status" });
    const toggle = h("button", { type: "button", onclick: () => (this.timer ? this.stop() : run()) }, "▶ Play");
    const show = (step) => {
      this.at = step;
      slider.value = step;
      this.board.show({ ...whole, svg: frames[step].svg });
      this.captions.replaceChildren(...frames[step].captions.map((caption) => h("p", {}, caption)));
      word.textContent = `${step} of ${frames.length - 1}`;
    };
    const run = () => {
      if (this.at >= frames.length - 1) show(0);
      toggle.textContent = "❚❚ Pause";
      this.timer = setInterval(() => (this.at < frames.length - 1 ? show(this.at + 1) : this.stop()), 400);
    };
    this.paused_toggle = toggle;
    const by = (step) => () => {
      this.stop();
      show(Math.min(frames.length - 1, Math.max(0, this.at + step)));
    };
    this.steps.replaceChildren(h("div", { class: "film" }, toggle,
      h("button", { type: "button", "aria-label": "One step back", onclick: by(-1) }, "◀"), slider,
      h("button", { type: "button", "aria-label": "One step on", onclick: by(1) }, "▶"), word,
      h("button", { type: "button", onclick: () => { this.stop(); this.picture(whole); } }, "Whole plan")));
    word.textContent = `${moves.length} moves`;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.paused_toggle) this.paused_toggle.textContent = "▶ Play";
  }

  compare() {
    const telling = ["dfs", "astar", "circuit"].filter((name) => name in this.game.methods);
    const names = telling.length ? telling : Object.keys(this.game.methods);
    return compare({ game: this.game, names, question: States.question(this.state), place: this.table, show: (answer) => this.answered(answer) });
  }

  // -- out

  async copy() {
    await navigator.clipboard?.writeText(location.href).catch(() => null);
    this.exported.textContent = location.href;
    this.exported.hidden = false;
    say("the link is copied");
  }

  async write(name) {
    const answer = await this.guarded(() => this.ask("write"));
    if (!answer) return;
    this.exported.textContent = answer.texts[name];
    this.exported.hidden = false;
  }

  json() {
    const { picture, frames, ...data } = this.answer || this.shown;
    save(`${this.game.name}.json`, new Blob([JSON.stringify({ ...States.question(this.state), answer: data }, null, 1)], { type: "application/json" }));
  }

  plainSvg() {
    const copy = this.board.svg.cloneNode(true);
    copy.removeAttribute("style");
    for (const spot of copy.querySelectorAll(".spot")) spot.remove();
    return new XMLSerializer().serializeToString(copy);
  }

  svg() {
    save(`${this.game.name}.svg`, new Blob([this.plainSvg()], { type: "image/svg+xml" }));
  }

  png() {
    const image = new Image();
    const address = URL.createObjectURL(new Blob([this.plainSvg()], { type: "image/svg+xml" }));
    image.onload = () => {
      const canvas = h("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob((blob) => save(`${this.game.name}.png`, blob));
    };
    image.src = address;
  }
}
