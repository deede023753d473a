// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The domain of update errors.
public let RemoteConfigUpdateErrorDomain = "com.google.remoteconfig.update.ErrorDomain"

/// The error of a failed update.
public struct RemoteConfigUpdateError: CustomNSError, LocalizedError, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Int, Sendable {
    /// The connection to the host failed.
    case streamError = 8001
    /// The latest configuration cannot be fetched.
    case notFetched = 8002
    /// A message of the host is invalid.
    case messageInvalid = 8003
    /// The host accepts no more waiting connections.
    case unavailable = 8004
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the error, with a remedy.
  public let errorDescription: String?

  init(_ error: ConfigError) {
    switch error.code {
    case .throttled: code = .unavailable
    case .invalidAnswer, .store: code = .notFetched
    default: code = .streamError
    }
    errorDescription = error.description
  }

  /// The domain of update errors.
  public static var errorDomain: String { RemoteConfigUpdateErrorDomain }
  /// The number of the failure.
  public var errorCode: Int { code.rawValue }
  /// The description.
  public var errorUserInfo: [String: Any] { errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
}
