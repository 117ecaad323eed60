// How long calls took, and what makes the slowest ones slow.

import { byId, element, nameElement } from "./dom.js";
import { duration, grouped, many, packageOf, percentOf } from "./format.js";

const QUANTILES = [
  { title: "p50", hint: "half of the calls took no longer" },
  { title: "p90", hint: "90 % of the calls took no longer", isExtra: true },
  { title: "p99", hint: "99 % of the calls took no longer" },
  { title: "p99.9", hint: "99.9 % of the calls took no longer", isExtra: true },
];
const CALLS = { title: "calls" };
const BEGUN = "after the recording began;"
  + " in a slice or a live recording, after its earliest slow call";

/** Reasons that are shown for a slow call. */
const MOST_REASONS = 3;

/** Less of a slow call's time is not worth a word. */
const SMALL_SHARE = 0.01;

/** Names of a call path that are shown at its beginning and its end; the tooltip has all. */
const OUTERMOST = 2;
const INNERMOST = 5;

/** Fills the list of latencies; it is there if the data have any. */
export function drawLatencies(app) {
  const { latencies = [], slowest = [], slowestWithoutSpans: lost = 0 } = app.head;
  const isEmpty = latencies.length === 0 && slowest.length === 0;
  byId("tab-latency").hidden = isEmpty;
  const panel = byId("latency");
  panel.replaceChildren(...latencies.length > 0 ? [quantileTable(app, latencies)] : []);
  for (const group of slowest) panel.append(...slowGroup(group));
  if (lost > 0) {
    const calls = many(lost, "of the slowest calls is", "of the slowest calls are");
    panel.append(hint(`${calls} not kept: there was no room for the records`));
  } else if (!isEmpty && slowest.length === 0) {
    panel.append(hint("record --slowest 20 keeps the slowest calls, with what makes them slow"));
  }
}

function quantileTable(app, latencies) {
  const time = (of) => of === null ? "–" : timeElement(of, app.hasBars);
  const rows = latencies.map(({ path, calls, quantiles, longest }) => [
    grouped(calls), ...quantiles.map(time), time(longest), pathElement(path),
  ]);
  return table("How long calls took: half of them no longer than p50, 99 % no longer than p99",
    [CALLS, ...QUANTILES, { title: "longest" }, { title: "call path" }], rows);
}

/** A time above its error bar; where the interval reaches zero, what it is at most. */
function timeElement([nanos, bar, most], hasBars) {
  if (!hasBars) return duration(nanos);
  if (most !== null) return element("span", { class: "below" }, `≤ ${duration(most, 3)}`);
  return element("span", {}, duration(nanos),
    element("span", { class: "error" }, ` ±${percentOf(bar, nanos)}`));
}

function slowGroup({ path, calls, kept, differences }) {
  const hasReasons = kept.some(({ why }) => why.length > 0);
  const shown = kept.map(({ nanos, began, calls: below, leftOut, most, thread, why }) => [
    duration(nanos),
    `+${duration(began)}`,
    grouped(below),
    most === null ? "" : percentOf(most[1], nanos),
    element("span", {}, mostElement(most, leftOut, thread),
      ...hasReasons ? [whyElement(why, nanos)] : []),
  ]);
  const longer = differences.map(({ path: below, slow, all, slowCalls, allCalls }) => [
    duration(slow, 3), duration(all, 3), duration(slow - all, 3), mean(slowCalls), mean(allCalls),
    below.length === 0 ? "in the call itself" : pathElement(below),
  ]);
  const parts = [
    element("h2", {}, "Slowest calls of ", pathElement(path)),
    table(`${grouped(kept.length)} of ${many(calls, "recorded call")}`,
      [{ title: "time" }, { title: "begun", hint: BEGUN }, { title: "calls below" },
        { title: "%", hint: "self time of one method, as a part of the call's" },
        { title: "most of it in" }], shown),
  ];
  if (kept.length >= calls) return parts;
  const comparison = "Slow against typical: self time and calls in one call, on average";
  if (longer.length === 0) {
    const same = "nowhere: the slowest calls do the same as the others";
    return [...parts, hint(`${comparison}: ${same}`)];
  }
  return [...parts, table(comparison,
    [{ title: "slowest" }, { title: "all" }, { title: "longer by" },
      { title: "calls", hint: "in one of the slowest calls" },
      { title: "of all", hint: "calls in one of all recorded calls" },
      { title: "call path below" }], longer)];
}

