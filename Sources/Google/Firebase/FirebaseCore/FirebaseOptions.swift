// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has nothing but constants.
/// The keys of Google's services that an app was configured with; kept and not used.
public final class FirebaseOptions: NSObject, NSCopying, @unchecked Sendable {
  /// The app's identifier.
  public let googleAppID: String
  /// The sender's identifier of Cloud Messaging.
  public let gcmSenderID: String

  /// Makes options.
  /// - Parameters:
  ///   - googleAppID: The app's identifier.
  ///   - gcmSenderID: The sender's identifier of Cloud Messaging.
  public init(googleAppID: String, gcmSenderID: String) {
    self.googleAppID = googleAppID
    self.gcmSenderID = gcmSenderID
  }

  convenience override init() { self.init(googleAppID: "", gcmSenderID: "") }

  /// The same object, as it cannot change.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
