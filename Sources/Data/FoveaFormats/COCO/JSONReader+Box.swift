// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

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
