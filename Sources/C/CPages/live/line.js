// SPDX-License-Identifier: Apache-2.0
// The counting line: two ends moved by pointers and arrow keys, in fractions of the image.
export class Line extends EventTarget {
  #guide = document.querySelector('#guide');
  #handles = [document.querySelector('#handle-1'), document.querySelector('#handle-2')];
  #place = { x: 0, y: 0, width: 1, height: 1 };
  ends = [[0.1, 0.62], [0.9, 0.62]];

  /** Creates the line with its saved ends, if they are valid. */
  constructor(ends) {
    super();
    const isPart = (value) => Number.isFinite(value) && value >= 0 && value <= 1;
    const isEnd = (end) => Array.isArray(end) && end.length === 2 && end.every(isPart);
    if (Array.isArray(ends) && ends.length === 2 && ends.every(isEnd)) this.ends = ends;
    this.#handles.forEach((handle, index) => {
      handle.onpointerdown = (event) => {
        handle.setPointerCapture(event.pointerId);
        handle.onpointermove = (event) => this.#drag(index, event);
      };
      handle.onpointerup = handle.onpointercancel = () => { handle.onpointermove = null; this.#moved(); };
      handle.onkeydown = (event) => this.#key(index, event);
    });
  }

  get isShown() { return !this.#guide.hidden; }
  set isShown(value) {
    this.#guide.hidden = !value;
    this.#draw();
  }

  /** The image's rectangle in the stage, in CSS pixels. */
  set place(place) {
    const { x, y, width, height } = this.#place;
    if (x === place.x && y === place.y && width === place.width && height === place.height) return;
    this.#place = place;
    this.#draw();
  }

  /** The line in pixels of a frame. */
  pixels({ width, height }) {
    const values = this.ends.flatMap(([x, y]) => [x * width, y * height]);
    return values.map((value) => Math.round(value * 10) / 10);
  }

  #set(index, x, y) {
    this.ends[index] = [x, y].map((value) => Math.min(0.99, Math.max(0.01, value)));
    this.#draw();
  }

  #drag(index, event) {
    const box = this.#guide.getBoundingClientRect();
    this.#set(index, (event.clientX - box.x - this.#place.x) / this.#place.width,
      (event.clientY - box.y - this.#place.y) / this.#place.height);
  }

  #key(index, event) {
    const step = event.shiftKey ? 0.1 : 0.02;
    const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!move) return;
    event.preventDefault();
    const [x, y] = this.ends[index];
    this.#set(index, x + move[0], y + move[1]);
    this.#moved();
  }

  #moved() { this.dispatchEvent(new Event('move')); }

  #draw() {
    const at = ([x, y]) => [this.#place.x + x * this.#place.width, this.#place.y + y * this.#place.height];
    const [a, b] = this.ends.map(at);
    for (const line of this.#guide.querySelectorAll('line')) {
      ['x1', 'y1'].forEach((name, index) => line.setAttribute(name, a[index]));
      ['x2', 'y2'].forEach((name, index) => line.setAttribute(name, b[index]));
    }
    // "In" is from left to right, seen from the first end towards the second.
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], across = [-along[1], along[0]];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const point = (out, side) => middle.map((value, i) => value + across[i] * out + along[i] * side).join(' ');
    this.#guide.querySelector('path').setAttribute('d', `M${point(0, 0)}L${point(24, 0)}M${point(16, -7)}L${point(24, 0)}L${point(16, 7)}`);
    this.#handles.forEach((handle, index) => {
      const [x, y] = [a, b][index];
      handle.style.left = `${x}px`;
      handle.style.top = `${y}px`;
      const [across, down] = this.ends[index].map((value) => Math.round(value * 100));
      handle.setAttribute('aria-valuenow', across);
      handle.setAttribute('aria-valuetext', `${across} percent from the left, ${down} from the top`);
    });
  }
}
