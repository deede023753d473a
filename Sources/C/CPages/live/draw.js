// SPDX-License-Identifier: Apache-2.0
// Draws an image with its objects.
import { nameOf } from './page.js';
import { drawSkeleton } from './skeleton.js';

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Saturation and lightness of the sides of a body: mixed with white, as it is, mixed with black. */
const tones = { left: '85% 85%', middle: '85% 66%', right: '44% 40%' };
/** The colour of an identity: distinct from its neighbours', and constant; keypoints use its tones. */
export const colour = (number, side = 'middle') => `hsl(${(number * 137.508 + 160) % 360} ${tones[side]})`;

export const caption = (object) => {
  const identity = object.trackingID == null ? '' : ` #${object.trackingID}`;
  return `${nameOf(object.labels[0])}${identity} ${object.score.toFixed(2)}`;
};

/** The trails of identities over the last frames. */
export class Trails {
  #points = new Map();
  #length = 32;

  clear() { this.#points.clear(); }

  add(objects, width, height) {
    const seen = new Set();
    for (const { trackingID: id, box } of objects) {
      if (id == null) continue;
      seen.add(id);
      const trail = this.#points.get(id) ?? [];
      trail.push([(box.x + box.width / 2) / width, (box.y + box.height) / height]);
      if (trail.length > this.#length) trail.shift();
      this.#points.set(id, trail);
    }
    for (const [id, trail] of this.#points) {
      if (!seen.has(id) && (trail.shift(), trail.length === 0)) this.#points.delete(id);
    }
  }

  draw(context, place, unit) {
    if (still.matches) return;
    context.lineCap = 'round';
    for (const [id, trail] of this.#points) {
      context.strokeStyle = colour(id);
      for (let i = 1; i < trail.length; i++) {
        context.globalAlpha = 0.85 * i / trail.length;
        context.lineWidth = unit * (0.6 + 2.2 * i / trail.length);
        context.beginPath();
        context.moveTo(place.x + trail[i - 1][0] * place.width, place.y + trail[i - 1][1] * place.height);
        context.lineTo(place.x + trail[i][0] * place.width, place.y + trail[i][1] * place.height);
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }
}

/** The largest rectangle for an image on the canvas. */
export const fit = (width, height, image) => {
  const scale = Math.min(width / image.width, height / image.height);
  const size = { width: image.width * scale, height: image.height * scale };
  return { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size, scale };
};

/** Sets the canvas to the screen's resolution, up to a limit. */
export const resize = (canvas) => {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return ratio;
};

/** Sets the font of captions and tags. */
export const setFont = (context, unit) => {
  context.font = `600 ${13 * unit}px system-ui, "Noto Sans", sans-serif`;
  context.textBaseline = 'middle';
};

/** The first place within the image that overlaps no taken one; each is a left end, a top and a width. */
export const freePlace = (places, wide, tall, place, taken) => places.find(([left, top]) => top >= place.y
  && top + tall <= place.y + place.height && !taken.some((other) => left < other[0] + other[2] && other[0] < left + wide
    && top < other[1] + tall && other[1] < top + tall));

/** The corners of a rotated box. */
const corners = ({ x, y, width, height, degrees }) => {
  const cosine = Math.cos(degrees * Math.PI / 180) / 2, sine = Math.sin(degrees * Math.PI / 180) / 2;
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].flatMap(([along, across]) => [
    x + along * width * cosine - across * height * sine, y + along * width * sine + across * height * cosine]);
};

/** Draws masks, boxes, keypoints and captions; `scale` converts box pixels to canvas pixels. Captions avoid the `taken` places. */
export const drawObjects = (context, objects, place, scale, unit, taken = []) => {
  setFont(context, unit);
  const polygons = (rings) => {
    const path = new Path2D();
    for (const ring of rings) {
      for (let at = 0; at + 1 < ring.length; at += 2) {
        path[at ? 'lineTo' : 'moveTo'](place.x + ring[at] * scale.x, place.y + ring[at + 1] * scale.y);
      }
      path.closePath();
    }
    return path;
  };
  const boxes = objects.map((object, index) => ({
    object,
    text: caption(object),
    colour: colour(object.trackingID ?? index),
    tone: (side) => colour(object.trackingID ?? index, side),
    x: place.x + object.box.x * scale.x, y: place.y + object.box.y * scale.y,
    width: object.box.width * scale.x, height: object.box.height * scale.y,
    mask: object.mask?.polygons?.length ? polygons(object.mask.polygons) : undefined,
    rotated: object.orientedBox && polygons([corners(object.orientedBox)]),
  }));
  context.lineJoin = 'round';
  context.globalAlpha = 0.4;
  for (const { mask, colour } of boxes) {
    context.fillStyle = colour;
    if (mask) context.fill(mask);
  }
  context.globalAlpha = 1;
  for (const { object, colour, tone, mask, rotated, ...box } of boxes) {
    const path = rotated ?? new Path2D();
    if (!rotated) path.roundRect(box.x, box.y, box.width, box.height, Math.min(8 * unit, box.width / 3, box.height / 3));
    const stroke = (path, style, width) => {
      context.strokeStyle = style;
      context.lineWidth = width * unit;
      context.stroke(path);
    };
    // The box of an object with a mask or keypoints is thin.
    const isThin = mask || object.keypoints?.length > 0;
    stroke(path, '#0009', isThin ? 3 : 4.5);
    stroke(path, colour, isThin ? 1.25 : 2.5);
    if (mask) stroke(mask, colour, 2);
    drawSkeleton(context, object, place, scale, unit, tone);
  }
  const all = [...taken];
  for (const box of boxes) drawCaption(context, box, place, unit, all);
};

/** The width of a label, with a margin around its text: that of the image at most, to which a longer text is narrowed. */
export const labelWidth = (context, text, place, unit) => Math.min(context.measureText(text).width + 12 * unit, place.width);

/** Draws a label whose width is that of `labelWidth`. */
export const drawLabel = (context, text, [left, top, wide], unit, { fill, ink }) => {
  const tall = 21 * unit;
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(left, top, wide, tall, 5 * unit);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, left + 6 * unit, top + tall / 2 + unit * 0.5, wide - 12 * unit);
};

/** Writes the caption above the box, or inside, below or further away if other captions are in the way. */
const drawCaption = (context, { text, colour, x, y, width, height }, place, unit, taken) => {
  const wide = labelWidth(context, text, place, unit), tall = 21 * unit, gap = 2 * unit, step = tall + gap;
  const within = (left) => Math.max(place.x, Math.min(left, place.x + place.width - wide));
  const near = within(x - 1.25 * unit), far = within(x + width - wide);
  const places = [[near, y - tall - gap], [near, y + gap], [far, y + gap], [near, y + height - tall - gap],
    [near, y + height + gap], ...[1, 2, 3, 4].flatMap((steps) => [[near, y + gap + steps * step], [near, y - (steps + 1) * step]])];
  const [left, top] = freePlace(places, wide, tall, place, taken) ?? [near, Math.max(place.y, y + gap)];
  taken.push([left, top, wide]);
  drawLabel(context, text, [left, top, wide], unit, { fill: colour, ink: '#08110e' });
};
