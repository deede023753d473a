// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension JSONReader {
  /// Reads the objects of an array or of JSON lines; `body` starts after an opening brace; false stops.
  mutating func elements(
    _ name: String, _ body: (inout JSONReader) throws(JSONFailure) -> Bool
  ) throws(JSONFailure) {
    switch try peek() {
    case UInt8(ascii: "["):
      _ = try take(UInt8(ascii: "["))
      var isFirst = true
      while try nextElement(&isFirst) {
        guard try take(UInt8(ascii: "{")) else {
          throw mismatch("an element of the \(name) is not an object")
        }
        guard try body(&self) else { return }
      }
      try expectEnd()
    case UInt8(ascii: "{"):
      while try peek() != nil {
        try expect(UInt8(ascii: "{"), "an object")
        guard try body(&self) else { return }
      }
    default: throw try otherKind("expected an array of \(name)")
    }
  }

  /// Reads the elements of the array `name`, each an object whose opening brace is consumed already.
  mutating func objects(
    _ name: String, _ body: (inout JSONReader) throws(JSONFailure) -> Void
  ) throws(JSONFailure) {
    guard try take(UInt8(ascii: "[")) else { throw mismatch("'\(name)' is not an array") }
    var isFirst = true
    while try nextElement(&isFirst) {
      guard try take(UInt8(ascii: "{")) else {
        throw mismatch("an element of '\(name)' is not an object")
      }
      try body(&self)
    }
  }

  /// Refuses a member that its object already has, as only one of the two values would be used.
  @inline(__always)
  func refuse(twin isTwin: Bool, _ name: String) throws(JSONFailure) {
    if isTwin { throw mismatch("the member '\(name)' occurs twice") }
  }
}
