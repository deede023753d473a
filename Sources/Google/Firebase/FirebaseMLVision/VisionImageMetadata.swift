// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The metadata of an image.
public final class VisionImageMetadata: NSObject {
  /// The rotation that makes the stored pixels upright; `topLeft`, no rotation, by default.
  public var orientation = VisionDetectorImageOrientation.topLeft

  /// Creates the default metadata.
  public override init() {}
}
