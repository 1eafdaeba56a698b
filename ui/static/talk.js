// Questions and answers through a WebSocket of our own: one under way at a time, and the latest wins.

const UNKNOWN = 4404, LONGEST_MS = 8000;

export class Talk {
  // hello(socket): sends what the server must know before any question; question(number): the text to ask;
  // take(buffer): draws an answer and returns in how many milliseconds it should be asked again (0: no need);
  // gone(): the server no longer knows what the talk is about.
  constructor({ hello, question, take, gone }) {
    Object.assign(this, { hello, question, take, gone, number: 0, waiting: false, tries: 0 });
  }

  open(address) {
    this.close();
    this.address = address;
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { this.tries = 0; this.hello(socket); this.askAnew(); };
    socket.onmessage = ({ data }) => this.heard(socket, data);
    socket.onclose = ({ code }) => this.lost(socket, code);
  }

  close() {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    this.waiting = false;
    socket?.close();
  }

  get ready() { return this.socket?.readyState === WebSocket.OPEN; }

  askAnew() {
    this.number += 1;
    this.ask();
  }

  ask() {
    if (this.waiting || !this.ready) return;
    clearTimeout(this.retry);
    this.waiting = true;
    this.asked = this.number;
    this.socket.send(this.question(this.number));
  }

  async heard(socket, data) {
    let again = 0;
    try {
      again = await this.take(data);
    } finally {
      // Whatever one answer was, the next question must be possible.
      if (socket === this.socket) this.waiting = false;
    }
    if (socket !== this.socket) return;
    if (this.asked !== this.number) this.ask();
    else if (again) this.retry = setTimeout(() => this.ask(), again);
  }

  lost(socket, code) {
    if (socket !== this.socket) return;
    this.waiting = false;
    if (code === UNKNOWN && this.told !== this.address) {
      this.told = this.address;
      return this.gone();
    }
    // The server may be restarting or the network away: try again, less and less often.
    this.tries += 1;
    this.retry = setTimeout(() => this.open(this.address), Math.min(LONGEST_MS, 300 * 2 ** this.tries));
  }
}
