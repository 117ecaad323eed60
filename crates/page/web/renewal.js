// What leads from former data to newer ones: the same frames have other indices there.

import { pathTo } from "./forest.js";

/** From frames of the data `before` to those of `after`. Both have `names` and `kinds`. */
export class Renewal {
  constructor(before, after) {
    const places = new Map();
    const key = ({ kinds, names }, frame) => `${kinds[frame]} ${names[frame]}`;
    for (let frame = after.names.length - 1; frame >= 0; frame--) {
      places.set(key(after, frame), frame);
    }
    this.frames = before.names.map((_, frame) => places.get(key(before, frame)) ?? -1);
  }

  /** The frame in the newer data; -1 if it is not there. */
  frame(former) {
    return this.frames[former] ?? -1;
  }

  /** Leads from nodes of a forest to those of a newer one; to -1 if there is none, or from -1. */
  nodes(before, after) {
    const known = new Map([[-1, -1]]);
    const find = (parent, frame) => {
      const [begin, end] = parent < 0 ? [0, after.length] : [parent + 1, after.end[parent]];
      for (let at = begin; at < end; at = after.end[at]) if (after.frame[at] === frame) return at;
      return -1;
    };
    return (former) => {
      if (known.has(former)) return known.get(former);
      for (const node of pathTo(before, former)) {
        if (known.has(node)) continue;
        const parent = before.parent[node];
        const above = known.get(parent);
        const isLost = parent >= 0 && above < 0;
        known.set(node, isLost ? -1 : find(above, this.frame(before.frame[node])));
      }
      return known.get(former);
    };
  }
}
