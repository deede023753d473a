// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaRuntime

@Suite struct ScalarTests {
  struct CountCase: Sendable, CustomTestStringConvertible {
    var shape: [Int]
    var type: ElementType
    var elements: Int?
    var bytes: Int?
    var testDescription: String { "\(type) \(shape)" }
  }

  @Test(arguments: [
    CountCase(shape: [], type: .float32, elements: 1, bytes: 4),
    CountCase(shape: [1, 2, 3], type: .uint8, elements: 6, bytes: 6),
    CountCase(shape: [0, 5], type: .int64, elements: 0, bytes: 0),
    CountCase(shape: [3], type: .int4, elements: 3, bytes: 2),
    CountCase(shape: [-1, 3], type: .float32, elements: nil, bytes: nil),
    CountCase(shape: [.max, 2], type: .uint8, elements: nil, bytes: nil),
    CountCase(shape: [.max], type: .float64, elements: .max, bytes: nil),
    CountCase(shape: [2], type: .string, elements: 2, bytes: nil),
  ])
  func `elements and bytes are counted without overflow`(_ count: CountCase) {
    let tensor = TensorDescription(name: "t", elementType: count.type, shape: count.shape)
    #expect(tensor.elementCount == count.elements)
    #expect(tensor.byteCount == count.bytes)
  }
}
