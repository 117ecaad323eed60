// A method's time in each run, as points.

import { duration } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, TOP] = [300, 96, 64, 8];

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.append(text);
  return made;
}

/** A picture of one value per run, from zero up, with the mean of each side as a line. */
export function scatter(sides, label) {
  const all = sides.flat();
  const [most, least] = [Math.max(...all, 0), Math.min(...all, 0)];
  const range = most - least || 1;
  const y = (value) => TOP + (1 - (value - least) / range) * (HEIGHT - 2 * TOP);
  const x = (run) => LEFT + ((run + 0.5) / all.length) * (WIDTH - LEFT - 8);
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const picture = shape("svg", { viewBox, role: "img", class: "scatter" });
  picture.append(shape("title", {}, sides.map((side) => inWords(label, side)).join("; then ")));
  const text = (value, words) =>
    shape("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, words);
  const axis = { x1: LEFT, x2: WIDTH - 4, y1: y(0), y2: y(0), class: "axis" };
  picture.append(shape("line", axis), text(0, "0"));
  if ((most - least) / range > 0.2) picture.append(text(most, duration(most, 3)));
  let run = 0;
  sides.forEach((values, side) => {
    const mean = meanOf(values);
    const [from, to] = [x(run - 0.5), x(run + values.length - 0.5)];
    picture.append(shape("line", { x1: from, x2: to, y1: y(mean), y2: y(mean), class: "mean" }));
    const isApart = (most - mean) / range > 0.2 && (mean - least) / range > 0.2;
    if (side === 0 && isApart) picture.append(text(mean, duration(mean, 3)));
    for (const value of values) {
      const point = shape("circle", { cx: x(run), cy: y(value), r: 3.5, class: `side${side}` });
      run += 1;
      point.append(shape("title", {}, `run ${run}: ${duration(value)}`));
      picture.append(point);
    }
  });
  return picture;
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function inWords(label, values) {
  const spread = `from ${duration(Math.min(...values))} to ${duration(Math.max(...values))}`;
  return `${label} in ${values.length} runs: mean ${duration(meanOf(values))}, ${spread}`;
}
