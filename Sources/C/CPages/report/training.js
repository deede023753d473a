// SPDX-License-Identifier: Apache-2.0
// The page about a classifier that was trained or evaluated: the figures of its classes, and photos to check.
// Its data are what `--json` prints, and what only a page shows; a classifier of objects is within its own.

const result = data.classifier ?? data;
const labels = result.classes.map((each) => each.label);
const places = new Map(labels.map((label, place) => [label, place]));
const named = (label, limit) => visible(label === '' ? 'unlabelled' : label, limit);
/** The name of a class in a table; `short` if there is little room. */
const name = (label) => make('bdi', null, named(label));
const short = (label) => make('bdi', null, named(label, 40));

/** Each way of measuring, with its figures. */
const measured = (from, test) => [['Out of fold', from.outOfFold], [test, from.test]].filter(([, figures]) => figures);
const figures = result.outOfFold ? measured(result, 'Test photos') : [['Test photos', result]];

const figuresSection = () => {
  const row = (text, show, isKept = false) => {
    const cells = figures.map(([, each]) => show(each));
    return isKept || cells.some((cell) => cell !== '–') ? [[text, ...cells]] : [];
  };
  const means = (kind, of) => [['precision', 'precision'], ['recall', 'recall'], ['F1', 'f1'],
    ['average precision', 'averagePrecision']].flatMap(([text, key]) => row(`${text}, ${kind}`, (each) => share(each[of]?.[key])));
  const [, first] = figures[0];
  const right = result.outOfFold ? first.precision : result.micro.precision;
  const unanswered = result.outOfFold ? first.unanswered : result.missing / Math.max(1, result.photos);
  const effects = [[right, 'of answers are right'], [unanswered, 'of photos get no answer']]
    .filter(([value]) => Number.isFinite(value)).map(([value, text]) => `${percent(value)} ${text}`);
  return section('figures', 'Figures', table(['', ...figures.map(([text]) => text)], [
    row('photos', (each) => grouped(each.photos), true), row('right', (each) => percent(each.accuracy), true),
    row('standard error', (each) => percent(each.standardError)),
    row('right among the first 5', (each) => percent(result.hasTopFive ? each.top5 : null)),
    row('mean recall of classes', (each) => percent(each.balancedAccuracy)),
    row('log loss', (each) => share(each.logLoss)), row('calibration error', (each) => share(each.calibrationError)),
    means('mean of classes', 'macro'), means('of all answers', 'micro'),
  ].flat()), make('p', { class: 'below' }, `Threshold ${fixed(result.threshold, 2)}`
    + (result.thresholdReason ? ` (${result.thresholdReason})` : '') + (effects.length ? `: ${effects.join(', ')}.` : '.')));
};

/** 0, 0.05 … 0.95, 0.96 … 0.99: AutoML's page had these. */
const THRESHOLDS = [...Array(20).keys()].map((step) => step * 5).concat([96, 97, 98, 99]).map((hundredths) => hundredths / 100);

const thresholdsSection = () => {
  const points = result.curve.points.map(([threshold, precision, recall]) => ({ threshold, precision, recall }));
  if (!points.length) return null;
  const words = [points[0], points[points.length - 1]].map((point) => (
    `At ${fixed(point.threshold, 2)} precision is ${share(point.precision)} and recall ${share(point.recall)}`)).join('. ');
  const rows = THRESHOLDS.flatMap((threshold) => {
    const point = points.find((each) => each.threshold >= threshold);
    return point ? [[fixed(threshold, 2), share(point.precision), share(point.recall)]] : [];
  });
  const key = (style, text) => make('li', null, make('span', { class: `key ${style}` }), text);
  return section('thresholds', 'Precision and recall',
    plot(shares('threshold', true), shares('precision, recall'),
      `Precision and recall at thresholds. ${words}; the table below has the figures.`,
      [range(result.threshold, 0, 1, 'rule'), line(points.map((each) => [each.threshold, each.precision]), 's1'),
        line(points.map((each) => [each.threshold, each.recall]), 's2')]),
    make('ul', { class: 'legend' }, key('k1', 'precision'), key('k2', 'recall'), key('k3', "the model's threshold")),
    plot(shares('recall'), shares('precision'), 'Precision over recall; the table below has the figures.',
      [line(points.map((each) => [each.recall, each.precision]), 's1')]),
    Number.isFinite(result.curve.area) && note(`Area under precision over recall: ${share(result.curve.area)}.`),
    folded('The figures', table(['threshold', 'precision', 'recall'], rows)));
};

