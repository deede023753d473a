// SPDX-License-Identifier: Apache-2.0
// The stage: an image with its objects, or the cover.
import { drawObjects, fit, resize, Trails } from './draw.js';
import { $, isFocusLost, notice, page } from './page.js';

const view = $('view');
const context = view.getContext('2d');
export const trails = new Trails();

/** Sets the aspect ratio of the stage to that of the image, within limits, and clears it. */
let form = '';
export const clear = (image) => {
  $('broken').hidden = true;
  const wanted = image ? Math.min(2, Math.max(0.75, image.width / image.height)).toFixed(4) : '';
  if (wanted !== form) $('stage').style.aspectRatio = form = wanted;
  const ratio = resize(view);
  context.clearRect(0, 0, view.width, view.height);
  return ratio;
};

/** Draws an image with the objects of its result; `size` is the original's size if the image is a copy. */
export const paint = (image, result, size = image) => {
  const ratio = clear(size);
  const place = fit(view.width, view.height, size);
  context.drawImage(image, place.x, place.y, place.width, place.height);
  if (page.line) page.line.place = { x: place.x / ratio, y: place.y / ratio, width: place.width / ratio, height: place.height / ratio };
  if (!result?.objects) return;
  trails.draw(context, place, ratio);
  drawObjects(context, result.objects, place, { x: place.width / result.width, y: place.height / result.height }, ratio);
};

/** Shows how to start again. */
export const cover = () => {
  $('cover').hidden = false;
  $('running').hidden = true;
  notice();
  clear();
  view.setAttribute('aria-label', 'No image yet');
  if (page.line) page.line.isShown = false;
  if (isFocusLost()) $('start').focus({ preventScroll: true });
};
