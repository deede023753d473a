// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reports of loads in words.
package enum LoadCountText {
  /// `1,204, 3 failed`; nil before the first report.
  package static func text(loaded: Int, failed: Int) -> String? {
    guard loaded + failed > 0 else { return nil }
    let text = DecimalText.grouped(loaded)
    return failed > 0 ? "\(text), \(DecimalText.grouped(failed)) failed" : text
  }
}
#endif
