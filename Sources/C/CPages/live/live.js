// SPDX-License-Identifier: Apache-2.0
// The WebSocket to /v1/live: reconnects automatically and tracks unanswered frames.
export class Live extends EventTarget {
  #socket;
  #wait = 500;
  #timer;
  #settings = {};
  /** Settings that changed while the server had not answered the start. */
  #unsent = {};
  /** Whether the server has refused the start; the next change may be what it needs. */
  #isRefused = false;
  /** The send time of each unanswered frame. */
  #waiting = new Map();
  #begun = 0;
  window = 2;
  isReady = false;

  constructor() {
    super();
    setInterval(() => this.#watch(), 1000);
  }

  /** The age of the oldest unanswered frame, in seconds. */
  get silence() {
    const since = this.isReady ? Math.min(...this.#waiting.values()) : this.#begun || Infinity;
    return Math.max(0, (performance.now() - since) / 1000);
  }

  /** Whether another frame may be sent. */
  get hasCredit() {
    return this.isReady && this.#waiting.size < this.window && this.#socket.bufferedAmount === 0;
  }

  /** Connects, and again whenever the connection is lost. */
  open(settings) {
    this.close();
    this.#settings = settings;
    this.#connect();
  }

  /** Disconnects until `open` is called. */
  close() {
    clearTimeout(this.#timer);
    this.isReady = this.#isRefused = false;
    this.#begun = 0;
    this.#waiting.clear();
    if (this.#socket) this.#socket.onopen = this.#socket.onclose = this.#socket.onmessage = null;
    this.#socket?.close();
  }

  /** Gives up a frozen server, whose connection does not break. */
  #watch() {
    const { silence } = this;
    if (silence > 10) {
      this.close();
      this.#lost(0);
    } else if (silence > 3) {
      this.dispatchEvent(new CustomEvent('silent', { detail: Math.floor(silence) }));
    }
  }

  /** Changes settings; they apply from the next frame on. */
  change(settings) {
    Object.assign(this.#settings, settings);
    if (this.isReady) return this.#tell('change', settings);
    Object.assign(this.#unsent, settings);
    if (this.#isRefused) this.#start();
  }

  send(sequence, message) {
    if (!this.isReady) return false;
    this.#waiting.set(sequence, performance.now());
    this.#socket.send(message);
    return true;
  }

  #tell(type, settings) { this.#socket.send(JSON.stringify({ type, ...settings })); }

  #start() {
    this.#unsent = {};
    this.#isRefused = false;
    this.#begun = performance.now();
    this.#tell('start', this.#settings);
  }

  #connect() {
    clearTimeout(this.#timer);
    const address = new URL('/v1/live', location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = this.#socket = new WebSocket(address);
    this.#begun = performance.now();
    socket.onopen = () => this.#start();
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = ({ code }) => this.#lost(code);
  }

  #take(message) {
    if (message.type === 'ready') {
      this.isReady = true;
      this.#wait = 500;
      this.window = message.window;
      if (Object.keys(this.#unsent).length > 0) this.#tell('change', this.#unsent);
      this.#unsent = {};
    } else if (message.type === 'draining') {
      this.#wait = message.retryAfterSeconds * 1000;
    } else if (message.type === 'error' && message.sequence == null) {
      this.#begun = 0;
      this.#isRefused = !this.isReady;
      if (this.#isRefused && Object.keys(this.#unsent).length > 0) this.#start();
    } else if (message.sequence != null) {
      this.#waiting.delete(message.sequence);
    }
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  #lost(code) {
    this.isReady = this.#isRefused = false;
    this.#begun = 0;
    this.#waiting.clear();
    // Spread the reconnections of several pages.
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(this.#wait * 2, 10_000);
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.dispatchEvent(new CustomEvent('lost', { detail: { code, wait } }));
  }
}
