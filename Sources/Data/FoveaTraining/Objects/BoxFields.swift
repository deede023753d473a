// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// One line of AutoML's CSV file for object detection, with two or four corners:
/// `[SET,]path,label,x,y,x,y,…`.
struct BoxFields {
  let isTest: Bool
  /// The image's name in the file.
  let name: String
  let label: String
  /// The box in fractions of the image's sides; nil for an image without objects.
  let box: BoundingBox?

  private static let coordinateCount = 8

  init(_ fields: [String]) throws(LineProblem) {
    let complete = 3 + BoxFields.coordinateCount
    guard fields.count <= complete else {
      throw LineProblem(text: "\(fields.count) columns instead of at most \(complete)")
    }
    // If all columns are there, the first is always the set.
    let hasSet = fields[0].isEmpty || PhotoList.isSet(fields[0]) || fields.count == complete
    isTest = try PhotoList.isTest(hasSet ? fields[0] : "")
    let rest = Array(fields.dropFirst(hasSet ? 1 : 0))
    guard let name = rest.first, !name.isEmpty else { throw LineProblem(text: "no path") }
    self.name = name
    label = rest.count > 1 ? rest[1] : ""
    box = try BoxFields.box(Array(rest.dropFirst(2)))
    switch (label.isEmpty, box) {
    case (true, .some): throw LineProblem(text: "a box without a label")
    case (false, nil): throw LineProblem(text: "a label without a box")
    default: break
    }
  }

  private static func box(_ fields: [String]) throws(LineProblem) -> BoundingBox? {
    var (xs, ys): ([Double], [Double]) = ([], [])
    for place in stride(from: 0, to: fields.count, by: 2) {
      let (x, y) = (fields[place], place + 1 < fields.count ? fields[place + 1] : "")
      if x.isEmpty && y.isEmpty { continue }
      guard !x.isEmpty, !y.isEmpty else { throw LineProblem(text: "a corner with only x or only y") }
      xs.append(try fraction(x))
      ys.append(try fraction(y))
    }
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else {
      return nil
    }
    guard xs.count == 2 || xs.count == 4 else {
      throw LineProblem(text: "a box with \(xs.count) corners instead of 2 or 4")
    }
    if xs.count == 2, xs[0] > xs[1] || ys[0] > ys[1] {
      let (axis, values) = xs[0] > xs[1] ? ("x", xs) : ("y", ys)
      throw LineProblem(text: "\(axis)_max \(values[1]) is less than \(axis)_min \(values[0])")
    }
    return BoundingBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  private static func fraction(_ field: String) throws(LineProblem) -> Double {
    guard let value = Double(field), value >= 0, value <= 1 else {
      throw LineProblem(text: "'\(field.printable)' is not a fraction of the image's side from 0 to 1")
    }
    return value
  }
}
