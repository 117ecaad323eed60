// Sums of each frame over all its nodes: the hot methods.

/** Numbers by frame. Recursive calls are counted once in totals. */
export function methodSums(forest, frames) {
  const column = () => new Float64Array(frames);
  const sums = { calls: column(), timed: column(), self: column(), total: column() };
  Object.assign(sums, { selfBar: column(), totalBar: column(), nodes: column() });
  if (forest.parked) sums.parked = column();
  if (forest.alloc) Object.assign(sums, { alloc: column(), totalAlloc: column() });
  sums.cpuParts = forest.cpuParts ?? [];
  for (const [part, total] of sums.cpuParts) {
    sums[part] = column();
    sums[total] = column();
  }
  sums.waits = (forest.waits ?? []).map(({ kind }) => ({ kind, own: column(), total: column() }));
  const base = forest.base && { calls: column(), self: column(), total: column() };
  if (forest.base?.alloc) base.alloc = column();
  if (forest.base?.cpu) base.cpu = column();
  const until = new Uint32Array(frames);
  for (let node = 0; node < forest.length; node++) {
    const frame = forest.frame[node];
    sums.nodes[frame] += 1;
    sums.calls[frame] += forest.calls[node];
    sums.timed[frame] += forest.timed[node];
    sums.self[frame] += forest.self[node];
    sums.selfBar[frame] += forest.selfBar[node];
    if (sums.parked) sums.parked[frame] += forest.parked[node];
    if (sums.alloc) sums.alloc[frame] += forest.alloc[node];
    sums.cpuParts.forEach(([part]) => (sums[part][frame] += forest[part][node]));
    sums.waits.forEach(({ own }, at) => (own[frame] += forest.waits[at].own[node]));
    const isOutermost = node >= until[frame];
    if (isOutermost) {
      until[frame] = forest.end[node];
      sums.total[frame] += forest.total[node];
      sums.totalBar[frame] += forest.totalBar[node];
      if (sums.alloc) sums.totalAlloc[frame] += forest.totalAlloc[node];
      sums.waits.forEach(({ total }, at) => (total[frame] += forest.waits[at].total[node]));
      sums.cpuParts.forEach(([, part]) => (sums[part][frame] += forest[part][node]));
    }
    if (!base) continue;
    base.calls[frame] += forest.base.calls[node];
    base.self[frame] += forest.base.self[node];
    if (base.alloc) base.alloc[frame] += forest.base.alloc[node];
    if (base.cpu) base.cpu[frame] += forest.base.cpu[node];
    if (isOutermost) base.total[frame] += forest.base.total[node];
  }
  return { ...sums, base };
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
