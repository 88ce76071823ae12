// Which page this address is: all games, one game, or the models.

import { get } from "./api.js";
import { h } from "./dom.js";
import { GamePage } from "./game.js";
import { ModelsPage } from "./models.js";

const THEMES = ["light", "dark"];

function theme(name) {
  if (THEMES.includes(name)) document.documentElement.dataset.theme = name;
}

theme(localStorage.getItem("theme"));
document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const name = dark === "dark" ? "light" : "dark";
  localStorage.setItem("theme", name);
  theme(name);
});

function home(games, root, lost) {
  document.title = lost ? "Not found – cpsolve" : "cpsolve";
  const cards = games.map((game) => h("li", {}, h("a", { class: "card", href: `/${game.name}` }, h("h2", {}, game.title), h("p", {}, game.summary))));
  cards.push(h("li", {}, h("a", { class: "card", href: "/models" }, h("h2", {}, "A model, many questions"),
    h("p", {}, "magic square, queens and Sudoku: solve, count, sample, what is certain, why there is none."))));
  const notice = lost && h("p", { class: "trouble", role: "alert" }, `There is no page ${location.pathname}: these are all there are.`);
  root.replaceChildren(...(notice ? [notice] : []), h("h1", {}, "Games and puzzles, solved and explained"),
    h("p", { class: "rules" }, "Enter a position, see what follows and why, play. Answers are exact, or say that they are not."), h("ul", { class: "cards" }, cards));
}

const root = document.getElementById("main");
const { games } = await get("/api/v1/games").catch((error) => {
  root.replaceChildren(h("p", { class: "trouble", role: "alert" }, `The server does not answer: ${error.message}. Is it still running?`),
    h("button", { type: "button", onclick: () => location.reload() }, "Try again"));
  throw error;
});
const here = location.pathname.slice(1).toLowerCase().replaceAll("_", "-");
document.getElementById("games").replaceChildren(
  ...games.map((game) => h("a", { href: `/${game.name}`, "aria-current": game.name === here ? "page" : null }, game.title)),
  h("a", { href: "/models", "aria-current": here === "models" ? "page" : null }, "Models"));
document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
const game = games.find((each) => each.name === here);
if (game) window.page = new GamePage(game, root);
else if (here === "models") window.page = new ModelsPage(root);
else home(games, root, here !== "");
document.documentElement.dataset.ready = "yes";
