// The threads: pools, and the threads of each.

import { byId, element } from "./dom.js";
import { duration, grouped, many, withBar } from "./format.js";
import { Rows } from "./rows.js";

export class ThreadList {
  constructor(app) {
    this.app = app;
    this.open = new Set();
    this.pools = byPool(app.head.threads);
    this.rows = new Rows(byId("threads"), {
      id: "thread-rows",
      label: "Threads",
      role: "treegrid",
      columns: [
        { title: "total", kind: "number" },
        { title: "calls", kind: "calls" },
        { title: "outside", kind: "time", hint: "time outside of recorded methods" },
        { title: "queued", kind: "time", hint: "waited for a processor" },
        { title: "thread", kind: "wide" },
      ],
      row: (at) => this.row(at),
      onChoose: (at, event) => event && this.toggle(at),
      onOpen: (at) => this.zoom(at),
      onKey: (key, at) => key.startsWith("Arrow") && this.toggle(at),
    });
  }

  /** Shows the threads of newer data. */
  renew() {
    this.pools = byPool(this.app.head.threads);
    this.draw();
  }

  draw() {
    this.visible = [];
    for (const pool of this.pools) {
      this.visible.push({ pool });
      if (!this.open.has(pool.name)) continue;
      for (const thread of pool.threads) this.visible.push({ thread });
    }
    const threads = many(this.app.head.threads.length, "thread");
    byId("threads-count").replaceChildren(this.pools.length === this.app.head.threads.length
      ? threads
      : `${threads} in ${many(this.pools.length, "row")}: those of a pool are one`);
    this.rows.show(this.visible.length);
  }

  toggle(at) {
    const { pool } = this.visible[at];
    if (!pool || pool.threads.length < 2) return false;
    if (!this.open.delete(pool.name)) this.open.add(pool.name);
    this.draw();
    return true;
  }

  /** Zooms to the tree of a pool. */
  zoom(at) {
    const { app } = this;
    const { pool } = this.visible[at];
    if (!pool || app.state.inverted) return;
    const { forest } = app;
    for (let root = 0; root < forest.length; root = forest.end[root]) {
      if (app.names[forest.frame[root]] === pool.name) app.change({ zoom: root });
    }
  }

  row(at) {
    const { pool, thread } = this.visible[at];
    const of = pool ?? thread;
    const isFolded = pool && pool.threads.length > 1;
    const isOpen = isFolded && this.open.has(pool.name);
    const twist = element("span", { class: "twist" }, isFolded ? (isOpen ? "▾" : "▸") : "");
    const name = element("span", { class: "path" }, twist, of.name);
    if (thread) name.style.paddingLeft = "18px";
    return {
      attributes: {
        "aria-level": thread ? "2" : "1",
        "aria-expanded": isFolded ? String(isOpen) : undefined,
      },
      cells: [
        withBar(of.total, of.bar, this.app.hasBars),
        grouped(of.calls),
        duration(of.outside, 3),
        of.queued === null ? "–" : duration(of.queued, 3),
        name,
      ],
    };
  }
}

/** Pools with the sums of their threads, in the threads' order. */
function byPool(threads) {
  const pools = new Map();
  for (const thread of threads) {
    const name = thread.pool ?? thread.name;
    let pool = pools.get(name);
    if (!pool) {
      pool = { name, threads: [], total: 0, bar: 0, calls: 0, outside: 0, queued: null };
      pools.set(name, pool);
    }
    pool.threads.push(thread);
    for (const sum of ["total", "bar", "calls", "outside"]) pool[sum] += thread[sum];
    if (thread.queued !== null) pool.queued = (pool.queued ?? 0) + thread.queued;
  }
  return [...pools.values()].sort((a, b) => b.total - a.total);
}
