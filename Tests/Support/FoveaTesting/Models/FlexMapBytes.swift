// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// Writes FlexBuffers of whole numbers, eight bytes each.
package enum FlexMapBytes {
  package static func map(_ numbers: [String: Int], isSorted: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) { bytes.append(littleEndian: UInt64(bitPattern: Int64(value))) }
    let keys = isSorted ? numbers.keys.sorted() : numbers.keys.sorted(by: >)
    let places = keys.map { key in
      defer { bytes += Array(key.utf8) + [0] }
      return bytes.count
    }
    append(keys.count)
    let keyVector = bytes.count
    for place in places { append(bytes.count - place) }
    append(bytes.count - keyVector)
    append(8)
    append(keys.count)
    let values = bytes.count
    for key in keys { append(numbers[key] ?? 0) }
    // Type 1, a whole number, of the width 2^3.
    bytes += keys.map { _ in 1 << 2 | 3 }
    append(bytes.count - values)
    // Type 9, a map.
    return bytes + [9 << 2 | 3, 8]
  }
}
