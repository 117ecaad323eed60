// The page: what is shown, and what changes it.

import { readData } from "./data.js";
import { callSpans, nodesByFrame, readForest, timeSpans } from "./forest.js";
import { methodSums } from "./methods.js";
import { stanza } from "./edges.js";
import { backTraces } from "./callers.js";
import { coverage, outermostMatches, Search } from "./search.js";
import { COLOURS, PackageColours, painter, palette, TRUST } from "./colour.js";
import { FIRST, fragmentOf, stateOf } from "./state.js";
import { byId, element } from "./dom.js";
import { duration, grouped, many, packageOf, percentOf, shortName } from "./format.js";
import { BETWEEN, BETWEEN_TEXT } from "./format.js";
import { drawCrumbs, Icicle } from "./icicle.js";
import { drawHead } from "./head.js";
import { HotList } from "./hot.js";
import { CallTree } from "./tree.js";
import { ThreadList } from "./threads.js";
import { drawLatencies } from "./latency.js";
import { drawSandwich } from "./sandwich.js";
import { toggleHelp } from "./help.js";
import { Renewal } from "./renewal.js";
import { Feed, isLive } from "./live.js";
import { listenToKeys } from "./keys.js";

/** The lists, in their order. */
const TABS = ["hot", "tree", "threads", "latency"];

class App {
  constructor(data) {
    this.isLive = isLive();
    this.take(data);
    this.state = stateOf(location.hash, this.first);
  }

  /** Takes data: what is computed from them, and nothing that a person chooses. */
  take({ head, columns }) {
    const { names, kinds, facts } = head.frames;
    const isDifference = head.kind === "difference";
    Object.assign(this, { head, names, kinds, facts, events: head.events ?? [] });
    this.hasBars = head.corrected && !isDifference;
    this.forest = readForest(columns, head, names.length, isDifference);
    this.nodesOf = nodesByFrame(this.forest, names.length);
    this.sums = methodSums(this.forest, names.length);
    this.whole = rootSum(this.forest, this.forest.total);
    this.packages = new PackageColours(names.map(packageOf));
    this.search = new Search(names);
    this.found = null;
    this.runs = head.runs.length > 0 ? readRuns(head, columns, kinds) : null;
    this.inverted = null;
    this.spans = new Map();
    // Where all calls were only counted, there is nothing to see by time.
    this.hasTimes = isDifference || this.forest.total.some((nanos) => nanos !== 0);
    const byCalls = this.hasTimes ? {} : { width: "calls", sort: "calls" };
    this.first = { ...FIRST, ...byCalls, colour: firstColour(head), chosen: this.hottest() };
  }

  /** Shows newer data of the same recording: the same choice, zoom, search and open rows. */
  renew(data) {
    const { names, kinds, state, icicle } = this;
    const before = this.shown();
    const place = icicle.placeOf(state.zoom);
    this.take(data);
    const renewal = new Renewal({ names, kinds }, this);
    const chosen = renewal.frame(state.chosen);
    this.state = { ...state, chosen: chosen < 0 ? this.first.chosen : chosen };
    this.state.of = renewal.frame(state.of);
    const forest = this.shown();
    const node = renewal.nodes(before, forest);
    this.state.zoom = node(state.zoom);
    this.find();
    icicle.renew(forest, node);
    this.drawIcicle(forest);
    icicle.goTo(place, this.state.zoom);
    drawCrumbs(this, forest);
    this.hot.draw(false);
    this.tree.renew(forest, this.wholeOf(forest), node);
    this.threads.renew();
    drawHead(this);
    drawSandwich(this);
    this.fillColours();
    this.syncControls();
    this.keepAddress(this.state, false);
  }

  start() {
    drawHead(this);
    this.icicle = new Icicle(this);
    this.hot = new HotList(this);
    this.tree = new CallTree(this);
    this.threads = new ThreadList(this);
    this.fillControls();
    listenToKeys(this);
    addEventListener("popstate", () => this.show(stateOf(location.hash, this.first), false));
    addEventListener("hashchange", () => this.show(stateOf(location.hash, this.first), false));
    this.show(this.state, false, true);
  }

  hottest() {
    const { self, calls, nodes, base } = this.sums;
    let best = -1;
    const size = (frame) =>
      this.hasTimes ? Math.abs(self[frame] - (base?.self[frame] ?? 0)) : calls[frame];
    for (let frame = 0; frame < self.length; frame++) {
      if (this.kinds[frame] !== "m" || nodes[frame] === 0) continue;
      if (best < 0 || size(frame) > size(best)) best = frame;
    }
    return best;
  }

