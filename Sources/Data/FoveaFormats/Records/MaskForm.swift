// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
package import FoveaGeometry

/// The form of masks in JSON, COCO and YOLO.
public enum MaskForm: String, Sendable, Hashable, CaseIterable {
  /// COCO's run lengths as compressed text, of the whole image: every pixel is exact. YOLO has outlines.
  case rle
  /// The outer outlines as polygons, in pixels, for tools that do not read run lengths; holes are filled.
  case polygon
  /// No masks, only boxes.
  case none
}

/// A mask in one of its forms.
///
/// A mask without a pixel in the image is written as one: run lengths of no pixel, or no polygons.
struct WrittenMask {
  private let mask: ObjectMask
  private let runs: RunLengths?
  private let size: PixelSize
  private let content: Content

  private enum Content {
    case counts(String)
    /// x and y of each point, one after the other.
    case polygons([[Double]])
  }

  /// Creates the form of an object's mask.
  ///
  /// nil if the object has no mask, the form is ``MaskForm/none``, or the size of the image is not known or
  /// too large for run lengths.
  init?(_ object: DetectedObject, in size: PixelSize?, as form: MaskForm) {
    self.init(object.mask, in: size, as: form)
  }

  /// Creates the form of a mask; nil without one, and as for an object.
  init?(_ mask: ObjectMask?, in size: PixelSize?, as form: MaskForm) {
    guard form != .none, let mask, let size, RunLengths.isPossible(size) else { return nil }
    self.mask = mask
    self.size = size
    switch form {
    case .rle:
      guard let runs = try? mask.runLengths(in: size) else { return nil }
      self.runs = runs
      content = .counts(runs.text)
    case .polygon, .none:
      runs = nil
      content = .polygons(mask.clamped(to: size).outerOutlines.map { $0.flatMap { [$0.x, $0.y] } })
    }
  }

  /// Returns the number of pixels of the object in the image, which takes as long as run lengths.
  func area() -> Int { runs?.area ?? (try? mask.runLengths(in: size))?.area ?? 0 }

  /// Appends the member `mask` of an object.
  func append(to json: inout JSONText) {
    switch content {
    case .counts(let text): append("mask", counts: text, to: &json)
    case .polygons(let polygons):
      json.member("mask") { json in
        json.member("size", [size.height, size.width])
        WrittenMask.append("polygons", polygons, to: &json)
      }
    }
  }

  /// Appends the member `segmentation` of an annotation, in COCO's forms.
  ///
  /// A mask without a pixel has run lengths in both forms: no polygons mean that there is only a box.
  func appendSegmentation(to json: inout JSONText) {
    switch content {
    case .counts(let text): append("segmentation", counts: text, to: &json)
    case .polygons(let polygons) where !polygons.isEmpty:
      WrittenMask.append("segmentation", polygons, to: &json)
    case .polygons:
      guard let runs = try? mask.runLengths(in: size) else { return }
      append("segmentation", counts: runs.text, to: &json)
    }
  }

  /// Appends run lengths with the size of their image, in the form that pycocotools reads.
  private func append(_ name: StaticString, counts: String, to json: inout JSONText) {
    json.member(name) { json in
      json.member("size", [size.height, size.width])
      json.member("counts", counts)
    }
  }

  private static func append(_ name: StaticString, _ polygons: [[Double]], to json: inout JSONText) {
    json.member(name, polygons) { json, polygon in json.array(polygon) { $0.number($1, places: 2) } }
  }
}

extension ObjectMask {
  /// The outlines without those of holes.
  var outerOutlines: [[PixelPoint]] { outlines.filter { ObjectMask.area(of: $0) > 0 } }

  /// The outer outline with the largest area; nil if the mask covers nothing.
  package var largestOutline: [PixelPoint]? {
    outerOutlines.max { ObjectMask.area(of: $0) < ObjectMask.area(of: $1) }
  }

  /// Returns the area of a polygon: positive if it runs clockwise as seen on the screen.
  private static func area(of points: [PixelPoint]) -> Double {
    var sum = 0.0
    guard var last = points.last else { return sum }
    for point in points {
      sum += last.x * point.y - point.x * last.y
      last = point
    }
    return sum / 2
  }
}
