// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  /// The window of a metric as sentences have it.
  package enum WindowText {
    /// `1 hour`, `24 hours`, `7 days`.
    package static func text(seconds: Int) -> String {
      let hours = Double(seconds) / 3_600
      guard hours < 48 else { return "\(DecimalText.short(hours / 24, places: 2)) days" }
      let text = DecimalText.short(hours, places: 2)
      return text == "1" ? "1 hour" : "\(text) hours"
    }
  }
#endif
