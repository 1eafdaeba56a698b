// The line to a run: frames arrive through a WebSocket of our own; each is asked for when the last one has
// been drawn, so a slow browser simply gets fewer of them. A line that breaks is made again.

const UNKNOWN_RUN = 4404;

export class Link {
  // `onFrame` takes a frame (and may take its time), `onGone` hears that there is no such run,
  // `onLine` whether the server can be reached.
  constructor({ onFrame, onGone, onLine }) {
    Object.assign(this, { onFrame, onGone, onLine });
    this.held = false;
    // The network is back: do not wait for the next attempt.
    this.again = () => { if (this.address && !this.socket) this.connect(); };
    window.addEventListener("online", this.again);
  }

  // `address` is made anew for every attempt.
  open(address) {
    this.close();
    this.address = address;
    this.tries = 0;
    this.connect();
  }

  connect() {
    clearTimeout(this.retry);
    const address = new URL(this.address());
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.onLine(true);
      this.ask();
    };
    socket.onmessage = async ({ data }) => {
      // One may have been on its way when the picture was held.
      if (!this.held) await this.onFrame(data);
      if (socket === this.socket) this.ask();
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.socket = null;
      if (code === UNKNOWN_RUN) {
        this.address = null;
        this.onLine(true);
        return this.onGone();
      }
      // The server may be restarting or the network away: try again, less and less often.
      this.tries += 1;
      if (this.tries > 1) this.onLine(false);
      this.retry = setTimeout(() => this.connect(), Math.min(8000, 150 * 2 ** this.tries));
    };
  }

  ask() {
    if (!this.held) this.send("next");
  }

  // Asks for no more frames (or for frames again): what is on the screen stays there.
  hold(held) {
    this.held = held;
    if (!held) this.ask();
  }

  send(text) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  close() {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = this.address = null;
    if (!socket) return;
    socket.onmessage = null;
    // Closed before it is open, it would complain.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  leave() {
    this.close();
    window.removeEventListener("online", this.again);
  }
}
