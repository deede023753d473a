// SPDX-License-Identifier: Apache-2.0
// Photos: two at a time to the server, each shown with what is on it.
export class Photos extends EventTarget {
  #queue = [];
  #running = 0;
  items = [];
  current;

  /** Takes files; what is no image is left out. */
  add(files, request) {
    const images = [...files].filter((file) => file.type.startsWith('image/'));
    const items = images.map((file) => ({ file, name: file.name, request }));
    this.items.push(...items);
    this.#queue.push(...items);
    if (items.length > 0) this.current = items[0];
    this.#changed();
    while (this.#running < 2 && this.#queue.length > 0) this.#run();
    return items.length;
  }

  /** Asks again for the photo that is shown, with other settings. */
  again(request) {
    if (!this.current) return;
    Object.assign(this.current, { request });
    this.#queue.push(this.current);
    if (this.#running < 2) this.#run();
  }

  show(item) {
    this.current = item;
    this.#changed();
  }

  #changed() { this.dispatchEvent(new Event('change')); }

  async #run() {
    this.#running++;
    for (let item; (item = this.#queue.shift());) {
      await this.#analyse(item);
      this.#changed();
    }
    this.#running--;
  }

  async #analyse(item) {
    const { task, model, threshold, allow } = item.request;
    const query = new URLSearchParams({ name: item.name, model, threshold });
    if (task === 'detect') query.set('upright', 'true');
    if (allow.length > 0) query.set('allow', allow);
    item.problem = undefined;
    try {
      item.bitmap ??= await createImageBitmap(item.file).catch(() => undefined);
      // As the server gives a slow connection.
      const signal = AbortSignal.timeout(15_000 + item.file.size / 64);
      const answer = await fetch(`/v1/${task}?${query}`, { method: 'POST', body: item.file, signal });
      item.text = await answer.text();
      const value = JSON.parse(item.text);
      if (answer.status === 401) this.dispatchEvent(new Event('key'));
      if (!answer.ok) throw new Error([value.error.message, value.error.remedy].filter(Boolean).join('. '));
      item.result = value;
      if (!item.bitmap) item.problem = 'This browser cannot show the photo; the result is in the JSON.';
    } catch (error) {
      item.result = undefined;
      const isSilent = error instanceof TypeError || error.name === 'TimeoutError';
      item.problem = isSilent ? 'The server does not answer. Check that it runs, and the network' : error.message;
    }
  }
}
