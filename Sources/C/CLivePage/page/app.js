// SPDX-License-Identifier: Apache-2.0
// The page: camera or photos on the stage, controls and figures next to it.
import { Camera } from './camera.js';
import { Classes } from './classes.js';
import { drawObjects, fit, resize, Trails } from './draw.js';
import { Line } from './line.js';
import { Live } from './live.js';
import { Photos } from './photos.js';
import { Sources } from './sources.js';

const $ = (id) => document.getElementById(id);
const view = $('view');
const context = view.getContext('2d');
const live = new Live();
const camera = new Camera($('video'), live);
const photos = new Photos();
const line = new Line();
const classes = new Classes($('class'), $('classes'), $('chosen'));
const sources = new Sources($('tiles'));
const trails = new Trails();
let models = [];
let isOnPhotos = false;
let isSourcesLoaded = false;
let wasLost = false;
/** Counts of frames of another size, and of connections before. */
let counted = { in: 0, out: 0 };
let shownCounts = { in: 0, out: 0 };

// MARK: Words

const state = (kind, text) => {
  if ($('state-text').textContent === text) return;
  $('state').dataset.kind = kind;
  $('state-text').textContent = text;
};

/** Explains what is missing and what to do; no title takes it away. */
const notice = (title, text = '') => {
  $('notice').hidden = !title;
  $('welcome').hidden = Boolean(title);
  if (!title) return;
  $('notice').querySelector('h2').textContent = title;
  $('notice').querySelector('p').textContent = text;
};

const cameraProblems = {
  InsecureContext: ['The camera needs a secure address',
    `Browsers give it to https:// alone, or to http://localhost:${location.port} on the server. Start that with --tls-self-signed.`],
  NotAllowedError: ['The camera is not allowed',
    'Allow it for this page in the browser, at the left of the address, then start again. Photos work without it.'],
  NotFoundError: ['There is no camera', 'Connect one and start again, or choose photos.'],
  NotReadableError: ['The camera is in use', 'Close the program that has it, then start again.'],
  OverconstrainedError: ['That camera has gone', 'Choose another one, or start again.'],
};

const number = (id, value, unit) => {
  const text = Number.isFinite(value) ? String(value) : '–';
  const element = $(id);
  if (element.firstChild?.nodeValue === text) return;
  element.replaceChildren(text);
  if (unit && text !== '–') element.append(Object.assign(document.createElement('small'), { textContent: unit }));
};

// MARK: Settings

const model = () => models.find(({ name }) => name === $('model').value);
const settings = () => ({
  model: $('model').value, threshold: Number($('threshold').value), every: Number($('every').value), allow: classes.chosen,
});
const photoRequest = () => ({ ...settings(), task: model()?.task ?? 'detect' });
/** Lines count objects of a camera, which the detector may skip: not photos, and not labels of a whole image. */
const offerLine = () => {
  const isOffered = !isOnPhotos && model()?.task !== 'label';
  $('line-field').hidden = $('every-field').hidden = !isOffered;
  $('under-field').hidden = isOnPhotos;
  line.isShown = isOffered && camera.isRunning && $('counting').checked;
};
const lines = () => (line.isShown ? [line.pixels(camera.size)] : []);

const change = (values) => {
  live.change(values);
  if (isOnPhotos && !('lines' in values || 'every' in values)) photos.again(photoRequest());
};

/** Asks for the key of a server that has keys; the server keeps it in a cookie that scripts cannot read. */
const askForKey = (problem) => {
  live.close();
  showTab(false);
  if (camera.isRunning) {
    camera.stop();
    trails.clear();
  }
  $('cover').hidden = false;
  state('wait', 'A key is needed');
  notice('This server asks for a key', problem ?? 'Whoever runs it makes one: fovea serve key add NAME');
  $('key').hidden = false;
  $('begin').hidden = true;
  $('secret').focus();
  $('secret').select();
};

$('key').onsubmit = async (event) => {
  event.preventDefault();
  let problem;
  try {
    const answer = await fetch('/v1/session', { method: 'POST', body: $('secret').value.trim() });
    if (!answer.ok) problem = `${(await answer.json()).error.message}.`;
  } catch {
    problem = 'The server does not answer.';
  }
  if (problem) return askForKey(problem);
  $('secret').value = '';
  $('key').hidden = true;
  $('begin').hidden = false;
  notice();
  $('cover').hidden = isOnPhotos;
  $('start').focus();
  loadModels();
};

