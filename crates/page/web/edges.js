// Callers and callees of a method, with the calls and times of each edge, as in gprof's call graph.
// Recursive calls are counted once: an edge from a method to itself has calls and no time.

/**
 * The stanza of a frame: its callers, with its self time and the time of its callees in their
 * calls; its callees, with the time that it spent in them; and the sum. Times are in ns.
 */
export function stanza(forest, nodes, frame) {
  const callers = new Map();
  const callees = new Map();
  const sum = newEdge(frame);
  const nested = new Map();
  const open = [];
  for (const node of nodes) {
    while (open.length > 0 && forest.end[open[open.length - 1]] <= node) open.pop();
    if (open.length > 0) subtract(forest, open[open.length - 1], node, nested);
    open.push(node);
  }
  for (const node of nodes) {
    const caller = forest.parent[node] < 0 ? -1 : forest.frame[forest.parent[node]];
    const edge = edgeOf(callers, caller);
    let [below, belowBar] = [0, 0];
    const end = forest.end[node];
    for (let child = node + 1; child < end; child = forest.end[child]) {
      const inner = nested.get(child) ?? 0;
      const time = forest.total[child] - inner;
      const bar = time === 0 && inner !== 0 ? 0 : forest.totalBar[child];
      below += time;
      belowBar += bar;
      if (forest.frame[child] !== frame) {
        addTo(edgeOf(callees, forest.frame[child]), forest, child, 0, 0, time, bar);
      }
    }
    const [own, ownBar] = [forest.self[node], forest.selfBar[node]];
    addTo(edge, forest, node, own, ownBar, below, belowBar);
    addTo(sum, forest, node, own, ownBar, below, belowBar);
  }
  const byCost = (edges, cost) =>
    [...edges.values()].sort((a, b) => cost(b) - cost(a) || b.calls - a.calls);
  return {
    callers: byCost(callers, (edge) => edge.self + edge.below),
    callees: byCost(callees, (edge) => edge.below),
    sum,
  };
}

/** Takes the time of a recursive call out of the callee by which it was reached. */
function subtract(forest, outer, node, nested) {
  let through = node;
  while (forest.parent[through] !== outer) through = forest.parent[through];
  nested.set(through, (nested.get(through) ?? 0) + forest.total[node]);
}

function newEdge(frame) {
  const times = { self: 0, selfBar: 0, below: 0, belowBar: 0, totalBar: 0 };
  return { frame, calls: 0, timed: 0, ...times };
}

function edgeOf(edges, frame) {
  let edge = edges.get(frame);
  if (!edge) edges.set(frame, (edge = newEdge(frame)));
  return edge;
}

function addTo(edge, forest, node, self, selfBar, below, belowBar) {
  edge.calls += forest.calls[node];
  edge.timed += forest.timed[node];
  edge.totalBar += forest.totalBar[node];
  edge.self += self;
  edge.selfBar += selfBar;
  edge.below += below;
  edge.belowBar += belowBar;
}
