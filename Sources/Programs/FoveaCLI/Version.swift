// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

/// The versions of this program and its runtime.
enum Version {
  static let fovea = FoveaVersion.current

  /// LiteRT's version; nil if its library cannot be loaded.
  ///
  /// The library does not report its version; the value is the version whose functions it exports.
  static var liteRT: String? { (try? RuntimeLibrary.shared()) == nil ? nil : RuntimeLibrary.supportedVersion }

  static var line: String {
    "fovea \(fovea) (\(liteRT.map { "LiteRT \($0)" } ?? "no LiteRT library found; run make setup"))"
  }
}
