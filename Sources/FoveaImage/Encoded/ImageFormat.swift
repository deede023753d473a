// SPDX-License-Identifier: Apache-2.0

/// The picture formats that Fovea reads and writes.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// JPEG (ITU-T T.81), baseline and progressive.
  case jpeg
  /// PNG (ISO/IEC 15948).
  case png
  /// WebP, lossy and lossless; the first frame of an animation.
  case webp

  /// The name as people write it: "JPEG", "PNG", "WebP".
  public var description: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    }
  }
}
