// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has no state but a constant.
/// The app as Firebase's names know it; nothing here opens a connection.
public final class FirebaseApp: NSObject, @unchecked Sendable {
  /// The default app's name.
  public let name = "__FIRAPP_DEFAULT"
  private static let shared = FirebaseApp()

  private override init() {}

  /// Does nothing: there is nothing to configure.
  public class func configure() {}

  /// The default app, always there.
  public class func app() -> FirebaseApp? { shared }
}
