// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

/// What this program and its runtime call themselves.
enum Version {
  static let fovea = FoveaVersion.current

  /// LiteRT's version; nil where its library cannot be loaded.
  ///
  /// The library does not report its version; it is the one whose functions were found in it.
  static var liteRT: String? { (try? RuntimeLibrary.shared()) == nil ? nil : RuntimeLibrary.supportedVersion }

  static var line: String {
    "fovea \(fovea) (\(liteRT.map { "LiteRT \($0)" } ?? "no LiteRT library found; run make setup"))"
  }
}
