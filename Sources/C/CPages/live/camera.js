// SPDX-License-Identifier: Apache-2.0
// The camera: sends its newest frame whenever the server grants credit, at a rate and size that the connection can sustain.
const levels = [
  { rate: 30, width: 640, quality: 0.7 },
  { rate: 15, width: 640, quality: 0.7 },
  { rate: 10, width: 640, quality: 0.7 },
  { rate: 10, width: 480, quality: 0.6 },
  { rate: 10, width: 320, quality: 0.5 },
];

const policy = globalThis.trustedTypes?.createPolicy('fovea', {
  createScriptURL: (path) => {
    if (path !== '/assets/encoder.js') throw new TypeError('not a worker of this page');
    return path;
  },
});

/** Delays of the last frames. */
class Delays {
  #values = [];

  add(value) {
    this.#values.push(value);
    if (this.#values.length > 60) this.#values.shift();
  }

  clear() { this.#values = []; }

  /** The quantile `share` of the delays of the last `count` frames; NaN before the first. */
  at(share, count = 60) {
    const sorted = this.#values.slice(-count).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  }

  get count() { return this.#values.length; }
}

export class Camera extends EventTarget {
  #video;
  #live;
  #worker;
  #stream;
  #frames = new Map();
  #sequence = 0;
  #isEncoding = false;
  #last = -Infinity;
  #level = 1;
  #sinceStep = 0;
  #calmSince;
  #arrivals = [];
  delays = new Delays();
  dropped = 0;

  constructor(video, live) {
    super();
    this.#video = video;
    this.#live = live;
    const path = '/assets/encoder.js';
    this.#worker = new Worker(policy ? policy.createScriptURL(path) : path);
    this.#worker.onmessage = ({ data }) => this.#encoded(data);
    live.addEventListener('result', ({ detail }) => this.#answered(detail));
    live.addEventListener('dropped', ({ detail }) => { this.dropped++; this.#forget(detail.sequence); });
    live.addEventListener('error', ({ detail }) => this.#forget(detail.sequence));
    live.addEventListener('lost', () => { for (const number of [...this.#frames.keys()]) this.#forget(number); });
  }

  get isRunning() { return this.#stream != null; }

  /** The size of sent frames. */
  get size() {
    const { videoWidth: width, videoHeight: height } = this.#video;
    const scale = Math.min(1, levels[this.#level].width / Math.max(width, 1));
    return { width: Math.round(width * scale), height: Math.round(height * scale) };
  }

  /** Frames per second over the last two seconds. */
  get rate() {
    const now = performance.now();
    this.#arrivals = this.#arrivals.filter((time) => now - time < 2000);
    return this.#arrivals.length / 2;
  }

  /** Starts a camera; by default the previous one if connected, otherwise a rear camera. */
  async start(device, before) {
    this.stop();
    if (!navigator.mediaDevices?.getUserMedia) throw new DOMException('', 'InsecureContext');
    const any = before ? { deviceId: { ideal: String(before) } } : { facingMode: { ideal: 'environment' } };
    const choice = device ? { deviceId: { exact: device } } : any;
    this.#stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 }, ...choice },
    });
    const stream = this.#stream;
    stream.getVideoTracks()[0].onended = () => { if (stream === this.#stream) { this.stop(); this.#say('ended'); } };
    this.#video.srcObject = stream;
    await this.#video.play();
    this.delays.clear();
    this.dropped = 0;
    this.#say('size');
    this.#next();
  }

  stop() {
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = undefined;
    this.#video.srcObject = null;
  }

  #say(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  #next() {
    const stream = this.#stream;
    const take = (now, metadata) => {
      if (stream !== this.#stream) return;
      this.#next();
      this.#say('frame');
      this.#frame(now, metadata?.captureTime ?? now);
    };
    if ('requestVideoFrameCallback' in this.#video) this.#video.requestVideoFrameCallback(take);
    else requestAnimationFrame((now) => take(now));
  }

  async #frame(now, captured) {
    const { rate, quality } = levels[this.#level];
    if (document.hidden || this.#isEncoding || !this.#live.hasCredit || now - this.#last < 1000 / rate - 8) return;
    this.#last = now;
    this.#isEncoding = true;
    try {
      const { width, height } = this.size;
      const bitmap = await createImageBitmap(this.#video, { resizeWidth: width, resizeHeight: height });
      const sequence = ++this.#sequence;
      this.#frames.set(sequence, { captured });
      this.#worker.postMessage({ sequence, bitmap, quality }, [bitmap]);
    } catch {
      // The video has just ended or changed; wait for its next frame.
      this.#isEncoding = false;
    }
  }

  #encoded({ sequence, bitmap, message }) {
    this.#isEncoding = false;
    const frame = this.#frames.get(sequence);
    if (!frame || !message) {
      bitmap?.close();
      this.#frames.delete(sequence);
      return;
    }
    frame.bitmap = bitmap;
    if (!this.#live.send(sequence, message)) this.#forget(sequence);
  }

  #forget(sequence) {
    this.#frames.get(sequence)?.bitmap?.close();
    this.#frames.delete(sequence);
  }

  #answered(result) {
    const frame = this.#frames.get(result.sequence);
    if (!frame?.bitmap) return;
    this.#frames.delete(result.sequence);
    // Results that are no longer awaited are not shown.
    if (this.isRunning) {
      this.#say('result', { result, bitmap: frame.bitmap });
      const now = performance.now();
      this.#arrivals.push(now);
      this.delays.add(now - frame.captured);
      this.#adapt(now);
    }
    frame.bitmap.close();
  }

  /** Steps down on a slow connection, and up again after five fast seconds. */
  #adapt(now) {
    this.#sinceStep++;
    const p95 = this.delays.at(0.95, 30);
    if (this.#sinceStep < 30) return;
    if (p95 > 100 && this.#level < levels.length - 1) return this.#step(1);
    if (p95 >= 60 || this.#level === 0) {
      this.#calmSince = undefined;
    } else if (now - (this.#calmSince ??= now) > 5000) {
      this.#step(-1);
    }
  }

  #step(by) {
    const before = this.size.width;
    this.#level += by;
    this.#sinceStep = 0;
    this.#calmSince = undefined;
    if (this.size.width !== before) this.#say('size');
  }
}
