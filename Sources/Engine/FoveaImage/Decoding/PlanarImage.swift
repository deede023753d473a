// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The planes of an image while they may be read.
@unsafe struct PlanarImage {
  /// Up to three planes, stored without an allocation; missing ones repeat the first.
  @unsafe struct Planes {
    private let first: DecodedImage.Plane
    private let second: DecodedImage.Plane
    private let third: DecodedImage.Plane

    init(_ first: DecodedImage.Plane, _ second: DecodedImage.Plane, _ third: DecodedImage.Plane) {
      unsafe self.first = first
      unsafe self.second = second
      unsafe self.third = third
    }

    subscript(index: Int) -> DecodedImage.Plane { unsafe index == 0 ? first : index == 1 ? second : third }
  }

  let name: String
  let fullSize: PixelSize
  let layout: DecodedImage.Layout
  let encoding: YUVEncoding
  let planes: Planes

  /// Creates the planes of a decoded file.
  init(_ image: DecodedImage, _ planes: [DecodedImage.Plane]) {
    unsafe name = image.name
    unsafe fullSize = image.fullSize
    unsafe layout = image.layout
    unsafe encoding = image.encoding
    unsafe self.planes = unsafe Planes(
      planes[0], planes.count > 1 ? planes[1] : planes[0], planes.count > 2 ? planes[2] : planes[0])
  }

  /// Creates the planes of a buffer.
  init(_ image: DecodedImage, _ buffer: PixelLayout, _ bases: PixelStorage.Bases) {
    unsafe name = image.name
    unsafe fullSize = image.fullSize
    unsafe layout = image.layout
    unsafe encoding = image.encoding
    let width = Double(buffer.size.width)
    let height = Double(buffer.size.height)
    // In a bottom-up plane, each row lies before the previous one.
    let strides = buffer.isBottomUp ? buffer.bytesPerRow.map { -$0 } : buffer.bytesPerRow
    func chroma(_ index: Int, _ base: UnsafePointer<UInt8>, _ stride: Int) -> DecodedImage.Plane {
      unsafe DecodedImage.Plane(
        base: base + buffer.firstRowOffset(plane: index), bytesPerRow: stride, width: width / 2,
        height: height / 2)
    }
    let first = unsafe DecodedImage.Plane(
      base: bases.first + buffer.firstRowOffset(plane: 0), bytesPerRow: strides[0], width: width,
      height: height)
    let second = unsafe strides.count > 1 ? chroma(1, bases.second, strides[1]) : first
    unsafe planes = unsafe Planes(
      first, second, strides.count > 2 ? chroma(2, bases.third, strides[2]) : first)
  }
}

extension DecodedImage.Layout {
  /// Whether the planes after the first hold chroma.
  var hasChroma: Bool { self == .yCbCr || self == .yCbCrPairs }

  /// The number of interleaved bytes in a sample of the first plane.
  var bytesPerSample: Int {
    switch self {
    case .grey, .yCbCr, .yCbCrPairs: 1
    case .rgb, .bgr: 3
    case .rgbx, .bgrx: 4
    }
  }

  /// The number of interleaved bytes in a sample of the second plane.
  var bytesPerChromaSample: Int { self == .yCbCrPairs ? 2 : 1 }
}
