// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Compares the pixels that decoding a HEIC or AVIF takes with the size that its header declares.
///
/// The frames of HEVC and AV1 have sizes of their own, for which a decoder allocates memory; libheif compares
/// them with the header only after decoding. The tiles of a grid may exceed it, or be decoded many times.
struct HEIFPixels {
  private let table: HEIFTable
  private let format: ImageFormat
  private let name: String
  private let limits: ImageLimits
  /// The pixels of items, with those of their parts and companions.
  private var counted: [Int: Int] = [:]

  /// Tiles, transparency, a depth map and a gain map together have fewer than this many times the pixels of
  /// their image, if it is not smaller than a tile.
  private static let largestShare = 4
  /// These are allowed in any case: the padding of a panorama 16,000 pixels wide in tiles of 512.
  private static let freePixels = 8 << 20
  /// Encoders pad frames, to multiples of 64 at most; one more multiple is allowed.
  private static let padding = 64
  /// A grid in an overlay, with transparency, has four.
  private static let mostLevels = 16
  /// No sum exceeds this, so that none overflows.
  private static let mostPixels = 1 << 60

  /// Throws if decoding needs many more pixels than the header declares.
  ///
  /// Items of unknown size pass: the decoders check them.
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - size: The size of the image as decoded, after cropping.
  ///   - format: HEIC or AVIF.
  ///   - name: The image's name in error messages.
  ///   - limits: The limits for the image.
  /// - Throws: `ImageError` if the image is too large, or contradicts its header.
  static func check(
    _ bytes: [UInt8], size: PixelSize, _ format: ImageFormat, name: String, limits: ImageLimits
  ) throws(ImageError) {
    let file = ISOBoxes(bytes)
    let boxes = file.outermost.filter { $0.kind == ISOBoxKind.meta }
    // Of several, libheif uses one.
    for (_, content) in boxes.prefix(1) + boxes.dropFirst().suffix(1) {
      let table = HEIFTable(file, meta: content)
      guard table.referenceCount <= HEIFTable.mostReferences else {
        throw ImageError(
          .tooLarge,
          "the \(format) has more than \(HEIFTable.mostReferences) references between its items",
          remedy: "Open it in an image editor and save it again", subject: name)
      }
      guard let primary = table.primary else { continue }
      var pixels = HEIFPixels(table, format, name: name, limits: limits)
      try pixels.check(primary, size)
    }
  }

  private init(_ table: HEIFTable, _ format: ImageFormat, name: String, limits: ImageLimits) {
    self.table = table
    self.format = format
    self.name = name
    self.limits = limits
  }

  private mutating func check(_ primary: Int, _ visible: PixelSize) throws(ImageError) {
    let size = table.declaredSize(of: primary) ?? visible
    try limits.check(size, name: name)
    let count = try pixels(of: primary, level: 1)
    let allowed = Self.largestShare * min(size.area, Self.mostPixels) + Self.freePixels
    guard count > allowed else { return }
    guard count > limits.maxPixels else {
      throw .corrupt(name, format, "the header declares \(size) pixels, its parts have \(count) pixels")
    }
    throw ImageError(
      .tooLarge,
      "the parts of the image have \(count) pixels, \(limits.maxPixels) are allowed",
      remedy: "Use a smaller image, or raise \(option: "max-pixels") if you trust its source", subject: name)
  }

  /// Returns the number of pixels that decoding an item takes, with its parts and companions.
  private mutating func pixels(of item: Int, level: Int) throws(ImageError) -> Int {
    if let known = counted[item] { return known }
    guard level <= Self.mostLevels else {
      throw .corrupt(
        name, format, "its items refer to each other in a circle, or in more than \(Self.mostLevels) levels")
    }
    let declared = table.declaredSize(of: item)
    let coded = table.codedSize(of: item)
    if let declared, let coded, Self.exceeds(coded, declared) {
      try limits.check(coded, name: name)
      throw .corrupt(name, format, "the header declares \(declared) pixels, the data has \(coded)")
    }
    let own = (coded ?? declared)?.area ?? 0
    let parts = try pixels(of: table.parts[item] ?? [], level: level + 1)
    let companions = try pixels(of: table.companions[item] ?? [], level: level + 1)
    let sum = min(max(min(own, Self.mostPixels), parts) + companions, Self.mostPixels)
    counted[item] = sum
    return sum
  }

  private mutating func pixels(of items: [Int], level: Int) throws(ImageError) -> Int {
    var sum = 0
    for item in items {
      let count = try pixels(of: item, level: level)
      sum = min(sum + count, Self.mostPixels)
    }
    return sum
  }

  /// Whether a frame is larger than an encoder may make it for an image of the declared size.
  private static func exceeds(_ coded: PixelSize, _ declared: PixelSize) -> Bool {
    func padded(_ side: Int) -> Int { (side + padding - 1) / padding * padding + padding }
    return coded.width > padded(declared.width) || coded.height > padded(declared.height)
  }
}
