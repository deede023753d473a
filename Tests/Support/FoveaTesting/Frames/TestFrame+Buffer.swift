// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

extension TestFrame {
  /// Returns the layout of the pixels with `padding` bytes after each row.
  public func layout(_ format: FrameFormat, padding: Int = 0) throws(ImageError) -> PixelLayout {
    let tight = try PixelLayout(format.format, size: size)
    return try PixelLayout(format.format, size: size, bytesPerRow: tight.bytesPerRow.map { $0 + padding })
  }

  /// The planes with `poison` in the gaps and in the alpha bytes; the last row ends with its last pixel.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5, and BT.709-6, item 3; a chroma sample is the mean of its pixels.
  public func planes(_ format: FrameFormat, padding: Int = 0, poison: UInt8 = 0xa5) -> [[UInt8]] {
    let (width, height) = (size.width, size.height)
    let half = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
    func plane(_ columns: Int, _ rows: Int, _ sample: (inout [UInt8], Int, Int) -> Void) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity((columns * 4 + padding) * rows)
      for y in 0..<rows {
        for x in 0..<columns { sample(&bytes, x, y) }
        if y < rows - 1 { bytes += [UInt8](repeating: poison, count: padding) }
      }
      return bytes
    }
    switch format.kind {
    case .packed(let order):
      return [
        plane(width, height) { bytes, x, y in
          for channel in order { bytes.append(channel < 0 ? poison : rgb[(y * width + x) * 3 + channel]) }
        }
      ]
    case .grey:
      let grey = self.grey
      return [plane(width, height) { bytes, x, y in bytes.append(grey.rgb[(y * width + x) * 3]) }]
    case .nv12, .i420:
      let samples = yuv(format.format.encoding ?? YUVEncoding(), half)
      let luma = plane(width, height) { bytes, x, y in bytes.append(samples.y[y * width + x]) }
      func chroma(_ components: [[UInt8]]) -> [UInt8] {
        plane(half.width, half.height) { bytes, x, y in
          for component in components { bytes.append(component[y * half.width + x]) }
        }
      }
      if case .nv12 = format.kind { return [luma, chroma([samples.cb, samples.cr])] }
      return [luma, chroma([samples.cb]), chroma([samples.cr])]
    }
  }

  private func yuv(_ encoding: YUVEncoding, _ half: PixelSize) -> (y: [UInt8], cb: [UInt8], cr: [UInt8]) {
    let (kr, kb) = encoding.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let isFull = encoding.range == .full
    let (black, lumaScale, chromaScale) = isFull ? (0, 1, 1) : (16, 219.0 / 255, 224.0 / 255)
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
    var luma = [UInt8](repeating: 0, count: size.area)
    var cb = [Double](repeating: 0, count: half.area)
    var cr = cb
    var counts = cb
    for y in 0..<size.height {
      for x in 0..<size.width {
        let source = (y * size.width + x) * 3
        let (red, green, blue) = (Double(rgb[source]), Double(rgb[source + 1]), Double(rgb[source + 2]))
        let value = kr * red + (1 - kr - kb) * green + kb * blue
        luma[y * size.width + x] = byte(Double(black) + value * lumaScale)
        let sample = y / 2 * half.width + x / 2
        cb[sample] += (blue - value) / (2 * (1 - kb)) * chromaScale
        cr[sample] += (red - value) / (2 * (1 - kr)) * chromaScale
        counts[sample] += 1
      }
    }
    return (
      luma, cb.indices.map { byte(128 + cb[$0] / counts[$0]) },
      cr.indices.map { byte(128 + cr[$0] / counts[$0]) }
    )
  }

  /// A buffer whose rows are stored from the last one to the first.
  public func bottomUpBuffer(
    _ format: FrameFormat, padding: Int = 0, poison: UInt8 = 0xa5
  ) throws(ImageError) -> PixelBuffer {
    let strides = try layout(format, padding: padding).bytesPerRow
    let gap = [UInt8](repeating: poison, count: padding)
    let planes = zip(planes(format, padding: padding, poison: poison), strides).map { plane, stride in
      let rows = Swift.stride(from: 0, to: plane.count, by: stride).map { plane[$0..<$0 + stride - padding] }
      return Array(rows.reversed().joined(separator: gap))
    }
    let layout = try PixelLayout(format.format, size: size, bytesPerRow: strides.map { -$0 })
    return try PixelBuffer(layout, bytes: Array(planes.joined(separator: gap)), name: "frame")
  }

  /// A buffer with the planes one after the other.
  public func buffer(
    _ format: FrameFormat, padding: Int = 0, poison: UInt8 = 0xa5, orientation: Orientation = .up
  ) throws(ImageError) -> PixelBuffer {
    let layout = try layout(format, padding: padding)
    // Between the planes is the gap of each plane's last row.
    let planes = planes(format, padding: padding, poison: poison)
    let gap = [UInt8](repeating: poison, count: padding)
    return try PixelBuffer(
      layout, bytes: Array(planes.joined(separator: gap)), orientation: orientation, name: "frame")
  }
}
