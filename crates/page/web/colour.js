// Colours of frames, by what a person asks for: trust, self time, calls, package, difference.

/** The ways to colour, with their names. */
export const COLOURS = {
  trust: "trust: error bar against time",
  self: "self time",
  calls: "calls",
  package: "package",
  difference: "significant difference",
  growth: "difference",
};

const LIGHT = {
  trust: ["#83c3ae", "#b4d69c", "#efe08f", "#f4c27f", "#ee9d74", "#d7d9df"],
  heat: ["#f3efe6", "#f7e3b5", "#f8cc85", "#f5ab5e", "#ea8048", "#d95a3c"],
  grow: ["#f5d0c8", "#f0a898", "#e27a68", "#c94f42"],
  shrink: ["#cfe0f2", "#a5c6e8", "#76a6d8", "#4a80bd"],
  plain: "#dfe2e6", matched: "#c58af0", text: "#1c1f24", thread: "#cfd6e0",
  counted: "#7a828e", back: "#ffffff", line: "#ffffff", chosen: "#1659c7",
};
const DARK = {
  trust: ["#2b7a66", "#557a38", "#85721f", "#8f5f22", "#94452c", "#474b53"],
  heat: ["#3a3c42", "#5b4c2d", "#7d5a25", "#9a5f22", "#b25a2a", "#c9503a"],
  grow: ["#5c3a36", "#803f38", "#a4463c", "#c85546"],
  shrink: ["#2f4258", "#325478", "#386a9c", "#4585c4"],
  plain: "#3a3e46", matched: "#8e4fc4", text: "#eceef2", thread: "#39424f",
  counted: "#a4abb6", back: "#16181d", line: "#16181d", chosen: "#7db2ff",
};

/** The colours of a theme. */
export function palette(theme) {
  return theme === "dark" ? DARK : LIGHT;
}

/** Upper bounds of the error bar as a part of the time, and what they are called. */
export const TRUST = [
  [0.05, "±5 % or less"],
  [0.15, "to ±15 %"],
  [0.3, "to ±30 %"],
  [0.6, "to ±60 %"],
  [1, "above ±60 %"],
  [Infinity, "below resolution"],
];

/** Which step of trust a time has. */
export function trustStep(nanos, bar) {
  if (!(nanos > bar)) return TRUST.length - 1;
  return TRUST.findIndex(([most]) => bar <= most * nanos);
}

/** A function from node to colour. */
export function painter(mode, app, forest) {
  const colours = palette(app.theme);
  const isThread = (node) => app.kinds[forest.frame[node]] !== "m";
  const own = byMode(mode, app, forest, colours);
  return (node) => (isThread(node) ? colours.thread : own(node));
}

function byMode(mode, app, forest, colours) {
  const { frame, self, calls, total, totalBar } = forest;
  if (mode === "package") return (node) => app.packages.colour(frame[node], app.theme);
  if (mode === "growth") return (node) => growthColour(forest, node, colours);
  if (mode === "difference" && forest.base) {
    const isSignificant = (node) => (forest.base.flags[node] & 2) !== 0;
    return (node) => (isSignificant(node) ? growthColour(forest, node, colours) : colours.plain);
  }
  if (mode === "self") {
    const most = largest(self) || 1;
    return (node) => step(colours.heat, Math.sqrt(Math.max(self[node], 0) / most));
  }
  if (mode === "calls") {
    const most = Math.log1p(largest(calls)) || 1;
    return (node) => step(colours.heat, Math.log1p(calls[node]) / most);
  }
  return (node) => colours.trust[trustStep(total[node], totalBar[node])];
}

/** Red where the candidate takes more time, blue where less, plain where about as much. */
function growthColour({ total, base }, node, colours) {
  const [old, now] = [base.total[node], total[node]];
  const size = Math.max(old, now, 1);
  const growth = (now - old) / size;
  if (Math.abs(growth) < 0.02) return colours.plain;
  return step(growth > 0 ? colours.grow : colours.shrink, Math.abs(growth));
}

function step(colours, part) {
  return colours[Math.min(colours.length - 1, Math.floor(part * colours.length))];
}

function largest(column) {
  let most = 0;
  for (const value of column) if (value > most) most = value;
  return most;
}

/** Hues of packages: by their first two parts, so that neighbours share one. */
export class PackageColours {
  constructor(packages) {
    this.groups = packages.map((name) => name.split(".").slice(0, 3).join("."));
    const all = [...new Set(this.groups)].sort();
    this.hues = new Map(all.map((name, at) => [name, Math.round((at * 137.5 + 200) % 360)]));
  }

  colour(frame, theme) {
    const hue = this.hues.get(this.groups[frame]);
    return theme === "dark" ? `hsl(${hue} 32% 34%)` : `hsl(${hue} 52% 80%)`;
  }
}
