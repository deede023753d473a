// SPDX-License-Identifier: Apache-2.0
// The sources of the server: a tile each, which is subscribed while it is seen.
import { drawObjects, fit, resize, Trails } from './draw.js';

const make = (name, values = {}) => Object.assign(document.createElement(name), values);

/** One source: its newest image with its objects, its name and its state. */
class Tile {
  element = make('li');
  #name;
  #canvas = make('canvas');
  #state = make('span', { textContent: 'Paused' });
  #context = this.#canvas.getContext('2d');
  #trails = new Trails();
  #socket;
  #timer;
  #wait = 1000;
  #isDrawing = false;
  #isWanted = false;
  #problem = '';
  #seen = 0;

  constructor(name) {
    this.#name = name;
    this.#canvas.setAttribute('role', 'img');
    const caption = make('p');
    caption.append(make('b', { textContent: name }), this.#state);
    this.element.append(this.#canvas, caption);
    this.#say('Paused');
    setInterval(() => { if (this.#isWanted && performance.now() - this.#seen > 5000) this.#ask(); }, 3000);
  }

  /** Shows why no image comes: of the source, or of a server that is stopped. */
  async #ask() {
    const socket = this.#socket;
    try {
      const answer = await fetch(`/v1/streams/${this.#name}`, { signal: AbortSignal.timeout(2500) });
      const { lastError } = await answer.json();
      if (socket === this.#socket && socket?.readyState === 1) this.#say(lastError?.message ?? 'No image comes', 'bad');
    } catch {
      if (socket !== this.#socket || !this.#isWanted) return;
      this.#socket = undefined;
      socket?.close();
      this.#lost('The server does not answer');
    }
  }

  #lost(text) {
    this.#trails.clear();
    this.#say(text, 'bad');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.8 + 0.4 * Math.random()));
    this.#wait = Math.min(2 * this.#wait, 10000);
  }

  set isWanted(value) {
    if (value === this.#isWanted) return;
    this.#isWanted = value;
    if (value) return this.#open();
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = undefined;
    this.#say('Paused');
  }

  #say(text, kind = 'wait') {
    this.element.dataset.kind = kind;
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  #open() {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/v1/streams/${this.#name}/live`);
    this.#socket = socket;
    this.#problem = '';
    this.#seen = performance.now();
    socket.binaryType = 'arraybuffer';
    this.#say('Connecting');
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#problem = JSON.parse(data).error?.message ?? 'It has ended';
      else this.#take(data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost(this.#problem || 'No connection; trying again');
    };
  }

  /** Draws a frame; one that comes while another is decoded is left out. */
  async #take(data) {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      const count = new DataView(data).getUint32(0, true);
      const frame = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, count)));
      const image = await createImageBitmap(new Blob([new Uint8Array(data, 4 + count)], { type: 'image/jpeg' }));
      if (this.#isWanted) this.#draw(frame, image);
      image.close();
    } finally {
      this.#isDrawing = false;
    }
  }

  #draw(frame, image) {
    this.#wait = 1000;
    this.#seen = performance.now();
    const ratio = resize(this.#canvas);
    const place = fit(this.#canvas.width, this.#canvas.height, image);
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#context.drawImage(image, place.x, place.y, place.width, place.height);
    this.#trails.add(frame.objects, frame.width, frame.height);
    this.#trails.draw(this.#context, place, ratio);
    const scale = { x: place.width / frame.width, y: place.height / frame.height };
    drawObjects(this.#context, frame.objects, place, scale, ratio);
    const { length } = frame.objects;
    this.#say(length === 0 ? 'Nothing found' : length === 1 ? '1 object' : `${length} objects`, 'good');
    this.#canvas.setAttribute('aria-label', `${this.#name}, frame ${frame.frame}`);
  }
}

/** All sources of the server; those that no one sees are paused. */
export class Sources {
  #list;
  #tiles = new Map();
  #seen = new Set();
  #isShown = false;
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.#seen[isIntersecting ? 'add' : 'delete'](target);
    this.#update();
  });

  constructor(list) {
    this.#list = list;
    document.addEventListener('visibilitychange', () => this.#update());
  }

  /** Reads the names, and makes a tile for each. */
  async load() {
    const answer = await fetch('/v1/streams');
    // A key may not be for them.
    if (!answer.ok) return 0;
    const { streams } = await answer.json();
    for (const { name } of streams) {
      const tile = new Tile(name);
      this.#tiles.set(tile.element, tile);
      this.#list.append(tile.element);
      this.#observer.observe(tile.element);
    }
    return streams.length;
  }

  set isShown(value) {
    this.#isShown = value;
    this.#update();
  }

  #update() {
    const isSeen = this.#isShown && document.visibilityState === 'visible';
    for (const [element, tile] of this.#tiles) tile.isWanted = isSeen && this.#seen.has(element);
  }
}
