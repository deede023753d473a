// SPDX-License-Identifier: Apache-2.0
// The page about objects, labels or maps of classes of images: totals, and a card for each image, with filters and orders.

const field = (id) => document.getElementById(id);
const style = (color) => (color === undefined ? 'cn' : `c${color}`);
const duration = (ms) => (ms < 99.95 ? `${fixed(ms, 1)} ms` : ms < 9999.5 ? `${fixed(ms, 0)} ms` : `${fixed(ms / 1000, 1)} s`);
/** The displayed class of a finding. */
const label = (finding) => visible(finding.label || 'object', 1000);
const isMaps = data.kind === 'maps';
/** The nouns for one result and for several. */
const [ONE, SEVERAL] = { objects: ['object', 'objects'], labels: ['label', 'labels'], maps: ['class', 'classes'] }[data.kind];
/** A score; for a class of a map, its share. */
const number = (score) => (isMaps ? percent(score) : fixed(score, 2));
const words = (finding) => `${label(finding)} ${number(finding.score)}`;
/** The colour of a class: its name's, or the one in which maps paint it. */
const dot = ({ color, paint }) => (paint
  ? make('svg', { class: 'dot', viewBox: '0 0 1 1', 'aria-hidden': 'true' }, make('rect', { width: 1, height: 1, fill: paint }))
  : make('span', { class: `dot ${style(color)}` }));

// Totals.

const histogram = () => {
  const total = data.bins.reduce((sum, count) => sum + count, 0);
  if (total === 0) return section('scores', 'Scores', note('There are no scores.'));
  const [left, width, top, bottom] = [8, 304, 20, 152];
  const step = width / data.bins.length;
  const most = Math.max(...data.bins);
  const peak = data.bins.indexOf(most);
  const ends = (index) => `${fixed(index / data.bins.length, 2)} to ${fixed((index + 1) / data.bins.length, 2)}`;
  const bars = data.bins.map((count, index) => {
    if (!count) return null;
    // A single one among thousands stays visible.
    const height = Math.max(1.5, count / most * (bottom - top));
    return make('rect', { x: at(left + index * step + 1), y: at(bottom - height), width: at(step - 2), height: at(height), rx: 2 },
      make('title', null, `${ends(index)}: ${grouped(count)}`));
  });
  const text = (x, y, anchor, content) => make('text', { x, y, 'text-anchor': anchor }, content);
  return section('scores', 'Scores', make('svg', { class: 'plot', viewBox: '0 0 320 172', role: 'img',
    'aria-label': `Histogram of ${counted(total, 'score')}; the largest bin, ${grouped(most)}, is ${ends(peak)}` },
  bars, text(at(Math.min(Math.max(left + (peak + 0.5) * step, 16), 304)), 14, 'middle', grouped(most)),
  make('line', { x1: 8, y1: 152.5, x2: 312, y2: 152.5 }),
  text(8, 167, 'start', '0'), text(160, 167, 'middle', '0.5'), text(312, 167, 'end', '1')));
};

const [OPEN_CLASSES, MOST_CLASSES] = [8, 200];

/** Classes with their indices, the most frequent first, of maps the largest, equal ones by name. */
const ranked = data.classes.map((each, number) => ({ ...each, number })).sort((a, b) => (
  (isMaps ? b.share - a.share : b.findings - a.findings) || (a.label < b.label ? -1 : 1)));
const className = (each) => visible(each.label || 'unlabelled', 1000);

const classes = () => {
  if (!ranked.length) return null;
  const shown = ranked.slice(0, MOST_CLASSES);
  const open = shown.length <= OPEN_CLASSES + 1 ? shown.length : OPEN_CLASSES;
  const others = ranked.slice(MOST_CLASSES).reduce((sum, each) => sum + each.findings, 0) + data.otherFindings;
  const heads = isMaps ? ['class', 'images', 'mean share', 'largest'] : ['class', SEVERAL, 'images', 'best'];
  const cells = (each) => (isMaps
    ? [grouped(each.images), percent(each.share), percent(each.best)]
    : [grouped(each.findings), grouped(each.images), fixed(each.best, 2)]);
  const rows = (list) => table(heads, list.map((each) => [[dot(each), make('bdi', null, className(each))], ...cells(each)]));
  return section('classes', 'Classes', rows(shown.slice(0, open)),
    shown.length > open && folded(`${grouped(shown.length - open)} more classes`, rows(shown.slice(open))),
    others > 0 && note(`${grouped(others)} more belong to other classes.`));
};

