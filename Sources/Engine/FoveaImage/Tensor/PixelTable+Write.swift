// SPDX-License-Identifier: Apache-2.0

import CPixels
import CYUV
import FoveaGeometry

extension PixelTable {
  /// Three rows of bytes, one per channel in the tensor's order.
  @unsafe private struct Rows {
    var first: UnsafePointer<UInt8>
    var second: UnsafePointer<UInt8>
    var third: UnsafePointer<UInt8>

    func advanced(by count: Int) -> Rows {
      unsafe Rows(first: first + count, second: second + count, third: third + count)
    }
    subscript(channel: Int) -> UnsafePointer<UInt8> {
      unsafe channel == 0 ? first : channel == 1 ? second : third
    }
  }

  /// Writes rows to their position in a tensor, mapping each value through the table, and the bars next to
  /// them; the bar above is written with the first row, the bar below with the last one.
  func write(
    _ planes: TensorPlanes, at place: ImagePlace, spec: ImageTensorSpec,
    into tensor: UnsafeMutableRawBufferPointer
  ) {
    guard let base = tensor.baseAddress else { return }
    if spec.channelOrder == .grey { return unsafe writeGrey(planes, at: place, spec: spec, into: base) }
    let isRGB = spec.channelOrder == .rgb
    let channels = unsafe Rows(
      first: isRGB ? planes.red : planes.blue, second: planes.green, third: isRGB ? planes.blue : planes.red)
    let number = spec.elementType.byteCount
    // SAFETY: `DecodedImage.write` has checked that the tensor has 3 · width · height numbers of `number`
    // bytes, and a position lies within its tensor.
    unsafe withUnsafePointer(to: spec.letterbox?.padding ?? 0) { padding in
      let bar = unsafe Rows(first: padding, second: padding, third: padding)
      guard spec.layout == .planar else {
        unsafe Self.fill(base, planes.rows, at: place, pixel: 3 * number) { start, target, count in
          let rows = unsafe start.map { unsafe channels.advanced(by: $0) } ?? bar
          unsafe writePixels(rows, into: target, count: count)
        }
        return
      }
      for channel in 0..<3 {
        let plane = unsafe base + channel * place.tensor.area * number
        unsafe Self.fill(plane, planes.rows, at: place, pixel: number) { start, target, count in
          let row = unsafe start.map { unsafe channels[channel] + $0 } ?? padding
          unsafe writePlane(channel, row, into: target, count: count)
        }
      }
    }
  }

  /// Writes the brightness of rows; it overwrites their red.
  private func writeGrey(
    _ planes: TensorPlanes, at place: ImagePlace, spec: ImageTensorSpec, into base: UnsafeMutableRawPointer
  ) {
    let count = unsafe planes.rows.count * place.image.width
    let (red, green, blue) = unsafe (planes.red, planes.green, planes.blue)
    // A grey image has one plane for all three channels, and the factors sum to 65,536, so it is unchanged.
    if unsafe red != green {
      for index in 0..<count {
        let sum =
          unsafe 19_595 &* UInt32(red[index]) &+ 38_470 &* UInt32(green[index]) &+ 7_471
          &* UInt32(blue[index])
        unsafe red[index] = UInt8(truncatingIfNeeded: (sum &+ 32_768) >> 16)
      }
    }
    // SAFETY: `DecodedImage.write` has checked for width · height numbers, and a position lies within.
    unsafe withUnsafePointer(to: spec.letterbox?.padding ?? 0) { padding in
      unsafe Self.fill(base, planes.rows, at: place, pixel: spec.elementType.byteCount) {
        start, target, count in
        let row = unsafe start.map { unsafe UnsafePointer(red) + $0 } ?? padding
        unsafe writePlane(0, row, into: target, count: count)
      }
    }
  }

  /// Calls `write` for each row of the image, with the offset of its first pixel in the planes, and for the
  /// first pixel of each bar, with nil; the rest of a bar repeats that pixel.
  @inline(__always)
  private static func fill(
    _ base: UnsafeMutableRawPointer, _ rows: Range<Int>, at place: ImagePlace, pixel: Int,
    _ write: (_ start: Int?, UnsafeMutableRawPointer, _ count: Int) -> Void
  ) {
    let (width, image) = (place.tensor.width, place.image)
    guard !place.isWhole else {
      return unsafe write(0, base + rows.lowerBound * width * pixel, rows.count * width)
    }
    func bar(_ pixels: Range<Int>) {
      guard !pixels.isEmpty else { return }
      let start = unsafe base + pixels.lowerBound * pixel
      unsafe write(nil, start, 1)
      unsafe fovea_repeat(start, pixel, pixels.count)
    }
    if rows.lowerBound == 0 { bar(0..<(place.y * width)) }
    for row in rows {
      let start = (place.y + row) * width
      bar(start..<(start + place.x))
      unsafe write((row - rows.lowerBound) * image.width, base + (start + place.x) * pixel, image.width)
      bar((start + place.x + image.width)..<(start + width))
    }
    if rows.upperBound == image.height { bar(((place.y + image.height) * width)..<place.tensor.area) }
  }

  /// Interleaves pixels.
  private func writePixels(_ rows: Rows, into target: UnsafeMutableRawPointer, count: Int) {
    let width = Int32(truncatingIfNeeded: count)
    switch self {
    case .raw, .signed, .bytes:
      let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
      unsafe MergeRGBPlane(
        rows.first, width, rows.second, width, rows.third, width, bytes, width * 3, width, 1)
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
    case .affine(let kernels):
      let floats = unsafe target.assumingMemoryBound(to: Float.self)
      unsafe kernels.withUnsafeBufferPointer { kernels in
        unsafe fovea_normalize_pixels(rows.first, rows.second, rows.third, floats, width, kernels.baseAddress)
      }
    case .words(let table):
      let words = unsafe target.assumingMemoryBound(to: UInt32.self)
      unsafe table.withUnsafeBufferPointer { table in
        for pixel in 0..<count {
          let target = unsafe words + pixel &* 3
          unsafe target[0] = unsafe table[Int(rows.first[pixel])]
          unsafe target[1] = unsafe table[256 &+ Int(rows.second[pixel])]
          unsafe target[2] = unsafe table[512 &+ Int(rows.third[pixel])]
        }
      }
    }
  }

  /// Writes the numbers of one channel.
  private func writePlane(
    _ channel: Int, _ row: UnsafePointer<UInt8>, into target: UnsafeMutableRawPointer, count: Int
  ) {
    let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
    let floats = unsafe target.assumingMemoryBound(to: Float.self)
    let words = unsafe target.assumingMemoryBound(to: UInt32.self)
    switch self {
    case .raw: unsafe bytes.update(from: row, count: count)
    case .signed:
      for index in 0..<count { unsafe bytes[index] = unsafe row[index] ^ 0x80 }
    case .bytes(let table):
      unsafe table.withUnsafeBufferPointer { table in
        for index in 0..<count { unsafe bytes[index] = unsafe table[channel << 8 &+ Int(row[index])] }
      }
    case .affine(let kernels):
      unsafe kernels.withUnsafeBufferPointer { kernels in
        unsafe fovea_normalize(
          row, floats, Int32(truncatingIfNeeded: count), kernels.baseAddress.map { unsafe $0 + 1 + channel })
      }
    case .words(let table):
      unsafe table.withUnsafeBufferPointer { table in
        for index in 0..<count { unsafe words[index] = unsafe table[channel << 8 &+ Int(row[index])] }
      }
    }
  }
}