  /** Changes what is shown. A link to the former state stays behind, unless a person is typing. */
  change(changes, isStep = true) {
    const next = { ...this.state, ...changes };
    const turns = ["inverted", "of"].some((name) => next[name] !== this.state[name]);
    if (turns) next.zoom = -1;
    this.keepAddress(next, isStep);
    this.show(next, true);
  }

  /** Writes a state into the address. Frames of a live page change their indices: no way back. */
  keepAddress(state, isStep) {
    const address = fragmentOf(state, this.first);
    try {
      const isNew = isStep && !this.isLive && address !== fragmentOf(this.state, this.first);
      history[isNew ? "pushState" : "replaceState"](null, "", address);
    } catch {
      // Some places that show files do not let pages change their address.
    }
  }

  /** Shows a state; all of it if it is the first one. */
  show(next, glides, isFirst = false) {
    const before = this.state;
    this.state = next;
    const differs = (...names) => isFirst || names.some((name) => before[name] !== next[name]);
    if (differs("theme")) this.setTheme();
    if (differs("query")) this.find();
    if (differs("tab")) this.showTab();
    if (differs("of")) this.forgetInverted();
    const shown = this.shown();
    if (next.zoom >= shown.length) next.zoom = -1;
    const isRedrawn = ["inverted", "of", "colour", "width", "query", "theme", "chosen"];
    if (differs(...isRedrawn)) this.drawIcicle(shown);
    if (differs("zoom", "inverted", "of", "width")) {
      this.icicle.zoomTo(next.zoom, glides && !differs("inverted", "of"));
      drawCrumbs(this, shown);
    }
    if (differs("query", "sort")) this.hot.draw();
    else if (differs("chosen", "tab")) this.hot.follow();
    if (differs("inverted", "of", "query")) this.tree.show(shown, this.wholeOf(shown));
    else if (differs("chosen", "tab")) this.tree.rows.draw();
    if (differs("zoom") && next.zoom >= 0) this.tree.reveal(next.zoom);
    if (differs("tab")) this.threads.draw();
    if (differs("chosen")) drawSandwich(this);
    this.syncControls();
  }

  /** The forest that icicle and call tree show. */
  shown() {
    if (!this.state.inverted) return this.forest;
    const of = this.kinds[this.state.of] === "m" ? this.state.of : -1;
    this.inverted ??= backTraces(this.forest, this.nodesOf, of, this.names.length, this.kinds);
    return this.inverted.forest;
  }

  forgetInverted() {
    this.inverted = null;
    for (const key of [...this.spans.keys()]) if (key.endsWith("inverted")) this.spans.delete(key);
  }

  /** Callers and callees of a frame. */
  stanzaOf(frame) {
    return stanza(this.forest, this.nodesOf(frame), frame);
  }

  /** Those of a difference's baseline; null without one. */
  baseStanzaOf(frame) {
    const { base, length } = this.forest;
    if (!base) return null;
    const [none, calls] = [new Float64Array(length), base.calls];
    const side = { ...base, timed: calls, selfBar: none, totalBar: none };
    return stanza({ ...this.forest, ...side }, this.nodesOf(frame), frame);
  }

  wholeOf(forest) {
    return forest.isInverted ? this.inverted.whole : this.whole;
  }

  spansOf(forest) {
    const { width } = this.state;
    const key = `${width}${forest.isInverted ? " inverted" : ""}`;
    if (!this.spans.has(key)) {
      const byCalls = width === "calls" && !forest.isInverted;
      this.spans.set(key, byCalls ? callSpans(forest) : timeSpans(forest));
    }
    return this.spans.get(key);
  }

  drawIcicle(forest) {
    const colour = this.colour();
    this.icicle.show(forest, this.spansOf(forest), painter(colour, this, forest));
    this.drawLegend(colour, forest);
  }

  colour() {
    return this.colours().includes(this.state.colour) ? this.state.colour : this.first.colour;
  }

  colours() {
    const isDifference = this.head.kind === "difference";
    const hidden = isDifference ? ["trust"] : ["difference", "growth"];
    if (!this.hasBars) hidden.push("trust");
    return Object.keys(COLOURS).filter((name) => !hidden.includes(name));
  }

