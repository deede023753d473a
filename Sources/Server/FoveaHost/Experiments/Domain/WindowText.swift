// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The window of a metric in a sentence.
package enum WindowText {
  /// `30 seconds`, `1 minute`, `24 hours`, `7 days`.
  package static func text(seconds: Int) -> String {
    switch seconds {
    case ..<60: text(Double(seconds), "second")
    case ..<3_600: text(Double(seconds) / 60, "minute")
    case ..<172_800: text(Double(seconds) / 3_600, "hour")
    default: text(Double(seconds) / 86_400, "day")
    }
  }

  private static func text(_ count: Double, _ unit: String) -> String {
    let text = DecimalText.short(count, places: 2)
    return text == "1" ? "1 \(unit)" : "\(text) \(unit)s"
  }
}
#endif
