// SPDX-License-Identifier: Apache-2.0

import CYUV
import FoveaGeometry

extension PixelTable {
  /// Interleaves the planes into the tensor's memory, each value through its table.
  func write(
    _ planes: TensorPlanes, order: ImageTensorSpec.ChannelOrder, into tensor: UnsafeMutableRawBufferPointer
  ) {
    let first = unsafe order == .rgb ? planes.red : planes.blue
    let third = unsafe order == .rgb ? planes.blue : planes.red
    let count = unsafe planes.size.area
    guard let base = tensor.baseAddress else { return }
    switch self {
    case .raw, .signed, .bytes:
      let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
      let width = unsafe Int32(planes.size.width)
      unsafe MergeRGBPlane(
        first, width, planes.green, width, third, width, bytes, width * 3, width, Int32(planes.size.height))
      if case .signed = self {
        for index in 0..<(count * 3) { unsafe bytes[index] ^= 0x80 }
      } else if case .bytes(let table) = self {
        unsafe table.withUnsafeBufferPointer { table in
          for pixel in 0..<count {
            let target = unsafe bytes + pixel &* 3
            unsafe target[0] = unsafe table[Int(target[0])]
            unsafe target[1] = unsafe table[256 &+ Int(target[1])]
            unsafe target[2] = unsafe table[512 &+ Int(target[2])]
          }
        }
      }
    case .floats(let table):
      let floats = unsafe base.assumingMemoryBound(to: Float.self)
      unsafe table.withUnsafeBufferPointer { table in
        for pixel in 0..<count {
          let target = unsafe floats + pixel &* 3
          unsafe target[0] = unsafe table[Int(first[pixel])]
          unsafe target[1] = unsafe table[256 &+ Int(planes.green[pixel])]
          unsafe target[2] = unsafe table[512 &+ Int(third[pixel])]
        }
      }
    }
  }
}
