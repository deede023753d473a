// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// An image with its annotated objects and the detector's boxes.
struct BoxedImage: Sendable {
  /// The content of a detector's box.
  enum Content: Sendable, Equatable {
    /// The object with that index.
    case object(Int)
    /// No object.
    case nothing
    /// A part of an object, or a crowd: not an example of a class, and not a counterexample either.
    case unclear
  }

  /// A box of the detector.
  struct Box: Sendable, Equatable {
    var box: BoundingBox
    var score: Double
    var content: Content
  }

  /// The minimum IoU at which a detector's box matches an object, as in AP50.
  static let leastIoU = 0.5
  /// The IoU below which a box shows no object.
  private static let largestIoUOfNothing = 0.3

  /// The image, with boxes in pixels.
  let image: ObjectSet.Image
  let size: PixelSize
  /// The objects, clipped to the image; objects outside it are left out.
  let objects: [ObjectSet.Object]
  /// The detector's boxes by descending score.
  let boxes: [Box]

  var isTest: Bool { image.isTest }

  init(_ image: ObjectSet.Image, _ found: FoundBoxes) {
    let size = found.size
    let image = image.inPixels(of: size)
    self.image = image
    self.size = size
    let objects = image.objects.compactMap { object in
      var object = object
      object.box = object.box.clamped(to: size)
      return object.box.isEmpty ? nil : object
    }
    self.objects = objects
    boxes = found.boxes.enumerated().map { index, each in
      let isLeftOut = image.leftOutBoxes.contains(index + 1)
      return Box(
        box: each.box, score: Double(each.score),
        content: isLeftOut ? .unclear : BoxedImage.content(of: each.box, objects, crowds: image.crowds))
    }
  }

  /// Returns the class of a box's object; nil if there is none.
  func label(of box: Box) -> Int? {
    guard case .object(let index) = box.content else { return nil }
    return objects[index].label
  }

  private static func content(
    of box: BoundingBox, _ objects: [ObjectSet.Object], crowds: [BoundingBox]
  ) -> Content {
    // A box without an area shows neither an object nor background.
    guard !box.isEmpty else { return .unclear }
    var best: (index: Int, overlap: Double)?
    for (index, object) in objects.enumerated() {
      let overlap = box.iou(with: object.box)
      if overlap > best?.overlap ?? 0 { best = (index, overlap) }
    }
    if let best, best.overlap >= leastIoU { return .object(best.index) }
    let isInCrowd = crowds.contains { box.intersection($0).area >= leastIoU * box.area }
    return isInCrowd || best?.overlap ?? 0 >= largestIoUOfNothing ? .unclear : .nothing
  }
}

extension ObjectSet.Image {
  /// Returns the image with its boxes in pixels.
  fileprivate func inPixels(of size: PixelSize) -> ObjectSet.Image {
    guard isInFractions else { return self }
    func pixels(_ box: BoundingBox) -> BoundingBox {
      let (width, height) = (Double(size.width), Double(size.height))
      return BoundingBox(
        minX: box.minX * width, minY: box.minY * height, maxX: box.maxX * width, maxY: box.maxY * height)
    }
    var image = self
    image.isInFractions = false
    image.crowds = crowds.map(pixels)
    for index in objects.indices { image.objects[index].box = pixels(objects[index].box) }
    return image
  }
}
