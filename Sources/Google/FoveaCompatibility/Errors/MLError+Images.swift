// SPDX-License-Identifier: Apache-2.0

extension MLError {
  /// A `UIImage` that has no `CGImage`.
  package static let noCGImage = MLError(
    .invalidArgument, "The image has no CGImage, so that it has no pixels",
    remedy: "Make the UIImage from a file, from data or from a CGImage")

  /// A sample buffer without an image.
  package static let noImageBuffer = MLError(
    .invalidArgument, "The sample buffer has no image buffer",
    remedy: "Give a sample buffer of a video, with pixels in BGRA, 420f or 420v")

  /// A type of image that this library did not make.
  package static func unknownImage(_ type: Any.Type) -> MLError {
    MLError(
      .invalidArgument, "An image of the type \(type) cannot be read",
      remedy: "Give a VisionImage or an MLImage")
  }
}