const reliabilitySection = () => {
  const bins = result.reliability;
  if (!bins.length) return null;
  return section('reliability', 'Are the scores honest?',
    plot(shares('score', true), shares('right answers'),
      'How often answers are right at each score; the table below has the figures.',
      [...bins.map((each) => bar(each.from, each.to, each.right, 'b1')), line([[0, 0], [1, 1]], 's3'),
        dots(bins.map((each) => [each.score, each.right]), 'd1')]),
    note('On the dashed line a score of 0.8 is right 8 times in 10. Below it scores are too high.'),
    folded('The figures', table(['scores', 'photos', 'mean score', 'right'], bins.map((each) => [
      `${fixed(each.from, 2)} to ${fixed(each.to, 2)}`, grouped(each.photos), fixed(each.score, 3), percent(each.right)]))));
};

const learningSection = () => {
  if (!result.learning) return null;
  const { points, forecast } = result.learning;
  const places = points.map((each) => [each.photos, each.accuracy]);
  const [low, high] = [forecast.accuracy - forecast.uncertainty, forecast.accuracy + forecast.uncertainty];
  const margin = `±\u00a0${percent(forecast.uncertainty)}`;
  const words = `With ${grouped(Math.round(forecast.photos))} photos about ${percent(forecast.accuracy, 0)} right, ${margin}.`;
  return section('learning', 'Would more photos help?',
    plot(photoCounts('photos in training', [...points, forecast].map((each) => each.photos)),
      sharesAround('right answers', [...points.map((each) => each.accuracy), low, high]),
      `How often answers are right after training with more and more photos. ${words}`,
      [line([places[places.length - 1], [forecast.photos, forecast.accuracy]], 's3'), range(forecast.photos, low, high, 's3'),
        dots([[forecast.photos, forecast.accuracy]], 'd2'), line(places, 's1'), dots(places, 'd1')]),
    note(words),
    folded('The figures', table(['photos', 'right', 'uncertain by'], [
      ...points.map((each) => [fixed(each.photos, 0), percent(each.accuracy), '–']),
      [`${fixed(forecast.photos, 0)} (forecast)`, percent(forecast.accuracy), margin]])));
};

const boxesSection = () => {
  if (!data.classifier) return null;
  const ways = measured(data, 'Test images');
  const row = (text, show) => [text, ...ways.map(([, each]) => show(each))];
  return section('boxes', 'Objects', table(['', ...ways.map(([text]) => text)], [
    row('images', (each) => grouped(each.images)), row('objects', (each) => grouped(each.objects)),
    row('boxes of the detector', (each) => grouped(each.boxes)),
    row('objects that a box meets', (each) => percent(each.boxRecall)),
    row('of these boxes, named at all', (each) => percent(each.namedShare)),
    row('of the named ones, right', (each) => percent(each.rightLabels)),
    row('AP50', (each) => percent(each.averagePrecision50)),
    row('AP50, had every name been right', (each) => percent(each.averagePrecision50WithRightLabels))]),
  note('A box meets an object from an IoU of 0.5 on. What no box meets is lost whatever the names are; ',
    'the last row shows what better names would bring at the most.'));
};

// Confusion: how many photos of each class were given each class, and in which pairs there are photos further down.

