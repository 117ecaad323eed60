// Elements. Texts are set as texts, never as HTML: names may hold anything.

/** An element with attributes and children; text children are texts. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The element with an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** A name with its package in grey: before it, or behind it where there is little room. */
export function nameElement(name, isFull = false) {
  const colons = name.indexOf("::");
  const dot = colons < 0 ? -1 : name.lastIndexOf(".", colons);
  const own = name.slice(dot + 1);
  const parts = element("span", { class: "name", title: name });
  if (dot < 0) parts.append(own);
  else if (isFull) parts.append(grey(name.slice(0, dot + 1)), own);
  else parts.append(own, grey(` ${name.slice(0, dot)}`));
  return parts;
}

function grey(text) {
  return element("span", { class: "package" }, text);
}

/** A bar of a value with its error as a whisker, both as parts (0 to 1) of the widest. */
export function barElement(part, error, kind = "") {
  const clamp = (value) => Math.min(Math.max(value, 0), 1) * 100;
  const fill = element("span", { class: `fill ${kind}` });
  fill.style.width = `${clamp(part)}%`;
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, fill);
  if (error > 0) {
    const whisker = element("span", { class: "whisker" });
    whisker.style.left = `${clamp(part - error)}%`;
    whisker.style.width = `${clamp(part + error) - clamp(part - error)}%`;
    bar.append(whisker);
  }
  return bar;
}

/** A table under a heading. */
export function tableSection(title, rows) {
  const parts = [element("h3", {}, title), element("table", {}, ...rows)];
  return element("section", { class: "edges", "aria-label": title }, ...parts);
}
