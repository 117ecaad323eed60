// Call trees as typed arrays in preorder: one number per node in each, and no object per node.

/** Columns of the parts of a self time, each with that of the total time and what it is called. */
const CPU_PARTS = [
  ["cpu", "totalCpu", "cpu"], ["preempted", "totalPreempted", "preempted"],
  ["blocked", "totalBlocked", "blocked"], ["notRunning", "totalNotRunning", "not running"],
];

/** Reasons why threads did not run, each with a column of its own if there is such time. */
const WAIT_KINDS = [
  "monitor", "object-wait", "park", "sleep", "file", "socket", "class-loading", "gc", "safepoint",
];

/**
 * A forest's arrays, all as long as it has nodes:
 * frame (index of the frame table), depth, parent (-1 for roots), end (one past the last
 * descendant), timed and calls, self and total in ns, selfBar and totalBar (error bars in ns),
 * parked and totalParked (parts of self and total in which virtual threads were parked, if any
 * were), alloc and totalAlloc (bytes allocated in the node and with its descendants, if that was
 * recorded), cpu, preempted, blocked and their totals (parts of self and total in which threads
 * ran, waited for a processor and waited for something else, if that was recorded; notRunning in
 * place of the last two where they are not told apart), cpuParts (those of CPU_PARTS that there
 * are), waits (by kind: own and total, in which threads did not run for that), and span: what a
 * node is wide by, at least the sum of its children's spans.
 */
export function readForest(columns, length, frames, isDifference) {
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
  if (columns.has("parked")) {
    forest.parked = columns.read("parked", new Float64Array(length));
    forest.totalParked = totals(forest.parked, forest.parent);
  }
  if (columns.has("alloc")) {
    forest.alloc = columns.read("alloc", new Float64Array(length));
    forest.totalAlloc = totals(forest.alloc, forest.parent);
  }
  forest.cpuParts = CPU_PARTS.filter(([part]) => columns.has(part));
  for (const [part, total] of forest.cpuParts) {
    forest[part] = columns.read(part, new Float64Array(length));
    forest[total] = totals(forest[part], forest.parent);
  }
  forest.waits = WAIT_KINDS.filter((kind) => columns.has(`wait-${kind}`)).map((kind) => {
    const own = columns.read(`wait-${kind}`, new Float64Array(length));
    return { kind, own, total: totals(own, forest.parent) };
  });
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
  const base = {
    calls: columns.read("baseCalls", new Float64Array(length)),
    self,
    total: totals(self, forest.parent),
    flags: columns.read("flags", new Uint8Array(length)),
  };
  if (columns.has("baseAlloc")) {
    base.alloc = columns.read("baseAlloc", new Float64Array(length));
    base.totalAlloc = totals(base.alloc, forest.parent);
  }
  for (const [part, total] of forest.cpuParts) {
    const name = `base${part[0].toUpperCase()}${part.slice(1)}`;
    base[part] = columns.read(name, new Float64Array(length));
    base[total] = totals(base[part], forest.parent);
  }
  return base;
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
 * By node, how wide it is: its weight, but not less than its children together. A corrected time
 * may be less than that of its parts, or less than nothing.
 */
export function spans(forest, weight) {
  const { length, parent } = forest;
  const sums = new Float64Array(length);
  let whole = 0;
  for (let node = length - 1; node >= 0; node--) {
    const span = Math.max(weight(node, sums[node]), sums[node], 0);
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
