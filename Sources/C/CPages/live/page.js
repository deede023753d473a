// SPDX-License-Identifier: Apache-2.0
// What all parts of the page share: its elements, its words, what is chosen, and the connection.
import { Classes } from './classes.js';
import { Live } from './live.js';
import { saved } from './settings.js';

export const $ = (id) => document.getElementById(id);
export const make = (name, values = {}) => Object.assign(document.createElement(name), values);

export const live = new Live();
export const classes = new Classes($('class'), $('classes'), $('chosen'), saved.allow);
/** The state of the page; the camera and the line are there once their part is loaded. */
export const page = Object.assign(new EventTarget(), { models: [], isOnPhotos: false, camera: undefined, line: undefined });
export const isRunning = () => page.camera?.isRunning ?? false;

// MARK: Words

export const noServer = 'Check that it runs, and the network';
export const insecure = ['The camera needs a secure address',
  `Browsers give it to https:// alone, or to http://localhost:${location.port} on the server. Start that with --tls-self-signed.`];

export const state = (kind, text) => {
  if ($('state-text').textContent === text) return;
  $('state').dataset.kind = kind;
  $('state-text').textContent = text;
};

/** Explains what is missing and what to do; no title takes it away. */
export const notice = (title, text = '') => {
  $('notice').hidden = !title;
  $('welcome').hidden = Boolean(title);
  if (!title) return;
  $('notice').querySelector('h2').textContent = title;
  $('notice').querySelector('p').textContent = text;
};

// MARK: Settings

export const model = () => page.models.find(({ name }) => name === $('model').value);
export const settings = () => ({
  model: $('model').value, threshold: Number($('threshold').value), every: Number($('every').value), allow: classes.chosen,
});
export const photoRequest = () => {
  const { every, ...values } = settings();
  return { ...values, task: model()?.task ?? 'detect' };
};
/** Lines count objects of a camera, which the detector may skip: not photos, and not labels of a whole image. */
export const offerLine = () => {
  const isOffered = !page.isOnPhotos && model()?.task !== 'label';
  $('line-field').hidden = $('every-field').hidden = !isOffered;
  $('under-field').hidden = page.isOnPhotos;
  if (page.line) page.line.isShown = isOffered && isRunning() && $('counting').checked;
};
export const lines = () => (page.line?.isShown ? [page.line.pixels(page.camera.size)] : []);

// MARK: Focus

/** Whether the focus is on nothing, or on what has just been hidden. */
export const isFocusLost = () => {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || activeElement.getClientRects().length === 0;
};

/** Hides the cover of the stage; a focus that was on what is hidden goes on to another element. */
export const uncover = (next) => {
  $('cover').hidden = true;
  $('running').hidden = false;
  if (isFocusLost()) next?.focus({ preventScroll: true });
};

// MARK: Found

export const showFound = (rows) => {
  const text = JSON.stringify(rows);
  if ($('found').dataset.rows === text) return;
  $('found').dataset.rows = text;
  $('found').replaceChildren(...(rows.length === 0 ? [['Nothing above the least score']] : rows).map(([name, value]) => {
    const row = make('li');
    row.append(make('span', { textContent: name }));
    if (value == null) row.className = 'none';
    else row.append(make('b', { textContent: value }));
    return row;
  }));
};

export const showNothing = () => {
  delete $('found').dataset.rows;
  $('found').replaceChildren(make('li', { className: 'none', textContent: 'Nothing yet' }));
};

export const rows = (result) => {
  if (result.labels) return result.labels.map(({ text, confidence }) => [text ?? 'no name', confidence.toFixed(2)]);
  const counts = new Map();
  for (const { labels } of result.objects) {
    const name = labels[0]?.text ?? 'object';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
};

/** For readers of the screen. */
export const describe = (found) => {
  const text = found.length === 0 ? 'Nothing found' : found.map(([name, value]) => `${value} ${name}`).join(', ');
  $('view').setAttribute('aria-label', text);
};
