// SPDX-License-Identifier: Apache-2.0
// The first view: the server's state, the controls, and links to the rest, which is loaded on first use.
import {
  $, classes, insecure, isRunning, live, model, noServer, notice, offerLine, page, settings, showNothing, state,
} from './page.js';
import { restore, save, saved } from './settings.js';

const loaded = {};
/** Loads a part of the page once: `follow` for the camera, `gallery` for photos, `sources`; undefined while no server answers. */
const part = async (name) => {
  try {
    // Browsers cache a failed module load forever, so check that it is available first.
    if (!loaded[name] && !(await fetch(`/assets/${name}.js`, { method: 'HEAD' })).ok) throw new TypeError(name);
    return await (loaded[name] ??= import(`./${name}.js`));
  } catch {
    delete loaded[name];
    state('bad', `No server. ${noServer}`);
    return undefined;
  }
};

const change = async (values) => {
  live.change(values);
  if (page.isOnPhotos) (await part('gallery'))?.change();
};

// MARK: Key

/** Asks for an access key; the server stores it in a cookie that scripts cannot read. */
const askForKey = (problem) => {
  live.close();
  // Another key may allow other sources.
  streams = undefined;
  showTab(false);
  page.dispatchEvent(new Event('locked'));
  $('cover').hidden = false;
  state('wait', 'Key required');
  notice('This server requires a key', problem ?? 'Its operator can create one: fovea serve key add NAME');
  $('key').hidden = false;
  $('begin').hidden = true;
  $('secret').focus();
  $('secret').select();
};
page.addEventListener('key', () => askForKey());

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
  $('cover').hidden = page.isOnPhotos;
  (page.isOnPhotos ? $('stop') : $('start')).focus();
  await loadModels();
  // The shown photo was refused without the key.
  if (page.isOnPhotos) (await part('gallery'))?.change();
};

// MARK: Models

let wanted = saved.model;
/** Reads the served models; retries if that fails. */
const readModels = async () => {
  let problem = `No server; trying again. ${noServer}`;
  try {
    const answer = await fetch('/v1/models', { signal: AbortSignal.timeout(10_000) });
    if (answer.status === 401) return askForKey();
    const value = await answer.json();
    if (answer.status === 403) return askForKey(`${value.error.message}.`);
    if (!answer.ok) throw new Error(problem = `${value.error.message}.`);
    // Maps and features cannot be shown; a model without a task is not loaded yet.
    const models = value.models.filter(({ task = 'detect' }) => ['detect', 'label'].includes(task));
    if (!models.length) throw new Error(problem = 'The server has no detector or classifier. Its operator can add one.');
    page.models = models;
  } catch {
    state('bad', problem);
    setTimeout(loadModels, 2000);
    return false;
  }
  const chosen = wanted ?? $('model').value;
  const options = page.models.map(({ name, task }) => new Option(task === 'label' ? `${name} (labels)` : name, name));
  $('model').replaceChildren(...options);
  if (page.models.some(({ name }) => name === chosen)) $('model').value = chosen;
  classes.offer(model()?.labels);
  offerLine();
  return true;
};

const loadModels = async () => {
  if (!await readModels()) return;
  live.open(settings());
  if (!streams) loadSources();
};

// MARK: Controls

const showThreshold = () => { $('threshold-text').value = Number($('threshold').value).toFixed(2); };
for (const name of ['threshold', 'every', 'under']) restore($(name), name);
showThreshold();
$('counting').checked = saved.counting === true;
$('counts').hidden = !$('counting').checked;

$('model').onchange = () => {
  wanted = $('model').value;
  save({ model: wanted });
  classes.offer(model()?.labels);
  offerLine();
  page.dispatchEvent(new Event('model'));
  change(settings());
};
classes.addEventListener('change', () => {
  save({ allow: classes.chosen });
  change({ allow: classes.chosen });
});
$('every').onchange = () => {
  save({ every: $('every').value });
  change({ every: Number($('every').value) });
};
$('under').onchange = () => save({ under: $('under').value });
$('threshold').oninput = showThreshold;
$('threshold').onchange = () => {
  save({ threshold: $('threshold').value });
  change({ threshold: Number($('threshold').value) });
};
$('counting').onchange = () => {
  save({ counting: $('counting').checked });
  $('counts').hidden = !$('counting').checked;
  offerLine();
  page.dispatchEvent(new Event('counting'));
};

// MARK: Camera and photos

let isStarting = false;
/** A disabled button would lose the focus, so a second press is ignored instead. */
const start = async () => {
  if (isStarting) return;
  isStarting = true;
  await (await part('follow'))?.start();
  isStarting = false;
};

$('start').onclick = start;
$('stop').onclick = async () => {
  if (page.isOnPhotos) return start();
  (await part('follow'))?.stop();
};

