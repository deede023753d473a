// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The domain of errors of fetches.
public let RemoteConfigErrorDomain = "com.google.remoteconfig.ErrorDomain"
/// Where the `userInfo` of an error has the time, in seconds since 1970, until which the host is not asked.
public let RemoteConfigThrottledEndTimeInSecondsKey = "error_throttled_end_time_seconds"

/// Why a fetch failed.
public struct RemoteConfigError: CustomNSError, LocalizedError, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Int, Sendable {
    /// Something else.
    case unknown = 8001
    /// The host asked for patience.
    case throttled = 8002
    /// The host cannot be reached, refuses the request, or its answer cannot be read.
    case internalError = 8003
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, and what to do next.
  public let errorDescription: String?
  private let end: Int?

  /// Something else.
  public static var unknown: Code { .unknown }
  /// The host asked for patience.
  public static var throttled: Code { .throttled }
  /// The host cannot be reached, refuses the request, or its answer cannot be read.
  public static var internalError: Code { .internalError }

  init(_ error: ConfigError, until end: Int? = nil) {
    code = error.code == .throttled ? .throttled : .internalError
    errorDescription = error.description
    self.end = end
  }

  /// The domain of errors of fetches.
  public static var errorDomain: String { RemoteConfigErrorDomain }
  /// The number of the kind.
  public var errorCode: Int { code.rawValue }
  /// The description, and the end of the pause that the host asked for.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [:]
    if let errorDescription { info[NSLocalizedDescriptionKey] = errorDescription }
    if let end { info[RemoteConfigThrottledEndTimeInSecondsKey] = NSNumber(value: end) }
    return info
  }
}
