// The call tree as a table: rows open and close.

import { barElement, byId, element, nameElement } from "./dom.js";
import { BETWEEN, duration, isOnlyCounted, shortCalls, withBar } from "./format.js";
import { childrenOf, pathTo } from "./forest.js";
import { Rows } from "./rows.js";

/** Rows that are open at first: those with this part of the whole. */
const OPEN_PART = 0.1;
/** Levels that are indented in full; a deeper one says its depth. */
const INDENTED = 24;

export class CallTree {
  constructor(app) {
    this.app = app;
    this.visible = [];
    this.open = new Set();
    this.rows = new Rows(byId("tree"), {
      id: "tree-rows",
      label: "Call tree",
      role: "treegrid",
      columns: [
        { title: "", kind: "bars" },
        { title: "total", kind: "number" },
        { title: "self", kind: "number" },
        { title: "calls", kind: "calls" },
        { title: "call path", kind: "wide" },
      ],
      row: (at) => this.row(at),
      onChoose: (at, event) => this.choose(at, event),
      onOpen: (at) => app.change({ zoom: this.visible[at] }),
      onKey: (key, at) => this.key(key, at),
    });
  }

  /** Shows a forest, its costly paths open. */
  show(forest, whole) {
    if (this.forest !== forest) this.openCostly(forest, whole);
    Object.assign(this, { forest, whole: whole || 1 });
    const [, total, self] = this.rows.options.columns;
    total.title = forest.isInverted ? "by this path" : "total";
    self.title = forest.isInverted ? "" : forest.base ? "Δ total" : "self";
    this.list();
  }

  openCostly(forest, whole) {
    this.open.clear();
    const least = Math.max(whole, 0) * OPEN_PART;
    for (let node = 0; node < forest.length; node++) {
      if (forest.total[node] >= least) this.open.add(node);
      else node = forest.end[node] - 1;
    }
  }

  /** Shows newer data: `to` leads from the former nodes to those of `forest`. */
  renew(forest, whole, to) {
    const active = to(this.visible[this.rows.active] ?? -1);
    const open = [...this.open].map(to);
    const isClosed = (node) => this.forest.end[node] > node + 1 && !this.open.has(node);
    const closed = this.visible.filter(isClosed).map(to);
    this.openCostly(forest, whole);
    open.filter((node) => node >= 0).forEach((node) => this.open.add(node));
    closed.forEach((node) => this.open.delete(node));
    this.forest = forest;
    this.show(forest, whole);
    const at = this.visible.indexOf(active);
    if (at >= 0) this.rows.active = at;
    this.rows.draw();
  }

  list() {
    this.visible = [];
    const addBelow = (node) => {
      const stack = [[...childrenOf(this.forest, node)].reverse()];
      while (stack.length > 0) {
        const next = stack[stack.length - 1].pop();
        if (next === undefined) {
          stack.pop();
          continue;
        }
        this.visible.push(next);
        if (this.open.has(next)) stack.push([...childrenOf(this.forest, next)].reverse());
      }
    };
    addBelow(-1);
    this.rows.show(this.visible.length);
  }

  choose(at, event) {
    const node = this.visible[at];
    if (event?.target.closest?.(".twist")) this.toggle(node);
    this.app.change({ chosen: this.forest.frame[node] }, Boolean(event));
  }

  toggle(node) {
    if (!this.open.delete(node)) this.open.add(node);
    this.list();
  }

  key(key, at) {
    const node = this.visible[at];
    const hasChildren = this.forest.end[node] > node + 1;
    if (key === "ArrowRight" && hasChildren && !this.open.has(node)) this.toggle(node);
    else if (key === "ArrowRight") this.rows.move(at + 1);
    else if (key === "ArrowLeft" && this.open.has(node) && hasChildren) this.toggle(node);
    else if (key === "ArrowLeft" && this.forest.parent[node] >= 0) {
      this.rows.move(this.visible.indexOf(this.forest.parent[node]));
    } else if (key === "*") this.openCostliest(node);
    else return false;
    return true;
  }

  /** Opens the path of the costliest callees below a node. */
  openCostliest(node) {
    let at = node;
    while (this.forest.end[at] > at + 1) {
      this.open.add(at);
      at += 1;
    }
    this.list();
  }

  /** Opens the way to a node and makes its row the active one. */
  reveal(node) {
    for (const above of pathTo(this.forest, node).slice(0, -1)) this.open.add(above);
    this.list();
    this.rows.reveal(this.visible.indexOf(node));
  }

  /** The second number of a row: the change in a difference, else the self time. */
  second(node, time) {
    const { forest } = this;
    if (forest.isInverted) return "";
    if (!forest.base) return time(forest.self[node], forest.selfBar[node]);
    const change = forest.total[node] - forest.base.total[node];
    const bar = forest.totalBar[node] > 0 ? ` ±${duration(forest.totalBar[node], 3)}` : "";
    const mark = (forest.base.flags[node] & 2) !== 0 ? " *" : "";
    return `${change > 0 ? "+" : ""}${duration(change, 3)}${bar}${mark}`;
  }

  row(at) {
    const { app, forest } = this;
    const node = this.visible[at];
    const depth = forest.depth[node];
    const isMethod = app.kinds[forest.frame[node]] === "m";
    const isBetween = app.names[forest.frame[node]] === BETWEEN;
    const isCounted = isMethod && isOnlyCounted(forest, node);
    const hasTime = !isCounted || forest.total[node] !== 0 || forest.base;
    const time = (nanos, bar) => (hasTime ? withBar(nanos, bar, app.hasBars) : "–");
    const error = app.hasBars ? forest.totalBar[node] / this.whole : 0;
    const hasChildren = forest.end[node] > node + 1;
    const isOpen = this.open.has(node);
    const twist = element("span", { class: "twist" }, hasChildren ? (isOpen ? "▾" : "▸") : "");
    const words = nameElement(app.names[forest.frame[node]]);
    const name = element("span", { class: "path" }, twist, words);
    name.style.paddingLeft = `${Math.min(depth, INDENTED) * 10}px`;
    if (depth > INDENTED) name.prepend(element("span", { class: "deep" }, `[${depth}] `));
    const isDim = app.found !== null && app.found.flags[forest.frame[node]] === 0;
    const isChosen = forest.frame[node] === app.state.chosen;
    return {
      classes: `${isDim ? "dim" : ""} ${isChosen ? "chosen" : ""}`,
      attributes: {
        "aria-level": String(depth + 1),
        "aria-expanded": hasChildren ? String(isOpen) : undefined,
      },
      cells: [
        barElement(forest.total[node] / this.whole, error, "total"),
        time(forest.total[node], forest.totalBar[node]),
        this.second(node, time),
        isMethod && !isBetween ? shortCalls(forest.calls[node], forest.timed[node]) : "",
        name,
      ],
    };
  }
}
