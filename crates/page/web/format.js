// Numbers as a person reads them, as in the text report.

/** The name of frames between a method and what was called below it. */
export const BETWEEN = "⋯";

/** What `BETWEEN` means. */
export const BETWEEN_TEXT = "⋯ stands for calls that were counted and not timed: what is " +
  "below it was called below the method above it, not always by itself";

/** `1234567` as `1,234,567`. */
export function grouped(number) {
  return Math.round(number).toLocaleString("en-US");
}

/** Calls in few letters: `950`, `21.4 k`, `1.23 M`. */
export function shortCount(number) {
  for (const [unit, per] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= per * 9.9995 || (unit !== "k" && number >= per)) {
      return `${digits(number / per, 3)} ${unit}`;
    }
  }
  return grouped(number);
}

/** Bytes in decimal units, as in the text report: `812 B`, `3.2 MB`. */
function bytesText(number) {
  for (const [unit, per] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (number >= 0.9995 * per) {
      const value = number / per;
      return `${value.toFixed(value < 99.5 ? 1 : 0)} ${unit}`;
    }
  }
  return `${number} B`;
}

/** A number of a metric in its unit. */
function metricNumber(unit, number) {
  if (unit === "ns") return duration(number);
  return unit === "bytes" ? bytesText(Math.round(number)) : grouped(number);
}

/** A number of a metric: `≥ 3.2 MB` for a lower bound (certainty 1), `–` for none (2). */
export function metricText({ unit }, number, certainty = 0) {
  if (certainty === 2) return "–";
  return `${certainty === 1 ? "≥ " : ""}${metricNumber(unit, number)}`;
}

/** A number with so many significant digits, but all digits before the point. */
function digits(value, count) {
  const before = Math.max(1, Math.floor(Math.log10(Math.max(Math.abs(value), 1))) + 1);
  const text = value.toFixed(Math.max(0, count - before));
  return Math.abs(value) >= 999.5 ? grouped(value) : text;
}

/** Nanoseconds in the unit that fits, with four digits or as many as asked. */
export function duration(nanos, count = 4) {
  const size = Math.abs(nanos);
  if (size < 999.5) return `${Math.round(nanos)} ns`;
  for (const [unit, per] of [["µs", 1e3], ["ms", 1e6], ["s", 1e9]]) {
    if (unit === "s" || size < 999.95 * per) return `${digits(nanos / per, count)} ${unit}`;
  }
}

/** Whether the interval of a time reaches zero. */
export function isBelowResolution(nanos, bar) {
  return !(nanos > bar) && (nanos !== 0 || bar !== 0);
}

/** `12.35 ms ±4.0%`; where the interval reaches zero, `≤ 22.7 s (10.8 s?)`. */
export function withBar(nanos, bar, corrected = true) {
  if (!corrected) return duration(nanos);
  if (!isBelowResolution(nanos, bar)) {
    return nanos === 0 ? "0 ns" : `${duration(nanos)} ±${percentOf(bar, nanos)}`;
  }
  if (nanos < 0.5) return `≤ ${duration(bar, 3)}`;
  return `≤ ${duration(nanos + bar, 3)} (${duration(nanos, 3)}?)`;
}

/** The same in fewer letters, for narrow places. */
export function shortTime(nanos, bar, corrected = true) {
  if (!corrected || !isBelowResolution(nanos, bar)) return duration(nanos, 3);
  return `≤ ${duration(Math.max(nanos, 0) + bar, 2)}`;
}

/** A part in percent: `4.0%`, `16%`. */
export function percentOf(part, whole) {
  const percent = whole === 0 ? 0 : (part * 100) / Math.abs(whole);
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)}%`;
}

/** Whether calls were counted at this place of columns, and none has a time. */
export function isOnlyCounted({ calls, timed, self }, at) {
  return timed[at] === 0 && calls[at] > 0 && self[at] === 0;
}

/** `180,000`, or `180,000, 21,000 of them timed` where not all were. */
export function callsText(calls, timed) {
  if (timed === calls) return grouped(calls);
  if (timed === 0) return `${grouped(calls)} counted`;
  return `${grouped(calls)}, timed ${shortCount(timed)} of ${shortCount(calls)}`;
}

/** The same in fewer letters. */
export function shortCalls(calls, timed) {
  if (timed === calls) return calls < 1e7 ? grouped(calls) : shortCount(calls);
  if (timed === 0) return `${shortCount(calls)} counted`;
  return `${shortCount(calls)}, timed ${shortCount(timed)}`;
}

/** `1 thread`, `2 threads`. */
export function many(number, one, several = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : several}`;
}

/** A name without its package, and without parameters. */
export function shortName(name) {
  const colons = name.indexOf("::");
  if (colons < 0) return name;
  const end = name.indexOf("(", colons);
  const before = name.slice(0, colons);
  const from = before.lastIndexOf(".") + 1;
  return name.slice(from, end < 0 ? undefined : end);
}

/** The package of a method's name. */
export function packageOf(name) {
  const colons = name.indexOf("::");
  const dot = name.lastIndexOf(".", colons);
  return colons < 0 || dot < 0 ? "" : name.slice(0, dot);
}
