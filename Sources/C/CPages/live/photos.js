// SPDX-License-Identifier: Apache-2.0
// Photos, sent two at a time. The file, thumbnail and answer of each are kept; only the shown photo is decoded.
const longest = { shown: 2048, small: 256 };

const scaled = (image, side) => {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  return { width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)) };
};

const thumbnail = (image) => {
  const canvas = Object.assign(document.createElement('canvas'), scaled(image, longest.small));
  canvas.getContext('2d', { alpha: false }).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
};

const smaller = async (image) => {
  const { width, height } = scaled(image, longest.shown);
  if (width === image.width) return image;
  const small = await createImageBitmap(image, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' });
  image.close();
  return small;
};

/** The number of automatic retries of a photo. */
const tries = 5;
const silence = 'The server does not answer. Check that it runs, and the network';
export const lost = 'This photo cannot be read: it was moved, changed or deleted. Choose it again';
/** Whether a file is still as it was when it was chosen. */
export const isReadable = (file) => file.slice(0, 1).arrayBuffer().then(() => true, () => false);
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const pause = (time) => new Promise((done) => { setTimeout(done, time); });

export class Photos extends EventTarget {
  #queue = [];
  #running = 0;
  #decoding = Promise.resolve();
  #isWaiting = false;
  #request = {};
  #key = '';
  items = [];
  current;

  /** The settings of requests: the shown photo is requested at once, others when they are shown. */
  set request(request) {
    this.#request = request;
    this.#key = JSON.stringify(request);
    for (const ask of this.#queue) Object.assign(ask, { request, key: this.#key });
    if (this.current && this.isOld(this.current)) this.#ask(this.current);
    this.#changed();
  }

  /** Whether an answer belongs to other settings, or has to be requested again. */
  isOld(item) { return item.answered !== this.#key; }

  /** Adds images and shows the first of them. */
  add(files) {
    const items = files.map((file) => ({ file, name: file.name }));
    this.items.push(...items);
    this.show(items[0]);
    for (const item of items) this.#ask(item);
  }

  show(item) {
    if (item !== this.current) this.#release();
    this.current = item;
    this.#changed();
    if (!item) return;
    this.#decode(item).then(() => this.#changed());
    if (this.isOld(item)) this.#ask(item);
  }

  /** Removes photos, answered or not; if the shown one is removed, a neighbour is shown. */
  remove(gone) {
    const index = this.items.indexOf(this.current);
    const left = this.items.filter((item) => !gone.includes(item));
    const next = this.items.slice(index).concat(this.items.slice(0, Math.max(0, index)).reverse()).find((item) => left.includes(item));
    for (const item of gone) {
      item.ask?.controller.abort();
      item.ask = undefined;
    }
    this.#queue = this.#queue.filter(({ item }) => left.includes(item));
    this.items = left;
    if (next === this.current) return this.#changed();
    this.show(next);
  }

  /** The decoded photo; the caller closes it. */
  whole(item) { return this.#alone(() => createImageBitmap(item.file)); }

  #release() {
    this.current?.image?.close();
    if (this.current) this.current.image = undefined;
  }

  #changed() { this.dispatchEvent(new Event('change')); }

  /** Decodes photos one after the other, because they are large. */
  #alone(work) { return this.#decoding = this.#decoding.catch(() => {}).then(work); }

  #decode(item) {
    return this.#alone(async () => {
      if (!this.items.includes(item) || item.isUnreadable) return;
      if (item.small && (item.image || item !== this.current)) return;
      let image;
      try {
        image = await createImageBitmap(item.file);
        item.small ??= thumbnail(image);
        if (item === this.current) image = await smaller(image);
      } catch {
        image?.close();
        item.isUnreadable = true;
        return;
      }
      if (item === this.current) item.image = image;
      else image.close();
    });
  }

  #ask(item) {
    if (item.ask?.key === this.#key) return;
    item.ask?.controller.abort();
    item.ask = { item, key: this.#key, request: this.#request, controller: new AbortController() };
    this.#queue = this.#queue.filter((ask) => ask.item !== item);
    this.#queue[item === this.current ? 'unshift' : 'push'](item.ask);
    if (this.#running < 2) this.#run();
  }

  /** Photos to request again once the server is reachable. */
  get #owed() { return this.items.filter(({ ask, isOwed, tries: count = 0 }) => isOwed && !ask && count < tries); }

  /** Waits until the server answers, and requests them again. */
  async #waitForServer() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    for (let time = 1000; this.#owed.length > 0; time = Math.min(2 * time, 10_000)) {
      await pause(time);
      const signal = AbortSignal.timeout(5000);
      if (!await fetch('/v1/models', { signal }).then(({ status }) => status < 500, () => false)) continue;
      for (const item of this.#owed) {
        item.tries = (item.tries ?? 0) + 1;
        this.#ask(item);
      }
      this.#changed();
      // Repeated failures wait longer each time.
      while (this.items.some(({ ask, isOwed }) => ask && isOwed)) await pause(500);
    }
    this.#isWaiting = false;
  }

  async #run() {
    this.#running++;
    for (let ask; (ask = this.#queue.shift());) {
      await this.#answer(ask);
      this.#changed();
    }
    this.#running--;
  }

  /** Sends a photo; ignores the answer if a newer request has been sent. */
  async #answer(ask) {
    const { item, key, controller } = ask;
    const { task, model, threshold, allow } = ask.request;
    const query = new URLSearchParams({ name: item.name, model, threshold });
    if (task === 'detect') {
      query.set('upright', 'true');
      query.set('masks', 'polygon');
    }
    for (const label of allow) query.append('allow', label);
    let text, result, problem, isOver = true, isOwed = false;
    // The server's own limit for slow connections.
    const timer = setTimeout(() => controller.abort(), 15_000 + item.file.size / 64);
    try {
      if (!item.file.size) throw new Error('The file is empty. Copy or download it again');
      await this.#decode(item);
      if (item.ask !== ask) return;
      const answer = await fetch(`/v1/${task}?${query}`, { method: 'POST', body: item.file, signal: controller.signal });
      const body = await answer.text(), value = parsed(body);
      if (answer.status === 401) this.dispatchEvent(new Event('key'));
      isOver = value && answer.status < 500 && ![401, 403, 429].includes(answer.status);
      isOwed = [502, 503].includes(answer.status);
      if (!value) throw new Error(`The answer, with status ${answer.status}, is not from Fovea. Check the proxy in front of it`);
      text = body;
      if (!answer.ok) throw new Error([value.error.message, value.error.remedy].filter(Boolean).join('. '));
      result = value;
      if (item.isUnreadable) problem = 'This browser cannot show the photo; see the JSON for the result.';
    } catch (error) {
      const isUnsent = error instanceof TypeError || error.name === 'AbortError';
      const isSilent = isUnsent && await isReadable(item.file);
      if (isUnsent) [isOver, isOwed] = [false, isSilent];
      problem = isSilent ? silence : isUnsent ? lost : error.message;
    } finally {
      clearTimeout(timer);
    }
    if (item.ask !== ask) return;
    Object.assign(item, { ask: undefined, answered: isOver ? key : undefined, text, result, problem, isOwed });
    if (isOwed) this.#waitForServer();
    else item.tries = 0;
  }
}
