// SPDX-License-Identifier: Apache-2.0

import CLiteRT

extension fovea_layout {
  /// Whether this is the layout of a tensor of a shape.
  func has(shape: [Int]) -> Bool {
    guard Int(rank_and_flags & 0x7F) == shape.count, shape.count <= 8 else { return false }
    return unsafe withUnsafeBytes(of: dimensions) { bytes in
      let sizes = unsafe bytes.bindMemory(to: Int32.self)
      return shape.indices.allSatisfy { unsafe Int(sizes[$0]) == shape[$0] }
    }
  }

  /// A layout of at most eight dimensions, without strides.
  init(shape: [Int]) {
    self.init()
    let sizes =
      shape.prefix(8).map { Int32(clamping: $0) } + Array(repeating: 0, count: max(0, 8 - shape.count))
    rank_and_flags = UInt32(min(shape.count, 8))
    dimensions = (sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], sizes[7])
  }
}
