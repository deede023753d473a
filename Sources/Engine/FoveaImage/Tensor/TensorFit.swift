// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The position of a region of an image in a tensor, and what the tensor shows of the image.
struct TensorFit {
  /// The pixels of the tensor that get pixels of the image.
  let place: ImagePlace
  /// The part of the image that they show, in stored pixels; in an exact letterbox it may exceed the region
  /// by less than a pixel of the tensor.
  let source: BoundingBox
  /// The part of the image that the whole tensor would show if the image continued beyond its edges, in
  /// stored pixels.
  let shown: BoundingBox

  /// - Parameters:
  ///   - region: The region in stored pixels of the image, not empty.
  ///   - orientation: The rotation that makes the image upright.
  ///   - stored: The size of the stored image.
  ///   - spec: The tensor.
  init(_ region: BoundingBox, upright orientation: Orientation, stored: PixelSize, _ spec: ImageTensorSpec) {
    let upright = orientation.uprightBox(fromStored: region, stored: stored)
    if spec.sampling == .twoTaps, let exact = ExactLetterbox(upright, spec) {
      place = exact.place
      source = orientation.storedBox(fromUpright: exact.source, stored: stored)
      shown = orientation.storedBox(fromUpright: exact.shown, stored: stored)
      return
    }
    place = spec.place(of: region, upright: orientation)
    source = region
    shown =
      place.isWhole ? region : orientation.storedBox(fromUpright: place.grown(upright), stored: stored)
  }
}

/// A letterbox whose image begins between pixels of the tensor, so that both directions have the same scale.
///
/// **Source:** MediaPipe, `image_to_tensor_utils.cc`, `PadRoi`: the region grows to the tensor's proportions
/// before it is scaled.
private struct ExactLetterbox {
  let place: ImagePlace
  /// The parts in pixels of the upright image.
  let source: BoundingBox
  let shown: BoundingBox

  /// Returns nil without a letterbox, and for an image that would cover no pixel of the tensor.
  init?(_ region: BoundingBox, _ spec: ImageTensorSpec) {
    guard let letterbox = spec.letterbox else { return nil }
    let (width, height) = (Double(spec.size.width), Double(spec.size.height))
    let scale = max(region.width / width, region.height / height)
    let isCentered = letterbox.placement == .center
    let left = isCentered ? (width - region.width / scale) / 2 : 0
    let top = isCentered ? (height - region.height / scale) / 2 : 0
    let columns = Self.pixels(from: left, length: region.width / scale)
    let rows = Self.pixels(from: top, length: region.height / scale)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    place = ImagePlace(
      x: columns.lowerBound, y: rows.lowerBound,
      image: PixelSize(width: columns.count, height: rows.count), tensor: spec.size)
    source = BoundingBox(
      x: region.minX + (Double(columns.lowerBound) - left) * scale,
      y: region.minY + (Double(rows.lowerBound) - top) * scale,
      width: Double(columns.count) * scale, height: Double(rows.count) * scale)
    shown = BoundingBox(
      x: region.minX - left * scale, y: region.minY - top * scale, width: width * scale,
      height: height * scale)
  }

  /// Returns the pixels of the tensor whose first tap is in the image.
  private static func pixels(from start: Double, length: Double) -> Range<Int> {
    // Rounding must not cost a row of an image that fits exactly.
    let rounding = 1e-6
    let first = Int((start - rounding).rounded(.up))
    return first..<max(first, Int((start + length - rounding).rounded(.up)))
  }
}
