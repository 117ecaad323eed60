// Search in the names of frames.

/** Finds frames whose name contains all words of a query, in any case. */
export class Search {
  constructor(names) {
    this.names = names.map((name) => name.toLowerCase());
  }

  /** A flag by frame; null for a query without words. */
  find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return null;
    const flags = new Uint8Array(this.names.length);
    let count = 0;
    for (let frame = 0; frame < flags.length; frame++) {
      const name = this.names[frame];
      if (words.every((word) => name.includes(word))) {
        flags[frame] = 1;
        count += 1;
      }
    }
    return { flags, count };
  }
}

/** The nodes of flagged frames, their calls, and their time, in which nested ones count once. */
export function coverage(forest, flags) {
  let [nodes, calls, total, until] = [0, 0, 0, 0];
  for (let node = 0; node < forest.length; node++) {
    if (flags[forest.frame[node]] === 0) continue;
    nodes += 1;
    calls += forest.calls[node];
    if (node >= until) {
      total += forest.total[node];
      until = forest.end[node];
    }
  }
  return { nodes, calls, total };
}

/** Flagged nodes that no other one encloses, the costliest first. */
export function outermostMatches(forest, flags, limit) {
  const found = [];
  let until = 0;
  for (let node = 0; node < forest.length; node++) {
    if (flags[forest.frame[node]] === 0 || node < until) continue;
    until = forest.end[node];
    found.push(node);
  }
  found.sort((a, b) => forest.total[b] - forest.total[a] || a - b);
  return found.slice(0, limit);
}
