// SPDX-License-Identifier: Apache-2.0

/// Under which conditions a model may be downloaded.
public struct ModelDownloadConditions: Sendable, Hashable {
  /// Whether a mobile network may be used.
  ///
  /// Kept for apps that set it; without effect on Linux, which does not distinguish mobile networks from others.
  public let allowsCellularAccess: Bool

  /// Makes conditions.
  /// - Parameter allowsCellularAccess: Whether a mobile network may be used.
  public init(allowsCellularAccess: Bool = true) { self.allowsCellularAccess = allowsCellularAccess }
}
