// SPDX-License-Identifier: Apache-2.0

extension MLError {
  /// A `UIImage` that has no `CGImage`.
  package static let noCGImage = MLError(
    .invalidArgument, "The image has no CGImage and therefore no pixels",
    remedy: "Create the UIImage from a file, from data or from a CGImage")

  /// A sample buffer without an image.
  package static let noImageBuffer = MLError(
    .invalidArgument, "The sample buffer has no image buffer",
    remedy: "Pass a video sample buffer with pixels in BGRA, 420f or 420v")

  /// An image type that this library does not define.
  package static func unknownImage(_ type: Any.Type) -> MLError {
    MLError(
      .invalidArgument, "An image of the type \(type) cannot be read",
      remedy: "Pass a VisionImage or an MLImage")
  }
}
