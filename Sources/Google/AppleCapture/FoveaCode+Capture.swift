// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension FoveaCode {
  /// A capture session was started without an input.
  ///
  /// **Remedy:** add a camera or a `FrameSourceInput` first.
  static let captureInputMissing = Self(rawValue: "capture-input-missing")
}
