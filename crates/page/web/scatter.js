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

/** A picture of one value per run, from zero up, with their mean as a line. */
export function scatter(values, label) {
  const most = Math.max(...values, 0);
  const least = Math.min(...values, 0);
  const range = most - least || 1;
  const y = (value) => TOP + (1 - (value - least) / range) * (HEIGHT - 2 * TOP);
  const x = (run) => LEFT + ((run + 0.5) / values.length) * (WIDTH - LEFT - 8);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = `from ${duration(Math.min(...values))} to ${duration(most)}`;
  const name = `${label} in ${values.length} runs: mean ${duration(mean)}, ${spread}`;
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const picture = shape("svg", { viewBox, role: "img", class: "scatter" });
  picture.append(shape("title", {}, name));
  const line = (value, kind) =>
    shape("line", { x1: LEFT, x2: WIDTH - 4, y1: y(value), y2: y(value), class: kind });
  const text = (value, words) =>
    shape("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, words);
  picture.append(line(0, "axis"), line(mean, "mean"), text(0, "0"));
  if ((most - mean) / range > 0.2) picture.append(text(most, duration(most, 3)));
  if ((mean - least) / range > 0.2) picture.append(text(mean, duration(mean, 3)));
  values.forEach((value, run) => {
    const point = shape("circle", { cx: x(run), cy: y(value), r: 3.5 });
    point.append(shape("title", {}, `run ${run + 1}: ${duration(value)}`));
    picture.append(point);
  });
  return picture;
}
