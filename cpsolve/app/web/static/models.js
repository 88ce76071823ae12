// Models to be asked: a square of variables, some of them fixed by the visitor; the constraints as text; questions at a click.

import { ask, get } from "./api.js";
import { h, say } from "./dom.js";

const WORDS = { solve: "Solve", count: "Count", sample: "Sample fairly", backbone: "What is certain", conflict: "Why is there none?" };

export class ModelsPage {
  constructor(root) {
    this.root = root;
    this.listener = () => this.load();
    addEventListener("popstate", this.listener);
    get("/api/v1/models").then(({ models }) => {
      this.models = models;
      this.load();
    });
  }

  close() {
    removeEventListener("popstate", this.listener);
  }

  load() {
    const given = new URLSearchParams(location.hash.slice(1));
    this.model = this.models.find((each) => each.name === given.get("model")) || this.models[0];
    try {
      this.fixed = given.has("fixed") ? JSON.parse(given.get("fixed")) : { ...this.model.fixed };
    } catch {
      this.fixed = { ...this.model.fixed };
    }
    this.build();
  }

  push() {
    history.pushState(null, "", `#${new URLSearchParams({ model: this.model.name, fixed: JSON.stringify(this.fixed) })}`);
  }

  build() {
    const { model } = this;
    document.title = `${model.title} – cpsolve`;
    this.said = h("p", { class: "standing", role: "status" });
    this.cells = new Map();
    const rows = [];
    for (let row = 0; row < model.rows; row++) {
      const cells = [];
      for (let column = 0; column < model.columns; column++) {
        const name = `x[${row},${column}]`;
        const input = h("input", {
          inputmode: "numeric", maxlength: "2", "aria-label": `row ${row + 1}, column ${column + 1}`, value: this.fixed[name] ?? "",
          class: this.fixed[name] === undefined ? "" : "fixed", onchange: (event) => this.fix(name, event.target.value),
        });
        this.cells.set(name, input);
        const edges = model.boxes ? `${column % model.boxes === 0 ? " west" : ""}${row % model.boxes === 0 ? " north" : ""}` : "";
        cells.push(h("td", { class: edges.trim() }, input));
      }
      rows.push(h("tr", {}, cells));
    }
    this.constraints = h("pre", { class: "constraints", tabindex: "0", "aria-label": "The model as text" }, model.text);
    const chosen = this.models.map((each) => h("button", {
      type: "button", "aria-pressed": String(each === model), onclick: () => {
        this.model = each;
        this.fixed = { ...each.fixed };
        this.push();
        this.build();
      },
    }, each.title));
    this.root.replaceChildren(
      h("h1", {}, "A model, many questions"),
      h("p", { class: "rules" }, `${model.title}: ${model.summary}. Type numbers to fix cells; then ask.`),
      h("div", { class: "modes", role: "group", "aria-label": "Model" }, chosen),
      h("div", { class: "columns" },
        h("section", { class: "left", "aria-label": model.title }, h("table", { class: `square s${model.rows}` }, h("tbody", {}, rows)), this.said,
          h("div", { class: "row" }, model.questions.map((question) => h("button", { type: "button", onclick: () => this.ask(question) }, WORDS[question])),
            h("button", { type: "button", onclick: () => { this.fixed = {}; this.push(); this.build(); } }, "Clear"))),
        h("section", { class: "right", "aria-label": "Constraints" }, h("div", { class: "card" }, h("h2", {}, "The constraints"), this.constraints))));
  }

  fix(name, text) {
    const value = Number(text);
    if (text.trim() === "") delete this.fixed[name];
    else if (Number.isInteger(value) && value >= this.model.least && value <= this.model.most) this.fixed[name] = value;
    else {
      this.said.textContent = `a cell holds ${this.model.least} to ${this.model.most}`;
      this.cells.get(name).value = this.fixed[name] ?? "";
      return;
    }
    this.push();
    this.show({});
  }

  show(values) {
    for (const [name, input] of this.cells) {
      const fixed = this.fixed[name] !== undefined;
      input.value = fixed ? this.fixed[name] : values[name] ?? "";
      input.className = fixed ? "fixed" : values[name] !== undefined ? "found" : "";
    }
  }

  async ask(question) {
    try {
      const answer = await ask(`models/${this.model.name}`, { question, fixed: this.fixed, seed: Math.floor(Math.random() * 2 ** 31) }, { alone: "model" });
      this.show(answer.values || {});
      this.said.textContent = answer.words;
      this.constraints.textContent = answer.text;
      const clash = new Set(answer.conflict || []);
      for (const [name, input] of this.cells) input.classList.toggle("clash", clash.has(`${name} = ${this.fixed[name]}`));
      say(answer.words);
    } catch (error) {
      if (error.name !== "AbortError") this.said.textContent = error.message;
    }
  }
}
