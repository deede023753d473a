// SPDX-License-Identifier: Apache-2.0

/// What an image may cost: checked against its header, before any memory is taken for its pixels.
public struct ImageLimits: Sendable, Hashable {
  /// The most pixels, 200 million by default: phones make 200-megapixel images; beyond lie decompression bombs.
  public var maxPixels = 200_000_000
  /// The longest side in pixels, 65,535 by default, the most that a JPEG can have.
  public var maxDimension = 65_535
  /// The largest file in bytes, 512 MiB by default.
  public var maxFileBytes = 512 << 20
  /// The formats that are read; all by default.
  ///
  /// Each format has a library that reads its bytes. Where images come from strangers, fewer libraries are safer.
  public var formats = Set(ImageFormat.allCases)

  /// The defaults.
  public init() {}
}
