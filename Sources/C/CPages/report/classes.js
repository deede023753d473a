// SPDX-License-Identifier: Apache-2.0
// Classes: the confusion matrix, and its pairs with photos further down the page.

const key = (label, answer) => `m-${places.get(label)}-${answer === null ? 'none' : places.get(answer)}`;
const counts = new Map();
const totals = new Map();
/** The class that each class is most often confused with; the first of equal ones. */
const takenFor = new Map();
for (const { label, answer, photos } of result.confusion) {
  counts.set(key(label, answer), photos);
  totals.set(label, (totals.get(label) ?? 0) + photos);
  if (answer === null || answer === label) continue;
  if (photos > (takenFor.get(label)?.photos ?? 0)) takenFor.set(label, { answer, photos });
}
const linked = new Set(result.mistakes.map((each) => key(each.label, each.answer)));

const [OPEN_CLASSES, MOST_CLASSES] = [20, 2000];

const classesSection = () => {
  if (!result.classes.length) return null;
  const or = (value, other) => (Number.isFinite(value) ? value : other);
  const order = result.classes.map((each, place) => ({ ...each, place })).sort((a, b) => (
    or(b.gain, -Infinity) - or(a.gain, -Infinity) || or(a.recall, Infinity) - or(b.recall, Infinity) || a.place - b.place))
    .slice(0, MOST_CLASSES);
  const columns = [['photos', (each) => grouped(each.photos)], ['precision', (each) => share(each.precision)],
    ['recall', (each) => share(each.recall)], ['F1', (each) => share(each.f1)],
    ['average precision', (each) => share(each.averagePrecision)], ['threshold', (each) => fixed(each.threshold, 2)],
    ['gain', (each) => (each.gain > 0 ? '+' : '') + percent(each.gain)],
  ].filter(([, show]) => result.classes.some((each) => show(each) !== '–'));
  const taken = (label) => {
    const found = takenFor.get(label);
    return make('td', { class: 'taken', 'data-l': 'confused with' }, found ? [full(found.answer), ` (${grouped(found.photos)})`] : '–');
  };
  const rows = (classes) => make('table', { class: 'stack' },
    make('thead', null, make('tr', null, make('th', { scope: 'col' }, 'class'),
      columns.map(([head]) => make('th', { scope: 'col', class: 'n' }, head)),
      takenFor.size > 0 && make('th', { scope: 'col', class: 'taken' }, 'confused with'))),
    make('tbody', null, classes.map((each) => make('tr', null, make('th', { scope: 'row' }, full(each.label)),
      columns.map(([head, show]) => make('td', { class: 'n', 'data-l': head }, show(each))),
      takenFor.size > 0 && taken(each.label)))));
  const open = order.length <= OPEN_CLASSES + 5 ? order.length : OPEN_CLASSES;
  return section('classes', 'Classes, weakest first', rows(order.slice(0, open)),
    order.length > open && folded(`${grouped(order.length - open)} more classes`, rows(order.slice(open))),
    rest(result.classes.length - order.length),
    order.some((each) => Number.isFinite(each.gain)) && note(
      '“Gain” estimates how much twice as many photos of a class would add to its recall; the largest comes first.'));
};

const SHOWN_CLASSES = 40;
const [RIGHT_LEVELS, WRONG_LEVELS] = [[0.2, 0.4, 0.6, 0.8], [0.02, 0.05, 0.1, 0.25]];

/** The classes with a row, in their own order: all, or the most confused. */
const confused = () => {
  if (labels.length <= SHOWN_CLASSES) return labels;
  const mistakes = new Map();
  const add = (label, photos) => mistakes.set(label, (mistakes.get(label) ?? 0) + photos);
  for (const { label, answer, photos } of result.confusion) {
    if (answer === label) continue;
    add(label, photos);
    if (answer !== null) add(answer, photos);
  }
  const chosen = new Set([...labels].sort((a, b) => (mistakes.get(b) ?? 0) - (mistakes.get(a) ?? 0)).slice(0, SHOWN_CLASSES));
  return labels.filter((label) => chosen.has(label));
};

const confusionSection = () => {
  if (!result.confusion.length) return null;
  const shown = confused();
  const hidden = labels.length - shown.length;
  const hasUnanswered = result.confusion.some((each) => each.answer === null);
  const link = (id, text) => (linked.has(id) ? make('a', { href: `#${id}` }, text) : text);
  // The larger a cell's share of its row, the darker it is.
  const cell = (label, answer) => {
    const [id, isRight] = [key(label, answer), answer === label];
    const count = counts.get(id) ?? 0;
    if (!count) return make('td');
    const level = 1 + (isRight ? RIGHT_LEVELS : WRONG_LEVELS).filter((step) => count / totals.get(label) >= step).length;
    const words = named(label, 40) + (answer === null ? ' without a prediction' : isRight ? ', right' : ` classified as ${named(answer, 40)}`);
    return make('td', { class: `${isRight ? 'r' : 'w'}${level}`, title: `${words}: ${grouped(count)}` }, link(id, grouped(count)));
  };
  const others = (label) => {
    const known = [...shown, null].reduce((sum, answer) => sum + (counts.get(key(label, answer)) ?? 0), 0);
    const count = (totals.get(label) ?? 0) - known;
    return make('td', null, count > 0 ? grouped(count) : '');
  };
  const head = (text) => make('th', { scope: 'col' }, make('span', null, text));
  const matrix = make('table', { class: shown.length > 12 ? 'matrix dense' : 'matrix' },
    make('thead', null, make('tr', null, make('td'), shown.map((label) => head(short(label))),
      hidden > 0 && head('others'), hasUnanswered && head('no prediction'))),
    make('tbody', null, shown.map((label) => make('tr', null, make('th', { scope: 'row' }, short(label)),
      shown.map((answer) => cell(label, answer)), hidden > 0 && others(label), hasUnanswered && cell(label, null)))));
  const pairs = result.confusion.filter((each) => each.answer !== null && each.answer !== each.label)
    .sort((a, b) => b.photos - a.photos).slice(0, 10);
  return section('confusion', 'Confusion matrix',
    note('Rows are the classes of the photos, columns the predictions; an empty cell is 0.',
      linked.size > 0 && ' Follow a number to see its photos.',
      hidden > 0 && ` The ${shown.length} most confused classes are shown; ${grouped(hidden)} are summed up as “others”.`),
    make('div', { class: 'sides' },
      make('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-labelledby': 'h-confusion' }, matrix),
      pairs.length > 0 && make('div', { class: 'pairs' }, make('h3', null, 'Most frequent'), make('ol', { class: 'rows' },
        pairs.map(({ label, answer, photos }) => make('li', null, make('span', null, short(label), ' → ', short(answer)), ' ',
          make('span', { class: 'number' }, link(key(label, answer), grouped(photos)), ` of ${grouped(totals.get(label))}`)))))));
};
