// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaSystem

/// The lines of one image's YOLO file: class, centre, width and height as parts of the image's sides.
enum YOLOLines {
  /// One line, which ends with the score where there is one.
  static func line(class number: Int, box: BoundingBox, size: PixelSize, score: Float?) -> String {
    let visible = box.clamped(to: size)
    let width = Double(max(1, size.width))
    let height = Double(max(1, size.height))
    var numbers = [
      visible.midX / width, visible.midY / height, visible.width / width, visible.height / height,
    ]
    if let score { numbers.append(Double(score)) }
    return "\(number) " + numbers.map { DecimalText.fixed($0, places: 6) }.joined(separator: " ") + "\n"
  }
}
