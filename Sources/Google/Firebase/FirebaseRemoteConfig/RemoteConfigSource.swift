// SPDX-License-Identifier: Apache-2.0

/// The source of a value.
public enum RemoteConfigSource: Int, Sendable {
  /// The host.
  case remote = 0
  /// The app's defaults.
  case `default` = 1
  /// No source: the value is empty.
  case `static` = 2
}
