// Zoom by a click, search, and the detail of the frame under the pointer.
"use strict";
const root = document.documentElement;
const whole = Number(root.dataset.width);
const letter = Number(root.dataset.letter);
const frames = [...document.querySelectorAll(".f")].map((group) => ({
  group,
  x: Number(group.dataset.x),
  w: Number(group.dataset.w),
  depth: Number(group.dataset.d),
  title: group.querySelector("title").textContent,
  rect: group.querySelector("rect"),
  text: group.querySelector("text"),
}));
const byId = (id) => document.getElementById(id);

function show(from, width, depth) {
  const scale = whole / width;
  for (const frame of frames) {
    const isBelow = frame.depth < depth && frame.x <= from + 1e-3 && frame.x + frame.w >= from + width - 1e-3;
    const x = isBelow ? 0 : (frame.x - from) * scale;
    const w = isBelow ? whole : frame.w * scale;
    const isInside = isBelow || (x > -1e-3 && x < whole - 1e-3 && x + w < whole + 1 && frame.depth >= depth);
    frame.group.style.display = isInside ? "" : "none";
    if (!isInside) continue;
    frame.rect.setAttribute("x", x);
    frame.rect.setAttribute("width", Math.max(w - 0.5, 0.2));
    frame.text.setAttribute("x", x + 3);
    frame.text.textContent = label(frame.title.split("\n")[0], Math.floor((w - 6) / letter));
    frame.group.style.opacity = isBelow ? 0.6 : 1;
  }
  byId("reset").setAttribute("visibility", width < whole ? "visible" : "hidden");
}

function label(name, room) {
  if (room < 3) return "";
  const end = name.indexOf("::");
  const short = end < 0 ? name : name.slice(name.lastIndexOf(".", end) + 1);
  const text = name.length <= room ? name : short;
  return text.length <= room ? text : text.slice(0, room - 1) + "…";
}

function search() {
  const wanted = (prompt("Method") || "").toLowerCase();
  let found = 0;
  for (const frame of frames) {
    const isMatch = wanted !== "" && frame.title.split("\n")[0].toLowerCase().includes(wanted);
    frame.group.classList.toggle("m", isMatch);
    frame.rect.style.fill = isMatch ? "#c58af0" : "";
    found += isMatch ? 1 : 0;
  }
  byId("detail").textContent = wanted === "" ? " " : `${found} frames match ${wanted}`;
}

for (const frame of frames) {
  frame.group.addEventListener("click", () => show(frame.x, frame.w, frame.depth));
  frame.group.addEventListener("mouseover", () => {
    byId("detail").textContent = frame.title.replace("\n", "  ");
  });
}
byId("reset").addEventListener("click", () => show(0, whole, 0));
byId("search").addEventListener("click", search);
document.addEventListener("keydown", (event) => {
  if (event.key === "/") search();
  if (event.key === "Escape") show(0, whole, 0);
});
