// SPDX-License-Identifier: Apache-2.0
// The camera on the stage: followed objects, the counting line, and the figures below.
import { Camera } from './camera.js';
import { Line } from './line.js';
import {
  $, describe, insecure, isRunning, lines, live, make, notice, offerLine, page, rows, showFound, showNothing, state, uncover,
} from './page.js';
import { save, saved } from './settings.js';
import { clear, cover, paint, trails } from './stage.js';

const camera = page.camera = new Camera($('video'), live);
const line = page.line = new Line(saved.line);

const problems = {
  InsecureContext: insecure,
  NotAllowedError: ['The camera is not allowed',
    'Allow it for this page to the left of the browser\'s address, then start again. Photos work without it.'],
  NotFoundError: ['There is no camera', 'Connect one and start again, or choose photos.'],
  NotReadableError: ['The camera is in use', 'Close the program that uses it, then start again.'],
  OverconstrainedError: ['That camera is disconnected', 'Choose another one, or start again.'],
};

const number = (id, value, unit) => {
  const text = Number.isFinite(value) ? String(value) : '–';
  const element = $(id);
  if (element.firstChild?.nodeValue === text) return;
  element.replaceChildren(text);
  if (unit && text !== '–') element.append(make('small', { textContent: unit }));
};

// MARK: Counting

/** Counts of frames of another size and of earlier connections. */
let counted = { in: 0, out: 0 };
let shownCounts = { in: 0, out: 0 };

const showCounts = (counts) => {
  shownCounts = counts;
  for (const way of ['in', 'out']) {
    const text = String(counted[way] + counts[way]);
    if ($(`count-${way}`).textContent !== text) $(`count-${way}`).textContent = text;
  }
};

const countFrom0 = () => {
  counted = { in: 0, out: 0 };
  showCounts({ in: 0, out: 0 });
};

const keepCounts = () => {
  counted = { in: counted.in + shownCounts.in, out: counted.out + shownCounts.out };
  shownCounts = { in: 0, out: 0 };
};

page.addEventListener('counting', () => {
  countFrom0();
  live.change({ lines: lines() });
});
line.addEventListener('move', () => {
  save({ line: line.ends });
  countFrom0();
  live.change({ lines: lines() });
});
$('reset').onclick = () => {
  countFrom0();
  // The server counts a new line from 0.
  live.change({ lines: [] });
  live.change({ lines: lines() });
};

// MARK: Frames

/** The shown part of a result: a moved slider applies at once, before the server knows of it. */
const above = (result) => {
  if (!result.objects) return result;
  const least = Number($('threshold').value);
  return { ...result, objects: result.objects.filter(({ score }) => score >= least) };
};

/** The newest result and its time: on the running video, boxes disappear if no newer result follows. */
let last;
const isLive = () => $('under').value === 'live' || !live.isReady || live.silence > 3;
camera.addEventListener('frame', () => {
  if (page.isOnPhotos || !isLive() || !$('cover').hidden) return;
  const { videoWidth: width, videoHeight: height } = $('video');
  const result = last && performance.now() - last.time < 1000 ? above(last.result) : undefined;
  paint($('video'), result, { width, height });
});
camera.addEventListener('result', ({ detail: { result, bitmap } }) => {
  if (page.isOnPhotos) return;
  last = { result, time: performance.now() };
  const shown = above(result);
  if (shown.objects) trails.add(shown.objects, result.width, result.height);
  if (!isLive()) paint(bitmap, shown);
  showFound(rows(shown));
  if (result.counts?.lines[0]) showCounts(result.counts.lines[0]);
  if (!$('cover').hidden) uncover($('stop'));
});
camera.addEventListener('size', () => {
  trails.clear();
  last = undefined;
  keepCounts();
  if (line.isShown) live.change({ lines: lines() });
});
camera.addEventListener('ended', () => {
  end();
  notice('The camera is disconnected', 'Connect it and start again, or choose photos.');
});

const forgetBoxes = () => {
  trails.clear();
  last = undefined;
  if (!page.isOnPhotos) showNothing();
};
live.addEventListener('silent', forgetBoxes);
live.addEventListener('lost', () => {
  keepCounts();
  forgetBoxes();
});
live.addEventListener('ready', () => { if (line.isShown) live.change({ lines: lines() }); });
live.addEventListener('result', () => { if (isRunning() && !page.isOnPhotos) state('good', 'Live'); });

// MARK: Start and stop

const end = () => {
  cover();
  for (const id of ['rate', 'p50', 'p95', 'dropped']) number(id, NaN);
};

export const start = async (device) => {
  notice();
  try {
    await camera.start(device, saved.device);
    if (page.isOnPhotos) {
      clear();
      showNothing();
    }
    page.isOnPhotos = false;
    $('photos').hidden = true;
    $('stop').textContent = 'Stop camera';
    offerLine();
    live.change({ lines: lines() });
    $('figures').hidden = false;
    state(live.isReady ? 'good' : 'wait', live.isReady ? 'Live' : 'Connecting');
    await listCameras();
  } catch (error) {
    camera.stop();
    end();
    notice(...(problems[error.name] ?? ['The camera did not start', error.message]));
  }
};

const listCameras = async () => {
  const devices = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
  $('camera-field').hidden = devices.length < 2;
  const present = $('video').srcObject?.getVideoTracks()[0]?.getSettings().deviceId;
  $('device').replaceChildren(...devices.map(({ deviceId, label }, index) =>
    new Option(label || `Camera ${index + 1}`, deviceId, false, deviceId === present)));
};

$('device').onchange = () => {
  save({ device: $('device').value });
  start($('device').value);
};

export const stop = () => {
  camera.stop();
  trails.clear();
  showNothing();
  state('good', 'Ready');
  end();
};

page.addEventListener('model', () => trails.clear());
page.addEventListener('locked', () => {
  if (!isRunning()) return;
  camera.stop();
  trails.clear();
  end();
});

setInterval(() => {
  if (!isRunning() || page.isOnPhotos || !$('cover').hidden) return;
  number('rate', Math.round(camera.rate));
  number('p50', Math.round(camera.delays.at(0.5)), 'ms');
  number('p95', Math.round(camera.delays.at(0.95)), 'ms');
  number('dropped', camera.dropped);
}, 500);

setInterval(() => {
  if (!page.isOnPhotos && isRunning() && $('found').dataset.rows) describe(JSON.parse($('found').dataset.rows));
}, 3000);
