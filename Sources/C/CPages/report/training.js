// SPDX-License-Identifier: Apache-2.0
// Photos, as thumbnails if there are any, otherwise as names; and the assembly of the page.

/** Photos with their details, in words for screen readers, and short enough for a narrow column. */
const photos = (items) => {
  const shown = items.filter((each) => each.image);
  const listed = items.filter((each) => !each.image);
  const file = (each) => make('bdi', null, visible(each.photo));
  const list = make('ul', { class: 'rows' }, listed.map((each) => make('li', null, make('span', null, file(each)), ' ',
    make('span', { class: 'about' }, each.lines.flatMap((text, index) => (index ? [' · ', text] : [text]))))));
  return [shown.length > 0 && make('ul', { class: 'photos' }, shown.map((each) => make('li', null,
    make('img', { alt: each.words, width: each.image.width, height: each.image.height, src: `data:image/jpeg;base64,${each.image.jpeg}` }),
    make('span', { class: 'name' }, file(each)), each.lines.map((text) => make('span', null, text))))),
  listed.length > 0 && (shown.length === 0 && listed.length <= 20 ? list
    : folded(shown.length ? `${grouped(listed.length)} more` : `Show ${grouped(listed.length)}`, list))];
};

/** Photos with a wrong prediction, the most confident first, grouped by pairs of classes. */
const mistakesSection = () => {
  const groups = new Map();
  for (const each of result.mistakes) {
    const id = key(each.label, each.answer);
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  if (!groups.size) return null;
  const block = ([id, all]) => {
    const [{ label, answer }] = all;
    return make('div', { class: 'group', id }, make('h3', null, short(label), ' → ', answer === null ? 'no prediction' : short(answer), ' ',
      make('span', { class: 'count' }, counted(all.length, 'photo'))),
    photos(all.map((each) => ({ ...each, lines: [`score ${fixed(each.score, 2)}`],
      words: `given ${named(label, 40)}, ${answer === null ? 'no prediction' : `predicted ${named(answer, 40)}`} with ${fixed(each.score, 2)}` }))));
  };
  const isShown = ([, all]) => all.some((each) => each.image);
  const [shown, listed] = [[...groups].filter(isShown), [...groups].filter((group) => !isShown(group))];
  const list = make('div', { class: 'lists' }, listed.map(block));
  return section('mistakes', 'Most confident mistakes',
    shown.length > 0 && make('div', { class: 'groups' }, shown.map(block)),
    listed.length > 0 && (shown.length === 0 && listed.length <= 20 ? list
      : folded(`${shown.length ? '' : 'Show '}${counted(listed.length, shown.length ? 'other pair' : 'pair')} of classes`, list)));
};

const SUSPECTS = 1000;

const suspectsSection = () => {
  const suspects = result.suspects ?? [];
  if (!suspects.length) return null;
  const count = suspects.length + (result.suspectsLeftOut ?? 0);
  return section('suspects', 'Probably mislabelled',
    note('Another class is far more likely than the given one. Check whether these photos are in the wrong folder.',
      ` Expected to be mislabelled: about ${grouped(result.suspectsExpected)} of ${grouped(count)}.`),
    photos(suspects.slice(0, SUSPECTS).map((each) => {
      const times = each.ratio >= 1000 ? 'over 1,000' : fixed(each.ratio, each.ratio < 9.95 ? 1 : 0);
      const likely = Number.isFinite(each.ratio) ? `${times} times as likely` : 'more likely';
      return { ...each, words: `given ${named(each.label, 40)}, ${named(each.likelier, 40)} is ${likely}`,
        lines: [[short(each.label), ' → ', short(each.likelier)], likely] };
    })), rest(count - SUSPECTS));
};

const [GROUPS, COPIES] = [500, 12];
const HARMS = ['in two classes', 'in training and test', 'in one class'];

/** Photos that are probably the same; those that spoil the training or the test come first. */
const sameSection = () => {
  const harm = (group) => (new Set(group.map((each) => each.label)).size > 1 ? 0
    : new Set(group.map((each) => each.isTest)).size > 1 ? 1 : 2);
  const groups = (result.samePhotos ?? []).map((group) => [harm(group), group]).sort(([a], [b]) => a - b);
  if (!groups.length) return null;
  const sums = HARMS.map((text, place) => [
    groups.filter(([each]) => each === place).length + (result.samePhotosLeftOut?.[place] ?? 0), text]).filter(([count]) => count);
  return section('same', 'Probably the same photo',
    note(sums.map(([count, text]) => `${grouped(count)} ${text}`).join(', '), '. A photo in two classes is wrong in one of them.',
      ' Different photos that look alike at a small size may be listed too.'),
    make('div', { class: 'groups' }, groups.slice(0, GROUPS).map(([place, group]) => make('div', { class: 'group' },
      make('h3', null, HARMS[place], ' ', make('span', { class: 'count' }, 'alike')),
      photos(group.slice(0, COPIES).map((each) => ({ ...each, words: `${named(each.label, 40)}, ${each.isTest ? 'test' : 'training'}`,
        lines: [short(each.label), ...(place < 2 && each.isTest ? ['test'] : [])] }))),
      group.length > COPIES && note(`${grouped(group.length - COPIES)} more`)))),
    rest(sums.reduce((sum, [count]) => sum + count, -GROUPS)));
};

/** Separates an option at the start of a word from the rest, so that it is not broken into two lines. */
const option = (word) => {
  const [found] = word.match(/^--[\p{L}-]{0,38}/u) ?? [''];
  return found ? [make('span', { class: 'option' }, found), word.slice(found.length)] : [word];
};
for (const element of document.querySelectorAll('.summary p, .advice li, pre code')) {
  const words = element.textContent.replaceAll(' %', '\u00a0%').split(' ');
  element.replaceChildren(...words.flatMap((word, index) => [index ? ' ' : '', ...option(word)]));
}
const columns = [[figuresSection()], [thresholdsSection()], [reliabilitySection(), learningSection()]]
  .map((column) => column.filter(Boolean)).filter((column) => column.length);
const parts = [boxesSection(), classesSection(), confusionSection(), mistakesSection(), suspectsSection(), sameSection()];
document.getElementById('parts').replaceWith(
  make('div', { class: 'plots' }, columns.map((column) => (column.length > 1 ? make('div', { class: 'column' }, column) : column))),
  ...parts.filter(Boolean));
document.getElementById('trials').replaceWith(...[backbonesSection()].filter(Boolean));
const heads = [...document.querySelectorAll('main section:not(.advice) > h2')];
if (heads.length > 2) {
  document.querySelector('.plots').before(make('nav', { 'aria-label': 'Parts' }, make('ul', null,
    heads.map((head) => make('li', null, make('a', { href: `#${head.id}` }, head.textContent))))));
}
