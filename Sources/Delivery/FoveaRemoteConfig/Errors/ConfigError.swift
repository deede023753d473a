// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore
import FoveaModels

/// An error of fetching, storing or reading a configuration, or of logging or sending events.
public typealias ConfigError = Failure<ConfigCode>

/// The kinds of ``ConfigError``.
public struct ConfigCode: FailureCode {
  /// The prefix of the codes in a `FoveaError`.
  public static let domain = "config-"
  /// The code as in results, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No host is set, or its address does not name a project.
  ///
  /// **Remedy:** run the line `export FOVEA_MODEL_HOST=…` that `fovea host init` printed.
  public static let hostMissing = Self(rawValue: "host-missing")
  /// The host cannot be reached, or the connection ended early.
  ///
  /// **Remedy:** check network and proxy; the active values remain in use.
  public static let unreachable = Self(rawValue: "unreachable")
  /// The host refused the request.
  ///
  /// **Remedy:** check the key and the project in the address.
  public static let refused = Self(rawValue: "refused")
  /// The host requested a delay, or failed.
  ///
  /// **Remedy:** fetch again after the time in the message.
  public static let throttled = Self(rawValue: "throttled")
  /// The host's answer is not a configuration.
  ///
  /// **Remedy:** check that the address belongs to a host of this version.
  public static let invalidAnswer = Self(rawValue: "answer-invalid")
  /// A value is not of the requested type.
  ///
  /// **Remedy:** correct the parameter, or read it as text.
  public static let invalidValue = Self(rawValue: "value-invalid")
  /// An event's value or an option is out of range.
  ///
  /// **Remedy:** the message names it and the range.
  public static let invalidOption = Self(rawValue: "option-invalid")
  /// A file on the device cannot be read or written, or the disk is full.
  ///
  /// **Remedy:** free some space, check permissions, or set `FOVEA_MODELS`.
  public static let store = Self(rawValue: "store-failed")
  /// libcurl, which requests need, cannot be loaded.
  ///
  /// **Remedy:** `apt-get install libcurl4` (`libcurl4t64` on Ubuntu 24.04, Debian 13).
  public static let libraryMissing = Self(rawValue: "http-library-missing")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
}

extension ConfigError {
  /// Creates the error of a file on the device, or of a host's address.
  init(_ error: ModelStoreError) {
    let code: ConfigCode = error.code == .invalidOption || error.code == .hostMissing ? .hostMissing : .store
    self.init(code, error.message, remedy: error.remedy, cause: error)
  }

  init(_ error: TransferError) {
    guard error.code != .cancelled else {
      self.init(.cancelled, "The request was cancelled", remedy: "Call again")
      return
    }
    self.init(.libraryMissing, error.message, remedy: error.remedy, cause: error)
  }
}
