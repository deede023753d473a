// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is known of an image besides its pixels.
public final class VisionImageMetadata: NSObject {
  /// How the stored pixels must be rotated to be upright; `topLeft`, as they are, by default.
  public var orientation = VisionDetectorImageOrientation.topLeft

  /// Makes the default.
  public override init() {}
}
