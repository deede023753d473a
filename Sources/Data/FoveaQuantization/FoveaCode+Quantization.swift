// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore

/// The error codes of quantisation.
extension FoveaCode {
  /// No photo can be used to choose the ranges of numbers, or none shows anything that can be compared.
  ///
  /// **Remedy:** give photos like those that the model will see.
  package static let calibrationEmpty = Self(rawValue: "calibration-empty")
}
