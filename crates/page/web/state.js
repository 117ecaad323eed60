// What the page shows, kept in the fragment of its address: a link leads to the same view.

/** What a page shows at first. Of these, only what differs is in the address. */
export const FIRST = {
  tab: "hot",
  chosen: -1,
  zoom: -1,
  query: "",
  colour: "trust",
  width: "time",
  inverted: false,
  of: -1,
  large: false,
  sort: "self",
  theme: "",
};

/** The state that a fragment describes; what it does not say, or says wrongly, is as at first. */
export function stateOf(fragment, first = FIRST) {
  const said = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { ...first };
  for (const [name, value] of said) {
    if (!(name in first)) continue;
    const kind = typeof first[name];
    if (kind === "number") state[name] = /^\d+$/.test(value) ? Number(value) : first[name];
    else if (kind === "boolean") state[name] = value === "1";
    else state[name] = value;
  }
  return state;
}

/** The fragment of a state. */
export function fragmentOf(state, first = FIRST) {
  const said = new URLSearchParams();
  for (const name of Object.keys(FIRST)) {
    if (state[name] === first[name]) continue;
    said.set(name, typeof state[name] === "boolean" ? "1" : String(state[name]));
  }
  const text = said.toString();
  return text === "" ? "#" : `#${text}`;
}
