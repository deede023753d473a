// SPDX-License-Identifier: Apache-2.0
// Lines and bars over two axes, as SVG that is readable on a narrow screen.

const [LEFT, RIGHT, TOP, BOTTOM] = [46, 300, 24, 170];
const between = (value, low, high) => Math.min(Math.max(value, low), high);

/** An axis: its title, range and ticks. */
const makeAxis = (title, low, high, ticks, scale = (value) => value) => ({
  title, low, high, ticks,
  /** The position of a value, 0 at the start and 1 at the end; null if it has none. */
  place: (value) => {
    if (!Number.isFinite(value)) return null;
    const share = (scale(value) - scale(low)) / (scale(high) - scale(low));
    return Number.isFinite(share) ? between(share, 0, 1) : null;
  },
});

/** The range 0…1, in steps of a quarter, as percentages or as numbers. */
const shares = (title, areScores = false) => makeAxis(title, 0, 1,
  [0, 0.25, 0.5, 0.75, 1].map((value) => [value, areScores ? String(value) : `${value * 100} %`]));

/** Round percentages around some shares, in whole steps of 5 %. */
const sharesAround = (title, values) => {
  const known = values.filter(Number.isFinite).map((value) => between(value, 0, 1));
  if (!known.length) return shares(title);
  let low = Math.max(0, Math.floor((Math.min(...known) - 0.02) * 20));
  const high = Math.min(20, Math.max(low + 1, Math.ceil((Math.max(...known) + 0.02) * 20)));
  const step = high - low > 8 ? 4 : high - low > 4 ? 2 : 1;
  low -= low % step;
  const ticks = [];
  for (let tick = low; tick <= high; tick += step) ticks.push([tick / 20, `${tick * 5} %`]);
  return makeAxis(title, low / 20, high / 20, ticks);
};

/** Numbers of photos on a logarithmic axis, each with a tick if there is room. */
const photoCounts = (title, values) => {
  const counts = [...new Set(values)].sort((a, b) => a - b);
  const [least, most] = [counts[0], counts[counts.length - 1]];
  const ticks = [];
  const axis = makeAxis(title, least < most ? least : least / 2, least < most ? most : most * 2, ticks, Math.log);
  // Ticks that are too close would overlap; the largest matters most.
  for (const count of counts.reverse()) {
    if (ticks.length && axis.place(ticks[0][0]) - axis.place(count) < 0.17) continue;
    ticks.unshift([count, grouped(Math.round(count))]);
  }
  return axis;
};

/** A plot; its marks are functions that get the position of a point, null if it has none. */
const plot = (x, y, words, marks) => {
  const spot = ([first, second]) => {
    const [across, up] = [x.place(first), y.place(second)];
    return across === null || up === null ? null
      : { x: at(LEFT + across * (RIGHT - LEFT)), y: at(BOTTOM - up * (BOTTOM - TOP)) };
  };
  const rows = y.ticks.map(([value, text]) => {
    const height = BOTTOM - y.place(value) * (BOTTOM - TOP);
    return [make('line', { x1: LEFT, y1: at(height), x2: RIGHT, y2: at(height) }),
      make('text', { x: 40, y: at(height + 4), 'text-anchor': 'end' }, text)];
  });
  const columns = x.ticks.map(([value, text]) => make('text',
    { x: at(LEFT + x.place(value) * (RIGHT - LEFT)), y: 186, 'text-anchor': 'middle' }, text));
  return make('svg', { class: 'plot curve', viewBox: '0 0 320 210', role: 'img', 'aria-label': words },
    make('text', { x: 4, y: 12 }, y.title), rows, columns,
    make('text', { x: 173, y: 204, 'text-anchor': 'middle' }, x.title), marks.map((mark) => mark(spot)));
};

/** A line through points, broken at a point without a position; a single point draws nothing. */
const line = (points, style) => (spot) => {
  const parts = [[]];
  for (const point of points.map(spot)) {
    if (point) parts[parts.length - 1].push(`${point.x},${point.y}`);
    else parts.push([]);
  }
  return parts.filter((part) => part.length > 1)
    .map((part) => make('polyline', { class: style, points: part.join(' ') }));
};
const dots = (points, style) => (spot) => points.map(spot).filter(Boolean)
  .map((point) => make('circle', { class: style, cx: point.x, cy: point.y, r: 3.5 }));
/** A vertical line from one value to another. */
const range = (x, low, high, style) => (spot) => {
  const [from, to] = [spot([x, low]), spot([x, high])];
  return from && to && make('line', { class: style, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
};
/** A bar from the bottom of the plot. */
const bar = (low, high, y, style) => (spot) => {
  const [from, to] = [spot([low, y]), spot([high, y])];
  return from && to && make('rect', {
    class: style, x: at(from.x + 1), y: from.y, width: at(Math.max(1, to.x - from.x - 2)), height: at(BOTTOM - from.y) });
};