const noServer = 'Check that it runs, and the network';
/** Reads what is served; where that fails it is tried again. */
const readModels = async () => {
  let problem = `No server; trying again. ${noServer}`;
  try {
    const answer = await fetch('/v1/models', { signal: AbortSignal.timeout(10_000) });
    if (answer.status === 401) return askForKey();
    const value = await answer.json();
    if (answer.status === 403) return askForKey(`${value.error.message}.`);
    if (!answer.ok) throw new Error(problem = `${value.error.message}.`);
    if (!value.models.length) throw new Error(problem = 'The server has no model. Its operator can add one.');
    models = value.models;
  } catch {
    state('bad', problem);
    setTimeout(loadModels, 2000);
    return false;
  }
  const chosen = $('model').value;
  $('model').replaceChildren(...models.map(({ name, task }) => new Option(task === 'label' ? `${name} (labels)` : name, name)));
  if (models.some(({ name }) => name === chosen)) $('model').value = chosen;
  classes.offer(model()?.labels);
  offerLine();
  return true;
};

const loadModels = async () => {
  if (!await readModels()) return;
  live.open(settings());
  if (isSourcesLoaded) return;
  isSourcesLoaded = true;
  loadSources();
};

$('model').onchange = () => {
  trails.clear();
  classes.offer(model()?.labels);
  offerLine();
  change(settings());
};
classes.addEventListener('change', () => change({ allow: classes.chosen }));
$('every').onchange = () => change({ every: Number($('every').value) });
$('threshold').oninput = () => { $('threshold-text').value = Number($('threshold').value).toFixed(2); };
$('threshold').onchange = () => change({ threshold: Number($('threshold').value) });

// MARK: Counting

const countFrom0 = () => {
  counted = { in: 0, out: 0 };
  showCounts({ in: 0, out: 0 });
};

const showCounts = (counts) => {
  shownCounts = counts;
  for (const way of ['in', 'out']) {
    const text = String(counted[way] + counts[way]);
    if ($(`count-${way}`).textContent !== text) $(`count-${way}`).textContent = text;
  }
};

const keepCounts = () => {
  counted = { in: counted.in + shownCounts.in, out: counted.out + shownCounts.out };
  shownCounts = { in: 0, out: 0 };
};

$('counting').onchange = () => {
  $('counts').hidden = !$('counting').checked;
  offerLine();
  countFrom0();
  change({ lines: lines() });
};
line.addEventListener('move', () => {
  countFrom0();
  change({ lines: lines() });
});
$('reset').onclick = () => {
  countFrom0();
  // The server counts from 0 for a line that is new to it.
  change({ lines: [] });
  change({ lines: lines() });
};

// MARK: Found

const showFound = (rows) => {
  const text = JSON.stringify(rows);
  if ($('found').dataset.rows === text) return;
  $('found').dataset.rows = text;
  $('found').replaceChildren(...(rows.length === 0 ? [['Nothing above the least score']] : rows).map(([name, value]) => {
    const row = document.createElement('li');
    row.append(Object.assign(document.createElement('span'), { textContent: name }));
    if (value == null) row.className = 'none';
    else row.append(Object.assign(document.createElement('b'), { textContent: value }));
    return row;
  }));
};

const showNothing = () => {
  delete $('found').dataset.rows;
  $('found').replaceChildren(Object.assign(document.createElement('li'), { className: 'none', textContent: 'Nothing yet' }));
};

