// The chosen method: its callers above, its callees below, with calls and times per edge.

import { barElement, byId, element, nameElement, tableSection } from "./dom.js";
import { callsText, duration, grouped, many, metricText, percentOf } from "./format.js";
import { BETWEEN, isOnlyCounted, shortCalls, shortCount, withBar } from "./format.js";
import { differences } from "./hot.js";
import { scatter } from "./scatter.js";
import { changedCallers, walkSections } from "./walks.js";

/** Rows of each side that are shown at once. */
const SHOWN = 12;

/** Fills the sandwich of the chosen frame. */
export function drawSandwich(app, all = false) {
  const { chosen } = app.state;
  const place = byId("sandwich");
  if (chosen < 0 || chosen >= app.names.length) {
    const hint = "Choose a frame or a method to see its callers and callees.";
    place.replaceChildren(element("p", { class: "hint" }, hint));
    return;
  }
  const found = app.stanzaOf(chosen);
  const base = app.baseStanzaOf(chosen);
  const most = Math.max(
    1,
    ...found.callers.map((edge) => edge.self + edge.below),
    ...found.callees.map((edge) => edge.below),
  );
  const list = (title, side, cost) =>
    edgeList(app, { title, edges: found[side], before: base?.[side], cost, most, all });
  place.replaceChildren(
    list("Callers", "callers", wholeCost),
    methodCard(app, chosen),
    list("Callees", "callees", (edge) => [edge.below, edge.belowBar]),
  );
}

/**
 * The time of an edge's calls, with their callees. Its bar is not wider than those of the calls'
 * total times, in which errors of the parts compensate each other.
 */
function wholeCost(edge) {
  return [edge.self + edge.below, Math.min(edge.selfBar + edge.belowBar, edge.totalBar)];
}

/** A method's own facts and numbers. */
function methodCard(app, frame) {
  const { sums } = app;
  const card = element("section", { class: "card", "aria-label": "chosen method" });
  card.append(element("h2", {}, nameElement(app.names[frame], true)));
  const act = { class: "more", onclick: () => app.traceBack(), title: "Call paths to it (b)" };
  const back = app.kinds[frame] === "m" ? element("button", act, "Back traces") : null;
  card.append(element("p", { class: "remarks" }, remarks(app, frame).join(" · "), back));
  if (sums.base) {
    const [self, total, calls] = differences(app, frame);
    const numbers = [["Δ self", self], ["Δ total", total], ["Δ calls", calls]];
    const facts = app.facts[frame];
    card.append(numberList(numbers), sideTable(facts, sums.metrics), ...changedCallers(facts));
    if (app.runs) card.append(runPictures(app, frame));
    return card;
  }
  const isCounted = isOnlyCounted(sums, frame);
  const time = (nanos, bar) => {
    if (isCounted) return "counted: in its callers' times";
    const share = `${percentOf(nanos, app.whole)} of all`;
    return `${withBar(nanos, bar, app.hasBars)}, ${share}`;
  };
  card.append(numberList([
    ["self", time(sums.self[frame], sums.selfBar[frame])],
    ["total", time(sums.total[frame], sums.totalBar[frame])],
    ["calls", callsText(sums.calls[frame], sums.timed[frame])],
    ...metricRows(app, frame),
    ["per call", perCall(app, frame)],
    ...(app.facts[frame]?.trust ? [["trust", app.facts[frame].trust]] : []),
  ]), ...walkSections(app.facts[frame]), ...waitSections(app, frame));
  if (app.runs) card.append(runPictures(app, frame));
  return card;
}

/** Classes that are shown at once. */
const CLASSES = 8;