const times = () => data.stages.length > 0 && section('times', 'Time of each image',
  table(['stage', 'median', '95 % within'], data.stages.map((each) => [
    visible(each.name, 1000), duration(each.median), duration(each.most)])));

// Cards.

/** The number of findings listed before the rest is folded. */
const OPEN_FINDINGS = 5;

/** The outlines of a mask; those of holes run the other way round, so that they are not filled. */
const outlines = (name, mask) => make('path', { class: name, d: mask.map((points) => `M${points}Z`).join('') });

/** Lines of four numbers or dots of two, on the left, in the middle and on the right; a dot is a line without length. */
const SIDES = ['left', 'middle', 'right'];
const traced = (name, size, sides = []) => sides.map((all, side) => all.length > 0 && make('path', {
  class: `${name} ${SIDES[side]}`, d: Array.from({ length: all.length / size }, (_, index) => {
    const [x, y, toX = x, toY = y] = all.slice(index * size, (index + 1) * size);
    return `M${x},${y}L${toX},${toY}`;
  }).join('') }));
const skeleton = ({ bones, joints }) => [traced('bone halo', 4, bones), traced('bone', 4, bones), traced('joint halo', 2, joints),
  traced('joint', 2, joints)];

/** A rotated box, or the upright one. */
const frame = (name, { box: [x, y, width, height], corners }) => (corners
  ? make('polygon', { class: name, points: corners }) : make('rect', { class: name, x, y, width, height }));

/** Masks, boxes and skeletons above them, the best on top, and captions above all boxes so that no line crosses text. */
const overlay = (image) => {
  const group = (finding, ...children) => make('g', {
    class: style(finding.color) + (finding.mask || finding.bones ? ' thin' : ''), 'data-s': finding.score ?? '' }, children);
  const drawn = image.findings.filter((each) => each.box).reverse();
  return [
    drawn.filter((each) => each.mask).map((each) => group(each, outlines('mask', each.mask))),
    drawn.map((each) => group(each, frame('halo', each), frame('box', each), each.mask && outlines('edge', each.mask),
      skeleton(each))),
    image.findings.filter((each) => each.chip).map((each) => {
      const [x, y, width] = each.chip;
      return group(each, make('rect', { class: 'chip', x, y, width, height: 16, rx: 3 }), make('text',
        { x: at(x + 5), y: at(y + 12), textLength: at(width - 10), lengthAdjust: 'spacingAndGlyphs' }, visible(each.caption, 1000)));
    })];
};

const shot = (image) => {
  if (!image.frame) return null;
  const found = image.findings.slice(0, OPEN_FINDINGS).map(words).join(', ')
    + (image.found > OPEN_FINDINGS ? ` and ${image.found - OPEN_FINDINGS} more` : '');
  const alt = `${visible(image.name, 1000)}: ${found || 'nothing found'}`;
  const [width, height] = image.frame;
  const view = `0 0 ${width} ${height}`;
  const map = image.map && make('img', { alt: 'Map of the classes', width, height, src: `data:image/png;base64,${image.map}` });
  if (!image.image) {
    return make('div', { class: 'shot' }, map, make('svg', { viewBox: view, role: 'img', 'aria-label': alt },
      make('rect', { class: 'frame', width, height }), overlay(image)));
  }
  return make('div', { class: 'shot' },
    make('img', { alt, width: image.image.width, height: image.image.height, src: `data:image/jpeg;base64,${image.image.jpeg}` }),
    map,
    image.findings.some((each) => each.box) && make('svg', { viewBox: view, 'aria-hidden': 'true' }, overlay(image)));
};

