// The hot methods: their sums over all call paths, with bars.

import { barElement, byId, nameElement } from "./dom.js";
import { bytesText, duration, many, shortCalls, shortCount, withBar } from "./format.js";
import { sortedMethods } from "./methods.js";
import { Rows } from "./rows.js";

/** What methods can be sorted by. */
export const SORTS = {
  self: (sums, frame) => sums.self[frame] - (sums.base?.self[frame] ?? 0),
  total: (sums, frame) => sums.total[frame] - (sums.base?.total[frame] ?? 0),
  calls: (sums, frame) => sums.calls[frame] - (sums.base?.calls[frame] ?? 0),
  alloc: (sums, frame) => (sums.alloc?.[frame] ?? 0) - (sums.base?.alloc?.[frame] ?? 0),
  cpu: (sums, frame) => (sums.cpu?.[frame] ?? 0) - (sums.base?.cpu?.[frame] ?? 0),
};

const TRUST_HINT = "What samples of the uninstrumented program say of the self time";

export class HotList {
  constructor(app) {
    this.app = app;
    const isDifference = app.head.kind === "difference";
    // A page of a recording that goes on keeps its columns. A difference has those that both sides
    // recorded.
    const has = (column) => isDifference
      ? app.facts.some((facts) => facts?.[column])
      : Boolean(app.sums[column]);
    this.hasAlloc = has("alloc");
    this.hasCpu = has("cpu");
    const time = (title, key) => ({ title, key, kind: "number" });
    const change = isDifference ? "Δ " : "";
    this.hasTrust = app.facts.some((facts) => facts?.trust);
    const trust = this.hasTrust ? [{ title: "trust", kind: "calls", hint: TRUST_HINT }] : [];
    this.rows = new Rows(byId("hot"), {
      id: "hot-rows",
      label: "Hot methods",
      isDense: !isDifference && (this.hasTrust || this.hasAlloc || this.hasCpu),
      columns: [
        { title: "", kind: "bars" },
        time(`${change}self`, "self"),
        time(`${change}total`, "total"),
        { title: `${change}calls`, key: "calls", kind: "calls" },
        ...trust,
        ...(this.hasAlloc ? [{ title: `${change}alloc`, key: "alloc", kind: "bytes" }] : []),
        ...(this.hasCpu ? [{
          title: `${change}cpu`, key: "cpu", kind: isDifference ? "number" : "bytes",
        }] : []),
        { title: "method", kind: "wide" },
      ],
      sort: () => (app.state.sort in SORTS ? app.state.sort : "self"),
      onSort: (sort) => app.change({ sort }),
      row: (at) => this.row(at),
      onChoose: (at, event) => app.change({ chosen: this.frames[at] }, Boolean(event)),
    });
  }

  /** Lists the methods; the chosen one is scrolled to if `follows`. */
  draw(follows = true) {
    const { app } = this;
    const sort = app.state.sort in SORTS ? app.state.sort : "self";
    const isKept = (frame) => app.found === null || app.found.flags[frame] === 1;
    const all = sortedMethods(app.sums, app.kinds, SORTS[sort]);
    this.frames = all.filter(isKept);
    const sizes = this.frames.map((frame) => Math.abs(SORTS[sort](app.sums, frame)));
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
    const size = SORTS[this.by](sums, frame);
    const error = { self: sums.selfBar, total: sums.totalBar }[this.by]?.[frame] ?? 0;
    const kind = sums.base ? this.changeKind(frame, size) : this.by;
    const bar = barElement(Math.abs(size) / this.most, app.hasBars ? error / this.most : 0, kind);
    return { classes, cells: [bar, ...this.numbers(frame), nameElement(app.names[frame])] };
  }

  /** How the bar of a change looks: grey if it shows nothing. */
  changeKind(frame, size) {
    const { facts, head } = this.app;
    const of = facts[frame][this.by];
    if (!of) return "plain";
    const shows = this.by === "alloc" ||
      (this.by === "calls" ? !of.varies : of.significant || head.sides.includes(1));
    return shows ? (size > 0 ? "grow" : "shrink") : "plain";
  }

  /** How long threads ran in it, where that is known. */
  runningTime(frame) {
    const { sums } = this.app;
    return SORTS.cpu(sums, frame) > 0 ? withBar(sums.cpu[frame], 0, false) : "";
  }

  /** What it has allocated itself, where it has read that. */
  allocated(frame) {
    const { facts, sums } = this.app;
    if (facts[frame]?.unread) return "–";
    return SORTS.alloc(sums, frame) > 0 ? bytesText(sums.alloc[frame]) : "";
  }

  numbers(frame) {
    const { app } = this;
    const { sums } = app;
    if (sums.base) {
      const { alloc, cpu, unread } = app.facts[frame];
      return [
        ...differences(app, frame),
        ...(this.hasAlloc ? [alloc ? bytesChange(alloc) : unread ? "–" : ""] : []),
        ...(this.hasCpu ? [cpu ? timeChange(cpu) : ""] : []),
      ];
    }
    const isCounted = sums.timed[frame] === 0 && sums.calls[frame] > 0;
    const time = (nanos, bar) => withBar(nanos, bar, app.hasBars);
    return [
      isCounted ? "counted" : time(sums.self[frame], sums.selfBar[frame]),
      isCounted ? "–" : time(sums.total[frame], sums.totalBar[frame]),
      shortCalls(sums.calls[frame], sums.timed[frame]),
      ...(this.hasTrust ? [app.facts[frame]?.trust ?? ""] : []),
      ...(this.hasAlloc ? [this.allocated(frame)] : []),
      ...(this.hasCpu ? [this.runningTime(frame)] : []),
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

function bytesChange({ base, new: now }) {
  const bytes = Math.round(now - base);
  const sign = bytes > 0 ? "+" : bytes < 0 ? "−" : "";
  return bytes === 0 ? "" : `${sign}${bytesText(Math.abs(bytes))}`;
}
