// A recording that goes on: its data are asked for again and again.

import { unpack } from "./data.js";
import { byId } from "./dom.js";
import { duration } from "./format.js";

/** Between two questions to a server that does not answer, in ms. */
const LATER = 5000;
/** The shortest time between two questions, in ms. */
const EVERY = 250;
/** A longer time than this between two questions is said, in ms. */
const SLOW = 1000;

/** Whether this page has its data from its own server. */
export function isLive() {
  return document.documentElement.dataset.live === "true";
}

/** Asks for data, and hands on what is new. `isBusy` says when newer ones have to wait. */
export class Feed {
  constructor(show, isBusy) {
    Object.assign(this, { show, isBusy, tag: null, isPaused: false, timer: 0 });
    const place = byId("feed");
    place.hidden = false;
    this.button = place.querySelector("button");
    this.button.addEventListener("click", () => this.pause(!this.isPaused));
  }

  /** Stops asking, or asks again. */
  pause(isPaused) {
    this.isPaused = isPaused;
    this.button.setAttribute("aria-pressed", String(isPaused));
    clearTimeout(this.timer);
    if (isPaused) this.say("Paused: what you see stays as it is");
    else this.ask();
  }

  async ask() {
    let next = LATER;
    try {
      next = await this.askOnce();
    } catch (error) {
      this.say(`jfathom serve does not answer: this is the last state (${error.message})`, "ended");
    }
    clearTimeout(this.timer);
    if (next !== null && !this.isPaused) this.timer = setTimeout(() => this.ask(), next);
  }

  /** Asks once. Gives the time until the next question in ms; null if it was the last one. */
  async askOnce() {
    if (this.isBusy()) return EVERY;
    const headers = this.tag === null ? {} : { "If-None-Match": this.tag };
    const answer = await fetch("data", { headers, cache: "no-store" });
    if (answer.status === 403) {
      this.say("Open the address that jfathom serve printed: this one is no longer valid", "ended");
      return null;
    }
    if (answer.status === 200) {
      const data = await unpack(await answer.arrayBuffer());
      // Somebody may have pressed the button meanwhile.
      if (this.isPaused) return null;
      this.show(data);
      this.tag = answer.headers.get("ETag");
    }
    return this.sayState(answer);
  }

  sayState({ status, headers }) {
    const every = Number(headers.get("Jfathom-Every") ?? LATER);
    const says = decodeURIComponent(headers.get("Jfathom-Says") ?? "");
    const state = headers.get("Jfathom-State");
    if (state === "ended") {
      this.button.hidden = true;
      const last = this.tag === null ? "Nothing of it was seen" : "This is its last state";
      this.say(`The recording has ended. ${last}${says && `; ${says}`}`, "ended");
      return null;
    }
    if (this.isPaused) return null;
    if (state === "recording") {
      const slow = every > SLOW
        ? `; it takes so long to read that it is read every ${duration(every * 1e6, 2)}`
        : "";
      this.say(`Recording goes on: this is its state so far${slow}`);
    } else if (state === "waiting") this.say(`Waiting: ${says}`);
    else this.say(`No newer state: ${says || `answer ${status}`}`, "ended");
    return Math.max(every, EVERY);
  }

  /** Says how things are, once. */
  say(text, state = "") {
    byId("feed").className = state;
    const place = byId("feed").querySelector("span");
    if (place.textContent !== text) place.replaceChildren(text);
  }
}