const row = (finding) => make('li', { 'data-s': finding.score ?? '' }, dot(finding),
  make('bdi', null, label(finding)),
  make('svg', { class: 'bar', viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    make('rect', { class: style(finding.color), fill: finding.paint, width: at(Math.min(Math.max(finding.score ?? 0, 0), 1) * 100), height: 1 })),
  make('span', { class: 'number' }, number(finding.score)));

const list = (image) => {
  const listed = image.findings;
  if (!listed.length) return null;
  // One more is not worth folding.
  const open = listed.length <= OPEN_FINDINGS + 1 ? listed.length : OPEN_FINDINGS;
  const rows = (findings) => make('ul', { class: isMaps ? 'found shares' : 'found' }, findings.map(row));
  return [rows(listed.slice(0, open)), listed.length > open && folded(`${grouped(image.found - open)} more`, rows(listed.slice(open)),
    image.found > listed.length && make('p', { class: 'meta' }, `${grouped(image.found - listed.length)} are not listed.`))];
};

const makeCard = (image) => {
  const cut = image.name.lastIndexOf('/') + 1;
  const meta = [image.size && `${image.size[0]} × ${image.size[1]}`, `${grouped(image.found)} ${image.found === 1 ? ONE : SEVERAL}`,
    image.ms !== undefined && duration(image.ms)];
  return make('li', { class: 'card' }, shot(image),
    // Many images share the folder, so it is less prominent than the file name.
    make('h3', null, make('bdi', null, cut > 0 && make('span', { class: 'folder' }, visible(image.name.slice(0, cut), 1000)),
      visible(image.name.slice(cut), 1000))),
    make('p', { class: 'meta' }, meta.filter(Boolean).join(' · ')), list(image));
};

// Filters and orders.

const entries = data.images.map((image, order) => ({
  image, order, name: image.name.toLowerCase(), score: image.best ?? -1, found: image.found, time: image.ms ?? 0 }));
const unsure = (entry) => (entry.score < 0 ? Infinity : entry.score);
const orders = {
  run: () => 0,
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  sure: (a, b) => b.score - a.score,
  unsure: (a, b) => (unsure(a) === unsure(b) ? 0 : unsure(a) - unsure(b)),
  many: (a, b) => b.found - a.found,
  slow: (a, b) => b.time - a.time,
};

/** The number of cards made at a time: more are made near the end of the page, and all for a printer. */
const STEP = 500;
let shown = [];
let done = 0;
/** The least score of what is shown; a page of maps has no such filter. */
const leastScore = () => Number(field('by-score')?.value ?? 0);
const more = () => {
  const least = leastScore();
  const next = shown.slice(done, done + STEP);
  done += next.length;
  for (const entry of next) {
    entry.card ??= makeCard(entry.image);
    for (const part of entry.card.querySelectorAll('[data-s]')) {
      part.toggleAttribute('hidden', part.dataset.s !== '' && Number(part.dataset.s) < least);
    }
  }
  field('images').append(...next.map((entry) => entry.card));
};
const show = () => {
  const [text, wanted, least] = [field('by-name').value.trim().toLowerCase(), field('by-class').value, leastScore()];
  const precedes = orders[field('by-order').value] ?? orders.run;
  if (field('least')) field('least').textContent = least.toFixed(2);
  shown = entries.filter((entry) => entry.name.includes(text) && (least === 0 || entry.score >= least)
    && (wanted === '' || (wanted === 'none' ? entry.found === 0 : entry.image.classes.includes(Number(wanted)))))
    .sort((a, b) => precedes(a, b) || a.order - b.order);
  field('shown').textContent = shown.length === entries.length
    ? `All ${shown.length} shown.` : `${shown.length} of ${entries.length} shown.`;
  done = 0;
  field('images').replaceChildren();
  more();
};
let isWaiting = false;
const later = () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; show(); });
};

field('overview').append(...[!isMaps && histogram(), classes(), times()].filter(Boolean));
field('by-class').lastElementChild.before(...ranked.slice(0, MOST_CLASSES)
  .map((each) => make('option', { value: each.number }, className(each))));
for (const id of ['by-name', 'by-class', 'by-score', 'by-order']) field(id)?.addEventListener('input', later);
field('tools').hidden = data.imageCount < 2;
show();
new IntersectionObserver((found) => { if (found.some((each) => each.isIntersecting)) more(); }, { rootMargin: '2000px' })
  .observe(document.querySelector('footer'));
addEventListener('beforeprint', () => { while (done < shown.length) more(); });