/** Why threads did not run in the method and below, and in the method itself by class. */
function waitSections(app, frame) {
  const kinds = app.sums.metrics
    .filter(({ group }) => group === "waits")
    .map(({ title, own, total }) => ({ title, own: own[frame], total: total[frame] }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
  const classes = app.events.filter(([of]) => of === frame).slice(0, CLASSES);
  const sections = [];
  if (kinds.length > 0) {
    const most = Math.max(app.sums.total[frame], ...kinds.map(({ total }) => total));
    const rows = kinds.map(({ title, own, total }) => element(
      "tr", {},
      element("td", { class: "bars" }, barElement(total / most, 0, "total")),
      element("td", { class: "number" }, withBar(total, 0, false)),
      element(
        "td", { class: "wide" },
        own > 0 ? `${title}, ${withBar(own, 0, false)} itself` : title,
      ),
    ));
    sections.push(tableSection("Why it did not run", rows));
  }
  if (classes.length > 0) {
    const rows = classes.map(([, kind, name, count, nanos]) => element(
      "tr", {},
      element("td", { class: "number" }, nanos > 0 ? withBar(nanos, 0, false) : ""),
      element("td", { class: "calls" }, `×${shortCount(count)}`),
      element("td", { class: "wide" }, `${kind} `, nameElement(name)),
    ));
    sections.push(tableSection("Locks and exceptions, itself", rows));
  }
  return sections;
}

/** What the method has beside calls and times: itself and in all. */
function metricRows({ facts, sums }, frame) {
  const rows = sums.metrics.filter(({ group }) => group !== "waits");
  return rows.flatMap((metric) => {
    const codes = facts[frame]?.uncertain?.[metric.key] ?? 0;
    const [own, all] = [codes % 3, Math.floor(codes / 3)];
    if (own === 2) return [[metric.title, "not read: in its callers'"]];
    if (!metric.listed && metric.total[frame] <= 0) return [];
    const text = (number, certainty) => metricText(metric, number, certainty);
    const [itself, inAll] = [text(metric.own[frame], own), text(metric.total[frame], all)];
    return [[metric.title, `${itself} itself, ${inAll} in all`]];
  });
}

function perCall(app, frame) {
  const { self, selfBar, timed, calls } = app.sums;
  const count = app.head.areCallsSampled ? calls[frame] : timed[frame];
  if (count === 0 || isOnlyCounted(app.sums, frame)) return "–";
  return `${withBar(self[frame] / count, selfBar[frame] / count, app.hasBars)} self`;
}

function numberList(pairs) {
  const items = pairs.flatMap(([term, text]) =>
    [element("dt", {}, term), element("dd", {}, text)]);
  return element("dl", { class: "numbers" }, ...items);
}

/** What is worth a word about a method. */
function remarks(app, frame) {
  const facts = app.facts[frame];
  if (!facts) return [];
  const said = [];
  if (facts.source) said.push(facts.source);
  if (facts.root) said.push("root");
  if (facts.resumes) said.push("calls include resumptions of a coroutine, which :resumed counts");
  if (facts.throws) said.push(`${many(facts.throws, "exit")} by exception`);
  if (facts.virtual) said.push(`${many(facts.virtual, "call")} on virtual threads, in no tree`);
  if (facts.after !== undefined) {
    said.push(`counted since ${(facts.after / 1000).toFixed(2)} s: ${facts.why}`);
  } else if (facts.why) said.push(facts.why);
  if (facts.side === "base") said.push("only in the baseline");
  if (facts.side === "new") said.push("only in the candidate");
  if (facts.was) said.push(`${facts.match}: was ${facts.was}`);
  if (facts.edited && facts.side === "both") said.push("its code has changed");
  return said;
}

/** The numbers of both sides of a difference. */
function sideTable({ self, total, calls, columns, waits, thrown, caught }, metrics) {
  const time = (nanos) => (nanos === null ? "–" : withBar(nanos, 0, false));
  const row = (name, ...cells) => element(
    "tr", {}, element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", {}, cell)),
  );
  const p = (value) => (value === null ? "–" : value < 0.001 ? "< 0.001" : value.toFixed(3));
  const head = ["", "baseline", "candidate", "p-value"];
  return element(
    "table", { class: "sides" },
    element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text))),
    row("self", time(self.base), time(self.new), p(self.p)),
    row("total", time(total.base), time(total.new), p(total.p)),
    row("calls", grouped(calls.base), grouped(calls.new), calls.varies ? "varies" : "exact"),
    ...metrics.filter(({ key }) => columns[key]?.new !== undefined).map((metric) => {
      const { base, new: now, bar, p: value } = columns[metric.key];
      const [old, young] = [base, now].map((number) => metricText(metric, number));
      return row(metric.title, old, young, value === null && bar === null ? "exact" : p(value));
    }),
    ...(waits ?? []).map(([kind, base, now]) => row(kind, time(base), time(now), "")),
    ...[[thrown, "made"], [caught, "caught"]].flatMap(([classes, what]) =>
      (classes ?? []).map(([name, base, now]) =>
        row(`${name ?? "exceptions"} ${what}`, meanCount(base), meanCount(now), ""))),
  );
}

