// Quality and origin of the recording, before all numbers.

import { byId, element } from "./dom.js";

/** Labels whose lines stand open; the others are behind a click. */
const OPEN = ["shows", "recorded", "sampled", "times", "trust", "counted", "base", "new", "match"];

/** Fills the head: whether the recording is clean, then the lines of the text report. */
export function drawHead(app) {
  const { facts, title, kind } = app.head;
  const isDifference = kind === "difference";
  document.title = `${title} · jfathom`;
  byId("title").replaceChildren(title);
  byId("title").title = title;
  const groups = byLabel(facts);
  const unclean = groups.filter(({ label }) => label === "NOT CLEAN");
  const isUnclean = unclean.length > 0 || facts.some(([, text]) => text.includes("NOT CLEAN"));
  const verdict = byId("quality");
  verdict.className = isUnclean ? "unclean" : "clean";
  verdict.replaceChildren(
    element("strong", {}, isUnclean ? "Not clean" : "Clean"),
    isUnclean ? "" : " nothing was lost or repaired",
    ...(unclean.length > 0 ? [list(unclean[0].lines[0].split("; "))] : []),
  );
  if (isDifference && isUnclean) verdict.append(" one side has losses: see base and new");
  const rest = groups.filter(({ label }) => label !== "NOT CLEAN");
  const isWarning = (line) => /^(do not act|could not follow)/.test(line);
  const open = rest.filter(({ label }) => OPEN.includes(label));
  const warnings = rest.flatMap(({ lines }) => lines.filter(isWarning));
  byId("warnings").replaceChildren(...warnings.map((line) => element("p", {}, line)));
  const pair = ({ label, lines }) => element("div", {}, ...terms(label, [lines[0]]));
  byId("facts").replaceChildren(...open.flatMap((group) => [pair(group), " "]));
  byId("origin").replaceChildren(
    ...rest.flatMap(({ label, lines }) => terms(label, lines)),
  );
}

/** Lines without a label belong to the label before. */
function byLabel(facts) {
  const groups = [];
  for (const [label, text] of facts) {
    if (label === "" && groups.length > 0) groups[groups.length - 1].lines.push(text);
    else groups.push({ label, lines: [text] });
  }
  return groups;
}

function terms(label, lines) {
  return [element("dt", {}, label), ...lines.map((line) => element("dd", {}, line))];
}

function list(sentences) {
  return element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
}
