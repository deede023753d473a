// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
public import Foundation

/// The entry point to the legacy detectors: `Vision.vision().objectDetector()`.
///
/// Everything runs on the device; no usage statistics are collected or sent.
public final class Vision: NSObject, @unchecked Sendable {
  // SAFETY: it has no state.
  private static let shared = Vision()

  private override init() {}

  /// Whether usage statistics are collected: always false.
  ///
  /// Setting it has no effect, since nothing is collected here.
  public var isStatsCollectionEnabled: Bool {
    get { false }
    set {}
  }

  /// Returns the entry point of the default app; `FirebaseApp.configure()` need not have been called.
  public class func vision() -> Vision { shared }

  /// Returns the entry point of an app, which is the same for all apps.
  public class func vision(app: FirebaseApp) -> Vision { shared }
}
