// The answers of exercises are folded, as they are in a notebook: a click or a key opens one.
document.querySelectorAll(":not(.celltag_answer) > .celltag_answer").forEach((cell) => {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Show the answer";
  cell.replaceWith(details);
  details.append(summary, cell);
});
