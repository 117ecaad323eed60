// A table of very many rows: only those in sight are elements.

import { element } from "./dom.js";

const ROW = 24;
/** Browsers draw no higher elements. */
const MOST = 600000;

/**
 * A grid with the keyboard of a list. `options.columns` are titles with a class and, if rows can be
 * sorted by it, a key; `options.row(at)` gives the cells and attributes of a row; `options.isDense`
 * says that there are many columns.
 */
export class Rows {
  constructor(parent, options) {
    this.options = options;
    this.count = 0;
    this.active = 0;
    this.body = element("div", { class: "body", role: "rowgroup" });
    this.header = element("div", { class: "row header", role: "row" });
    this.head = element("div", { role: "rowgroup" }, this.header);
    this.grid = element(
      "div",
      {
        class: options.isDense ? "rows dense" : "rows",
        role: options.role ?? "grid",
        tabindex: "0",
        "aria-label": options.label,
      },
      this.head,
      this.body,
    );
    this.grid.id = options.id;
    this.grid.addEventListener("scroll", () => this.draw());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.grid);
    parent.append(this.grid);
  }

  /** Shows so many rows anew. */
  show(count) {
    this.count = Math.min(count, MOST);
    this.active = Math.max(0, Math.min(this.active, this.count - 1));
    this.grid.setAttribute("aria-rowcount", String(count + 1));
    this.hidden = count - this.count;
    this.body.style.height = `${(this.count + (this.hidden > 0 ? 1 : 0)) * ROW}px`;
    this.drawHeader();
    this.draw();
  }

  drawHeader() {
    const { columns, sort, onSort } = this.options;
    const sorted = sort?.();
    const cell = ({ title, kind, key, hint }) => {
      const isSorted = key !== undefined && key === sorted;
      const inner = key === undefined
        ? title
        : element("button", { onclick: () => onSort(key), tabindex: "-1" }, title);
      const attributes = { class: `cell ${kind ?? ""}`, role: "columnheader", title: hint };
      if (isSorted) attributes["aria-sort"] = "descending";
      return element("div", attributes, inner);
    };
    this.header.replaceChildren(...columns.map(cell));
  }

  draw() {
    const top = this.grid.scrollTop;
    const height = this.grid.clientHeight;
    const first = Math.max(0, Math.floor(top / ROW) - 2);
    const last = Math.min(this.count, Math.ceil((top + height) / ROW) + 2);
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.rowElement(at));
    if (this.hidden > 0 && last === this.count) rows.push(this.cutElement());
    this.body.replaceChildren(...rows);
    const active = this.body.querySelector(".active");
    if (active) this.grid.setAttribute("aria-activedescendant", active.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  /** Says how many rows a browser cannot show. */
  cutElement() {
    const text = `${this.hidden.toLocaleString("en-US")} more rows have no room: close some above`;
    const row = element("div", { class: "row" }, text);
    row.style.top = `${this.count * ROW}px`;
    return row;
  }

  rowElement(at) {
    const { cells, attributes = {}, classes = "" } = this.options.row(at);
    const active = at === this.active ? " active" : "";
    const row = element("div", {
      class: `row ${classes}${active}`,
      role: "row",
      id: `${this.options.id}-${at}`,
      "aria-rowindex": String(at + 2),
      onclick: (event) => this.choose(at, event),
      ondblclick: () => this.options.onOpen?.(at),
      ...attributes,
    });
    row.style.top = `${at * ROW}px`;
    const columns = this.options.columns;
    const cell = (content, place) =>
      element("div", { class: `cell ${columns[place].kind ?? ""}`, role: "gridcell" }, content);
    row.append(...cells.map(cell));
    return row;
  }

  choose(at, event) {
    this.active = at;
    this.draw();
    this.options.onChoose?.(at, event);
  }

  /** Makes a row the active one, and scrolls to it. */
  reveal(at) {
    if (at < 0 || at >= this.count) return;
    this.active = at;
    const header = ROW;
    const [top, height] = [at * ROW, this.grid.clientHeight - header];
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + ROW > this.grid.scrollTop + height) this.grid.scrollTop = top + ROW - height;
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / ROW) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.move(this.active + steps[event.key]);
    else if (event.key === "Home") this.move(0);
    else if (event.key === "End") this.move(this.count - 1);
    else if (event.key === "Enter") this.options.onOpen?.(this.active);
    else if (!this.options.onKey?.(event.key, this.active)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(to) {
    const at = Math.max(0, Math.min(to, this.count - 1));
    this.reveal(at);
    this.options.onChoose?.(at);
  }
}
