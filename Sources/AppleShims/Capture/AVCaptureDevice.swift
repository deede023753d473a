// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: everything is set in init and never changed.
/// A camera: `/dev/video0` and its like.
public final class AVCaptureDevice: NSObject, @unchecked Sendable {
  /// Where a camera is on the device.
  ///
  /// The numbers are AVFoundation's.
  public enum Position: Int, Sendable, CaseIterable {
    /// Nowhere in particular: a camera on a cable.
    case unspecified = 0
    /// On the back.
    case back = 1
    /// Beside the screen.
    case front = 2
  }

  override private init() {}
}
