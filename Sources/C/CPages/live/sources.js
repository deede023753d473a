// SPDX-License-Identifier: Apache-2.0
// The sources of the server: a tile for each, subscribed while visible, and their events; a single source is shown large.
import { watch } from './events.js';
import { $, isFocusLost } from './page.js';
import { Tile } from './tile.js';

const tiles = new Map();
const seen = new Set();
let isShown = false;
let one;

const update = () => {
  const isSeen = isShown && document.visibilityState === 'visible';
  for (const tile of tiles.values()) tile.isWanted = isSeen && seen.has(tile.element);
  watch(isSeen, one);
};

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target);
  update();
});
document.addEventListener('visibilitychange', update);

/** Shows all sources, or one of them large. */
export const show = (streams, name) => {
  for (const stream of streams) {
    if (tiles.has(stream.name)) continue;
    const tile = new Tile(stream);
    tiles.set(stream.name, tile);
    $('tiles').append(tile.element);
    observer.observe(tile.element);
  }
  const before = one;
  one = name;
  isShown = true;
  $('sources').classList.toggle('one', Boolean(name));
  $('all').hidden = !name;
  $('unknown').hidden = !name || tiles.has(name);
  $('unknown').textContent = `The server has no source '${name}', or your key does not allow it.`;
  for (const [each, tile] of tiles) {
    tile.isLarge = each === name;
    tile.element.hidden = Boolean(name) && each !== name;
  }
  if (name) $('all').focus({ preventScroll: true });
  else if (before && isFocusLost()) (tiles.get(before) ?? [...tiles.values()][0])?.link.focus();
  if (name && !before) scrollTo(0, 0);
  update();
};

/** Pauses all sources. */
export const hide = () => {
  isShown = false;
  $('picture').close();
  one = undefined;
  update();
};

addEventListener('keydown', ({ key }) => { if (key === 'Escape' && isShown && one && !$('picture').open) $('all').click(); });
