// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Places the label chips: attached to their boxes, inside the image, without covering other chips.
///
/// The placement is greedy in the order of the boxes: earlier chips choose first.
struct ChipPlacement {
  /// The width and height of one chip, and its box.
  struct Request: Hashable {
    /// The outer edge of the box's line; inside the image.
    var box: BoundingBox
    /// The width of the chip in pixels.
    var width: Double
    /// The height of the chip in pixels.
    var height: Double
    /// The width of the box's line; nil uses the placement's.
    var lineWidth: Double?
  }

  /// The number of chips that search for a free place; the time grows with its square.
  static let greedyLimit = 1000
  /// The number of places along the left edge that are tried after the eight at the corners.
  private static let stackLimit = 24

  /// The size of the image, which contains all chips.
  let imageSize: PixelSize
  /// The line width of the boxes; a chip covers the line to which it is attached.
  let lineWidth: Double
  /// The minimum distance between two chips in pixels.
  let spacing: Double

  /// Returns the box next to which the chip of an object is placed.
  ///
  /// For a rotated box, this box begins at the leftmost of the upper corners: at the corner of the upright
  /// box, the chip would be far away.
  /// - Parameters:
  ///   - corners: The corners of the rotated box; empty if there is none.
  ///   - outline: The outer edge of the line of the upright box.
  ///   - lineWidth: The width of that line.
  ///   - chipHeight: The height of the chip.
  ///   - size: The size of the image.
  /// - Returns: `outline`; for a rotated box, without the part to the left of that corner.
  static func box(
    around corners: [PixelPoint], outline: BoundingBox, lineWidth: Double, chipHeight: Double,
    in size: PixelSize
  ) -> BoundingBox {
    guard let top = corners.map(\.y).min(), top >= 0 else { return outline }
    let left = corners.lazy.filter { $0.y <= top + chipHeight / 2 }.map(\.x).min() ?? outline.minX
    guard left > outline.minX, left < Double(size.width) else { return outline }
    var box = outline
    box.minX = min((left - lineWidth / 2).rounded(), outline.maxX - 1)
    return box
  }

  /// Places chips one at a time.
  ///
  /// - Parameters:
  ///   - requests: The chips to place.
  ///   - reserved: Places that are already taken.
  /// - Returns: A rectangle for each chip, in the same order; `nil` for a chip that is larger than the image.
  func place(_ requests: [Request], reserved: [BoundingBox] = []) -> [BoundingBox?] {
    var taken = reserved
    return requests.map { request in
      guard request.width <= Double(imageSize.width), request.height <= Double(imageSize.height) else {
        return nil
      }
      let chip = taken.count < Self.greedyLimit ? freePlace(request, taken) : places(request)[0]
      taken.append(chip)
      return chip
    }
  }

  /// Returns the first place that covers no other chip, else the place that covers the least area.
  private func freePlace(_ request: Request, _ taken: [BoundingBox]) -> BoundingBox {
    let candidates = places(request) + stack(request)
    var best = candidates[0]
    var least = Double.infinity
    for candidate in candidates {
      let covered = taken.reduce(0) { $0 + spaced($1).intersection(candidate).area }
      if covered == 0 { return candidate }
      if covered < least { (best, least) = (candidate, covered) }
    }
    return best
  }

  private func spaced(_ chip: BoundingBox) -> BoundingBox {
    BoundingBox(
      minX: chip.minX - spacing, minY: chip.minY - spacing, maxX: chip.maxX + spacing,
      maxY: chip.maxY + spacing)
  }

  /// Returns the places at the corners of a box, best first; at least one.
  private func places(_ request: Request) -> [BoundingBox] {
    let box = request.box
    let lineWidth = request.lineWidth ?? lineWidth
    let above = box.minY + lineWidth - request.height
    let below = box.maxY - lineWidth
    let top = box.minY
    let bottom = box.maxY - request.height
    let left = box.minX
    let right = box.maxX - request.width
    // Inside a small box a chip would hide the object, so prefer places outside.
    let isRoomy = box.width >= request.width * 1.25 && box.height >= request.height * 3
    let wanted =
      isRoomy
      ? [
        (left, above), (left, top), (left, below), (right, above), (right, top), (right, below),
        (left, bottom),
        (right, bottom),
      ]
      : [
        (left, above), (left, below), (right, above), (right, below), (left, top), (right, top),
        (left, bottom),
        (right, bottom),
      ]
    let inside = wanted.filter { $0.1 >= 0 && $0.1 + request.height <= Double(imageSize.height) }
    return (inside.isEmpty ? [(left, top)] : inside).map { chip(request, x: $0.0, y: $0.1) }
  }

  /// Returns further places along the left edge of a box, for chips of boxes that share their corners.
  private func stack(_ request: Request) -> [BoundingBox] {
    var chips: [BoundingBox] = []
    for row in 1...Self.stackLimit {
      let y = request.box.minY + Double(row) * (request.height + spacing)
      guard y + request.height <= min(request.box.maxY, Double(imageSize.height)) else { break }
      chips.append(chip(request, x: request.box.minX, y: y))
    }
    return chips
  }

  /// Returns the chip at a place, shifted into the image if necessary.
  private func chip(_ request: Request, x: Double, y: Double) -> BoundingBox {
    BoundingBox(
      x: min(max(x, 0), Double(imageSize.width) - request.width),
      y: min(max(y, 0), Double(imageSize.height) - request.height),
      width: request.width, height: request.height)
  }
}
