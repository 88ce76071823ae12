// The whole state of a page in the fragment of its address: a link shares it, a reload keeps it, the back button undoes it.
// Moves are lines that branch: `lines` are all of them, `line` is the one on the board, `at` how far it is played.

export function blank() {
  return { instance: null, named: null, new: null, options: {}, lines: [[]], line: 0, at: 0, settings: {} };
}

export function read(fragment) {
  const state = blank();
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const broken = [];
  for (const part of ["new", "options", "settings"]) {
    if (!given.has(part)) continue;
    try {
      const value = JSON.parse(given.get(part));
      if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError(part);
      state[part] = value;
    } catch {
      broken.push(part); // an address that was cut off or mistyped
    }
  }
  if (broken.length) return { ...blank(), broken };
  state.instance = given.get("board");
  state.named = given.get("name");
  if (given.has("moves")) state.lines = given.get("moves").split("|").map((line) => line.split(" ").filter(Boolean));
  state.line = Math.min(Math.max(0, Math.trunc(Number(given.get("line"))) || 0), state.lines.length - 1);
  const length = state.lines[state.line].length;
  state.at = given.has("at") ? Math.min(Math.max(0, Math.trunc(Number(given.get("at"))) || 0), length) : length;
  return state;
}

export function write(state) {
  const out = new URLSearchParams();
  if (state.instance !== null) out.set("board", state.instance);
  if (state.named !== null) out.set("name", state.named);
  if (state.new !== null) out.set("new", JSON.stringify(state.new));
  if (Object.keys(state.options).length) out.set("options", JSON.stringify(state.options));
  if (state.lines.some((line) => line.length)) out.set("moves", state.lines.map((line) => line.join(" ")).join("|"));
  if (state.line) out.set("line", state.line);
  if (state.at !== state.lines[state.line].length) out.set("at", state.at);
  if (Object.keys(state.settings).length) out.set("settings", JSON.stringify(state.settings));
  return out.toString();
}

export function moves(state) {
  return state.lines[state.line].slice(0, state.at);
}

export function question(state) {
  return { instance: state.instance, named: state.named, new: state.new, options: state.options, moves: moves(state) };
}

export function play(state, move) {
  const line = state.lines[state.line];
  if (line[state.at] === move) {
    state.at += 1;
    return;
  }
  const longer = [...line.slice(0, state.at), move];
  if (state.at === line.length) {
    state.lines[state.line] = longer;
  } else { // the old line stays: a branch
    state.lines.push(longer);
    state.line = state.lines.length - 1;
  }
  state.at = longer.length;
}

export function begin(state, source) {
  Object.assign(state, { instance: null, named: null, new: null, options: {}, lines: [[]], line: 0, at: 0 }, source);
}
