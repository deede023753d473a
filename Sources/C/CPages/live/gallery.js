// SPDX-License-Identifier: Apache-2.0
// Photos on the stage: the strip of thumbnails, and actions on the shown photo.
import { drawObjects } from './draw.js';
import { $, describe, make, offerLine, page, photoRequest, rows, showFound, showNothing, state, uncover } from './page.js';
import { isReadable, lost, Photos } from './photos.js';
import { clear, cover, paint, trails } from './stage.js';

const photos = new Photos();
const entries = new Map();

export const take = (files) => {
  photos.request = photoRequest();
  page.camera?.stop();
  page.isOnPhotos = true;
  offerLine();
  $('stop').textContent = 'Start camera';
  $('figures').hidden = true;
  $('photos').hidden = false;
  photos.add(files);
  uncover(entries.get(photos.current)?.button);
};

/** A setting changed: the shown photo is requested again. */
export const change = () => { photos.request = photoRequest(); };

// MARK: Strip

const entry = (item) => {
  const row = make('li'), button = make('button', { type: 'button' }), badge = make('b');
  button.append(badge);
  button.onclick = () => {
    // A camera that failed to start has covered the photos.
    if ($('key').hidden) uncover(button);
    photos.show(item);
  };
  button.onkeydown = ({ key }) => { if (key === 'Delete' || key === 'Backspace') remove([item]); };
  row.append(button);
  $('strip').append(row);
  return { row, button, badge };
};

/** A photo's problem, with its name. */
const named = ({ name, problem }) => `${name}: ${problem}`;

const found = ({ problem, result }) => {
  if (problem) return '!';
  return result ? String(result.objects?.length ?? result.labels.length) : '…';
};

const showStrip = () => {
  for (const [item, { row }] of entries) {
    if (photos.items.includes(item)) continue;
    row.remove();
    entries.delete(item);
  }
  for (const item of photos.items) {
    if (!entries.has(item)) entries.set(item, entry(item));
    const { button, badge } = entries.get(item);
    if (item.small && !item.small.parentNode) button.prepend(item.small);
    const text = item.ask ? '…' : found(item);
    const isOld = !item.ask && photos.isOld(item);
    if (badge.textContent !== text) badge.textContent = text;
    badge.className = isOld ? 'old' : '';
    const words = item.ask ? 'waiting' : item.problem ?? `${text} found${isOld ? ' with other settings' : ''}`;
    button.title = item.problem ? named(item) : item.name;
    button.setAttribute('aria-label', `${item.name}, ${words}`);
    button.setAttribute('aria-current', item === photos.current);
  }
};

const remove = (gone) => {
  const isInStrip = $('strip').contains(document.activeElement);
  photos.remove(gone);
  if (photos.current && isInStrip) entries.get(photos.current).button.focus();
};
$('remove').onclick = () => remove([photos.current]);
$('remove-all').onclick = () => remove([...photos.items]);

// MARK: Shown photo

/** Scrolls only the strip. */
const reveal = (row) => {
  const strip = $('strip'), left = row.offsetLeft, right = left + row.offsetWidth;
  if (left < strip.scrollLeft) strip.scrollLeft = left;
  else if (right > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = right - strip.clientWidth;
};

let shown;
const showPhoto = () => {
  const item = photos.current;
  if (!item) return;
  trails.clear();
  if (item !== shown) reveal(entries.get(item).row);
  shown = item;
  const isAnswered = item.result && !item.ask;
  const image = item.image ?? item.small;
  if (image) paint(image, isAnswered ? item.result : undefined);
  else clear();
  if (isAnswered) {
    showFound(rows(item.result));
    describe(rows(item.result));
  } else {
    showNothing();
    $('view').setAttribute('aria-label', item.problem ? named(item) : item.name);
  }
  const isBroken = item.problem && !item.ask;
  $('broken').hidden = !isBroken || Boolean(image);
  if (isBroken) $('broken').textContent = named(item);
  const text = item.ask ? '' : item.text ?? '';
  if ($('json').textContent !== text) $('json').textContent = text;
  $('copy').disabled = !text;
  $('save').disabled = !image || !isAnswered;
  if (item.ask) state('wait', `Waiting for ${item.name}`);
  else state(isBroken ? 'bad' : 'good', isBroken ? named(item) : item.name);
};

const leave = () => {
  shown = undefined;
  page.isOnPhotos = false;
  $('photos').hidden = true;
  $('figures').hidden = false;
  cover();
  showNothing();
  offerLine();
  $('stop').textContent = 'Stop camera';
  state('good', 'Ready');
};

photos.addEventListener('key', () => page.dispatchEvent(new Event('key')));
photos.addEventListener('change', () => {
  showStrip();
  if (!page.isOnPhotos) return;
  if (photos.items.length === 0) leave();
  else showPhoto();
});
addEventListener('resize', () => { if (page.isOnPhotos) showPhoto(); });

// MARK: Copy and save

/** Shows a button's result on the button itself, near the pointer. */
const say = (button, text) => {
  button.dataset.text ??= button.textContent;
  button.textContent = text;
  clearTimeout(button.dataset.timer);
  button.dataset.timer = setTimeout(() => { button.textContent = button.dataset.text; }, 2500);
};

/** Insecure addresses have no clipboard API, but selected text can be copied. */
const copySelected = () => {
  const wasOpen = $('details').open;
  $('details').open = true;
  getSelection().selectAllChildren($('json'));
  if (!document.execCommand('copy')) return false;
  $('details').open = wasOpen;
  getSelection().removeAllRanges();
  return true;
};

$('copy').onclick = async () => {
  const isCopied = await navigator.clipboard?.writeText(photos.current.text).then(() => true, () => false) || copySelected();
  say($('copy'), isCopied ? 'Copied' : 'Press Ctrl+C');
  state(isCopied ? 'good' : 'wait', isCopied ? 'JSON copied' : 'The JSON is selected: copy it with Ctrl+C');
};

/** The photo at its own size with its objects. */
const annotated = async ({ result, ...item }) => {
  const image = await photos.whole(item);
  const { width, height } = image;
  const canvas = make('canvas', { width, height });
  const context = canvas.getContext('2d', { alpha: false });
  context.drawImage(image, 0, 0);
  image.close();
  const scale = { x: width / result.width, y: height / result.height };
  drawObjects(context, result.objects ?? [], { x: 0, y: 0, width, height }, scale, Math.max(1, Math.max(width, height) / 900));
  const blob = await new Promise((done) => { canvas.toBlob(done, 'image/jpeg', 0.92); });
  canvas.width = canvas.height = 0;
  return blob;
};

$('save').onclick = async () => {
  const item = photos.current;
  try {
    const href = URL.createObjectURL(await annotated(item));
    make('a', { href, download: `${item.name.replace(/\.\w+$/, '')}-found.jpg` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
    say($('save'), 'Saved');
  } catch {
    state('bad', await isReadable(item.file) ? `${item.name} is too large for this browser to save` : `${item.name}: ${lost}`);
  }
};
