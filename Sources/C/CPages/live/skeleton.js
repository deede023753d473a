// SPDX-License-Identifier: Apache-2.0
// The keypoints of objects, and the lines between them.
import { page } from './page.js';

/** The side of the body of a point, by its name. */
const side = (name = '') => name.split(' ').find((word) => word === 'left' || word === 'right') ?? 'middle';
/** The side of an edge: that of both points, or of the one that has a side. */
const common = (from, to) => (from === to || to === 'middle' ? from : from === 'middle' ? to : 'middle');

/** The served model with as many points for objects of this class. */
const modelOf = ({ keypoints, labels }) => page.models.find(({ keypointSet, labels: classes = [] }) =>
  keypointSet?.points.length === keypoints.length && (classes.length === 0 || classes.includes(labels[0]?.text)));

/** Draws the points above the threshold and the lines between them; `tone` returns the colour of a side. */
export const drawSkeleton = (context, object, place, scale, unit, tone) => {
  if (!object.keypoints) return;
  const { keypointSet: set, keypointThreshold: least = 0.3 } = modelOf(object) ?? {};
  const points = object.keypoints.map(({ x, y, score = 1 }, index) => (score < least ? undefined
    : { x: place.x + x * scale.x, y: place.y + y * scale.y, side: side(set?.points[index]) }));
  const edges = (set?.edges ?? []).map(([from, to]) => [points[from], points[to]]).filter(([from, to]) => from && to);
  context.lineCap = 'round';
  for (const isHalo of [true, false]) {
    context.lineWidth = (isHalo ? 4.5 : 2.5) * unit;
    for (const [from, to] of edges) {
      context.strokeStyle = isHalo ? '#0009' : tone(common(from.side, to.side));
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  }
  // A dense set has lines only: its points would cover the object.
  for (const point of set?.points.length > 100 ? [] : points) {
    for (const [style, radius] of point ? [['#000', 3.5], [tone(point.side), 2.5]] : []) {
      context.fillStyle = style;
      context.beginPath();
      context.arc(point.x, point.y, radius * unit, 0, 2 * Math.PI);
      context.fill();
    }
  }
};
