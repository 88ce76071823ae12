// Several methods on the same instance at once: their states and seconds run before one's eyes, and each leaves the plan that it found.

import { run } from "./api.js";
import { h, say } from "./dom.js";

const HEADS = ["time", "states", "moves", "result"];

class Lane {
  constructor(name, words) {
    this.name = name;
    this.words = words;
    this.cells = Object.fromEntries(HEADS.map((head) => [head, h("td", { "data-head": head }, "…")]));
    this.row = h("tr", {}, h("th", { scope: "row" }, name, h("small", {}, words)), Object.values(this.cells));
    this.figure = h("figure", { hidden: true });
    this.states = null;
    this.since = null;
  }

  heard(note) {
    if (note.waiting) {
      this.cells.result.textContent = "waits for a worker";
      return;
    }
    // the clock goes on between two notes: it counts from when the search began
    if (this.since === null) this.cells.result.textContent = "searching …";
    this.since = performance.now() - 1000 * note.seconds;
    if (note.states) this.cells.states.textContent = note.states.toLocaleString("en");
  }

  tick() {
    if (this.since !== null) this.cells.time.textContent = `${((performance.now() - this.since) / 1000).toFixed(1)} s`;
  }

  finished(answer, show) {
    this.since = null;
    const { seconds, states, branches, cost } = answer;
    this.cells.time.textContent = seconds === null || seconds === undefined ? "–" : seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(1)} s`;
    if (typeof states === "number") this.cells.states.textContent = states.toLocaleString("en");
    else this.cells.states.textContent = typeof branches === "number" ? `none; ${branches.toLocaleString("en")} branches` : "none";
    this.cells.moves.textContent = cost ?? "–";
    this.cells.result.textContent = answer.status === "optimal" ? "proven shortest" : cost ? "a plan" : answer.reason || answer.status;
    if (!cost || !answer.picture) return;
    this.figure.hidden = false;
    this.figure.replaceChildren(
      h("button", { type: "button", class: "thumb", "aria-label": `Show the plan of ${this.name}`, onclick: () => show(answer) },
        h("img", { alt: "", src: `data:image/svg+xml,${encodeURIComponent(answer.picture.svg)}` })),
      h("figcaption", {}, `${this.name}: ${cost} moves`));
  }

  failed(words) {
    this.since = null;
    this.cells.result.textContent = words;
  }

  get told() {
    return `${this.name}: ${HEADS.map((head) => this.cells[head].textContent).join(", ")}`;
  }
}

export async function compare({ game, names, question, place, show }) {
  const abort = new AbortController();
  const lanes = names.map((name) => new Lane(name, game.methods[name]));
  const stop = h("button", { type: "button", onclick: () => abort.abort() }, "Stop all");
  place.replaceChildren(
    h("div", { class: "wide", role: "region", "aria-label": "Methods side by side", tabindex: "0" }, h("table", { class: "compare" }, h("caption", {}, `The same board, ${names.length} ways`),
      h("thead", {}, h("tr", {}, ["method", ...HEADS].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, lanes.map((lane) => lane.row)))),
    h("div", { class: "race" }, lanes.map((lane) => lane.figure)), stop);
  const clock = setInterval(() => {
    for (const lane of lanes) lane.tick();
    if (!place.isConnected) abort.abort();
  }, 100);
  // the model goes first: it is done before the searches have begun, and with few workers nobody waits for it
  await Promise.all([...lanes].reverse().map(async (lane) => {
    try {
      lane.finished(await run(`${game.name}/run`, { ...question, method: lane.name }, { tell: (note) => lane.heard(note), signal: abort.signal }), show);
    } catch (error) {
      lane.failed(error.name === "AbortError" ? "stopped" : error.message);
    }
  }));
  clearInterval(clock);
  stop.remove();
  say(lanes.map((lane) => lane.told).join("; "));
}
