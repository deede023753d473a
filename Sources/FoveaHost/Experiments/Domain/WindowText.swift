// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  /// The window of a metric as sentences have it.
  package enum WindowText {
    /// `24 hours`, `7 days`.
    package static func text(seconds: Int) -> String {
      let hours = Double(seconds) / 3_600
      return hours >= 48
        ? "\(DecimalText.short(hours / 24, places: 2)) days"
        : "\(DecimalText.short(hours, places: 2)) hours"
    }
  }
#endif
