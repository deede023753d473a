// SPDX-License-Identifier: Apache-2.0
// Shared by all parts of the page: its elements, strings, settings, and connection.
import { Classes } from './classes.js';
import { Live } from './live.js';
import { saved } from './settings.js';

export const $ = (id) => document.getElementById(id);
export const make = (name, values = {}) => Object.assign(document.createElement(name), values);

export const live = new Live();
export const classes = new Classes($('class'), $('classes'), $('chosen'), saved.allow);
/** The state of the page; the camera and the line are set once their part is loaded. */
export const page = Object.assign(new EventTarget(), { models: [], isOnPhotos: false, camera: undefined, line: undefined });
export const isRunning = () => page.camera?.isRunning ?? false;

// MARK: Words

export const noServer = 'Check that it runs, and the network';
export const insecure = ['The camera needs a secure address',
  `Browsers allow it only on https:// or http://localhost:${location.port}. Start the server with --tls-self-signed.`];

export const state = (kind, text) => {
  if ($('state-text').textContent === text) return;
  $('state').dataset.kind = kind;
  $('state-text').textContent = text;
};

/** Explains a problem and its remedy; hidden without a title. */
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
/** Lines count a camera's objects, and the detector may skip camera frames; neither applies to photos or labels. */
export const offerLine = () => {
  const isOffered = !page.isOnPhotos && model()?.task !== 'label';
  $('line-field').hidden = $('every-field').hidden = !isOffered;
  $('under-field').hidden = page.isOnPhotos;
  if (page.line) page.line.isShown = isOffered && isRunning() && $('counting').checked;
};
export const lines = () => (page.line?.isShown ? [page.line.pixels(page.camera.size)] : []);

// MARK: Focus

/** Whether the focus is on nothing or on a hidden element. */
export const isFocusLost = () => {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || activeElement.getClientRects().length === 0;
};

/** Hides the cover of the stage, and moves the focus if it was in the cover. */
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
  $('found').replaceChildren(...(rows.length === 0 ? [['Nothing above the minimum score']] : rows).map(([name, value]) => {
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

/** The name of a class, or its number in a model without labels; an object may have no class. */
export const nameOf = (label) => (label ? label.text ?? `class ${label.index}` : 'object');

export const rows = (result) => {
  if (result.labels) return result.labels.map((label) => [nameOf(label), label.confidence.toFixed(2)]);
  const counts = new Map();
  for (const { labels } of result.objects) {
    const name = nameOf(labels[0]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
};

/** For screen readers. */
export const describe = (found) => {
  const text = found.length === 0 ? 'Nothing found' : found.map(([name, value]) => `${value} ${name}`).join(', ');
  $('view').setAttribute('aria-label', text);
};