const key = (label, answer) => `m-${places.get(label)}-${answer === null ? 'none' : places.get(answer)}`;
const counts = new Map();
const totals = new Map();
/** For each class the one that it is taken for most, of equal ones the first. */
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
    return make('td', { class: 'taken', 'data-l': 'taken for' }, found ? [name(found.answer), ` (${grouped(found.photos)})`] : '–');
  };
  const rows = (classes) => make('table', { class: 'stack' },
    make('thead', null, make('tr', null, make('th', { scope: 'col' }, 'class'),
      columns.map(([head]) => make('th', { scope: 'col', class: 'n' }, head)),
      takenFor.size > 0 && make('th', { scope: 'col', class: 'taken' }, 'taken for'))),
    make('tbody', null, classes.map((each) => make('tr', null, make('th', { scope: 'row' }, name(each.label)),
      columns.map(([head, show]) => make('td', { class: 'n', 'data-l': head }, show(each))),
      takenFor.size > 0 && taken(each.label)))));
  const open = order.length <= OPEN_CLASSES + 5 ? order.length : OPEN_CLASSES;
  return section('classes', 'Classes, weak ones first', rows(order.slice(0, open)),
    order.length > open && folded(`${grouped(order.length - open)} more classes`, rows(order.slice(open))),
    rest(result.classes.length - order.length),
    order.some((each) => Number.isFinite(each.gain)) && note(
      '“Gain” is about what twice as many photos of a class would add to its recall; the largest comes first.'));
};

const SHOWN_CLASSES = 40;
const [RIGHT_LEVELS, WRONG_LEVELS] = [[0.2, 0.4, 0.6, 0.8], [0.02, 0.05, 0.1, 0.25]];

/** The classes that have a row, in their own order: all, or the most confused. */
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
  // A cell is the darker the more of its row it holds.
  const cell = (label, answer) => {
    const [id, isRight] = [key(label, answer), answer === label];
    const count = counts.get(id) ?? 0;
    if (!count) return make('td');
    const level = 1 + (isRight ? RIGHT_LEVELS : WRONG_LEVELS).filter((step) => count / totals.get(label) >= step).length;
    const words = named(label, 40) + (answer === null ? ' without an answer' : isRight ? ', right' : ` taken for ${named(answer, 40)}`);
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
      hidden > 0 && head('others'), hasUnanswered && head('no answer'))),
    make('tbody', null, shown.map((label) => make('tr', null, make('th', { scope: 'row' }, short(label)),
      shown.map((answer) => cell(label, answer)), hidden > 0 && others(label), hasUnanswered && cell(label, null)))));
  const pairs = result.confusion.filter((each) => each.answer !== null && each.answer !== each.label)
    .sort((a, b) => b.photos - a.photos).slice(0, 10);
  return section('confusion', 'What is taken for what',
    note('A row is what the photos are, a column what was answered; an empty cell is 0.',
      linked.size > 0 && ' A linked number leads to its photos.',
      hidden > 0 && ` The ${shown.length} most confused classes are shown, and ${grouped(hidden)} as “others”.`),
    make('div', { class: 'sides' },
      make('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-labelledby': 'h-confusion' }, matrix),
      pairs.length > 0 && make('div', { class: 'pairs' }, make('h3', null, 'Most frequent'), make('ol', { class: 'rows' },
        pairs.map(({ label, answer, photos }) => make('li', null, make('span', null, short(label), ' → ', short(answer)), ' ',
          make('span', { class: 'number' }, link(key(label, answer), grouped(photos)), ` of ${grouped(totals.get(label))}`)))))));
};

// Photos: thumbnails as long as there are some, then names.

/** Photos with what is to know about each, in words for those who do not see it, and as short as a column is narrow. */
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

