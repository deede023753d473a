// SPDX-License-Identifier: Apache-2.0
// Draws an image with its objects.
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** The colour of an identity: far from its neighbours', and the same for as long as it lives. */
export const colour = (number) => `hsl(${(number * 137.508 + 160) % 360} 85% 66%)`;

export const caption = (object) => {
  const name = object.labels[0]?.text ?? 'object';
  return object.trackingID == null ? `${name} ${object.score.toFixed(2)}` : `${name} #${object.trackingID}`;
};

/** The ways of identities over the last frames. */
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

/** The largest place for an image on the canvas. */
export const fit = (width, height, image) => {
  const scale = Math.min(width / image.width, height / image.height);
  const size = { width: image.width * scale, height: image.height * scale };
  return { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size, scale };
};

/** Makes the canvas as fine as the screen, within reason. */
export const resize = (canvas) => {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return ratio;
};

/** Draws boxes and captions; `scale` is from the pixels of boxes to those of the canvas. */
export const drawObjects = (context, objects, place, scale, unit) => {
  context.font = `600 ${13 * unit}px system-ui, "Noto Sans", sans-serif`;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  objects.forEach((object, index) => {
    const number = object.trackingID ?? index;
    const x = place.x + object.box.x * scale.x, y = place.y + object.box.y * scale.y;
    const width = object.box.width * scale.x, height = object.box.height * scale.y;
    const radius = Math.min(8 * unit, width / 3, height / 3);
    const path = new Path2D();
    path.roundRect(x, y, width, height, radius);
    context.strokeStyle = '#0009';
    context.lineWidth = 4.5 * unit;
    context.stroke(path);
    context.strokeStyle = colour(number);
    context.lineWidth = 2.5 * unit;
    context.stroke(path);
    const text = caption(object);
    const wide = context.measureText(text).width + 12 * unit, tall = 21 * unit;
    const left = Math.max(place.x, Math.min(x - 1.25 * unit, place.x + place.width - wide));
    const top = y - tall - 2 * unit < place.y ? y + 2 * unit : y - tall - 2 * unit;
    context.fillStyle = colour(number);
    context.beginPath();
    context.roundRect(left, top, wide, tall, 5 * unit);
    context.fill();
    context.fillStyle = '#08110e';
    context.fillText(text, left + 6 * unit, top + tall / 2 + unit * 0.5);
  });
};