const rows = (result) => {
  if (result.labels) return result.labels.map(({ text, confidence }) => [text ?? 'no name', confidence.toFixed(2)]);
  const counts = new Map();
  for (const { labels } of result.objects) {
    const name = labels[0]?.text ?? 'object';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
};

const describe = (found) => {
  const text = found.length === 0 ? 'Nothing found' : found.map(([name, value]) => `${value} ${name}`).join(', ');
  view.setAttribute('aria-label', text);
};

// MARK: Stage

/** Gives the stage the form of the image, within reason, and clears it. */
let form = '';
const clear = (image) => {
  const wanted = image ? Math.min(2, Math.max(0.75, image.width / image.height)).toFixed(4) : '';
  if (wanted !== form) $('stage').style.aspectRatio = form = wanted;
  const ratio = resize(view);
  context.clearRect(0, 0, view.width, view.height);
  return ratio;
};

const paint = (image, result, size = image) => {
  const ratio = clear(size);
  const place = fit(view.width, view.height, size);
  context.drawImage(image, place.x, place.y, place.width, place.height);
  line.place = { x: place.x / ratio, y: place.y / ratio, width: place.width / ratio, height: place.height / ratio };
  if (!result?.objects) return;
  trails.draw(context, place, ratio);
  const scale = { x: place.width / result.width, y: place.height / result.height };
  drawObjects(context, result.objects, place, scale, ratio);
};

const show = (image, result) => {
  paint(image, result);
  if (result) showFound(rows(result));
};

/** The newest result and its time: on the running video boxes go that nothing follows. */
let last;
const isLive = () => $('under').value === 'live' || !live.isReady || live.silence > 3;
camera.addEventListener('frame', () => {
  if (isOnPhotos || !isLive() || !$('cover').hidden) return;
  const { videoWidth: width, videoHeight: height } = $('video');
  paint($('video'), last && performance.now() - last.time < 1000 ? last.result : undefined, { width, height });
});
camera.addEventListener('result', ({ detail: { result, bitmap } }) => {
  if (isOnPhotos) return;
  if (result.objects) trails.add(result.objects, result.width, result.height);
  last = { result, time: performance.now() };
  if (isLive()) showFound(rows(result));
  else show(bitmap, result);
  if (result.counts?.lines[0]) showCounts(result.counts.lines[0]);
  if ($('cover').hidden) return;
  $('cover').hidden = true;
  $('running').hidden = false;
});
camera.addEventListener('size', () => {
  trails.clear();
  last = undefined;
  keepCounts();
  if (line.isShown) live.change({ lines: lines() });
});
camera.addEventListener('ended', () => {
  cover();
  notice('The camera has gone', 'Connect it and start again, or choose photos.');
});

const cover = () => {
  $('cover').hidden = false;
  $('running').hidden = true;
  notice();
  clear();
  view.setAttribute('aria-label', 'No image yet');
  line.isShown = false;
  for (const id of ['rate', 'p50', 'p95', 'dropped']) number(id, NaN);
};

const start = async (device) => {
  $('start').disabled = true;
  notice();
  try {
    await camera.start(device);
    if (isOnPhotos) {
      clear();
      showNothing();
    }
    isOnPhotos = false;
    $('photos').hidden = true;
    $('stop').textContent = 'Stop camera';
    offerLine();
    live.change({ lines: lines() });
    $('figures').hidden = false;
    state(live.isReady ? 'good' : 'wait', live.isReady ? 'Live' : 'Connecting');
    await listCameras();
  } catch (error) {
    camera.stop();
    cover();
    notice(...(cameraProblems[error.name] ?? ['The camera does not start', error.message]));
  }
  $('start').disabled = false;
};

const listCameras = async () => {
  const devices = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
  $('camera-field').hidden = devices.length < 2;
  const present = $('video').srcObject?.getVideoTracks()[0]?.getSettings().deviceId;
  $('device').replaceChildren(...devices.map(({ deviceId, label }, index) =>
    new Option(label || `Camera ${index + 1}`, deviceId, false, deviceId === present)));
};

$('start').onclick = () => start();
$('device').onchange = () => start($('device').value);
$('stop').onclick = () => {
  if (isOnPhotos) return start();
  camera.stop();
  trails.clear();
  showNothing();
  state('good', 'Ready');
  cover();
  $('start').focus();
};

// MARK: Photos

const take = (files) => {
  if (photos.add(files, photoRequest()) === 0) {
    if (files.length > 0) state('bad', `${files[0].name} is no image. Choose a JPEG, PNG or WebP file`);
    return;
  }
  camera.stop();
  isOnPhotos = true;
  offerLine();
  $('cover').hidden = true;
  $('running').hidden = false;
  $('stop').textContent = 'Start camera';
  $('figures').hidden = true;
  $('photos').hidden = false;
};

photos.addEventListener('key', () => askForKey());
photos.addEventListener('change', () => {
  const item = photos.current;
  if (!isOnPhotos && item) return;
  $('strip').replaceChildren(...photos.items.map((each) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', title: each.name });
    button.setAttribute('aria-label', each.name);
    button.setAttribute('aria-current', each === item);
    const thumbnail = Object.assign(document.createElement('canvas'), { width: 192, height: 136 });
    if (each.bitmap) {
      const scale = Math.max(192 / each.bitmap.width, 136 / each.bitmap.height);
      const [width, height] = [each.bitmap.width * scale, each.bitmap.height * scale];
      thumbnail.getContext('2d').drawImage(each.bitmap, (192 - width) / 2, (136 - height) / 2, width, height);
    }
    button.append(thumbnail);
    const badge = each.problem ? '!' : each.result ? String(each.result.objects?.length ?? each.result.labels.length) : '…';
    button.append(Object.assign(document.createElement('b'), { textContent: badge }));
    button.onclick = () => photos.show(each);
    const row = document.createElement('li');
    row.append(button);
    return row;
  }));
  showPhoto();
});

const showPhoto = () => {
  const item = photos.current;
  if (!item) return;
  trails.clear();
  if (item.bitmap) show(item.bitmap, item.result);
  else clear();
  if (item.result) describe(rows(item.result));
  else {
    showNothing();
    view.setAttribute('aria-label', item.problem ?? 'No image yet');
  }
  $('json').textContent = item.text ?? '';
  $('copy').disabled = !item.text;
  $('save').disabled = !item.bitmap || !item.result;
  state(item.problem ? 'bad' : item.result ? 'good' : 'wait', item.problem ?? (item.result ? item.name : `Asking for ${item.name}`));
};

