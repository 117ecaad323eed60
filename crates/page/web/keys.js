// Keys that work everywhere on the page.

import { byId } from "./dom.js";
import { toggleHelp } from "./help.js";

/** Listens for keys. Tables, icicle and search have their own ones besides. */
export function listenToKeys(app) {
  const search = byId("search");
  const actions = {
    "/": () => search.focus(),
    i: () => app.invert(),
    b: () => app.traceBack(),
    c: () => app.nextColour(),
    w: () => app.change({ width: app.state.width === "time" ? "calls" : "time" }),
    f: () => app.change({ large: !app.state.large }),
    t: () => app.toggleTheme(),
    g: () => byId("icicle").focus(),
    "?": () => toggleHelp(app.head.metrics),
    1: () => app.openTab("hot"),
    2: () => app.openTab("tree"),
    3: () => app.openTab("threads"),
    4: () => app.openTab("latency"),
    Escape: () => app.change({ zoom: -1 }),
    Backspace: () => app.change({ zoom: app.parentOfZoom() }),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") app.nextMatch(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      app.change({ query: "" });
      byId("icicle").focus();
    } else return;
    event.preventDefault();
  });
  search.addEventListener("input", () => app.change({ query: search.value }, false));
}
