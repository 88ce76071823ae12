// Questions to the server: one place for errors, for the bar that shows after a second, and for cancelling.

import { h } from "./dom.js";

export class Refused extends Error {
  constructor(status, data) {
    super(data.error || `the server answered ${status}`);
    this.status = status;
    this.line = data.line;
    this.column = data.column;
  }
}

const running = new Set();
let bar = null;

function showBar() {
  const now = performance.now();
  const slow = [...running].filter((each) => each.bar && now - each.started > 1000);
  if (!slow.length) {
    bar?.remove();
    bar = null;
    return;
  }
  if (!bar) {
    bar = h("div", { class: "working", role: "status" }, h("progress", { "aria-label": "working" }), h("span", {}),
      h("button", { type: "button", onclick: cancel }, "Cancel"));
    document.body.append(bar);
  }
  bar.querySelector("span").textContent = `working for ${Math.floor((now - slow[0].started) / 1000)} s`;
}

setInterval(showBar, 200);
document.addEventListener("keydown", (event) => event.key === "Escape" && running.size && cancel());

export function cancel() {
  for (const each of running) each.abort.abort();
}

export async function get(address) {
  const answer = await fetch(address);
  const data = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, data);
  return data;
}

async function post(address, body, signal) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`/api/v1/${address}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
    if (answer.status !== 503 || attempt >= 3) return answer;
    await new Promise((wake) => setTimeout(wake, 1000 * (Number(answer.headers.get("Retry-After")) || 1)));
  }
}

export async function ask(address, body, { alone = null } = {}) {
  // `alone` names a kind of question of which only the latest matters
  for (const each of running) if (alone && each.alone === alone) each.abort.abort();
  const question = { abort: new AbortController(), started: performance.now(), alone, bar: true };
  running.add(question);
  try {
    const answer = await post(address, body, question.abort.signal);
    const data = await answer.json();
    if (!answer.ok) throw new Refused(answer.status, data);
    return data;
  } finally {
    running.delete(question);
    showBar();
  }
}

export async function run(address, body, { tell, signal }) {
  // an answer that comes as lines of JSON: `tell` hears of each but the last
  const answer = await post(address, body, signal);
  if (!answer.ok) throw new Refused(answer.status, await answer.json());
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Refused(0, { error: "the answer ended before it was whole: try again" });
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const note of lines.map((line) => JSON.parse(line))) {
      if (note.status === undefined) tell(note);
      else if (note.status === 200) return note.answer;
      else throw new Refused(note.status, note.answer);
    }
  }
}
