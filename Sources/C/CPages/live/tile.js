// SPDX-License-Identifier: Apache-2.0
// One source: its newest image with objects, lines and zones, its name, its state, and its counts.
import { fit, resize, Trails } from './draw.js';
import { make } from './page.js';
import { countTexts, drawFound } from './shapes.js';

export class Tile {
  element = make('li');
  link = make('a');
  #name;
  #shapes;
  #canvas = make('canvas');
  #state = make('span', { textContent: 'Paused' });
  #counts = make('ul', { className: 'counted', hidden: true });
  #context = this.#canvas.getContext('2d');
  #trails = new Trails();
  #socket;
  #timer;
  #wait = 1000;
  #isDrawing = false;
  #isWanted = false;
  #problem = '';
  #seen = 0;

  constructor(stream) {
    this.#name = stream.name;
    this.#shapes = stream;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', `Image of ${stream.name}`);
    const caption = make('p');
    caption.append(make('b', { textContent: stream.name }), this.#state);
    this.link.append(this.#canvas, caption);
    this.#counts.setAttribute('aria-label', `Counted by ${stream.name}`);
    this.element.append(this.link, this.#counts);
    this.isLarge = false;
    this.#say('Paused');
    setInterval(() => { if (this.#isWanted && performance.now() - this.#seen > 5000) this.#ask(); }, 3000);
  }

  /** A large tile is not a link; the others link to their large tile. */
  set isLarge(value) {
    if (value) this.link.removeAttribute('href');
    else this.link.href = `#sources/${this.#name}`;
  }

  /** Shows why no image arrives: an error of the source, or a frozen server. */
  async #ask() {
    const socket = this.#socket;
    try {
      const answer = await fetch(`/v1/streams/${this.#name}`, { signal: AbortSignal.timeout(2500) });
      const stream = await answer.json();
      if (answer.ok) this.#shapes = stream;
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
    this.#problem = '';
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
    const ratio = resize(this.#canvas), context = this.#context;
    const place = fit(this.#canvas.width, this.#canvas.height, image);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(image, place.x, place.y, place.width, place.height);
    this.#trails.add(frame.objects, frame.width, frame.height);
    this.#trails.draw(context, place, ratio);
    drawFound(context, this.#shapes, frame, place, ratio);
    const { length } = frame.objects;
    this.#say(length === 0 ? 'Nothing found' : length === 1 ? '1 object' : `${length} objects`, 'good');
    this.#count(frame.counts);
  }

  #count(counts) {
    const texts = counts ? countTexts(counts) : [];
    this.#counts.hidden = texts.length === 0;
    texts.forEach((text, index) => {
      const row = this.#counts.children[index] ?? this.#counts.appendChild(make('li'));
      if (row.textContent !== text) row.textContent = text;
    });
  }
}
