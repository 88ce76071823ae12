// A board: the picture that the server drew, with cells that can be clicked, reached by arrow keys and read aloud.

import { h, svgOf } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  constructor({ click, menu, key, paints }) {
    this.paints = paints; // whether a stroke of mouse or finger paints now
    this.stroke = null;
    this.frame = h("div", { class: "board", role: "region", "aria-label": "Board", tabindex: "-1" });
    this.focus = null;
    this.zoom = 1;
    this.frame.addEventListener("click", (event) => !this.stroke?.begun && this.#on(event, click));
    this.frame.addEventListener("pointerdown", (event) => this.#begin(event));
    this.frame.addEventListener("pointermove", (event) => this.#paint(event, click));
    this.frame.addEventListener("pointerup", () => this.stroke && (this.stroke.over = true));
    this.frame.addEventListener("pointercancel", () => { this.stroke = null; });
    this.frame.addEventListener("contextmenu", (event) => this.#on(event, menu) && event.preventDefault());
    this.frame.addEventListener("keydown", (event) => this.#key(event, click, key));
    this.frame.addEventListener("focusin", (event) => event.target.dataset?.spot && this.#remember(event.target));
  }

  show(picture) {
    const had = this.frame.contains(document.activeElement);
    const svg = svgOf(picture.svg);
    this.svg = svg;
    this.columns = picture.columns || 1;
    this.frame.replaceChildren(svg);
    this.spots = [...svg.querySelectorAll(".spot")];
    this.places = new Map(this.spots.map((spot) => [`${spot.dataset.column},${spot.dataset.row}`, spot]));
    const target = this.places.get(this.focus) || this.spots[0];
    target?.setAttribute("tabindex", "0");
    if (had && target && this.focus) target.focus({ preventScroll: true });
    this.fit();
  }

  fit() {
    if (!this.svg) return;
    const natural = Number(this.svg.getAttribute("width"));
    const least = Math.min(natural, this.columns * (this.frame.clientWidth > 600 ? 20 : 26) + 40); // fingers need more than a mouse
    this.svg.style.width = `${this.zoom * 100}%`;
    this.svg.style.maxWidth = `${natural * 1.4 * this.zoom}px`;
    this.svg.style.minWidth = `${least * this.zoom}px`;
    this.svg.style.height = "auto";
  }

  mark(names, word) {
    for (const spot of this.spots) spot.classList.toggle(word, names.has(spot.dataset.spot));
  }

  spot(name) {
    return this.spots?.find((each) => each.dataset.spot === name);
  }

  #begin(event) {
    const spot = event.target.closest?.(".spot");
    const paints = spot && event.isPrimary && event.button === 0 && this.paints();
    this.stroke = paints ? { pointer: event.pointerId, from: spot, done: new Set(), begun: false, over: false } : null;
  }

  #paint(event, click) {
    const { stroke } = this;
    if (!stroke || stroke.over || event.pointerId !== stroke.pointer) return;
    for (const { clientX, clientY } of event.getCoalescedEvents?.() || [event]) {
      const spot = document.elementFromPoint(clientX, clientY)?.closest?.(".spot");
      if (!spot || !this.frame.contains(spot)) continue;
      if (!stroke.begun) {
        if (spot.dataset.spot === stroke.from.dataset.spot) continue; // a click, so far
        stroke.begun = true;
        this.frame.setPointerCapture(stroke.pointer); // the cells are drawn anew below the finger
        this.#touch(stroke.from, stroke, click);
      }
      this.#touch(spot, stroke, click);
    }
  }

  #touch(spot, stroke, click) {
    const name = spot.dataset.spot;
    if (stroke.done.has(name)) return;
    stroke.done.add(name);
    this.#remember(spot);
    click(name);
  }

  get overflows() {
    return this.frame.scrollWidth > this.frame.clientWidth + 1 || this.frame.scrollHeight > this.frame.clientHeight + 1;
  }

  #remember(spot) {
    this.focus = `${spot.dataset.column},${spot.dataset.row}`;
    for (const each of this.spots) each.setAttribute("tabindex", each === spot ? "0" : "-1");
  }

  #on(event, act) {
    const spot = event.target.closest?.(".spot");
    if (!spot || !act) return false;
    this.#remember(spot);
    act(spot.dataset.spot, event);
    return true;
  }

  #key(event, click, key) {
    const spot = event.target.closest?.(".spot");
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]) {
      const [right, down] = ARROWS[event.key];
      let [column, row] = [Number(spot.dataset.column) + right, Number(spot.dataset.row) + down];
      const next = this.places.get(`${column},${row}`) || this.places.get(`${Math.max(0, column - 1)},${row}`);
      if (next) {
        next.focus();
        event.preventDefault();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      click(spot.dataset.spot, event);
    } else if (key && key(spot.dataset.spot, event.key)) {
      event.preventDefault();
    }
  }
}
