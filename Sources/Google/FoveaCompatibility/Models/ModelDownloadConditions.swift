// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Under which conditions a model may be downloaded.
///
/// Both are kept and have no effect on Linux, which does not distinguish mobile networks from others and has no background
/// that an app could be in: a download begins at once, and continues as long as the process runs.
public final class ModelDownloadConditions: NSObject, NSCopying, @unchecked Sendable {
  // SAFETY: it has nothing but constants.
  /// Whether a mobile network may be used.
  ///
  /// Default: true.
  public let allowsCellularAccess: Bool
  /// Whether the download may go on while the app is in the background.
  ///
  /// Default: false.
  public let allowsBackgroundDownloading: Bool

  /// Makes conditions.
  /// - Parameters:
  ///   - allowsCellularAccess: Whether a mobile network may be used.
  ///   - allowsBackgroundDownloading: Whether the download may go on while the app is in the background.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// The defaults: mobile networks are allowed, the background is not.
  public convenience override init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// The same object, as it cannot change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object has the same conditions.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDownloadConditions else { return false }
    return allowsCellularAccess == other.allowsCellularAccess
      && allowsBackgroundDownloading == other.allowsBackgroundDownloading
  }

  /// Equal conditions have equal values.
  public override var hash: Int { (allowsCellularAccess ? 1 : 0) + (allowsBackgroundDownloading ? 2 : 0) }
}
