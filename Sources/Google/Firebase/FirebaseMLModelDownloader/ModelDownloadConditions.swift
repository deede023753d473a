// SPDX-License-Identifier: Apache-2.0

/// The conditions under which a model may be downloaded.
public struct ModelDownloadConditions: Sendable, Hashable {
  /// Whether a mobile network may be used.
  ///
  /// Accepted for compatibility; no effect on Linux, which does not distinguish mobile networks from others.
  public let allowsCellularAccess: Bool

  /// Creates conditions.
  /// - Parameter allowsCellularAccess: Whether a mobile network may be used.
  public init(allowsCellularAccess: Bool = true) { self.allowsCellularAccess = allowsCellularAccess }
}
