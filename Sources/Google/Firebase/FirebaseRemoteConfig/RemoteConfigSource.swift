// SPDX-License-Identifier: Apache-2.0

/// Where a value comes from.
public enum RemoteConfigSource: Int, Sendable {
  /// From the host.
  case remote = 0
  /// From the app's defaults.
  case `default` = 1
  /// From nowhere: the value is empty.
  case `static` = 2
}
