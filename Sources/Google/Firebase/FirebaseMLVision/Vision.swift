// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
public import Foundation

/// The entry to the legacy detectors: `Vision.vision().objectDetector()`.
///
/// Everything runs on the device, and nothing is counted or sent.
public final class Vision: NSObject, @unchecked Sendable {
  // SAFETY: it has no state but a flag, which nothing reads.
  private static let shared = Vision()

  private override init() {}

  /// Whether use is counted: always false, and setting it changes nothing, as nothing is ever counted here.
  public var isStatsCollectionEnabled: Bool {
    get { false }
    set {}
  }

  /// The entry for the default app; `FirebaseApp.configure()` need not have been called.
  public class func vision() -> Vision { shared }

  /// The entry for an app; the same for all.
  public class func vision(app: FirebaseApp) -> Vision { shared }
}
