// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The domain of errors of updates.
public let RemoteConfigUpdateErrorDomain = "com.google.remoteconfig.update.ErrorDomain"

/// Why there is no update.
public struct RemoteConfigUpdateError: CustomNSError, LocalizedError, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Int, Sendable {
    /// There is no connection to the host.
    case streamError = 8001
    /// The newest configuration cannot be fetched.
    case notFetched = 8002
    /// A message of the host cannot be read.
    case messageInvalid = 8003
    /// The host takes no more connections that wait.
    case unavailable = 8004
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, and what to do next.
  public let errorDescription: String?

  init(_ error: ConfigError) {
    switch error.code {
    case .throttled: code = .unavailable
    case .invalidAnswer, .store: code = .notFetched
    default: code = .streamError
    }
    errorDescription = error.description
  }

  /// The domain of errors of updates.
  public static var errorDomain: String { RemoteConfigUpdateErrorDomain }
  /// The number of the kind.
  public var errorCode: Int { code.rawValue }
  /// The description.
  public var errorUserInfo: [String: Any] { errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
}
