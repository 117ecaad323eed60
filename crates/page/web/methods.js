// Sums of each frame over all its nodes: the hot methods.

/** Numbers by frame. Recursive calls are counted once in totals. */
export function methodSums(forest, frames) {
  const column = () => new Float64Array(frames);
  const sums = { calls: column(), timed: column(), self: column(), total: column() };
  Object.assign(sums, { selfBar: column(), totalBar: column(), nodes: column() });
  const sides = () => ({ own: column(), total: column() });
  sums.metrics = forest.metrics.map(({ base, ...metric }) => ({
    ...metric, ...sides(), certainty: null, base: base && sides(),
  }));
  const base = forest.base && { calls: column(), self: column(), total: column() };
  const until = new Uint32Array(frames);
  for (let node = 0; node < forest.length; node++) {
    const frame = forest.frame[node];
    sums.nodes[frame] += 1;
    sums.calls[frame] += forest.calls[node];
    sums.timed[frame] += forest.timed[node];
    sums.self[frame] += forest.self[node];
    sums.selfBar[frame] += forest.selfBar[node];
    const isOutermost = node >= until[frame];
    sums.metrics.forEach((sum, at) => addMetric(sum, forest.metrics[at], frame, node, isOutermost));
    if (isOutermost) {
      until[frame] = forest.end[node];
      sums.total[frame] += forest.total[node];
      sums.totalBar[frame] += forest.totalBar[node];
    }
    if (!base) continue;
    base.calls[frame] += forest.base.calls[node];
    base.self[frame] += forest.base.self[node];
    if (isOutermost) base.total[frame] += forest.base.total[node];
  }
  return { ...sums, base };
}

function addMetric(sum, { own, total, base }, frame, node, isOutermost) {
  sum.own[frame] += own[node];
  if (isOutermost) sum.total[frame] += total[node];
  if (!base) return;
  sum.base.own[frame] += base.own[node];
  if (isOutermost) sum.base.total[frame] += base.total[node];
}

/** The frames of methods that were called, sorted by a column, the largest first. */
export function sortedMethods(sums, kinds, by) {
  const size = sums.base ? (frame) => Math.abs(by(sums, frame)) : (frame) => by(sums, frame);
  const rows = [];
  for (let frame = 0; frame < kinds.length; frame++) {
    // What has no calls only stands for something in the tree.
    const isCalled = sums.calls[frame] > 0 || sums.base?.calls[frame] > 0;
    if (kinds[frame] === "m" && isCalled) rows.push(frame);
  }
  const sizes = rows.map(size);
  const order = rows.map((_, at) => at);
  order.sort((a, b) => sizes[b] - sizes[a] || sums.calls[rows[b]] - sums.calls[rows[a]] || a - b);
  return order.map((at) => rows[at]);
}
