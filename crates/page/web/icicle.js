// The icicle: each frame is as wide as its time, and its callees lie below it.

import { metricText, shortTime, shortCount, shortName, withBar } from "./format.js";
import { BETWEEN, callsText, percentOf } from "./format.js";
import { certaintyOf, pathTo } from "./forest.js";
import { palette } from "./colour.js";
import { byId, element } from "./dom.js";
import { visitFrames, windowOf } from "./layout.js";

const LINE = 19;
const GLIDE = 180;
/** Rows of callers that stay in sight above the frame that fills the width. */
const ABOVE = 3;

export class Icicle {
  constructor(app) {
    this.app = app;
    this.canvas = byId("icicle");
    this.tip = byId("tip");
    this.window = { left: 0, right: 1 };
    this.top = 0;
    this.cursor = -1;
    this.hover = null;
    this.context = this.canvas.getContext("2d");
    this.frameTimes = [];
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    this.listen();
  }

  listen() {
    const on = (name, act) => this.canvas.addEventListener(name, act, { passive: false });
    on("pointermove", (event) => this.moved(event));
    on("pointerleave", () => this.showTip(null));
    on("pointerdown", (event) => this.pressed(event));
    on("pointerup", (event) => this.released(event));
    on("dblclick", (event) => this.opened(event));
    on("wheel", (event) => this.turned(event));
    on("keydown", (event) => this.key(event));
  }

  /** Shows a forest, with what its nodes are wide by and how they are coloured. */
  show(forest, spans, paint) {
    if (this.forest !== forest) {
      this.cursor = -1;
      this.hover = null;
      this.deepest = deepestOf(forest);
    }
    Object.assign(this, { forest, spans, paint });
    this.redraw();
  }

  /** Glides to a node, which then fills the width; to the whole for -1. */
  zoomTo(node, glides = true) {
    const to = windowOf(this.forest, this.spans, node);
    const depth = node < 0 ? 0 : this.forest.depth[node];
    const top = Math.max(0, depth - ABOVE) * LINE;
    this.glide({ ...to, top }, glides);
  }

  /** Newer data come: `node` leads from the former nodes to those of `forest`. */
  renew(forest, node) {
    this.cursor = node(this.cursor);
    this.hover = null;
    this.tip.hidden = true;
    this.forest = forest;
    this.deepest = deepestOf(forest);
  }

  /** Where the window is, and whether it was moved away from the frame that it was zoomed to. */
  placeOf(zoom) {
    const { left, right } = windowOf(this.forest, this.spans, zoom);
    const isMoved = this.window.left !== left || this.window.right !== right;
    return { isMoved, window: this.window, top: this.top };
  }

  /** Goes to such a place in newer data. */
  goTo({ isMoved, window, top }, zoom) {
    this.window = isMoved ? window : windowOf(this.forest, this.spans, zoom);
    this.top = top;
    this.redraw();
  }

  glide(to, glides) {
    const from = { ...this.window, top: this.top };
    const begin = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || !glides;
    const step = (now) => {
      if (this.gliding !== step) return;
      const part = still ? 1 : Math.min(1, Math.max(0, now - begin) / GLIDE);
      const ease = part * (2 - part);
      const between = (name) => from[name] + (to[name] - from[name]) * ease;
      this.window = part === 1
        ? { left: to.left, right: to.right }
        : { left: between("left"), right: between("right") };
      this.top = between("top");
      this.draw();
      if (part < 1) requestAnimationFrame(step);
      else this.gliding = null;
    };
    this.gliding = step;
    step(begin);
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    if (!this.forest) return;
    const begin = performance.now();
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return;
    const size = [width, height].map((length) => Math.round(length * ratio));
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.top = Math.min(this.top, Math.max(0, (this.deepest + 2) * LINE - height));
    const colours = palette(this.app.theme);
    context.fillStyle = colours.back;
    context.fillRect(0, 0, width, height);
    context.font = "11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
    context.textBaseline = "middle";
    this.letter ??= context.measureText("mmmmmmmmmm").width / 10;
    this.places = [];
    const depths = {
      first: Math.floor(this.top / LINE),
      last: Math.ceil((this.top + height) / LINE),
    };
    visitFrames(this.forest, this.spans, this.window, width, depths, {
      emit: (node, x, w, depth) => this.drawFrame(node, x, w, depth, width, colours),
      narrow: (node, x, w, depth, count) => this.drawNarrow(node, x, w, depth, count, colours),
      sliver: (node, x, w, depth, more) => this.drawSliver(node, x, w, depth, more, colours),
    });
    this.drawCursor(colours);
    this.frameTimes.push(performance.now() - begin);
  }