  nextColour() {
    const all = this.colours();
    this.change({ colour: all[(all.indexOf(this.colour()) + 1) % all.length] });
  }

  invert() {
    this.change({ inverted: !this.state.inverted || this.state.of >= 0, of: -1 });
  }

  /** Shows the back traces of the chosen method. */
  traceBack() {
    const { chosen } = this.state;
    if (this.kinds[chosen] === "m") this.change({ inverted: true, of: chosen });
  }

  parentOfZoom() {
    const { zoom } = this.state;
    return zoom < 0 ? -1 : this.shown().parent[zoom];
  }

  /** Finds frames, and says how much they are. */
  find() {
    const begin = performance.now();
    this.found = this.search.find(this.state.query);
    this.match = -1;
    const result = byId("found");
    if (this.found === null) result.replaceChildren();
    else {
      const { nodes, calls, total } = coverage(this.forest, this.found.flags);
      const share = percentOf(total, this.whole);
      result.replaceChildren(`${many(this.found.count, "name")}, ${many(nodes, "frame")}, ` +
        `${grouped(calls)} calls, ${duration(total, 3)} total (${share})`);
    }
    this.searchTime = performance.now() - begin;
  }

  nextMatch(step) {
    if (this.found === null) return;
    const shown = this.shown();
    const matches = outermostMatches(shown, this.found.flags, 1000);
    if (matches.length === 0) return;
    this.match = (this.match + step + matches.length) % matches.length;
    const node = matches[this.match];
    this.change({ zoom: node, chosen: shown.frame[node] });
    this.say(`match ${this.match + 1} of ${matches.length}`);
  }

  openTab(tab) {
    if (byId(`tab-${tab}`).hidden) return;
    this.change({ tab });
    (byId(tab).querySelector(".rows") ?? byId(tab)).focus();
  }

  showTab() {
    const isThere = (name) => TABS.includes(name) && !byId(`tab-${name}`).hidden;
    if (!isThere(this.state.tab)) this.state.tab = "hot";
    for (const name of TABS) {
      const isOpen = name === this.state.tab;
      byId(name).hidden = !isOpen;
      byId(`tab-${name}`).setAttribute("aria-selected", String(isOpen));
      byId(`tab-${name}`).tabIndex = isOpen ? 0 : -1;
    }
  }

  setTheme() {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const chosen = ["dark", "light"].includes(this.state.theme) ? this.state.theme : null;
    this.theme = chosen ?? (isDark ? "dark" : "light");
    document.documentElement.dataset.theme = this.theme;
  }

  toggleTheme() {
    this.change({ theme: this.theme === "dark" ? "light" : "dark" });
  }

  say(text) {
    byId("live").replaceChildren(text);
  }

  /** The colourings and lists that these data have. */
  fillColours() {
    const option = (name) => element("option", { value: name }, COLOURS[name]);
    const names = this.colours();
    const colour = byId("colour");
    const isSame = names.join() === [...colour.options].map(({ value }) => value).join();
    if (!isSame) colour.replaceChildren(...names.map(option));
    byId("tab-threads").hidden = this.head.threads.length === 0;
    drawLatencies(this);
  }

