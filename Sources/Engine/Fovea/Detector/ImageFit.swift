// SPDX-License-Identifier: Apache-2.0

/// The way an image is fitted into a detector's input if their proportions differ.
public enum ImageFit: String, Sendable, Hashable, CaseIterable {
  /// Fills the input and changes the image's proportions, as with SSD, EfficientDet and the embedded models.
  case stretch
  /// Keeps the proportions, and fills the rest with bars, as with YOLO.
  case letterbox
}

/// The former name of ``ImageFit``.
@available(*, deprecated, renamed: "ImageFit")
public typealias PictureFit = ImageFit
