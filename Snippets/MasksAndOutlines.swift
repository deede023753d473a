// SPDX-License-Identifier: Apache-2.0
//
// Makes masks from a model's prototypes, converts them to pixels, outlines and COCO's run lengths, and keeps
// the best of overlapping oriented boxes.
//
//     swift run MasksAndOutlines

import FoveaGeometry

let image = PixelSize(width: 640, height: 480)

// A model of the YOLO-seg kind returns prototypes, and coefficients for each object. This one has two
// prototypes of 8 × 8 cells: one rises from left to right, the other one from top to bottom.
let layout = MaskPrototypes.Layout.channelsLast
var values: [Float] = []
for row in 0..<8 {
  for column in 0..<8 { values += [Float(column) - 3.5, Float(row) - 3.5] }
}
// The prototypes cover the model's whole input, with the bars of the letterbox.
let place = Letterbox().place(width: 640, height: 480, in: PixelSize(width: 32, height: 32))
let region = place.grown(BoundingBox(x: 0, y: 0, width: 640, height: 480))

do throws(GeometryError) {
  let prototypes = try MaskPrototypes(
    values: values, size: PixelSize(width: 8, height: 8), layout: layout, region: region)
  let box = BoundingBox(x: 200, y: 100, width: 300, height: 250)
  let mask: ObjectMask = try prototypes.mask(coefficients: [1, 0.5], box: box)
  print("\(mask.columns) × \(mask.rows) cells, \(mask.area) of \(Int(box.area)) pixels")
  print("probability in the middle: \(mask.probability(at: PixelPoint(x: box.midX, y: box.midY)))")
  for outline in mask.outlines { print("an outline of \(outline.count) points from \(outline[0])") }

  // Pixels and run lengths are made on request.
  let bitmap: MaskBitmap = mask.bitmap()
  print("bitmap of \(bitmap.size) at (\(bitmap.x), \(bitmap.y))")
  let runs: RunLengths = try mask.runLengths(in: image)
  print("COCO: \(runs.text)")
  let polygons = try RunLengths(polygons: mask.outlines, size: image)
  print("overlap of the outlines with the pixels: \(polygons.overlap(with: runs))")

  // The mask moves with its object; its cells stay.
  let moved = mask.moved(from: box, to: BoundingBox(x: 210, y: 100, width: 300, height: 250))
  print("IoU after ten pixels: \(mask.iou(with: moved))")

  _ = try RunLengths(text: "damaged", size: image)
} catch {
  let code: GeometryCode = error.code
  print("\(code): \(error)")
}

// A ship at an angle of 30°, found twice.
let ship = OrientedBox(center: PixelPoint(x: 300, y: 200), width: 120, height: 30, angle: .pi / 6)
let again = OrientedBox(center: PixelPoint(x: 302, y: 201), width: 118, height: 30, angle: .pi / 6 + .pi)
print("upright box around the ship: \(ship.hull), overlap: \(ship.probabilisticIoU(with: again))")
let kept = nonMaximumSuppression(orientedBoxes: [ship, again], scores: [0.8, 0.9], threshold: 0.5)
print("kept: \(kept), at an angle of \(again.normalized.angle)")
