// SPDX-License-Identifier: Apache-2.0
// One source: its newest image with objects, lines and zones, its name, its state, its counts, and the notes on them.
import { fit, resize, Trails } from './draw.js';
import { make } from './page.js';
import { countTexts, drawFound } from './shapes.js';

/** Shows texts as the items of a list, which is hidden without any. */
const fill = (list, texts) => {
  list.hidden = texts.length === 0;
  while (list.children.length > texts.length) list.lastChild.remove();
  texts.forEach((text, index) => {
    const row = list.children[index] ?? list.appendChild(make('li'));
    if (row.textContent !== text) row.textContent = text;
  });
};

export class Tile {
  element = make('li');
  link = make('a');
  #name;
  #shapes;
  #canvas = make('canvas');
  #state = make('span', { textContent: 'Paused' });
  #counts = make('ul', { className: 'counted', hidden: true });
  #notes = make('ul', { className: 'counted notes', hidden: true });
  #context = this.#canvas.getContext('2d');
  #trails = new Trails();
  #socket;
  #timer;
  #wait = 1000;
  #isDrawing = false;
  #isWanted = false;
  #problem = '';
  #seen = 0;
  #size = '';

  constructor(stream) {
    this.#name = stream.name;
    this.#shapes = stream;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', `Image of ${stream.name}`);
    const caption = make('p');
    caption.append(make('b', { textContent: stream.name }), this.#state);
    this.link.append(this.#canvas, caption);
    this.#counts.setAttribute('aria-label', `Counted by ${stream.name}`);
    this.#notes.setAttribute('aria-label', `Notes on ${stream.name}`);
    this.element.append(this.link, this.#counts, this.#notes);
    this.isLarge = false;
    this.#say('Paused');
    setInterval(() => { if (this.#isWanted && performance.now() - this.#seen > 5000) this.#ask(); }, 3000);
  }

  /** A large tile is not a link; the others link to their large tile. */
  set isLarge(value) {
    if (value) this.link.removeAttribute('href');
    else this.link.href = `#sources/${this.#name}`;
  }

  /** Reads the source, and shows the notes on its lines and zones, which it has once it has a frame. */
  async #read() {
    const answer = await fetch(`/v1/streams/${this.#name}`, { signal: AbortSignal.timeout(2500) });
    const stream = await answer.json();
    if (answer.ok) {
      this.#shapes = stream;
      fill(this.#notes, stream.notes ?? []);
    }
    return stream;
  }

  /** Shows why no image arrives: an error of the source, or a frozen server. */
  async #ask() {
    const socket = this.#socket;
    try {
      const stream = await this.#read();
      if (socket === this.#socket && socket?.readyState === 1) this.#say(stream.lastError?.message ?? 'No image received', 'bad');
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
    this.#problem = this.#size = '';
    this.#seen = performance.now();
    socket.binaryType = 'arraybuffer';
    this.#say('Connecting');
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#problem = JSON.parse(data).error?.message ?? 'The source has ended';
      else this.#take(data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost(this.#problem || 'No connection; trying again');
    };
  }

  /** Draws a frame; skips it if another one is being decoded. */
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
    this.element.style.setProperty('--form', frame.width / frame.height);
    const size = `${frame.width} × ${frame.height}`;
    if (size !== this.#size) this.#read().catch(() => {});
    this.#size = size;
    const ratio = resize(this.#canvas), context = this.#context;
    const place = fit(this.#canvas.width, this.#canvas.height, image);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(image, place.x, place.y, place.width, place.height);
    this.#trails.add(frame.objects, frame.width, frame.height);
    this.#trails.draw(context, place, ratio);
    drawFound(context, this.#shapes, frame, place, ratio);
    const { length } = frame.objects;
    this.#say(length === 0 ? 'Nothing found' : length === 1 ? '1 object' : `${length} objects`, 'good');
    fill(this.#counts, frame.counts ? countTexts(frame.counts) : []);
  }
}
