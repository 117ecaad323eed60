// Call trees as typed arrays in preorder: one number per node in each, and no object per node.

/**
 * A forest's arrays, all as long as it has nodes:
 * frame (index of the frame table), depth, parent (-1 for roots), end (one past the last
 * descendant), timed and calls, self and total in ns, selfBar and totalBar (error bars in ns), and
 * span: what a node is wide by, at least the sum of its children's spans. `metrics` has what nodes
 * have beside these: `key`, `title`, `unit`, `listed` and `group` as the document has them, `own`
 * and `total` by node, `certainty` (that of the own number, and three times that of the total: 0
 * for a number, 1 for a lower bound, 2 for none), and `base` with the baseline's own and total.
 */
export function readForest(columns, { nodes: length, metrics }, frames, isDifference) {
  const forest = {
    length,
    timed: columns.read("timed", new Float64Array(length)),
    calls: columns.read("counted", new Float64Array(length)),
    self: columns.readSigned("self", new Float64Array(length)),
    ...readShape(columns, length, frames),
    ...readBars(columns, length),
  };
  const { calls, timed } = forest;
  for (let node = 0; node < length; node++) calls[node] += timed[node];
  forest.total = totals(forest.self, forest.parent);
  const numbers = (name) => columns.readSparse(name, new Float64Array(length));
  const sums = (own) => ({ own, total: totals(own, forest.parent) });
  forest.metrics = metrics.map((metric) => ({
    ...metric,
    ...sums(numbers(metric.key)),
    certainty: columns.readSparse(`${metric.key}-certainty`, new Uint8Array(length)),
    base: isDifference ? sums(numbers(`${metric.key}-base`)) : null,
  }));
  if (isDifference) forest.base = readBase(columns, forest);
  return forest;
}

/** Frames from ranks among the callees of a caller, and the links between nodes. */
function readShape(columns, length, frames) {
  const table = columns.read("callees", new Uint32Array(columns.count("callees")));
  const begins = new Uint32Array(frames + 1);
  for (let caller = 0, at = 0; caller <= frames; caller++) {
    begins[caller] = at + 1;
    at += table[at] + 1;
  }
  const frame = columns.read("rank", new Uint32Array(length));
  const depth = columns.read("close", new Uint32Array(length));
  const parent = new Int32Array(length);
  const end = new Uint32Array(length).fill(length);
  for (let node = 0; node < length; node++) {
    let above = node - 1;
    for (let closed = depth[node]; closed > 0; closed--) {
      end[above] = node;
      above = parent[above];
    }
    parent[node] = above;
    depth[node] = above < 0 ? 0 : depth[above] + 1;
    frame[node] = table[begins[above < 0 ? frames : frame[above]] + frame[node]];
  }
  return { frame, depth, parent, end };
}

/** Bars are 0, or 1 + 16·log₂ of their ns. Those of totals are written as differences. */
function readBars(columns, length) {
  const selfBar = columns.read("selfBar", new Float64Array(length));
  const totalBar = columns.readSigned("totalBar", new Float64Array(length));
  const nanos = new Float64Array(64 * 16 + 2);
  for (let code = 1; code < nanos.length; code++) nanos[code] = 2 ** ((code - 1) / 16);
  for (let node = 0; node < length; node++) {
    const code = selfBar[node];
    selfBar[node] = nanos[code];
    totalBar[node] = nanos[code + totalBar[node]];
  }
  // Those of the costliest nodes are there in whole nanoseconds, too.
  const count = columns.count("costly");
  const exact = (name) => columns.read(name, new Float64Array(count));
  const [steps, ofSelf, ofTotal] = ["costly", "costlySelfBar", "costlyTotalBar"].map(exact);
  for (let at = 0, node = 0; at < count; at++) {
    node += steps[at];
    selfBar[node] = ofSelf[at];
    totalBar[node] = ofTotal[at];
  }
  return { selfBar, totalBar };
}

/** The baseline's numbers of a difference. */
function readBase(columns, forest) {
  const length = forest.length;
  const self = columns.readSigned("baseSelf", new Float64Array(length));
  return {
    calls: columns.read("baseCalls", new Float64Array(length)),
    self,
    total: totals(self, forest.parent),
    flags: columns.read("flags", new Uint8Array(length)),
  };
}

/** How certain a metric's own number of a node is (0), or that with all below it (1). */
export function certaintyOf({ certainty }, node, which) {
  return which === 0 ? certainty[node] % 3 : Math.floor(certainty[node] / 3);
}

/** Sums of each node and its descendants. */
export function totals(own, parent) {
  const sums = Float64Array.from(own);
  for (let node = sums.length - 1; node > 0; node--) {
    if (parent[node] >= 0) sums[parent[node]] += sums[node];
  }
  return sums;
}

/**
 * By node, how wide it is: its weight, but not less than its children together. In a difference the
 * larger side may be less than that of its parts.
 */
export function spans(forest, weight) {
  const { length, parent } = forest;
  const sums = new Float64Array(length);
  let whole = 0;
  for (let node = length - 1; node >= 0; node--) {
    const span = Math.max(weight(node, sums[node]), sums[node]);
    sums[node] = span;
    if (parent[node] >= 0) sums[parent[node]] += span;
    else whole += span;
  }
  return { of: sums, whole };
}

/** Spans by total time; in a difference by the larger side. */
export function timeSpans(forest) {
  const { total, base } = forest;
  if (!base) return spans(forest, (node) => total[node]);
  return spans(forest, (node) => Math.max(total[node], base.total[node]));
}

/** Spans by calls: those of a node and all below it. */
export function callSpans(forest) {
  const { calls, base, depth } = forest;
  const own = (node) => Math.max(calls[node], base ? base.calls[node] : 0);
  return spans(forest, (node, below) => below + (depth[node] === 0 ? 0 : own(node)));
}

/** The children of a node, or the roots for -1. */
export function* childrenOf(forest, node) {
  const end = node < 0 ? forest.length : forest.end[node];
  for (let child = node + 1; child < end; child = forest.end[child]) yield child;
}

/** The path of a node from its root down to itself. */
export function pathTo(forest, node) {
  const path = [];
  for (let at = node; at >= 0; at = forest.parent[at]) path.unshift(at);
  return path;
}

/** The nodes of each frame, in preorder. */
export function nodesByFrame(forest, frames) {
  const begins = new Uint32Array(frames + 1);
  for (let node = 0; node < forest.length; node++) begins[forest.frame[node] + 1]++;
  for (let frame = 0; frame < frames; frame++) begins[frame + 1] += begins[frame];
  const next = begins.slice();
  const nodes = new Uint32Array(forest.length);
  for (let node = 0; node < forest.length; node++) nodes[next[forest.frame[node]]++] = node;
  return (frame) => nodes.subarray(begins[frame], begins[frame + 1]);
}
