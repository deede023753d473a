// SPDX-License-Identifier: Apache-2.0

/// What this program and its runtime call themselves.
enum Version {
  static let fovea = "0.1.0"

  /// LiteRT's version; nil where its library cannot be loaded.
  static var liteRT: String? { nil }

  static var line: String {
    "fovea \(fovea) (\(liteRT.map { "LiteRT \($0)" } ?? "no LiteRT library found; run make setup"))"
  }
}