  fillControls() {
    this.fillColours();
    const colour = byId("colour");
    colour.addEventListener("change", () => this.change({ colour: colour.value }));
    byId("width").addEventListener("change", (event) => this.change({ width: event.target.value }));
    byId("invert").addEventListener("click", () => this.invert());
    byId("large").addEventListener("click", () => this.change({ large: !this.state.large }));
    byId("theme").addEventListener("click", () => this.toggleTheme());
    byId("show-help").addEventListener("click", () => toggleHelp(this.head.metrics));
    for (const name of TABS) {
      byId(`tab-${name}`).addEventListener("click", () => this.change({ tab: name }));
    }
    byId("tabs").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by === undefined) return;
      const tabs = TABS.filter((name) => !byId(`tab-${name}`).hidden);
      const count = tabs.length;
      this.change({ tab: tabs[(tabs.indexOf(this.state.tab) + by + count) % count] });
      byId(`tab-${this.state.tab}`).focus();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.setTheme();
      this.drawIcicle(this.shown());
    });
  }

  syncControls() {
    const { query, width, inverted, large } = this.state;
    byId("large").setAttribute("aria-pressed", String(large));
    document.querySelector("main").classList.toggle("large", large);
    if (document.activeElement !== byId("search")) byId("search").value = query;
    byId("colour").value = this.colour();
    byId("width").value = width;
    byId("invert").setAttribute("aria-pressed", String(inverted));
    byId("width").disabled = inverted;
  }

  drawLegend(colour, forest) {
    const colours = palette(this.theme);
    const key = (fill, text) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = fill;
      return element("li", {}, swatch, text);
    };
    const scale = (fills, low, high) =>
      fills.map((fill, at) => key(fill, at === 0 ? low : at === fills.length - 1 ? high : ""));
    const changes = (plain) => [
      ...scale(colours.shrink.toReversed(), "the candidate takes less", ""),
      key(colours.plain, plain), ...scale(colours.grow, "", "takes more"),
    ];
    const keys = {
      trust: () => TRUST.map(([, text], at) => key(colours.trust[at], text)),
      self: () => scale(colours.heat, "little self time", "most"),
      calls: () => scale(colours.heat, "few calls", "most"),
      package: () => [element("li", {}, "frames of a package have one colour")],
      difference: () => [...changes("not significant, or within 2 %")],
      growth: () => [...changes("within 2 %")],
    }[colour]();
    const without = this.withoutTime(forest);
    if (without !== null) {
      keys.push(element("li", {}, element("span", { class: "swatch striped" }), without));
    }
    if (forest.isInverted) keys.push(element("li", {}, this.leftOutText()));
    if (this.names.includes(BETWEEN)) keys.push(element("li", {}, BETWEEN_TEXT));
    byId("legend").replaceChildren(...keys);
  }

  /** What the striped frames of the icicle are; null if there are none. */
  withoutTime(forest) {
    if (forest.isInverted || this.state.width === "calls") return null;
    const counted = this.sums.calls.some((calls, frame) => calls > this.sums.timed[frame]);
    const spans = this.spansOf(forest).of;
    const isZero = (node) => spans[node] === 0 && forest.timed[node] > 0;
    let zero = 0;
    while (zero < forest.length && !isZero(zero)) zero++;
    if (counted && !forest.base) {
      return `counted: calls without a time${zero < forest.length ? ", or not above zero" : ""}`;
    }
    return zero < forest.length ? "calls with a time not above zero" : null;
  }

  leftOutText() {
    const { leftOut, whole } = this.inverted;
    const share = percentOf(leftOut.nanos, whole);
    const { of } = this.state;
    const what = of < 0 ? "self time" : `total time of ${shortName(this.names[of])}`;
    return `inverted, by ${what}; left out as too small: ${grouped(leftOut.groups)} callers ` +
      `with ${duration(leftOut.nanos, 3)}, ${share}`;
  }
}

/** Without error bars there is no trust; without runs nothing is significant. */
function firstColour({ kind, corrected, sides }) {
  if (kind !== "difference") return corrected ? "trust" : "self";
  return sides.every((runs) => runs > 1) ? "difference" : "growth";
}

function rootSum(forest, column) {
  let sum = 0;
  for (let root = 0; root < forest.length; root = forest.end[root]) sum += column[root];
  return sum;
}

/** Times of methods by run: of each run, those of all methods. */
function readRuns(head, columns, kinds) {
  const place = [];
  let methods = 0;
  for (const kind of kinds) place.push(kind === "m" ? methods++ : -1);
  const count = head.runs.reduce((sum, runs) => sum + runs, 0);
  const column = () => new Float64Array(methods * count);
  return {
    sides: head.runs,
    methods,
    place,
    self: columns.readSigned("runSelf", column()),
    total: columns.readSigned("runTotal", column()),
  };
}

function start(data) {
  const app = new App(data);
  window.jfathom = app;
  app.start();
  document.documentElement.dataset.ready = "true";
  app.readyAt = performance.now();
  return app;
}

async function begin() {
  if (!isLive()) return start(await readData());
  byId("quality").replaceChildren("Nothing of the recording is here so far");
  let app = null;
  const show = (data) => {
    if (app === null) app = start(data);
    else app.renew(data);
  };
  const isBusy = () => app !== null && (app.icicle.drag || app.icicle.gliding);
  const feed = new Feed(show, () => Boolean(isBusy()));
  window.jfathomFeed = feed;
  return feed.ask();
}

begin().catch((error) => {
  byId("quality").className = "unclean";
  byId("quality").replaceChildren(`This page cannot be shown: ${error.message}. ` +
    "It needs a browser of 2023 or later.");
  throw error;
});