$('choose').onclick = $('choose-2').onclick = () => $('files').click();
$('files').onchange = () => {
  take($('files').files);
  $('files').value = '';
};
$('copy').onclick = async () => {
  try {
    await navigator.clipboard.writeText(photos.current.text);
    state('good', 'JSON copied');
  } catch {
    // Without a secure address the browser has no clipboard; a person has.
    document.querySelector('details').open = true;
    getSelection().selectAllChildren($('json'));
  }
};
/** The photo at its own size with what is on it. */
const annotated = ({ bitmap, result }) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
  const context = canvas.getContext('2d', { alpha: false });
  context.drawImage(bitmap, 0, 0);
  const scale = { x: bitmap.width / result.width, y: bitmap.height / result.height };
  const unit = Math.max(1, Math.max(bitmap.width, bitmap.height) / 900);
  drawObjects(context, result.objects ?? [], { x: 0, y: 0, width: bitmap.width, height: bitmap.height }, scale, unit);
  return canvas;
};

$('save').onclick = () => annotated(photos.current).toBlob((blob) => {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(blob), download: `${photos.current.name.replace(/\.\w+$/, '')}-found.jpg`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}, 'image/jpeg', 0.92);

addEventListener('dragover', (event) => {
  event.preventDefault();
  $('drop').hidden = !event.dataTransfer.types.includes('Files');
});
addEventListener('dragleave', (event) => { if (!event.relatedTarget) $('drop').hidden = true; });
addEventListener('drop', (event) => {
  event.preventDefault();
  $('drop').hidden = true;
  take(event.dataTransfer.files);
});
addEventListener('paste', (event) => take(event.clipboardData.files));
addEventListener('resize', () => { if (isOnPhotos) showPhoto(); });

// MARK: Sources

const showTab = (isSources) => {
  $('tab-camera').setAttribute('aria-current', !isSources);
  $('tab-sources').setAttribute('aria-current', isSources);
  $('main').hidden = isSources;
  $('sources').hidden = !isSources;
  // Each source has its own.
  $('state').hidden = isSources;
  sources.isShown = isSources;
};
$('tab-camera').onclick = () => showTab(false);
$('tab-sources').onclick = () => showTab(true);

const loadSources = async () => {
  try {
    $('tabs').hidden = await sources.load() === 0;
  } catch {
    setTimeout(loadSources, 2000);
  }
};

// MARK: Server

live.addEventListener('change', ({ detail }) => classes.offer(detail.labels));
live.addEventListener('ready', ({ detail }) => {
  classes.offer(detail.labels);
  if (!isOnPhotos) state('good', camera.isRunning ? 'Live' : 'Ready');
  if (line.isShown) live.change({ lines: lines() });
  if (wasLost) readModels();
  wasLost = false;
});
const forgetBoxes = () => {
  trails.clear();
  last = undefined;
  if (!isOnPhotos) showNothing();
};
live.addEventListener('silent', ({ detail }) => {
  forgetBoxes();
  if (!isOnPhotos) state('bad', `The server has not answered for ${detail} s. ${noServer}`);
});
live.addEventListener('lost', ({ detail: { code, wait } }) => {
  wasLost = true;
  keepCounts();
  forgetBoxes();
  const seconds = Math.max(1, Math.round(wait / 1000));
  // The key may have been revoked.
  fetch('/v1/models').then(({ status }) => { if (status === 401) askForKey(); }, () => {});
  const again = `trying again in ${seconds} s`;
  if (!isOnPhotos) state('bad', code === 1013 ? `The server is full; ${again}` : `No server; ${again}. ${noServer}`);
});
live.addEventListener('error', ({ detail: { sequence, error } }) => {
  state('bad', `${error.message}.`);
  // The server has other models than the page knows.
  if (sequence == null && !live.isReady && error.code.startsWith('model-')) setTimeout(loadModels, 2000);
});
live.addEventListener('result', () => { if (camera.isRunning && !isOnPhotos) state('good', 'Live'); });

setInterval(() => {
  if (!camera.isRunning || isOnPhotos || !$('cover').hidden) return;
  number('rate', Math.round(camera.rate));
  number('p50', Math.round(camera.delays.at(0.5)), 'ms');
  number('p95', Math.round(camera.delays.at(0.95)), 'ms');
  number('dropped', camera.dropped);
}, 500);

// For readers of the screen.
setInterval(() => {
  if (!isOnPhotos && camera.isRunning && $('found').dataset.rows) describe(JSON.parse($('found').dataset.rows));
}, 3000);

clear();
if (!navigator.mediaDevices) notice(...cameraProblems.InsecureContext);
loadModels();
