// The inverted tree: methods at the top, below each its callers, and so on up to the threads.

/** Groups with less than this part of all are left out, and their sum is said. */
const SMALLEST_PART = 1 / 4000;

/**
 * A forest of back traces, and what it leaves out. Of one method it has total times, recursive
 * calls counted once; of all methods (frame -1) it has self times.
 */
export function backTraces(forest, nodesOf, frame, frames, kinds) {
  const rows = newRows();
  const one = frame >= 0;
  const weight = one ? outermostTotals(forest, nodesOf(frame), frame) : forest.self;
  const bars = one ? forest.totalBar : forest.selfBar;
  const groups = [];
  for (let at = one ? frame : 0; at < (one ? frame + 1 : frames); at++) {
    if (kinds[at] === "t" || nodesOf(at).length === 0) continue;
    groups.push({ frame: at, origins: nodesOf(at), places: nodesOf(at), depth: 0 });
  }
  const sum = ({ origins }) => {
    let sum = 0;
    for (let at = 0; at < origins.length; at++) sum += weight[origins[at]];
    return sum;
  };
  const whole = groups.reduce((all, group) => all + Math.max((group.weight = sum(group)), 0), 0);
  const floor = whole * SMALLEST_PART;
  const leftOut = { groups: 0, nanos: 0 };
  const keep = (groups) => kept(groups, floor, leftOut);
  const stack = keep(groups);
  const slots = new Int32Array(frames).fill(-1);
  while (stack.length > 0) {
    const group = stack.pop();
    addRow(rows, group, forest, weight, bars);
    stack.push(...callersOf(forest, group, weight, slots, keep));
  }
  return { forest: finished(rows), leftOut, whole };
}

function newRows() {
  const rows = { frame: [], depth: [], calls: [], timed: [], self: [], total: [] };
  return { ...rows, selfBar: [], totalBar: [] };
}

/** The groups that are large enough, the smallest first; counts the others. */
function kept(groups, floor, leftOut) {
  const large = [];
  for (const group of groups) {
    if (group.weight > floor) large.push(group);
    else {
      leftOut.groups += 1;
      leftOut.nanos += Math.max(group.weight, 0);
    }
  }
  return large.sort((a, b) => a.weight - b.weight);
}

/** The callers of a group that are large enough, one group each. `slots` has −1 for all frames. */
function callersOf(forest, { origins, places, depth }, weight, slots, keep) {
  const groups = [];
  for (let at = 0; at < origins.length; at++) {
    const parent = forest.parent[places[at]];
    if (parent < 0) continue;
    const frame = forest.frame[parent];
    if (slots[frame] < 0) {
      slots[frame] = groups.length;
      groups.push({ frame, depth: depth + 1, weight: 0, count: 0, origins: null, places: null });
    }
    const group = groups[slots[frame]];
    group.count += 1;
    group.weight += weight[origins[at]];
  }
  const large = keep(groups);
  for (const group of large) {
    group.origins = new Uint32Array(group.count);
    group.places = new Uint32Array(group.count);
    group.count = 0;
  }
  for (let at = 0; large.length > 0 && at < origins.length; at++) {
    const parent = forest.parent[places[at]];
    if (parent < 0) continue;
    const group = groups[slots[forest.frame[parent]]];
    if (group.origins === null) continue;
    group.origins[group.count] = origins[at];
    group.places[group.count++] = parent;
  }
  for (const group of groups) slots[group.frame] = -1;
  return large;
}

function addRow(rows, group, forest, weight, bars) {
  let [calls, timed, self, bar] = [0, 0, 0, 0];
  for (let at = 0; at < group.origins.length; at++) {
    const node = group.origins[at];
    calls += forest.calls[node];
    timed += forest.timed[node];
    self += forest.self[node];
    bar += weight[node] === 0 ? 0 : bars[node];
  }
  rows.frame.push(group.frame);
  rows.depth.push(group.depth);
  rows.calls.push(calls);
  rows.timed.push(timed);
  rows.self.push(self);
  rows.total.push(group.weight);
  rows.selfBar.push(bar);
  rows.totalBar.push(bar);
}

/** Total times of a frame's nodes, zero for those below another one. */
function outermostTotals(forest, nodes, frame) {
  const weight = {};
  let until = 0;
  for (const node of nodes) {
    weight[node] = node < until ? 0 : forest.total[node];
    until = Math.max(until, forest.end[node]);
  }
  return weight;
}

function finished(rows) {
  const length = rows.frame.length;
  const parent = new Int32Array(length);
  const end = new Uint32Array(length).fill(length);
  const open = [];
  for (let node = 0; node < length; node++) {
    while (open.length > rows.depth[node]) end[open.pop()] = node;
    parent[node] = open.length > 0 ? open[open.length - 1] : -1;
    open.push(node);
  }
  const { frame, depth, ...numbers } = rows;
  const forest = { length, parent, end, isInverted: true };
  Object.assign(forest, { frame: Uint32Array.from(frame), depth: Uint32Array.from(depth) });
  for (const [name, column] of Object.entries(numbers)) forest[name] = Float64Array.from(column);
  return forest;
}
