// Keys and words, in a dialog.

import { byId, element } from "./dom.js";
import { BETWEEN_TEXT } from "./format.js";

const KEYS = [
  ["/", "search; Enter zooms to the next match, Escape ends the search"],
  ["i", "invert: methods on top, their callers below"],
  ["b", "back traces of the chosen method: the call paths that lead to it"],
  ["c", "next colouring"],
  ["w", "width by time or by calls"],
  ["1 2 3 4", "hot methods, call tree, threads, latency"],
  ["f", "the icicle alone, as large as the page"],
  ["g", "to the icicle"],
  ["arrows", "callers, callees and neighbours in the icicle; rows in tables"],
  ["Enter", "zoom to the frame"],
  ["+ −", "zoom in and out; with the mouse: Ctrl and wheel"],
  ["Backspace", "zoom out to the caller"],
  ["Escape", "zoom out to the whole"],
  ["*", "in the call tree: open the costliest path"],
  ["t", "dark or light"],
  ["?", "this help"],
];

const WORDS = [
  ["self time, total time", "time in the method; with its callees"],
  ["±", "the error bar: half the width of the 95 % interval, as a part of the time. It holds " +
    "the error of the probes' cost that was subtracted, and what runs differ by"],
  ["≤ 22.7 s (10.8 s?)", "below resolution: the interval reaches zero. The time is 22.7 s at " +
    "most; 10.8 s is the estimate in it"],
  ["counted", "calls whose number is exact and that have no time of their own: it is in the " +
    "method that called them. In the icicle they are striped, all of one width, at the right " +
    "end of their caller. So are calls with a time of zero or less"],
  ["⋯", BETWEEN_TEXT.replace("⋯ ", "")],
  ["trust", "what samples of the uninstrumented program say of the self time (jfathom trust). " +
    "Distorted: its share without probes → with them"],
  ["~ a name", "a frame without a probe, sampled below a recorded call: its part of the samples " +
    "in that call, and what so few samples leave open"],
  ["callers by walked stacks", "who calls the method, by the stacks that the JVM walked at each " +
    "of so many calls: its part of the walks, and for about how many calls they stand"],
  ["why it did not run", "waits by kind, as the JVM told them; gc and safepoint are pauses of " +
    "all threads, which are in no time"],
  ["timed 21 k of 180 k", "so many of the calls were timed, the others counted. Without samples " +
    "times are those of the timed ones"],
  ["grey, without a name", "neighbours that are too narrow to draw; zoom in to see them"],
  ["p99", "99 % of the calls took no longer"],
  ["order", "callees are sorted by their time, not by when they were called"],
];

function definitions(pairs) {
  return element("dl", {}, ...pairs.flatMap(([term, text]) =>
    [element("dt", {}, term), element("dd", {}, text)]));
}

/** Shows or hides the help, with what the page's metrics are. */
export function toggleHelp(metrics) {
  const dialog = byId("help");
  if (dialog.open) return dialog.close();
  const close = element("button", { onclick: () => dialog.close() }, "Close");
  const words = metrics.filter(({ about }) => about).map(({ title, about }) => [title, about]);
  const title = (text) => element("h2", {}, text);
  dialog.replaceChildren(
    title("Words"), definitions([...WORDS, ...words]), title("Keys"), definitions(KEYS), close,
  );
  dialog.showModal();
}
