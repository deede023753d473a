// SPDX-License-Identifier: Apache-2.0

/// What this program and its runtime call themselves.
enum Version {
  static let fovea = "0.1.0"
  static var line: String { "fovea \(fovea)" }
}
