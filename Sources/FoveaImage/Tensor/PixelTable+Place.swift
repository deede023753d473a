// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension PixelTable {
  /// Writes the planes to their place in the tensor, each value through its table, and the bars around it.
  func write(
    _ planes: TensorPlanes, at place: PicturePlace, spec: ImageTensorSpec,
    into tensor: UnsafeMutableRawBufferPointer
  ) {
    guard let base = tensor.baseAddress else { return }
    let channels: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) =
      unsafe spec.channelOrder == .rgb
      ? (.init(planes.red), .init(planes.green), .init(planes.blue))
      : (.init(planes.blue), .init(planes.green), .init(planes.red))
    let padding = Int(spec.letterbox?.padding ?? 0)
    let isPlanar = spec.layout == .planar
    // SAFETY: the tensor has 3 · width · height numbers of the table's type, which `DecodedImage.write` has checked.
    switch self {
    case .floats(let table):
      let target = unsafe base.assumingMemoryBound(to: Float.self)
      unsafe table.withUnsafeBufferPointer { table in
        unsafe Self.write(channels, at: place, isPlanar: isPlanar, padding: padding, table, into: target)
      }
    case .raw, .signed, .bytes:
      let target = unsafe base.assumingMemoryBound(to: UInt8.self)
      unsafe byteTable.withUnsafeBufferPointer { table in
        unsafe Self.write(channels, at: place, isPlanar: isPlanar, padding: padding, table, into: target)
      }
    }
  }

  /// Three tables of 256 bytes, also for what needs none when it is written in one piece.
  private var byteTable: [UInt8] {
    switch self {
    case .bytes(let table): table
    case .signed: (0..<768).map { UInt8(truncatingIfNeeded: $0) ^ 0x80 }
    case .raw, .floats: (0..<768).map { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// The table has three times 256 numbers, the first 256 for the first channel.
  @inline(__always)
  private static func write<Number>(
    _ channels: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>), at place: PicturePlace,
    isPlanar: Bool, padding: Int, _ table: UnsafeBufferPointer<Number>,
    into target: UnsafeMutablePointer<Number>
  ) {
    let width = place.tensor.width
    let area = place.tensor.area
    let bar = unsafe (table[padding], table[256 + padding], table[512 + padding])
    // The distance between pixels, and between the channels of one.
    let step = isPlanar ? 1 : 3
    let first = unsafe target
    let second = unsafe target + (isPlanar ? area : 1)
    let third = unsafe target + (isPlanar ? 2 * area : 2)
    func fill(_ pixels: Range<Int>) {
      for pixel in pixels {
        unsafe first[pixel &* step] = bar.0
        unsafe second[pixel &* step] = bar.1
        unsafe third[pixel &* step] = bar.2
      }
    }
    fill(0..<(place.y * width))
    for row in 0..<place.picture.height {
      let start = (place.y + row) * width
      let source = row * place.picture.width
      fill(start..<(start + place.x))
      for column in 0..<place.picture.width {
        let pixel = (start &+ place.x &+ column) &* step
        unsafe first[pixel] = unsafe table[Int(channels.0[source &+ column])]
        unsafe second[pixel] = unsafe table[256 &+ Int(channels.1[source &+ column])]
        unsafe third[pixel] = unsafe table[512 &+ Int(channels.2[source &+ column])]
      }
      fill((start + place.x + place.picture.width)..<(start + width))
    }
    fill(((place.y + place.picture.height) * width)..<area)
  }
}