/** A mean number over runs: whole, or with one digit behind the point. */
function meanCount(count) {
  return Number.isInteger(count) ? grouped(count) : count.toFixed(1);
}

function runPictures(app, frame) {
  const { sides, self, total, place, methods } = app.runs;
  const of = (column) => {
    let next = 0;
    return sides.map((runs) =>
      Array.from({ length: runs }, () => column[next++ * methods + place[frame]]));
  };
  const order = sides.length > 1 ? ", baseline then candidate" : "";
  const picture = (title, values) => element(
    "figure", {}, scatter(values, title), element("figcaption", {}, `${title} by run${order}`),
  );
  return element("div", { class: "runs" }, picture("self", of(self)), picture("total", of(total)));
}

/** One side of the sandwich. */
function edgeList(app, { title, edges, before, cost, most, all }) {
  const section = element("section", { class: "edges", "aria-label": title });
  section.append(element("h3", {}, `${title} (${grouped(edges.length)})`));
  const old = before && new Map(before.map((edge) => [edge.frame, edge]));
  const row = (edge) => edgeRow(app, edge, old?.get(edge.frame), cost, most);
  const rows = (all ? edges : edges.slice(0, SHOWN)).map(row);
  if (rows.length > 0) section.append(element("table", {}, ...rows));
  const more = edges.length - rows.length;
  if (more > 0) {
    const rest = edges.slice(SHOWN).reduce((sum, edge) => sum + cost(edge)[0], 0);
    const text = `${grouped(more)} more, ${withBar(rest, 0, false)}`;
    const showAll = () => drawSandwich(app, true);
    section.append(element("button", { class: "more", onclick: showAll }, text));
  }
  return section;
}

function edgeRow(app, edge, before, cost, most) {
  const [nanos, bar] = cost(edge);
  const name = edge.frame < 0 ? "(bottom of the stack)" : app.names[edge.frame];
  const isSelf = edge.frame === app.state.chosen;
  const isCounted = edge.timed === 0 && edge.calls > 0 && app.kinds[edge.frame] !== "t";
  const error = app.hasBars ? bar / most : 0;
  const without = isSelf ? "recursive" : isCounted ? "counted" : null;
  const time = before
    ? `${duration(nanos, 3)} (was ${duration(cost(before)[0], 3)})`
    : (nanos === 0 && without) || withBar(nanos, bar, app.hasBars);
  const was = before && before.calls !== edge.calls ? ` (was ${shortCount(before.calls)})` : "";
  const calls = name === BETWEEN ? "" : `×${shortCalls(edge.calls, edge.timed)}${was}`;
  const choose = () => edge.frame >= 0 && app.change({ chosen: edge.frame });
  return element(
    "tr", { class: isSelf ? "recursive" : "" },
    element("td", { class: "bars" }, barElement(nanos / most, error, "total")),
    element("td", { class: "number" }, time),
    element("td", { class: "calls" }, calls),
    element("td", { class: "wide" }, element("button", { onclick: choose }, nameElement(name))),
  );
}