function mostElement(most, leftOut, thread) {
  const remarks = leftOut > 0 ? `${thread}, ${many(leftOut, "record")} left out` : thread;
  return element("span", {}, most === null ? "" : nameElement(most[0]),
    element("span", { class: "remark" }, `${most === null ? "" : ", "}${remarks}`));
}

/** Why the thread did not run, and what it threw: the longest reasons; the tooltip has all. */
function whyElement(why, nanos) {
  const isThrown = ([kind]) => kind === "exception";
  const waited = ([kind, of, , time]) =>
    `${kind}${of === null ? "" : ` ${simpleName(of)}`} ${duration(time, 3)}`
      + ` (${percentOf(time, nanos)})`;
  const thrown = ([, of, count]) => `${grouped(count)} × ${simpleName(of ?? "exception")}`;
  const list = (rows, text) => {
    const texts = rows.slice(0, MOST_REASONS).map(text);
    const more = rows.length - texts.length;
    return [...texts, ...more > 0 ? [`${more} more`] : []].join(", ");
  };
  const waits = why.filter((row) => !isThrown(row) && row[3] >= nanos * SMALL_SHARE);
  const sentences = [
    waits.length > 0 ? `did not run: ${list(waits, waited)}` : "no long wait was told",
    ...why.some(isThrown) ? [`threw ${list(why.filter(isThrown), thrown)}`] : [],
  ];
  const all = why.map((row) => isThrown(row) ? `threw ${thrown(row)}` : waited(row));
  return element("span", { class: "why", title: all.join("\n") }, sentences.join("; "));
}

/** The simple name of a class. */
function simpleName(name) {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** A call path; a package stands behind the first of its names that follow each other. */
function pathElement(path) {
  const all = element("span", { class: "path", title: path.join(" › ") });
  const hidden = path.length - OUTERMOST - INNERMOST;
  path.forEach((name, at) => {
    if (hidden > 1 && at >= OUTERMOST && at < OUTERMOST + hidden) {
      if (at === OUTERMOST) all.append(` › … ${grouped(hidden)} more …`);
      return;
    }
    const isSame = at > 0 && packageOf(name) === packageOf(path[at - 1]);
    const own = isSame ? name.slice(packageOf(name).length).replace(/^\./, "") : name;
    const part = nameElement(own);
    part.title = path.length > 1 ? path.join(" › ") : name;
    all.append(...at > 0 ? [" › ", part] : [part]);
  });
  return all;
}

function hint(text) {
  return element("p", { class: "hint" }, text);
}

function mean(calls) {
  return Number.isInteger(calls) || calls >= 10 ? grouped(calls) : calls.toFixed(2);
}

/** A table of numbers with a text behind them; on a narrow page the text stands above. */
function table(caption, titles, rows) {
  const kind = (at) => at === titles.length - 1 ? "text" : titles[at].isExtra ? "extra" : null;
  const head = titles.map(({ title, hint }, at) =>
    element("th", { scope: "col", title: hint, class: kind(at) }, title));
  const line = (row) => element("tr", {},
    ...row.map((content, at) => element("td", { class: kind(at) }, content)));
  const made = element("table", { class: "timings" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows.map(line)));
  const numbers = titles.filter(({ isExtra }) => !isExtra).length - 1;
  made.style.setProperty("--numbers", String(numbers));
  return made;
}
