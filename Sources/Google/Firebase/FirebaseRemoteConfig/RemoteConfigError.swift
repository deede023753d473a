// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The domain of fetch errors.
public let RemoteConfigErrorDomain = "com.google.remoteconfig.ErrorDomain"
/// The `userInfo` key of the time, in seconds since 1970, until which no requests are sent to the host.
public let RemoteConfigThrottledEndTimeInSecondsKey = "error_throttled_end_time_seconds"

/// The error of a failed fetch.
public struct RemoteConfigError: CustomNSError, LocalizedError, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Int, Sendable {
    /// Any other failure.
    case unknown = 8001
    /// The host limited the requests.
    case throttled = 8002
    /// The host cannot be reached, refuses the request, or sends an invalid response.
    case internalError = 8003
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the error, with a remedy.
  public let errorDescription: String?
  private let end: Int?

  /// Any other failure.
  public static var unknown: Code { .unknown }
  /// The host limited the requests.
  public static var throttled: Code { .throttled }
  /// The host cannot be reached, refuses the request, or sends an invalid response.
  public static var internalError: Code { .internalError }

  init(_ error: ConfigError, until end: Int? = nil) {
    code = error.code == .throttled ? .throttled : .internalError
    errorDescription = error.description
    self.end = end
  }

  /// The domain of fetch errors.
  public static var errorDomain: String { RemoteConfigErrorDomain }
  /// The number of the failure.
  public var errorCode: Int { code.rawValue }
  /// The description, and the end of the pause that the host requested.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [:]
    if let errorDescription { info[NSLocalizedDescriptionKey] = errorDescription }
    if let end { info[RemoteConfigThrottledEndTimeInSecondsKey] = NSNumber(value: end) }
    return info
  }
}
