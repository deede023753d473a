// SPDX-License-Identifier: Apache-2.0
// Figures of a classifier that was trained or evaluated.
// The data are those of `--json` and some for the page only; a training on objects contains its classifier's data.

const result = data.classifier ?? data;
const labels = result.classes.map((each) => each.label);
const places = new Map(labels.map((label, place) => [label, place]));
const named = (label, limit) => visible(label === '' ? 'unlabelled' : label, limit);
/** The name of a class in a table; `short` if there is little room. */
const full = (label) => make('bdi', null, named(label));
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
  const effects = [[right, 'of predictions are right'], [unanswered, 'of photos get no prediction']]
    .filter(([value]) => Number.isFinite(value)).map(([value, text]) => `${percent(value)} ${text}`);
  return section('figures', 'Figures', table(['', ...figures.map(([text]) => text)], [
    row('photos', (each) => grouped(each.photos), true), row('right', (each) => percent(each.accuracy), true),
    row('standard error', (each) => percent(each.standardError)),
    row('right among the first 5', (each) => percent(result.hasTopFive ? each.top5 : null)),
    row('mean recall of classes', (each) => percent(each.balancedAccuracy)),
    row('log loss', (each) => share(each.logLoss)), row('calibration error', (each) => share(each.calibrationError)),
    means('mean of classes', 'macro'), means('of all predictions', 'micro'),
  ].flat()), make('p', { class: 'below' }, `Threshold ${fixed(result.threshold, 2)}`
    + (result.thresholdReason ? ` (${result.thresholdReason})` : '') + (effects.length ? `: ${effects.join(', ')}.` : '.')));
};

/** 0, 0.05 … 0.95, 0.96 … 0.99, as on AutoML's page. */
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
  return section('reliability', 'Are the scores reliable?',
    plot(shares('score', true), shares('right predictions'),
      'How often predictions are right at each score; the table below has the figures.',
      [...bins.map((each) => bar(each.from, each.to, each.right, 'b1')), line([[0, 0], [1, 1]], 's3'),
        dots(bins.map((each) => [each.score, each.right]), 'd1')]),
    note('On the dashed line, a score of 0.8 is right 8 times in 10. Below it, scores are too high.'),
    folded('The figures', table(['scores', 'photos', 'mean score', 'right'], bins.map((each) => [
      `${fixed(each.from, 2)} to ${fixed(each.to, 2)}`, grouped(each.photos), fixed(each.score, 3), percent(each.right)]))));
};

const learningSection = () => {
  if (!result.learning) return null;
  const { points, forecast } = result.learning;
  const places = points.map((each) => [each.photos, each.accuracy]);
  const [low, high] = [forecast.accuracy - forecast.uncertainty, forecast.accuracy + forecast.uncertainty];
  const margin = `±\u00a0${percent(forecast.uncertainty)}`;
  const words = `With ${grouped(Math.round(forecast.photos))} photos, about ${percent(forecast.accuracy, 0)} would be right, ${margin}.`;
  return section('learning', 'Would more photos help?',
    plot(photoCounts('photos in training', [...points, forecast].map((each) => each.photos)),
      sharesAround('right predictions', [...points.map((each) => each.accuracy), low, high]),
      `How often predictions are right after training with more photos. ${words}`,
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
    row('objects with a matching box', (each) => percent(each.boxRecall)),
    row('matching boxes with a name', (each) => percent(each.namedShare)),
    row('named boxes that are right', (each) => percent(each.rightLabels)),
    row('AP50', (each) => percent(each.averagePrecision50)),
    row('AP50 if every name were right', (each) => percent(each.averagePrecision50WithRightLabels))]),
  note('A box matches an object if their IoU is at least 0.5. Better names cannot find an object without a matching box; ',
    'the last row shows the most that better names can achieve.'));
};

const backbonesSection = () => {
  const backbones = result.backbones ?? [];
  if (!backbones.length) return null;
  const title = (each) => make('bdi', null, visible(each.name));
  return section('backbones', 'Backbones', table(['backbone', 'right', 'numbers', 'size'], backbones.map((each) => [
    each.isChosen ? [make('strong', null, title(each)), ' ', make('span', { class: 'count' }, 'chosen')] : title(each),
    `${percent(each.accuracy)} ± ${fixed(each.standardError * 100, 1)}`, grouped(each.numbers), `${fixed(each.bytes / 1e6, 1)} MB`])),
  note('“Right” is out of fold, in a comparison on a few photos of each class; “numbers” is the size of a photo’s embedding. ',
    'The smallest backbone within a standard error of the best is chosen.'));
};
