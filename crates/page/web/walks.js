// Who calls a method, by walked stacks.

import { element, nameElement, tableSection } from "./dom.js";
import { shortCount } from "./format.js";

/** Levels of callers that are indented. */
const LEVELS = 20;

/** Before the name of a frame without recorded calls. */
const UNRECORDED = "~ ";

/** The callers of a method, of one profile: a section, or none. */
export function walkSections(facts) {
  const cells = ([level, share, calls, name]) => [
    element("td", { class: "number" }, share),
    element("td", { class: "calls" }, timesCalled(calls)),
    element("td", { class: "wide" }, ...walkedName(level, name)),
  ];
  return walkSection(facts?.walked, cells);
}

/** The callers of a method on both sides of a difference: a section, or none. */
export function changedCallers(facts) {
  const was = (calls) => (calls === null ? "" : ` (was ${shortCount(Math.round(calls))})`);
  const cells = ([level, base, now, isMarked, name]) => [
    element("td", { class: "number" }, timesCalled(now), was(base)),
    element("td", { class: "mark" }, isMarked ? "*" : ""),
    element("td", { class: "wide" }, ...walkedName(level, name)),
  ];
  return walkSection(facts?.walked, cells);
}

function walkSection(walked, cells) {
  if (!walked) return [];
  const rows = walked.rows.map((row) => element("tr", {}, ...cells(row)));
  const section = tableSection("Callers by walked stacks", rows);
  const hint = (text) => element("p", { class: "hint" }, text);
  section.append(hint(walked.text));
  if (walked.more > 0) section.append(hint(`${walked.more} more`));
  return [section];
}

function timesCalled(calls) {
  return calls === null ? "" : `×${shortCount(Math.round(calls))}`;
}

/** A caller's name with its indentation. */
function walkedName(level, name) {
  const indentation = "\u00a0\u00a0".repeat(Math.min(level, LEVELS));
  return name.startsWith(UNRECORDED)
    ? [indentation, UNRECORDED, nameElement(name.slice(UNRECORDED.length))]
    : [indentation, nameElement(name)];
}
