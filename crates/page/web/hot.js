// The hot methods: their sums over all call paths, with bars.

import { barElement, byId, nameElement } from "./dom.js";
import { duration, isOnlyCounted, many, metricText } from "./format.js";
import { shortCalls, shortCount, withBar } from "./format.js";
import { sortedMethods } from "./methods.js";
import { Rows } from "./rows.js";

/** What methods can be sorted by in any page. */
const SORTS = {
  self: (sums, frame) => sums.self[frame] - (sums.base?.self[frame] ?? 0),
  total: (sums, frame) => sums.total[frame] - (sums.base?.total[frame] ?? 0),
  calls: (sums, frame) => sums.calls[frame] - (sums.base?.calls[frame] ?? 0),
};

/** What methods are sorted by: one of these, or a metric of the page by its key. */
function sortOf(app, key) {
  if (key in SORTS) return SORTS[key];
  const found = app.sums.metrics.find((metric) => metric.key === key);
  return found && ((_, frame) => found.own[frame] - (found.base?.own[frame] ?? 0));
}

const TRUST_HINT = "What samples of the uninstrumented program say of the self time";

export class HotList {
  constructor(app) {
    this.app = app;
    const isDifference = app.head.kind === "difference";
    // A page of a recording that goes on keeps its columns.
    this.listed = app.sums.metrics.filter(({ listed }) => listed).map(({ key }) => key);
    const time = (title, key) => ({ title, key, kind: "number" });
    const change = isDifference ? "Δ " : "";
    this.hasTrust = app.facts.some((facts) => facts?.trust);
    const trust = this.hasTrust ? [{ title: "trust", kind: "calls", hint: TRUST_HINT }] : [];
    this.rows = new Rows(byId("hot"), {
      id: "hot-rows",
      label: "Hot methods",
      isDense: !isDifference && (this.hasTrust || this.listed.length > 0),
      columns: [
        { title: "", kind: "bars" },
        time(`${change}self`, "self"),
        time(`${change}total`, "total"),
        { title: `${change}calls`, key: "calls", kind: "calls" },
        ...trust,
        ...app.sums.metrics.filter(({ listed }) => listed).map(({ key, title, unit }) => ({
          title: `${change}${title}`, key, kind: isDifference && unit === "ns" ? "number" : "bytes",
        })),
        { title: "method", kind: "wide" },
      ],
      sort: () => this.sort(),
      onSort: (sort) => app.change({ sort }),
      row: (at) => this.row(at),
      onChoose: (at, event) => app.change({ chosen: this.frames[at] }, Boolean(event)),
    });
  }

  /** What the methods are sorted by. */
  sort() {
    const { sort } = this.app.state;
    return sortOf(this.app, sort) ? sort : "self";
  }

  /** Lists the methods; the chosen one is scrolled to if `follows`. */
  draw(follows = true) {
    const { app } = this;
    const sort = this.sort();
    this.size = sortOf(app, sort);
    const isKept = (frame) => app.found === null || app.found.flags[frame] === 1;
    const all = sortedMethods(app.sums, app.kinds, this.size);
    this.frames = all.filter(isKept);
    const sizes = this.frames.map((frame) => Math.abs(this.size(app.sums, frame)));
    this.most = sizes.reduce((most, size) => Math.max(most, size), 0) || 1;
    this.by = sort;
    byId("hot-count").replaceChildren(this.frames.length === all.length
      ? many(all.length, "method")
      : `${many(this.frames.length, "method")} of ${all.length} match the search`);
    if (!follows) this.rows.active = Math.max(0, this.frames.indexOf(app.state.chosen));
    this.rows.show(this.frames.length);
    if (follows) this.follow();
  }

  /** Makes the chosen method the active row. */
  follow() {
    const at = this.frames.indexOf(this.app.state.chosen);
    if (at >= 0) this.rows.reveal(at);
  }

  row(at) {
    const { app } = this;
    const frame = this.frames[at];
    const { sums } = app;
    const classes = frame === app.state.chosen ? "chosen" : "";
    const size = this.size(sums, frame);
    const error = { self: sums.selfBar, total: sums.totalBar }[this.by]?.[frame] ?? 0;
    const kind = sums.base ? this.changeKind(frame, size) : this.by;
    const bar = barElement(Math.abs(size) / this.most, app.hasBars ? error / this.most : 0, kind);
    return { classes, cells: [bar, ...this.numbers(frame), nameElement(app.names[frame])] };
  }

  /** How the bar of a change looks: grey if it shows nothing. */
  changeKind(frame, size) {
    const { facts, head } = this.app;
    const of = facts[frame][this.by] ?? facts[frame].columns?.[this.by];
    if (!of) return "plain";
    const shows = this.by === "calls"
      ? !of.varies
      : of.significant || of.p === null || head.sides.includes(1);
    return shows ? (size > 0 ? "grow" : "shrink") : "plain";
  }

  /** The method's own number of a listed metric, or its change. */
  metricCell(key, frame) {
    const { facts, sums } = this.app;
    const metric = sums.metrics.find((of) => of.key === key);
    if (!metric) return "";
    if (sums.base) return metricChange(metric, facts[frame]?.columns?.[key]);
    const certainty = (facts[frame]?.uncertain?.[key] ?? 0) % 3;
    const isEmpty = certainty === 0 && metric.own[frame] <= 0;
    return isEmpty ? "" : metricText(metric, metric.own[frame], certainty);
  }

  numbers(frame) {
    const { app } = this;
    const { sums } = app;
    if (sums.base) {
      return [...differences(app, frame), ...this.listed.map((key) => this.metricCell(key, frame))];
    }
    const isCounted = isOnlyCounted(sums, frame);
    const time = (nanos, bar) => withBar(nanos, bar, app.hasBars);
    return [
      isCounted ? "counted" : time(sums.self[frame], sums.selfBar[frame]),
      isCounted ? "–" : time(sums.total[frame], sums.totalBar[frame]),
      shortCalls(sums.calls[frame], sums.timed[frame]),
      ...(this.hasTrust ? [app.facts[frame]?.trust ?? ""] : []),
      ...this.listed.map((key) => this.metricCell(key, frame)),
    ];
  }
}

/** Changes of a method: candidate minus baseline, with the bar of the difference. */
export function differences(app, frame) {
  const facts = app.facts[frame];
  const { base, new: now, varies } = facts.calls;
  const calls = now - base;
  const text = `${calls > 0 ? "+" : ""}${calls < 0 ? "−" : ""}${shortCount(Math.abs(calls))}`;
  return [timeChange(facts.self), timeChange(facts.total), varies ? `${text} (varies)` : text];
}

/** A change of a time, with the bar of the difference. */
function timeChange({ base, new: now, bar, significant }) {
  const nanos = (now ?? 0) - (base ?? 0);
  const sign = nanos > 0 ? "+" : "";
  const error = bar === null ? "" : ` ±${duration(bar, 3)}`;
  return `${sign}${duration(nanos, 3)}${error}${significant ? " *" : ""}`;
}

/** A change of a metric, with the bar of the difference if there is one. */
function metricChange(metric, of) {
  if (!of) return "";
  if (of === "unread") return "–";
  if (metric.unit === "ns") return timeChange(of);
  const change = Math.round(of.new - of.base);
  if (change === 0) return "";
  const error = of.bar === null ? "" : ` ±${metricText(metric, of.bar)}`;
  const text = metricText(metric, Math.abs(change));
  return `${change > 0 ? "+" : "−"}${text}${error}${of.significant ? " *" : ""}`;
}
