// Which frames of a forest are in sight, and where.

/** A frame that is narrower is not drawn alone. */
export const NARROWEST = 0.7;
/** The width of a frame whose calls have no time. */
const SLIVER = 4;

/**
 * Visits what is in sight. `window` is the part [left, right] of the whole that is as wide as the
 * canvas, `width` that of the canvas in px, and `depths` the range of depths in sight. `emit`
 * receives node, x, width and depth; `narrow` the same for neighbours too narrow to draw, with
 * their number; `sliver` frames with calls and no time.
 */
export function visitFrames(forest, spans, window, width, depths, { emit, narrow, sliver }) {
  const scale = width / (window.right - window.left) / (spans.whole || 1);
  const stack = [[-1, -window.left * (spans.whole || 1) * scale]];
  while (stack.length > 0) {
    const [node, x] = stack.pop();
    const depth = node < 0 ? 0 : forest.depth[node] + 1;
    if (depth > depths.last) continue;
    visitChildren(node, x, depth);
  }

  function visitChildren(node, x, depth) {
    const end = node < 0 ? forest.length : forest.end[node];
    const right = node < 0 ? width : Math.min(width, x + spans.of[node] * scale);
    const isSeen = depth >= depths.first;
    let at = x;
    let [skipped, skippedAt, without] = [0, 0, 0];
    for (let child = node + 1; child < end; child = forest.end[child]) {
      const span = spans.of[child] * scale;
      if (span === 0) {
        without += 1;
        continue;
      }
      if (at > width) continue;
      if (span < NARROWEST) {
        if (skipped++ === 0) skippedAt = at;
      } else if (at + span >= 0) {
        if (isSeen) emit(child, at, span, depth);
        stack.push([child, at]);
      }
      at += span;
    }
    if (!isSeen) return;
    if (skipped > 0 && at - skippedAt >= 0.2 && at >= 0) {
      narrow(node, skippedAt, at - skippedAt, depth, skipped);
    }
    if (without > 0) placeSlivers(node, end, Math.max(x, at, 0), right, depth, without);
  }

  function placeSlivers(node, end, left, right, depth, count) {
    const room = Math.floor((right - left) / SLIVER);
    const isWide = node >= 0 && spans.of[node] * scale > 6 * SLIVER;
    const shown = Math.min(count, Math.max(room, isWide ? 1 : 0));
    if (shown < 1) return;
    let place = right - shown * SLIVER;
    let remaining = shown;
    for (let child = node + 1; child < end && remaining > 0; child = forest.end[child]) {
      if (spans.of[child] !== 0) continue;
      sliver(child, place, SLIVER, depth, remaining === 1 ? count - shown : 0);
      place += SLIVER;
      remaining -= 1;
    }
  }
}

/** The part of the whole that a node takes: [left, right]. */
export function windowOf(forest, spans, node) {
  if (node < 0 || spans.of[node] === 0) return { left: 0, right: 1 };
  let left = 0;
  for (let at = node; at >= 0; at = forest.parent[at]) {
    const begin = forest.parent[at] + 1;
    for (let other = begin; other < at; other = forest.end[other]) left += spans.of[other];
  }
  const whole = spans.whole || 1;
  return { left: left / whole, right: (left + spans.of[node]) / whole };
}
