// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The conditions under which a model may be downloaded.
///
/// Accepted for compatibility; no effect on Linux, which does not distinguish mobile networks from others and
/// has no background mode: a download starts at once, and continues while the process runs.
public final class ModelDownloadConditions: NSObject, NSCopying, @unchecked Sendable {
  // SAFETY: it has only constants.
  /// Whether a mobile network may be used.
  ///
  /// Default: true.
  public let allowsCellularAccess: Bool
  /// Whether the download may continue while the app is in the background.
  ///
  /// Default: false.
  public let allowsBackgroundDownloading: Bool

  /// Creates conditions.
  /// - Parameters:
  ///   - allowsCellularAccess: Whether a mobile network may be used.
  ///   - allowsBackgroundDownloading: Whether the download may continue while the app is in the background.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Creates the defaults: mobile networks are allowed, background downloads are not.
  public convenience override init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// Returns the same object, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object has the same conditions.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDownloadConditions else { return false }
    return allowsCellularAccess == other.allowsCellularAccess
      && allowsBackgroundDownloading == other.allowsBackgroundDownloading
  }

  /// The hash value, equal for equal conditions.
  public override var hash: Int { (allowsCellularAccess ? 1 : 0) + (allowsBackgroundDownloading ? 2 : 0) }
}