const take = async (files) => {
  const images = [...files].filter(({ type }) => type.startsWith('image/'));
  if (images.length > 0) return (await part('gallery'))?.take(images);
  if (files.length > 0) state('bad', `${files[0].name} is not an image. Choose a JPEG, PNG or WebP file`);
};

$('choose').onclick = $('choose-2').onclick = () => $('files').click();
$('files').onchange = () => {
  take([...$('files').files]);
  $('files').value = '';
};
addEventListener('dragover', (event) => {
  event.preventDefault();
  $('drop').hidden = !event.dataTransfer.types.includes('Files');
});
addEventListener('dragleave', (event) => { if (!event.relatedTarget) $('drop').hidden = true; });
addEventListener('drop', (event) => {
  event.preventDefault();
  $('drop').hidden = true;
  take([...event.dataTransfer.files]);
});
addEventListener('paste', (event) => take([...event.clipboardData.files]));

// MARK: Sources

/** The server's sources, once known. */
let streams;

const showTab = async (isSources, name) => {
  $('tab-camera').setAttribute('aria-current', !isSources);
  $('tab-sources').setAttribute('aria-current', isSources);
  $('main').hidden = isSources;
  $('sources').hidden = !isSources;
  // Each source shows its own state.
  $('state').hidden = isSources;
  document.title = name ? `${name} · Fovea` : 'Fovea';
  if (!isSources) {
    if (loaded.sources) (await loaded.sources).hide();
    return;
  }
  (await part('sources'))?.show(streams, name);
};

/** Shows the view in the address: #sources, #sources/NAME, or else the camera. */
const route = () => {
  const [tab, name] = location.hash.slice(1).split('/');
  showTab(tab === 'sources' && streams?.length > 0, name);
};
addEventListener('hashchange', route);
addEventListener('popstate', route);
$('tab-camera').onclick = () => {
  if (location.hash) history.pushState(null, '', location.pathname);
  route();
};
const showSources = () => {
  // Assigning a fragment would move the focus away from the button or the source.
  if (location.hash !== '#sources') history.pushState(null, '', '#sources');
  route();
};
$('tab-sources').onclick = showSources;
$('all').onclick = (event) => {
  // With these keys, the browser opens another tab or window.
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showSources();
};

const loadSources = async () => {
  try {
    const answer = await fetch('/v1/streams');
    // The key may not allow sources.
    streams = answer.ok ? (await answer.json()).streams : [];
    $('tabs').hidden = streams.length === 0;
    if (location.hash) route();
  } catch {
    setTimeout(loadSources, 2000);
  }
};

// MARK: Server

let wasLost = false;
/** Applies the labels of the model that the server now uses, and sends the chosen classes if it has others. */
const offer = ({ model: name, labels, allow = [], keypointSet, keypointThreshold }) => {
  Object.assign(page.models.find((model) => model.name === name) ?? {}, { labels, keypointSet, keypointThreshold });
  // Another model was chosen meanwhile; its labels follow.
  if (name !== $('model').value) return;
  classes.offer(labels);
  if (JSON.stringify(classes.chosen) !== JSON.stringify(allow)) live.change({ allow: classes.chosen });
};
live.addEventListener('change', ({ detail }) => offer(detail));
live.addEventListener('ready', ({ detail }) => {
  offer(detail);
  if (!page.isOnPhotos) state('good', isRunning() ? 'Live' : 'Ready');
  if (wasLost) readModels();
  wasLost = false;
});
live.addEventListener('silent', ({ detail }) => {
  if (!page.isOnPhotos) state('bad', `The server has not answered for ${detail} s. ${noServer}`);
});
live.addEventListener('lost', ({ detail: { code, wait } }) => {
  wasLost = true;
  if (!page.isOnPhotos) showNothing();
  const seconds = Math.max(1, Math.round(wait / 1000));
  // The key may have been revoked, or may not allow live images; scripts cannot see a WebSocket's status.
  fetch('/v1/live').then(async (answer) => {
    if (answer.status === 401) askForKey();
    if (answer.status === 403 && !page.isOnPhotos) askForKey(`${(await answer.json()).error.message}.`);
  }).catch(() => {});
  const again = `trying again in ${seconds} s`;
  if (!page.isOnPhotos) state('bad', code === 1013 ? `The server is full; ${again}` : `No server; ${again}. ${noServer}`);
});
live.addEventListener('error', ({ detail: { sequence, error } }) => {
  state('bad', `${error.message}.`);
  // The server's models have changed.
  if (sequence == null && !live.isReady && error.code.startsWith('model-')) setTimeout(loadModels, 2000);
});

if (!navigator.mediaDevices) notice(...insecure);
loadModels();
