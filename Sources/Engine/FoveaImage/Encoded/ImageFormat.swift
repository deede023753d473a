// SPDX-License-Identifier: Apache-2.0

/// The image formats that Fovea reads, some of which it also writes.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// JPEG (ITU-T T.81), baseline and progressive.
  case jpeg
  /// PNG (ISO/IEC 15948); the default image of an animation.
  case png
  /// WebP, lossy and lossless; the first frame of an animation.
  case webp
  /// HEIC and other HEIF files (ISO/IEC 23008-12); the primary image.
  case heic
  /// AVIF (AV1 in HEIF); the primary image.
  case avif
  /// GIF (87a and 89a); the first frame.
  case gif
  /// BMP: Windows and OS/2 bitmaps.
  case bmp
  /// TIFF 6.0 and BigTIFF; the first page.
  case tiff

  /// The formats that a `PixelCanvas` can be encoded as: JPEG, PNG and WebP.
  package static let writable: [ImageFormat] = [.jpeg, .png, .webp]

  /// The usual name: "JPEG", "PNG", "WebP", "HEIC", "AVIF", "GIF", "BMP", "TIFF".
  public var description: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
