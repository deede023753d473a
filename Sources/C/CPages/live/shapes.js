// SPDX-License-Identifier: Apache-2.0
// The lines and zones of a source, with their counts.
import { colour, drawLabel, drawObjects, freePlace, labelWidth, setFont } from './draw.js';

/** Converts a point in the stored frame, of width w and height h, to the upright frame. */
const upright = {
  up: (x, y) => [x, y],
  upMirrored: (x, y, w) => [w - x, y],
  down: (x, y, w, h) => [w - x, h - y],
  downMirrored: (x, y, w, h) => [x, h - y],
  leftMirrored: (x, y) => [y, x],
  right: (x, y, w, h) => [h - y, x],
  rightMirrored: (x, y, w, h) => [h - y, w - x],
  left: (x, y, w) => [y, w - x],
};
const transposed = ['leftMirrored', 'right', 'rightMirrored', 'left'];

const pairs = (numbers) => numbers.flatMap((value, index) => (index % 2 ? [] : [[value, numbers[index + 1]]]));
const lineText = ({ in: into, out }) => `${into} in, ${out} out`;
/** The name of a line or zone, as in events. */
const nameOf = ({ name }, kind, index) => name ?? `${kind}-${index + 1}`;
/** A tag on the image: a long name is shortened, so that the counts stay visible. */
const tag = (name, text) => `${name.length > 20 ? `${name.slice(0, 19)}…` : name}: ${text}`;

/** The counts, one line of text for each line and zone. */
export const countTexts = (counts) => [
  ...counts.lines.map((line, index) => `${nameOf(line, 'line', index)}: ${lineText(line)}`),
  ...counts.zones.map((zone, index) => `${nameOf(zone, 'zone', index)}: ${zone.inside} inside, ${zone.entered} entered, ${zone.left} left, `
    + `${zone.vanished} vanished, ${zone.distinct} different`),
];

const trace = (context, points, isClosed) => {
  context.beginPath();
  points.forEach(([x, y], index) => context[index ? 'lineTo' : 'moveTo'](x, y));
  if (isClosed) context.closePath();
};

const strokeTwice = (context, colour, unit) => {
  for (const [style, width] of [['#000a', 5.5], [colour, 2.5]]) {
    context.strokeStyle = style;
    context.lineWidth = width * unit;
    context.stroke();
  }
};

/** Places tags as near as possible to their shapes, without overlaps. */
const placed = (context, tags, place, unit) => {
  setFont(context, unit);
  const tall = 21 * unit, step = tall + 2 * unit, found = [];
  const within = (value, from, length) => Math.max(from, Math.min(value, from + length));
  for (const { text, at: [x, y] } of tags) {
    const wide = labelWidth(context, text, place, unit);
    const left = within(x - wide / 2, place.x, place.width - wide), top = within(y - tall / 2, place.y, place.height - tall);
    const places = [0, 1, -1, 2, -2, 3, -3].map((steps) => [left, top + steps * step]);
    found.push([...freePlace(places, wide, tall, place, found) ?? places[0], wide, text]);
  }
  return found;
};

const drawTags = (context, tags, unit) => {
  setFont(context, unit);
  for (const [left, top, wide, text] of tags) {
    drawLabel(context, text, [left, top, wide], unit, { fill: '#0b100e', ink: '#fff' });
  }
};

/** Draws zones and lines on the image of a frame, and returns the tags with their counts. */
const drawShapes = (context, { lines = [], zones = [] }, frame, place, unit) => {
  const tags = [];
  const [width, height] = transposed.includes(frame.orientation) ? [frame.height, frame.width] : [frame.width, frame.height];
  const scale = { x: place.width / frame.width, y: place.height / frame.height };
  const at = ([x, y]) => {
    const [right, down] = (upright[frame.orientation] ?? upright.up)(x, y, width, height);
    return [place.x + right * scale.x, place.y + down * scale.y];
  };
  context.lineJoin = context.lineCap = 'round';
  zones.forEach((numbers, index) => {
    const points = pairs(numbers).map(at);
    trace(context, points, true);
    context.globalAlpha = 0.16;
    context.fillStyle = colour(index);
    context.fill();
    context.globalAlpha = 1;
    strokeTwice(context, colour(index), unit);
    const middle = points.reduce((sum, [x]) => sum + x, 0) / points.length, top = Math.min(...points.map(([, y]) => y));
    const counted = frame.counts?.zones[index];
    if (counted) tags.push({ text: tag(nameOf(counted, 'zone', index), `${counted.inside} inside`), at: [middle, top] });
  });
  lines.forEach((numbers, index) => {
    const ends = pairs(numbers), [a, b] = ends;
    trace(context, ends.map(at), false);
    strokeTwice(context, '#fff', unit);
    // "In" is from left to right, seen from the first end towards the second.
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, size = 26 * unit / scale.x;
    const along = [(b[0] - a[0]) / length * size, (b[1] - a[1]) / length * size];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const point = (out, side) => at([middle[0] - along[1] * out + along[0] * side, middle[1] + along[0] * out + along[1] * side]);
    trace(context, [point(0, 0), point(1, 0), point(0.66, -0.3), point(1, 0), point(0.66, 0.3)], false);
    strokeTwice(context, '#fff', unit);
    const counted = frame.counts?.lines[index];
    if (counted) tags.push({ text: tag(nameOf(counted, 'line', index), lineText(counted)), at: at(a) });
  });
  return tags;
};

/**
 * Draws zones, lines and objects on the image of a frame; `place` is its rectangle on the canvas. Counts stay readable:
 * their tags are drawn last, and captions avoid them.
 */
export const drawFound = (context, shapes, frame, place, unit) => {
  const tags = placed(context, drawShapes(context, shapes, frame, place, unit), place, unit);
  drawObjects(context, frame.objects, place, { x: place.width / frame.width, y: place.height / frame.height }, unit, tags);
  drawTags(context, tags, unit);
  return tags;
};