/** Photos with a wrong answer, the surest first, those of a pair of classes together. */
const mistakesSection = () => {
  const groups = new Map();
  for (const each of result.mistakes) {
    const id = key(each.label, each.answer);
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  if (!groups.size) return null;
  const block = ([id, all]) => {
    const [{ label, answer }] = all;
    return make('div', { class: 'group', id }, make('h3', null, short(label), ' → ', answer === null ? 'no answer' : short(answer), ' ',
      make('span', { class: 'count' }, counted(all.length, 'photo'))),
    photos(all.map((each) => ({ ...each, lines: [`score ${fixed(each.score, 2)}`],
      words: `given ${named(label, 40)}, ${answer === null ? 'no answer' : `answered ${named(answer, 40)}`} with ${fixed(each.score, 2)}` }))));
  };
  const isShown = ([, all]) => all.some((each) => each.image);
  const [shown, listed] = [[...groups].filter(isShown), [...groups].filter((group) => !isShown(group))];
  const list = make('div', { class: 'lists' }, listed.map(block));
  return section('mistakes', 'Surest mistakes',
    shown.length > 0 && make('div', { class: 'groups' }, shown.map(block)),
    listed.length > 0 && (shown.length === 0 && listed.length <= 20 ? list
      : folded(`${shown.length ? '' : 'Show '}${counted(listed.length, shown.length ? 'other pair' : 'pair')} of classes`, list)));
};

const SUSPECTS = 1000;

const suspectsSection = () => {
  const suspects = result.suspects ?? [];
  if (!suspects.length) return null;
  return section('suspects', 'Probably mislabelled',
    note('Another class is far likelier than the one that was given. Check whether these photos are in the wrong folder.',
      ` Expected to be mislabelled: about ${grouped(result.suspectsExpected)} of ${grouped(suspects.length)}.`),
    photos(suspects.slice(0, SUSPECTS).map((each) => {
      const times = each.ratio >= 1000 ? 'over 1,000' : fixed(each.ratio, each.ratio < 9.95 ? 1 : 0);
      const likely = Number.isFinite(each.ratio) ? `${times} times as likely` : 'likelier';
      return { ...each, words: `given ${named(each.label, 40)}, ${named(each.likelier, 40)} is ${likely}`,
        lines: [[short(each.label), ' → ', short(each.likelier)], likely] };
    })), rest(suspects.length - SUSPECTS));
};

const [GROUPS, COPIES] = [500, 12];
const HARMS = ['in two classes', 'in training and test', 'in one class'];

/** Photos that are probably the same, those that spoil the training or the test first. */
const sameSection = () => {
  const harm = (group) => (new Set(group.map((each) => each.label)).size > 1 ? 0
    : new Set(group.map((each) => each.isTest)).size > 1 ? 1 : 2);
  const groups = (result.samePhotos ?? []).map((group) => [harm(group), group]).sort(([a], [b]) => a - b);
  if (!groups.length) return null;
  const sums = HARMS.map((text, place) => [groups.filter(([each]) => each === place).length, text]).filter(([count]) => count);
  return section('same', 'Probably the same photo',
    note(sums.map(([count, text]) => `${grouped(count)} ${text}`).join(', '), '. A photo that is in two classes is wrong in one of them.',
      ' Photos that look alike when they are small may stand here as well.'),
    make('div', { class: 'groups' }, groups.slice(0, GROUPS).map(([place, group]) => make('div', { class: 'group' },
      make('h3', null, HARMS[place], ' ', make('span', { class: 'count' }, 'alike')),
      photos(group.slice(0, COPIES).map((each) => ({ ...each, words: `${named(each.label, 40)}, ${each.isTest ? 'test' : 'training'}`,
        lines: [short(each.label), ...(place < 2 && each.isTest ? ['test'] : [])] }))),
      group.length > COPIES && note(`${grouped(group.length - COPIES)} more`)))),
    rest(groups.length - GROUPS));
};

const backbonesSection = () => {
  const backbones = result.backbones ?? [];
  if (!backbones.length) return null;
  const title = (each) => make('bdi', null, visible(each.name));
  return section('backbones', 'Backbones', table(['backbone', 'right', 'numbers', 'size'], backbones.map((each) => [
    each.isChosen ? [make('strong', null, title(each)), ' ', make('span', { class: 'count' }, 'chosen')] : title(each),
    `${percent(each.accuracy)} ± ${fixed(each.standardError * 100, 1)}`, grouped(each.numbers), `${fixed(each.bytes / 1e6, 1)} MB`])),
  note('“Right” is out of fold, in a trial with few photos of each class; “numbers” is how many a backbone makes of a photo. ',
    'Of those within a standard error of the best the smallest is chosen.'));
};

/** No option and no percentage is broken into two lines. */
for (const element of document.querySelectorAll('.summary p, .advice li, pre code')) {
  const parts = element.textContent.replaceAll(' %', '\u00a0%').split(/(?<=^| )(--[\p{L}-]*)/u);
  element.replaceChildren(...parts.map((part, index) => (index % 2 && part.length < 40 ? make('span', { class: 'option' }, part) : part)));
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
