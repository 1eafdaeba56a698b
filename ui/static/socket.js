// The one kind of line to the server: questions and answers, one under way at a time, and the latest question wins.
// A line that breaks is made again; one that the server refuses is not.

const LONGEST_PAUSE = 8000; // milliseconds
// The server lets go of whoever is silent for three minutes; timers of a hidden page fire once a minute.
const STILL_HERE = 45_000;

/** @typedef {"gone" | "refused" | "again"} Ending */

/**
 * What the page makes of the code a socket was closed with (`ui/web/sockets.py`): the run is gone, the question
 * was refused for good, or the server may be restarting, the network away.
 * @param {number} code
 * @returns {Ending}
 */
export function endingOf(code) {
  if (code === 4404) return "gone";
  return code === 4408 || code === 4503 || code < 4000 ? "again" : "refused";
}

/**
 * How long to wait before a line is made again: less and less often.
 * @param {number} tries
 */
export function pauseAfter(tries) {
  return Math.min(LONGEST_PAUSE, 150 * 2 ** tries);
}

/**
 * @typedef {object} Conversation
 * @property {(number: number) => string} question the text to ask
 * @property {(answer: ArrayBuffer) => (number | null) | Promise<number | null>} take draws an answer (and may take its
 *   time); returns after how many milliseconds to ask again, null not to
 * @property {() => void} gone there is no such run
 * @property {(words: string) => void} refused the server will not answer; in its words
 * @property {(online: boolean) => void} [online] whether the server can be reached
 * @property {(say: (what: string | Uint8Array<ArrayBuffer>) => void) => void} [hello] says what must be known before any question
 */

export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {(() => string) | null} */
  #address = null;
  #wanted = 0; // the number of the latest question,
  #asked = 0; // and of the one under way
  #waiting = false;
  #held = false;
  #tries = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #heartbeat;

  /**
   * @param {Conversation} conversation
   * @param {import("./lifetime.js").Lifetime} lifetime
   */
  constructor(conversation, lifetime) {
    this.conversation = conversation;
    // The network is back: do not wait for the next attempt.
    lifetime.listen(globalThis, "online", () => { if (this.#address && !this.#socket) this.#connect(); });
    lifetime.atEnd(() => this.close());
  }

  get ready() { return this.#socket?.readyState === WebSocket.OPEN; }
  get held() { return this.#held; }
  get number() { return this.#wanted; }

  /**
   * @param {() => string} address made anew for every attempt
   */
  open(address) {
    this.close();
    this.#address = address;
    this.#tries = 0;
    this.#connect();
  }

  // Asks as soon as what is under way has been answered.
  ask() {
    this.#wanted += 1;
    this.#pump();
  }

  /**
   * Holds the picture on the screen, or goes on: nothing is asked meanwhile.
   * @param {boolean} held
   */
  hold(held) {
    this.#held = held;
    this.#pump();
  }

  /**
   * Says something that is no question; returns whether there is a line to say it on.
   * @param {string | Uint8Array<ArrayBuffer>} what
   */
  send(what) {
    if (this.ready) this.#socket?.send(what);
    return this.ready;
  }

  close() {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#address = null;
    this.#forget();
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    // Closed before it is open, it would complain.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  #forget() {
    clearTimeout(this.#again);
    clearInterval(this.#heartbeat);
    this.#socket = null;
    this.#waiting = false;
  }

  #connect() {
    clearTimeout(this.#retry);
    if (!this.#address) return;
    const address = new URL(this.#address());
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.#socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.conversation.online?.(true);
      this.#heartbeat = setInterval(() => this.send("still here"), STILL_HERE);
      this.conversation.hello?.((what) => this.send(what));
      this.ask();
    };
    socket.onmessage = ({ data }) => this.#heard(socket, data);
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
  }

  #pump() {
    if (this.#waiting || this.#held || !this.ready) return;
    clearTimeout(this.#again);
    this.#waiting = true;
    this.#asked = this.#wanted;
    this.#socket?.send(this.conversation.question(this.#wanted));
  }

  /**
   * @param {WebSocket} socket
   * @param {ArrayBuffer} data
   */
  async #heard(socket, data) {
    // Only a line that answers is a good one: some are opened and closed at once.
    this.#tries = 0;
    /** @type {number | null} */
    let again = null;
    try {
      // One may have been on its way when the picture was held.
      again = this.#held ? 0 : await this.conversation.take(data);
    } catch (error) {
      reportError(error); // Whatever one answer was, the next question must be possible.
    }
    if (socket === this.#socket) this.#waiting = false;
    if (socket !== this.#socket) return;
    if (this.#asked !== this.#wanted || again === 0) this.#pump();
    else if (again) this.#again = setTimeout(() => this.#pump(), again);
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   * @param {string} reason
   */
  #lost(socket, code, reason) {
    if (socket !== this.#socket) return;
    this.#forget();
    const ending = endingOf(code);
    if (ending === "again") {
      this.#tries += 1;
      if (this.#tries > 1) this.conversation.online?.(false);
      this.#retry = setTimeout(() => this.#connect(), pauseAfter(this.#tries));
      return;
    }
    this.#address = null;
    this.conversation.online?.(true);
    if (ending === "gone") this.conversation.gone();
    else this.conversation.refused(reason || "The server does not answer this page. Reload it to try again.");
  }
}
