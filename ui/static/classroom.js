// Who follows a class asks now and then where it is, and tells the page when it has gone on.

import { mounted } from "./mounted.js";
import { Poller } from "./poller.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @typedef {{ room: string, seen: number }} ClassData where the page is (`ui.teaching.classroom`) */

const EVERY = 700; // milliseconds

export const { show, leave } = mounted((_place, _component, lifetime) => new Follower(lifetime));

class Follower {
  seen = 0;
  /** @type {Component<ClassData>["setTriggerValue"]} */
  tell = () => {};

  /** @param {Lifetime} lifetime */
  constructor(lifetime) {
    this.poller = new Poller({ every: EVERY, take: (/** @type {{ version: number }} */ { version }) => this.heard(version), gone: () => this.tell("moved", "over") }, lifetime);
  }

  /** @param {Component<ClassData>} component */
  update({ data, base, setTriggerValue }) {
    this.seen = data.seen;
    this.tell = setTriggerValue;
    this.poller.follow(`${base}partwise/class/${data.room}`);
  }

  /** @param {number} version */
  heard(version) {
    if (version !== this.seen) this.tell("moved", version);
    return true;
  }
}