  y(depth) {
    return depth * LINE - this.top;
  }

  drawFrame(node, x, w, depth, width, colours) {
    const { context, app, forest } = this;
    const left = Math.max(x, 0);
    const shown = Math.min(x + w, width) - left;
    const y = this.y(depth);
    const frame = forest.frame[node];
    const isDim = app.found !== null && app.found.flags[frame] === 0;
    const isFound = app.found !== null && !isDim;
    this.places.push({ node, x: left, w: shown, depth });
    context.globalAlpha = isDim ? 0.35 : 1;
    context.fillStyle = isFound ? colours.matched : this.paint(node);
    context.fillRect(left, y, Math.max(shown - 0.6, 0.4), LINE - 1);
    if (frame === app.state.chosen && shown > 2) {
      context.strokeStyle = colours.chosen;
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, y + 0.5, shown - 1.6, LINE - 2);
    }
    if (shown > 4 * this.letter) {
      context.fillStyle = colours.text;
      context.fillText(this.label(node, shown - 6), left + 3, y + LINE / 2);
    }
    context.globalAlpha = 1;
  }

  /** As much of `name  time ×calls` as fits. */
  label(node, width) {
    const { app, forest } = this;
    const letters = Math.floor(width / this.letter);
    const name = app.names[forest.frame[node]];
    const numbers = `  ${this.numbers(node)}`;
    const short = shortName(name);
    for (const text of [name + numbers, short + numbers, short]) {
      if (text.length <= letters) return text;
    }
    const method = short.slice(short.indexOf("::") < 0 ? 0 : short.indexOf("::") + 2);
    return method.length <= letters ? method : `${method.slice(0, Math.max(1, letters - 1))}…`;
  }

  numbers(node) {
    const { app, forest } = this;
    const time = shortTime(forest.total[node], forest.totalBar[node], app.hasBars);
    // `⋯` is no method, and has no calls.
    const frame = forest.frame[node];
    const isMethod = app.kinds[frame] === "m" && app.names[frame] !== BETWEEN;
    return isMethod ? `${time} ×${shortCount(forest.calls[node])}` : time;
  }

  drawNarrow(parent, x, w, depth, count, colours) {
    this.places.push({ node: -1, parent, x, w, depth, count });
    this.context.fillStyle = colours.plain;
    this.context.fillRect(x, this.y(depth), w, LINE - 1);
  }

  /** Frames with calls and no time: striped, of one width, at the right end of their caller. */
  drawSliver(node, x, w, depth, more, colours) {
    const { context, app, forest } = this;
    const y = this.y(depth);
    const isFound = app.found?.flags[forest.frame[node]] === 1;
    const isChosen = forest.frame[node] === app.state.chosen;
    this.places.push({ node, x, w, depth, more });
    context.fillStyle = isFound ? colours.matched : isChosen ? colours.chosen : colours.counted;
    for (let line = y + 3; line < y + LINE - 4; line += 4) context.fillRect(x, line, w - 2, 2);
  }

  drawCursor(colours) {
    const place = this.places.find((place) => place.node >= 0 && place.node === this.cursor);
    if (!place) return;
    this.context.strokeStyle = colours.text;
    this.context.lineWidth = 2;
    this.context.strokeRect(place.x + 1, this.y(place.depth) + 1, place.w - 2.6, LINE - 3);
  }

  placeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const depth = Math.floor((y + this.top) / LINE);
    const isThere = (place) => place.depth === depth && x >= place.x && x < place.x + place.w;
    return this.places.findLast(isThere) ?? null;
  }

  moved(event) {
    if (this.drag) {
      this.pan(event.clientX - this.drag.x, event.clientY - this.drag.y);
      this.drag = { ...this.drag, x: event.clientX, y: event.clientY };
      this.drag.far += Math.abs(event.movementX) + Math.abs(event.movementY);
      return;
    }
    this.showTip(this.placeAt(event), event);
  }

  pressed(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.clientX, y: event.clientY, far: 0 };
    this.showTip(null);
  }

  released(event) {
    const wasClick = this.drag && this.drag.far < 4;
    this.drag = null;
    const place = this.placeAt(event);
    if (wasClick && place && place.node >= 0) this.choose(place.node);
  }

  opened(event) {
    const place = this.placeAt(event);
    if (place) this.app.change({ zoom: place.node >= 0 ? place.node : place.parent });
  }

  turned(event) {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const box = this.canvas.getBoundingClientRect();
      this.scale(Math.exp(event.deltaY / 240), (event.clientX - box.left) / box.width);
    } else if (event.shiftKey) this.pan(-event.deltaX - event.deltaY, 0);
    else this.pan(-event.deltaX, -event.deltaY);
  }

  /** Makes the window so much larger, around a part of its width. */
  scale(factor, around) {
    this.gliding = null;
    const { left, right } = this.window;
    const wide = Math.min(1, (right - left) * factor);
    const from = left + (right - left) * around - wide * around;
    const begin = Math.min(Math.max(0, from), 1 - wide);
    this.window = { left: begin, right: begin + wide };
    this.redraw();
  }

  pan(x, y) {
    this.gliding = null;
    const wide = this.window.right - this.window.left;
    const by = (-x / this.canvas.clientWidth) * wide;
    const begin = Math.min(Math.max(0, this.window.left + by), 1 - wide);
    this.window = { left: begin, right: begin + wide };
    this.top = Math.max(0, this.top - y);
    this.redraw();
  }

  choose(node, isStep = true) {
    this.cursor = node;
    const frame = this.forest.frame[node];
    this.app.change({ chosen: frame }, isStep);
    this.app.say(this.description(node).join(", "));
    this.redraw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { forest } = this;
    const at = this.cursor < 0 ? Math.max(this.app.state.zoom, 0) : this.cursor;
    const go = {
      ArrowUp: () => forest.parent[at],
      ArrowDown: () => (forest.end[at] > at + 1 ? at + 1 : -1),
      ArrowRight: () => this.sibling(at, 1),
      ArrowLeft: () => this.sibling(at, -1),
    }[event.key];
    if (go) {
      const to = this.cursor < 0 ? at : go();
      if (to >= 0) {
        this.choose(to, false);
        this.follow(to);
      }
    } else if (event.key === "Enter") this.app.change({ zoom: at });
    else if (event.key === "+") this.scale(0.7, 0.5);
    else if (event.key === "-") this.scale(1.4, 0.5);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  sibling(node, step) {
    const { parent, end } = this.forest;
    if (step > 0) {
      const last = parent[node] < 0 ? this.forest.length : end[parent[node]];
      return end[node] < last ? end[node] : -1;
    }
    let before = -1;
    for (let at = parent[node] + 1; at < node; at = end[at]) before = at;
    return before;
  }

  /** Moves the window so that a node is in sight. */
  follow(node) {
    const place = windowOf(this.forest, this.spans, node);
    const { left, right } = this.window;
    const y = this.y(this.forest.depth[node]);
    let top = this.top;
    if (y < 0 || y + LINE > this.canvas.clientHeight) {
      top = Math.max(0, (this.forest.depth[node] - ABOVE) * LINE);
    }
    const wide = Math.max(right - left, place.right - place.left);
    const isSeen = place.right > left && place.left < right;
    const begin = isSeen ? left : Math.min(Math.max(0, place.left), 1 - wide);
    this.glide({ left: begin, right: begin + (isSeen ? right - left : wide), top }, true);
  }

  showTip(place, event) {
    this.tip.hidden = place === null;
    if (place === null) return;
    const lines = place.node < 0 ? this.narrowText(place) : this.description(place.node);
    if (place.more > 0) lines.push(`and ${place.more} more that have no room here`);
    this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
    const [x, y] = [event.clientX + 14, event.clientY + 18];
    const box = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 8))}px`;
    this.tip.style.top = `${y + box.height > innerHeight ? y - box.height - 30 : y}px`;
  }

  narrowText({ parent, count }) {
    const { app, forest } = this;
    const of = parent < 0 ? "the whole" : shortName(app.names[forest.frame[parent]]);
    return [`${count} frames below ${of} are too narrow to draw: zoom in to see them`];
  }

  /** What a frame is, in lines. */
  description(node) {
    const { app, forest } = this;
    const { total, totalBar, self, selfBar, calls, timed, base } = forest;
    const lines = [app.names[forest.frame[node]]];
    const share = `${percentOf(total[node], app.whole)} of all`;
    if (timed[node] === 0 && calls[node] > 0 && total[node] === 0 && !base) {
      lines.push(`${callsText(calls[node], 0)}: the time of these calls is in the caller`);
      return lines;
    }
    const time = (nanos, bar) => withBar(nanos, bar, app.hasBars);
    const what = forest.isInverted ? "by this path" : "total";
    lines.push(`${what} ${time(total[node], totalBar[node])}, ${share}`);
    if (!forest.isInverted) lines.push(`self ${time(self[node], selfBar[node])}`);
    if (!forest.isInverted) lines.push(...metricLines(forest.metrics, node));
    // Frames without probes: nothing of them is in the numbers above.
    if (!forest.isInverted) lines.push(...(app.head.samples?.[node] ?? []));
    if (base) {
      const time = (nanos) => withBar(nanos, 0, false);
      const [old, own] = [time(base.total[node]), time(base.self[node])];
      lines.push(`baseline: total ${old}, self ${own}, ${shortCount(base.calls[node])} calls`);
      const listed = forest.metrics.filter((of) => of.listed && certaintyOf(of, node, 1) < 2);
      const text = (of) => metricText(of, of.base.total[node]);
      lines.push(...listed.map((of) => `baseline: ${of.title} ${text(of)}`));
    }
    if (app.kinds[forest.frame[node]] === "m" && (calls[node] > 0 || base)) {
      lines.push(`${callsText(calls[node], timed[node])} calls`);
    }
    return lines;
  }
}

/** What a frame has beside calls and times: the listed metrics, the others, and waits. */
function metricLines(metrics, node) {
  const text = (of) => `${of.title} ${metricText(of, of.total[node], certaintyOf(of, node, 1))}`;
  const isKnown = (of) => certaintyOf(of, node, 1) < 2;
  const lines = metrics.filter((of) => of.listed && isKnown(of)).map((of) =>
    `${text(of)}, itself ${metricText(of, of.own[node], certaintyOf(of, node, 0))}`);
  const there = metrics.filter((of) => !of.listed && isKnown(of) && of.total[node] > 0);
  const others = there.filter(({ group }) => group !== "waits");
  if (others.length > 0) lines.push(others.map(text).join(", "));
  const waits = there.filter(({ group }) => group === "waits")
    .sort((a, b) => b.total[node] - a.total[node]);
  if (waits.length > 0) lines.push(`did not run: ${waits.slice(0, 3).map(text).join(", ")}`);
  return lines;
}

function deepestOf(forest) {
  return forest.depth.reduce((most, depth) => Math.max(most, depth), 0);
}

/** The path to the frame that fills the width, each caller a button. */
export function drawCrumbs(app, forest) {
  const list = byId("crumbs");
  const { zoom } = app.state;
  const crumb = (node, text) => element(
    "li", {},
    element("button", {
      onclick: () => app.change({ zoom: node }),
      title: node < 0 ? "the whole" : app.names[forest.frame[node]],
      "aria-current": node === zoom ? "true" : undefined,
    }, text),
  );
  const path = zoom < 0 ? [] : pathTo(forest, zoom);
  const shown = path.length > 8 ? [...path.slice(0, 2), null, ...path.slice(-5)] : path;
  const name = (node) => shortName(app.names[forest.frame[node]]);
  list.replaceChildren(
    crumb(-1, "all"),
    ...shown.map((node) => node === null
      ? element("li", { class: "gap" }, `… ${path.length - 7} more`)
      : crumb(node, name(node))),
  );
}
