// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

extension JSONReader {
  /// Reads [x, y, width, height].
  mutating func box() throws(JSONFailure) -> COCOBox {
    guard try take(UInt8(ascii: "[")) else { throw mismatch("bbox is not an array of four numbers") }
    var box = COCOBox(x: 0, y: 0, width: 0, height: 0)
    box.x = try boxNumber()
    try boxComma()
    box.y = try boxNumber()
    try boxComma()
    box.width = try boxNumber()
    try boxComma()
    box.height = try boxNumber()
    guard try take(UInt8(ascii: "]")) else { throw mismatch("bbox has more than four numbers") }
    return box
  }

  /// Reads [x, y, v, x, y, v, …]: the place of each point, and its visibility or score.
  mutating func keypoints() throws(JSONFailure) -> [(point: PixelPoint, value: Double)] {
    guard try take(UInt8(ascii: "[")) else { throw mismatch("keypoints is not an array of numbers") }
    var numbers: [Double] = []
    var isFirst = true
    while try nextElement(&isFirst) { numbers.append(try double("a number of keypoints")) }
    guard numbers.count.isMultiple(of: 3) else {
      throw mismatch("keypoints has \(numbers.count) numbers; it must have three for each point")
    }
    return stride(from: 0, to: numbers.count, by: 3).map {
      (PixelPoint(x: numbers[$0], y: numbers[$0 + 1]), numbers[$0 + 2])
    }
  }

  @inline(__always)
  private mutating func boxNumber() throws(JSONFailure) -> Double {
    if try peek() == UInt8(ascii: "]") { throw mismatch("bbox has fewer than four numbers") }
    return try double("a number of bbox")
  }

  @inline(__always)
  private mutating func boxComma() throws(JSONFailure) {
    if try take(UInt8(ascii: ",")) { return }
    if try peek() == UInt8(ascii: "]") { throw mismatch("bbox has fewer than four numbers") }
    throw try unexpected("a comma is expected")
  }
}
