// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting

/// Drawn photos: discs, squares and stripes in different colours, so that a few are enough to learn from.
struct DrawnPhotos {
  enum Shape: String, CaseIterable {
    case disc, square, stripes
  }

  let folder: TemporaryFolder
  /// Six blocks of 16 pixels.
  private static let side = 96

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  /// Draws this many photos of each shape into a folder with its name.
  func draw(
    _ count: Int, _ shapes: [Shape] = [.disc, .square], into place: String = "set", from first: Int = 0
  ) throws {
    for shape in shapes {
      for number in first..<first + count {
        try draw(shape, number, at: "\(place)/\(shape.rawValue)/\(number).png")
      }
    }
  }

  /// Draws one photo.
  func draw(_ shape: Shape, _ number: Int, at place: String) throws {
    var random = SeededGenerator(seed: UInt64(number) &* 31 &+ UInt64(shape.rawValue.utf8.count))
    try folder.write(place, try DrawnPhotos.image(shape, &random).encoded(as: .png))
  }

  /// The box of a drawn disc or square, in COCO's form.
  static func box(_ shape: Shape, _ number: Int) -> [Int] {
    var random = SeededGenerator(seed: UInt64(number) &* 31 &+ UInt64(shape.rawValue.utf8.count))
    let radius = Int.random(in: 20...40, using: &random)
    let (x, y) = (Int.random(in: 40...56, using: &random), Int.random(in: 40...56, using: &random))
    return [x - radius, y - radius, 2 * radius, 2 * radius]
  }

  /// Writes the instances file of this many drawn discs and squares.
  func writeInstances(_ count: Int, from first: Int = 0, to name: String = "instances.json") throws {
    var (images, annotations): ([String], [String]) = ([], [])
    for (label, shape) in [Shape.disc, .square].enumerated() {
      for number in first..<first + count {
        let id = images.count + 1
        images.append(#"{"id":\#(id),"file_name":"\#(shape.rawValue)/\#(number).png"}"#)
        let box = DrawnPhotos.box(shape, number)
        annotations.append(
          #"{"id":\#(id),"image_id":\#(id),"category_id":\#(label + 1),"bbox":\#(box),"iscrowd":0}"#)
      }
    }
    try folder.write(
      name,
      #"{"images":[\#(images.joined(separator: ","))],"annotations":[\#(annotations.joined(separator: ","))],"#
        + #""categories":[{"id":1,"name":"disc"},{"id":2,"name":"square"}]}"#)
  }

  private static func image(_ shape: Shape, _ random: inout SeededGenerator) -> PixelCanvas {
    let canvas = PixelCanvas(size: PixelSize(width: side, height: side))
    let radius = Int.random(in: 20...40, using: &random)
    let (x, y) = (Int.random(in: 40...56, using: &random), Int.random(in: 40...56, using: &random))
    let ink = (0..<3).map { _ in UInt8.random(in: 150...255, using: &random) }
    // Paper of blocks, so that no two photos count as copies.
    let paper = (0..<36).map { _ in UInt8.random(in: 0...110, using: &random) }
    // SAFETY: rows and columns are those of the canvas, four bytes per pixel.
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for row in 0..<side {
        for column in 0..<side {
          let (dx, dy) = (column - x, row - y)
          let isInk =
            switch shape {
            case .disc: dx * dx + dy * dy < radius * radius
            case .square: max(abs(dx), abs(dy)) < radius
            case .stripes: (row + radius) / 8 % 2 == 0
            }
          let place = row * canvas.bytesPerRow + 4 * column
          for channel in 0..<3 {
            unsafe bytes[place + channel] = isInk ? ink[channel] : paper[row / 16 * 6 + column / 16]
          }
        }
      }
    }
    return canvas
  }
}
