// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

// SAFETY: `keys`, a mutex, has everything that can change; the rest are constants.
/// The keys of Google's services with which an app was configured; kept but not used.
public final class FirebaseOptions: NSObject, NSCopying, @unchecked Sendable {
  private struct Keys: Sendable {
    var projectID: String?
    var apiKey: String?
  }

  /// The app's identifier.
  public let googleAppID: String
  /// The sender's identifier of Cloud Messaging.
  public let gcmSenderID: String
  private let keys = Mutex(Keys())

  /// The project's identifier.
  ///
  /// Kept but not used: a model host is identified by its address. Default: nil.
  public var projectID: String? {
    get { keys.withLock { $0.projectID } }
    set { keys.withLock { $0.projectID = newValue } }
  }
  /// The key that identifies the app to Google's services.
  ///
  /// Kept but not used: a model host's key is part of its address. Default: nil.
  public var apiKey: String? {
    get { keys.withLock { $0.apiKey } }
    set { keys.withLock { $0.apiKey = newValue } }
  }

  /// Creates options.
  /// - Parameters:
  ///   - googleAppID: The app's identifier.
  ///   - gcmSenderID: The sender's identifier of Cloud Messaging.
  public init(googleAppID: String, gcmSenderID: String) {
    self.googleAppID = googleAppID
    self.gcmSenderID = gcmSenderID
  }

  convenience override init() { self.init(googleAppID: "", gcmSenderID: "") }

  /// Returns a copy of the options with the same keys.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = FirebaseOptions(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
    let present = keys.withLock { $0 }
    copy.keys.withLock { $0 = present }
    return copy
  }
}
